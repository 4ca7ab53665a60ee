"""A proof is made once for the same table, seed and attackers, and anew for anything else."""

import gc
import weakref

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.purchases.likeness import JaccardAttack
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.outcomes import PanelRun
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof import remembered
from kakurenbo.auditing.proof.prove import prove


def bought(people=3):
    rows = [{"who": f"c{i}", "what": f"g{i % 2}{k}"} for i in range(people) for k in range(2)]
    return kb.Purchases.from_frame(pl.DataFrame(rows), customer="who", goods="what")


class Spy:
    """Tells which attackers were tried since it was last asked."""

    def __init__(self):
        self._tried = []

    def watching(self, attack):
        def watched(panel, *given, **named):
            self._tried.extend(panel.members)
            return attack(panel, *given, **named)

        return watched

    def __call__(self):
        members = {(who.key, who.reading) for who in self._tried}
        self._tried.clear()
        return members


@pytest.fixture
def asked():
    with pytest.MonkeyPatch.context() as patch:  # attackers stay who they are: none has to be tried again
        patch.setattr(Panel, "attack", (spy := Spy()).watching(Panel.attack))
        yield spy


@pytest.fixture
def asked_in_vain():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Panel, "attack", (spy := Spy()).watching(lambda *_, **__: PanelRun((), (), None)))
        yield spy


def everybody(data):
    return {(who.key, who.reading) for who in Panel.of(data).members}


@pytest.mark.campaign
def test_everybody_is_proved_once_whoever_is_left_out(asked):
    data = bought()
    gone = [who.key for who in Panel.of(data).members if who.name == "jaccard"]
    some = prove(data, seed=1, without=gone)
    assert {one.attack for one in some.attackers}.isdisjoint({"jaccard"})
    assert asked() == {who for who in everybody(data) if who[0] not in gone}
    whole = prove(data, seed=1)
    assert asked() == {who for who in everybody(data) if who[0] in gone}
    assert prove(data, seed=1) == whole
    assert prove(data, seed=1, without=gone) == some
    assert asked() == set()
    remembered.forget()
    assert prove(data, seed=1) == whole
    assert asked() == everybody(data)


@pytest.mark.parametrize(
    ("other", "changed"), [("seed", {"seed": 2}), ("table", {}), ("practised", {"practised": True})]
)
def test_anything_else_is_proved_anew(asked_in_vain, other, changed):
    data = bought()
    prove(data, seed=1)
    assert asked_in_vain() == everybody(data)
    prove(data, seed=1)
    assert asked_in_vain() == set()
    prove(bought() if other == "table" else data, **{"seed": 1, **changed})
    assert asked_in_vain() >= everybody(data)


def test_another_class_under_the_same_name_is_another_attacker():
    class Planted(JaccardAttack):
        about = JaccardAttack.about

    one = next(one for one in attackers(bought()) if type(one.attack) is JaccardAttack)
    planted = type(one)(Planted(**one.attack.model_dump()), one.stand, one.reading)
    assert planted.key == one.key
    assert remembered.identity(planted) != remembered.identity(one)


def test_proofs_are_few_and_let_go_of_with_their_table():
    data = bought()
    for seed in range(remembered.MOST + 3):
        remembered.proofs(data, seed, practised=False)
    assert list(remembered._made[data]) == [(seed, False) for seed in range(3, remembered.MOST + 3)]
    seen = weakref.ref(data)
    del data
    gc.collect()
    assert seen() is None
