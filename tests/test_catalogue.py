"""A thing says all about itself: what is missing fails when it is made or registered, never silently."""

from typing import ClassVar

import pytest
from pydantic import Field

import kakurenbo as kb
from kakurenbo.about import AttackAbout, MeasureAbout, MethodAbout, Stand
from kakurenbo.attacks.base import Values
from kakurenbo.attacks.ladder import LADDERS
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.catalogue import entries, register
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed
from kakurenbo.deidentify.base import Method
from kakurenbo.measure import Measure

KNOWN = {"name": "made-up", "kind": "purchases", "source": "nowhere"}
ALONE = {**KNOWN, "reach": "person"}


class Nothing(Method[Purchases]):
    """Changes nothing, and says all there is to say."""

    about: ClassVar = MethodAbout(**ALONE, untuned="it does nothing")

    def change(self, data, chance):
        return Changed(data)


class Seer(PurchasesAttack):
    """Compares nothing, and says all there is to say."""

    about: ClassVar = AttackAbout(**KNOWN, stands=(Stand(rung="goods", story="Guesses"),))

    def compares(self, data):
        return Values(())

    def rerank(self, tables, chance):
        raise NotImplementedError


def test_what_says_everything_is_registered():
    assert (register(Nothing).family, register(Seer).family) == ("method", "attack")


@pytest.mark.parametrize(
    ("about", "needed"),
    [
        (MethodAbout, {"untuned": "why", "reach": "person"}),
        (AttackAbout, {"absent": "why"}),
        (MeasureAbout, {"kept": "risk"}),
    ],
)
@pytest.mark.parametrize("missing", ["name", "kind", "source", "the rest"])
def test_no_record_is_made_without_what_it_must_say(about, needed, missing):
    said = {**KNOWN, **needed}
    about(**said)
    for name in needed if missing == "the rest" else [missing]:
        said.pop(name)
    with pytest.raises(TypeError):
        about(**said)


def test_a_place_and_a_reason_for_having_none_exclude_each_other():
    with pytest.raises(TypeError, match="slot"):
        MethodAbout(**ALONE, slot="groups", untuned="but why")
    with pytest.raises(TypeError, match="stands"):
        AttackAbout(**KNOWN, stands=Seer.about.stands, absent="but why")


def test_a_method_says_how_far_it_reaches_and_why_it_does_not_run_in_blocks():
    with pytest.raises(TypeError, match="reaches"):
        MethodAbout(**KNOWN, untuned="why")
    with pytest.raises(TypeError, match="in blocks"):
        MethodAbout(**KNOWN, untuned="why", reach="whole")
    with pytest.raises(TypeError, match="in blocks"):
        MethodAbout(**ALONE, untuned="why", because="it is shy")


def changed(owner, **parts):
    """A class like another, with some of it changed."""
    return type(
        "Other",
        (owner,),
        {"__doc__": "Like another, but not quite the same.", "__annotations__": {}, **parts},
    )


WRONG = {
    "does not say about itself": {"about": None},
    "it has no story": {"__doc__": ""},
    "promises": {"about": MethodAbout(**ALONE, promises=("flies",), untuned="why")},
    "fitted to blocks": {"about": MethodAbout(**KNOWN, reach="table", untuned="why")},
    "kind of data": {"about": MethodAbout(**{**KNOWN, "kind": "songs"}, untuned="why")},
    "rung": {"about": AttackAbout(**KNOWN, stands=(Stand(rung="everything ever", story="x"),))},
    "rung goods or nowhere": {
        "about": AttackAbout(**KNOWN, stands=(Stand(rung="goods", story="x", beyond="nowhere"),))
    },
}


@pytest.mark.parametrize("said", WRONG)
def test_what_is_wrong_or_missing_fails_at_registration(said):
    with pytest.raises(TypeError, match=said):
        register(changed(Seer if "rung" in said else Nothing, **WRONG[said]))


def test_a_parameter_without_a_description_and_an_attack_that_compares_nothing_fail_too():
    class Mute(Nothing):
        """Has a parameter nobody can understand."""

        strength: int = 1

    class Blind(PurchasesAttack):
        """Does not say what it compares."""

        about: ClassVar = Seer.about
        depth: int = Field(1, description="how deep")

        def rerank(self, tables, chance):
            raise NotImplementedError

    with pytest.raises(TypeError, match="strength has no description"):
        register(Mute)
    with pytest.raises(TypeError, match="compares"):
        register(Blind)


def test_a_measure_of_risk_has_no_loss_and_a_similarity_is_better_higher():
    class Fear(Measure[Purchases]):
        """A number of risk."""

        about: ClassVar = MeasureAbout(**KNOWN, kept="risk", unit="shivers")

        def value(self, original, released, secret):
            return 3.0

    with pytest.raises(kb.ParameterError):
        Fear().loss(3.0, kb.demo.shop(5, seed=1))
    with pytest.raises(TypeError):
        MeasureAbout(**KNOWN, kept="similarity")


@pytest.mark.parametrize("entry", entries("measure"), ids=lambda entry: entry.name)
def test_every_measure_becomes_a_share_lost_or_speaks_of_risk(entry):
    data = kb.demo.shop(12, seed=1) if entry.kind == "purchases" else kb.demo.households(12, seed=1)
    measure = entry.what()
    if measure.about.kept == "risk":
        return
    best = {"lower": 0.0, "higher": 1.0}[measure.about.better]
    assert measure.loss(best, data) == 0
    worse = [measure.loss(abs(best - step), data) for step in (0.0, 0.25, 0.5, 1.0)]
    assert worse == sorted(worse)
    assert 0 < worse[-1] <= 1


@pytest.mark.parametrize("kind", ["purchases", "microdata"])
def test_every_attack_stands_on_the_panel_or_says_why_not(kind):
    data = kb.demo.shop(12, seed=1) if kind == "purchases" else kb.demo.households(12, seed=1)
    standing = attackers(data)
    named = {attacker.name for attacker in standing}
    for entry in entries("attack", kind):
        assert (entry.name in named) != bool(entry.what.about.absent), entry.name
    rungs = [rung.name for rung in LADDERS[kind]]
    places = [rungs.index(attacker.knowledge) for attacker in standing]
    assert places == sorted(places)
    assert len({attacker.key for attacker in standing}) == len(standing)
