"""Per-person risk: who is found, by whom, and why; checked against plain sets."""

from dataclasses import replace

import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.ladder import LADDERS
from kakurenbo.auditing.audit import audit
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof.controls import luck
from kakurenbo.auditing.victims import victims
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.progress import Progress
from shops import light_shop


@pytest.fixture(scope="module")
def shop():
    return light_shop(80, seed=4)


def goods_of(purchases):
    sets = {}
    for who, what in purchases.under(None).select("customer", "goods").iter_rows():
        sets.setdefault(who, set()).add(what)
    return sets


@pytest.mark.campaign
def test_the_goods_that_give_somebody_away_are_his_alone(shop):
    parts = ("customer", "goods", "price", "quantity")  # visits, with their times, would tell sooner
    shop = kb.Purchases.from_frame(shop.under(None).select(parts), **{part: part for part in parts})
    release = kb.methods.Delete(share=0.3).release(shop, seed=1)
    people = audit(shop, release, seed=1).people
    before, after = goods_of(shop), goods_of(release.data)
    checked = 0
    for row in people.table.iter_rows(named=True):
        if row["least_knowledge"] != "goods" or "nobody else" not in row["why"]:
            continue
        clues = set(row["why"].split(":")[0].split(", "))
        assert len(clues) <= 3
        assert clues <= after[row["released"]]
        assert [who for who, goods in before.items() if clues <= goods] == [row["original"]]
        assert [who for who, goods in after.items() if clues <= goods] == [row["released"]]
        checked += 1
    assert checked > 40


def told(shop, release, targets, names, rungs=frozenset({"1 record", "goods"})):
    """Return who is found by these attackers of so many people, the tables being in blocks."""
    tables = InMemory(shop, 2), InMemory(release.data, 3)
    given = AuditInput.of(*tables, release.pairing, targets, Chance(5), Progress())
    spoken = vocabulary(given.original, given.released)
    seen = Tables(spoken.original, given.released, Chance(5), given.original)
    panel = Panel.of(spoken.original)
    some = tuple(
        who for who in panel.members
        if who.name in names and who.knowledge in rungs and who.reading != "assignment"
    )  # fmt: skip
    ran = replace(panel, members=some).attack_input(given, seen, recode=spoken.alike)
    return victims(ran, given, [rung.name for rung in LADDERS["purchases"]], spoken.alike)


def test_who_is_found_of_the_people_drawn_is_found_as_where_all_are_sought(shop):
    hidden = kb.methods.Coarsen(times="month"), kb.methods.Compact(min_size=4)
    release = kb.methods.Chain(methods=hidden).release(shop, seed=3)
    names = {"evidence", "likelihood", "containment", "jaccard", "weighted"}
    whole, half = (told(shop, release, targets, names) for targets in ("all", 40))
    assert (whole.people, whole.drawn_from) == (80, None)
    assert (half.people, half.drawn_from) == (40, 80)
    assert half.table["original"].n_unique() == 40
    everybody = {row["released"]: row for row in whole.table.iter_rows(named=True)}
    for row in half.table.iter_rows(named=True):
        same = everybody[row["released"]]
        assert row["highest_chance"] == pytest.approx(same["highest_chance"])
        assert set(row["found_by"].split("; ")) == set(same["found_by"].split("; "))
        assert [row[name] for name in ("original", "attackers", "least_knowledge")] == [
            same[name] for name in ("original", "attackers", "least_knowledge")
        ]
    assert 0 < whole.found < 80


def test_what_gives_people_away_who_were_drawn_is_nobody_elses(shop):
    """Though the keys are chosen among the people drawn, it is asked of everybody who else has them."""
    release = kb.methods.Chain(
        methods=(kb.methods.Coarsen(times="month"), kb.methods.Delete(share=0.3))
    ).release(shop, seed=3)
    half = told(shop, release, 40, {"jaccard", "containment"}, {"goods"})
    before, after = goods_of(shop), goods_of(release.data)
    alone = 0
    for row in half.table.filter(half.table["attackers"] > 0).iter_rows(named=True):
        clues = set(row["why"].split(":")[0].split(", which")[0].split(", "))
        assert 1 <= len(clues) <= 3
        assert clues <= after[row["released"]]
        holders = [[who for who, goods in side.items() if clues <= goods] for side in (before, after)]
        if ": nobody else" in row["why"]:
            assert holders == [[row["original"]], [row["released"]]]
            alone += 1
        else:
            others = max(map(len, holders)) - 1
            assert f"which {others} other{'s have' if others > 1 else ' has'}" in row["why"]
    assert alone > 25


def test_luck_finds_fewer_of_some_people_among_many():
    assert luck(60) == luck(60, 60) > luck(60, 6_000) > 0
