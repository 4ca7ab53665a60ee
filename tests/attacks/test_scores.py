"""An attack says how two people match; every reading, blocks of any number and a guess are made of that."""

from typing import ClassVar, Literal

import numpy as np
import polars as pl
import pytest
from pydantic import Field

import kakurenbo as kb
from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Tables, Values
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.search import seek as seeking
from kakurenbo.attacks.search.scores import Pairwise, Points, of_rows
from kakurenbo.attacks.search.seek import seek
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.panel.members import Attacker
from kakurenbo.auditing.panel.outcomes import outcomes
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.catalogue import register
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.owners import Owners
from shops import light_shop

READINGS = ("nearest", "target", "assignment")


def _months(data):
    """Return in how many records everybody bought in each month of a year."""
    months = np.zeros((len(data.customers), 12))
    people = data.records["customer"].to_physical().to_numpy()
    np.add.at(months, (people, data.records["time"].dt.month().to_numpy() - 1), 1.0)
    return months


def _alike(sought, held):
    mine, theirs = _months(sought), _months(held)
    return 1 / (1 + np.abs(mine[:, None] - theirs[None]).sum(axis=2))


def _about(name):
    story = "Compares how many records everybody has in each month"
    return AttackAbout(
        name=name, kind="purchases", source="made up", needs=("time",),
        stands=(Stand(rung="visits", story=story, readings=READINGS),),
    )  # fmt: skip


class MonthsAttack(PurchasesAttack):
    """Knows in which months everybody bought how much, and compares people two by two."""

    about: ClassVar = _about("months")
    reading: Literal["nearest", "assignment", "target"] = Field("nearest", description="who is named")

    def compares(self, data):
        return Values((pl.col("time").dt.month().sort().cast(pl.String).str.join(" "),))

    def score(self, shown):
        return Pairwise(_alike)


class PointsAttack(MonthsAttack):
    """The same, people being points."""

    about: ClassVar = _about("months-as-points")

    def score(self, shown):
        return Points(_months)


@pytest.fixture(scope="module")
def shop():
    return light_shop(30, seed=4)


@pytest.fixture(scope="module")
def release(shop):
    return kb.methods.Delete(share=0.3).release(shop, seed=1)


@pytest.mark.parametrize("attack", [MonthsAttack, PointsAttack])
@pytest.mark.parametrize("reading", READINGS)
def test_any_reading_is_made_of_the_score(shop, release, attack, reading, monkeypatch):
    """By plain arithmetic over all pairs; in a guess, on the panel, and in one block or several."""
    monkeypatch.setattr(seeking, "_FEW", 7)  # people whom a function compares at a time
    member = Attacker(attack(reading=reading), attack.about.stands[0], reading)
    (outcome,) = Panel.among(shop, [member]).attack(release.data, release.pairing, seed=1).outcomes
    if reading == "assignment":
        guess = member.attack.guess(shop, release.data, seed=1)
        assert outcome.finding.rate.value == pytest.approx(
            kb.reidentification(release.pairing, guess).rate.value, abs=0.1
        )
        assert guess.original.n_unique() == len(shop.customers)
        return
    scores = _plain(shop, release, attack)
    if reading == "target":
        scores = scores.T
    owners, people = release.pairing.to_dict(), shop.customers.to_list()
    owner = [people.index(owners[name]) for name in release.data.customers]
    own = np.argsort(owner) if reading == "target" else np.array(owner)
    best = scores >= scores.max(axis=1, keepdims=True) - 1e-9
    plain = (best[np.arange(len(own)), own] / best.sum(axis=1)).mean()
    assert outcome.finding.rate.value == pytest.approx(plain)
    tables, owners = Tables(shop, release.data, Chance(1)), Owners.of(release.pairing)
    for count in (1, 3):
        blocks = InMemory(shop, count), InMemory(release.data, count)
        found = seek(tables, owners, blocks, [member])
        (again,) = outcomes(AuditInput.whole(shop, release.data, owners), found, [member], 0.0)
        assert again.finding.rate.value == pytest.approx(plain)


def _plain(shop, release, attack):
    """Return names x people, the larger the nearer."""
    ours, theirs = _months(shop), _months(release.data)
    apart = [[np.abs(a - b) for b in ours] for a in theirs]
    power = 1 if attack is MonthsAttack else 2
    return -np.array([[float((gap**power).sum()) for gap in row] for row in apart])


def test_rows_of_the_nearest_keep_their_order():
    best = Pairwise(lambda *_: np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 2.0]])).nearest(None, None)
    some = of_rows(best, np.array([2, 1, 0]))
    assert some.indptr.tolist() == [0, 1, 1, 3]
    assert some.indices.tolist() == [1, 0, 1]
    assert some.score.tolist() == [2.0, 0.0, 1.0]


def test_an_attack_must_score_or_rerank():
    class Idle(PurchasesAttack):
        """Does nothing."""

        about: ClassVar = AttackAbout(name="idle", kind="purchases", source="made up", absent="a test")

        def compares(self, data):
            return Values(())

    with pytest.raises(TypeError, match="it neither scores two people"):
        register(Idle)


def test_an_attack_of_the_last_version_is_told_what_to_write():
    class Old(MonthsAttack):
        """Answers as attacks did."""

        about: ClassVar = _about("old")

        def answer(self, seen, chance):
            return None

    with pytest.raises(TypeError, match="rename it `rerank"):
        register(Old)
