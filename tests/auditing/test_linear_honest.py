"""A sampled audit tells what is true of everybody: exposure, what is kept, the proof of the scan."""

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.strip import StripAttack
from kakurenbo.attacks.search import lookup as scan
from kakurenbo.attacks.search.seek import Sought, in_blocks
from kakurenbo.auditing.dropping import Dropping, Left
from kakurenbo.auditing.exposure import among_all
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.learning.learn import learners, learning
from kakurenbo.auditing.learning.purchases import asking
from kakurenbo.auditing.panel.effort import Effort
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.pool import cut_down
from kakurenbo.auditing.proof.prove import prove
from kakurenbo.auditing.results import Control, Targets
from kakurenbo.auditing.sample import draw, held
from kakurenbo.auditing.search import search
from kakurenbo.auditing.utility import utility, with_intervals
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.kernels.scan import Ties
from kakurenbo.progress import Progress
from kakurenbo.risk.exposure.nearness import equals, near_anybody
from kakurenbo.risk.exposure.unicity import unicity
from lessons import looking
from shops import light_shop

SEED = 5


@pytest.fixture(scope="module")
def shop():
    return light_shop(120, seed=2)


@pytest.fixture(scope="module")
def release(shop):
    return kb.methods.Compact(min_size=4).release(shop, seed=3)


def _sample(shop, release, targets):
    both = InMemory(shop, 3), InMemory(release.data, 3)
    return draw(*both, held(release.pairing), targets, Chance(SEED), Progress())


def test_exposure_is_that_of_the_whole_release(shop, release):
    sample = _sample(shop, release, 60)
    groups, unique = among_all(InMemory(release.data, 3), sample.released, Chance(SEED), Progress())
    assert groups == equals(release.data)
    assert groups != equals(sample.released)
    exact = {
        (one.knowledge, one.k): one.rate.value for one in unicity(release.data, np.random.default_rng(1))
    }
    told = {(one.knowledge, one.k): one.rate for one in unique}
    assert exact.keys() == told.keys()
    assert all(abs(told[key].value - share) < 0.1 for key, share in exact.items())


def test_names_are_compared_with_everybody(shop, release):
    sample = _sample(shop, release, 40)
    others = shop.of(shop.customers.filter(~shop.customers.is_in(sample.original.customers.implode())))
    names = _pieces(sample.released)
    for everybody in (shop, others):
        there = _pieces(everybody)
        apart = [1 - max((one & other).total() / (one | other).total() for other in there) for one in names]
        near = near_anybody(InMemory(everybody, 3), sample.released)
        assert near.measure == "multiset"
        assert near.copies == apart.count(0) / len(apart)
        assert near.quantiles == pytest.approx(np.quantile(apart, [0.05, 0.25, 0.5, 0.75, 0.95]))


def _pieces(data):
    """How many pieces of each good everybody has."""
    held = {}
    for who, good, pieces in data.under(None).select("customer", "goods", "quantity").iter_rows():
        held.setdefault(who, Counter())[good] += pieces
    return held.values()


def _blind(patch):
    """Let whoever goes through a release overlook that a place is the target's own."""
    real = scan.look_up

    def blind(*args, **more):
        return tuple(replace(ties, own=np.zeros_like(ties.own)) for ties in real(*args, **more))

    patch.setattr(scan, "look_up", blind)


def test_the_scan_is_proved_and_a_fault_in_it_is_seen(shop, monkeypatch):
    few = shop.of(shop.customers.head(40))
    scans = {who.key for who in attackers(few) if in_blocks(who, few.shown) is not None}
    others = [who.key for who in attackers(few) if who.key not in scans]
    assert prove(few, seed=SEED, without=others).holds
    _blind(monkeypatch)
    failed = prove(few.of(few.customers), seed=SEED, without=others).failed
    assert {one.attack for one in failed} >= {"evidence", "likelihood"}
    assert all(one.reading == "target" for one in failed)


def test_what_is_kept_comes_with_its_interval_and_counts_are_of_everybody(shop):
    release = kb.methods.Delete(share=0.3).release(shop, seed=3)
    names = {"u1-cmae", "u2-cmae", "u3-rfm"} | {
        entry.name for entry in _measures() if entry.what.about.kept == "cost"
    }
    sample = _sample(shop, release, 80)
    few, _ = utility(sample.original, sample.released, sample.owners, only=names)
    told = {one.name: one for one in with_intervals(few, sample, sample.original, Chance(SEED), Progress())}
    whole = {one.name: one for one in utility(shop, release.data, release.pairing, only=names)[0]}
    assert told
    costs = [entry.name for entry in _measures() if entry.what.about.kept == "cost" and entry.name in told]
    for one in few:
        scale = 120 / 80 if one.name in costs else 1
        assert told[one.name].value == pytest.approx(one.value * scale)
        assert told[one.name].kept == one.kept
    inside = [one.low <= whole[name].value <= one.high for name, one in told.items() if one.low is not None]
    assert len(inside) >= 2
    assert np.mean(inside) >= 0.75


def _measures():
    from kakurenbo.catalogue import entries  # noqa: PLC0415

    return entries("measure", "purchases")


def test_where_nobody_of_a_group_is_released_there_is_no_interval():
    shop = light_shop(30, 3)
    shorter = kb.methods.Chain(methods=(kb.methods.Coarsen(times="week"), kb.methods.Delete(share=0.2)))
    release = shorter.release(shop, seed=5)
    both = InMemory(shop, 2), InMemory(release.data, 2)
    sample = draw(*both, held(release.pairing), 12, Chance(1), Progress())
    assert len(sample.owners.persons) < 12
    measured, _ = utility(sample.original, sample.released, sample.owners, only={"detail"})
    chance = Chance(1).under("groups")
    (one,) = with_intervals(measured, sample, sample.original, chance, Progress())
    assert (one.value, one.low, one.high) == (measured[0].value, None, None)


def _attacked(shop, release, targets, effort):
    """Draw so many people, and let the panel attack them among all."""
    given = AuditInput.of(shop, release.data, release.pairing, targets, Chance(SEED), Progress())
    spoken = vocabulary(given.original, given.released)
    tables = Tables(spoken.original, given.released, Chance(SEED), given.original)
    panel = Panel.of(spoken.original)
    return panel, panel.attack_input(given, tables, recode=spoken.alike, effort=effort)


def test_where_the_time_is_over_nobody_is_tried_and_all_are_named(shop, release):
    panel, ran = _attacked(shop, release, 40, Effort(1e-9, 0.0))
    assert not ran.outcomes
    assert len(ran.skipped) == len(panel.members)
    assert all(left.late for left in ran.skipped)


@pytest.mark.parametrize(("targets", "asked"), [(30, 3), ("all", 40)])
def test_who_asks_for_all_gets_all_however_long_it_takes(shop, monkeypatch, targets, asked):
    few = shop.of(shop.customers.head(40))
    monkeypatch.setattr("kakurenbo.auditing.search.DENSE", 3 * 40)
    release = kb.methods.Pseudonymize().release(few, seed=3)
    _, ran = _attacked(few, release, targets, Effort(None, 0.0))
    people = {one.finding.people for one in ran.outcomes if one.finding.attack == "jaccard"}
    assert asked in people
    assert ran.search.matches.compared == asked


class Elsewhere(InMemory):
    """Blocks that a cluster holds."""

    engine = "spark"


def test_what_holds_the_tables_is_named_with_all_that_was_worked_out_on_some(shop, release):
    control = Control("file", 30, "people of a file", 90)

    def told(tables, targets, searched=None):
        given = AuditInput.of(*tables, release.pairing, targets, Chance(SEED), Progress())
        owning = None if searched is None else 7
        return given.engine(searched, units=True, linked=70, proved=40, control=control, owning=owning)

    part = told((shop, Elsewhere(release.data, 3)), 60, Targets(60, 120, 50, candidates=20, among=90))
    assert part.name == "spark"
    assert {one.what: (one.count, one.of) for one in part.sampled} == {
        "targets": (60, 120), "costliest": (50, 60), "candidates": (20, 120), "agreement": (60, 120),
        "inference": (60, 120), "receipts": (7, 120), "control": (30, 90), "links": (70, 120),
        "exposure": (60, 120), "nearness": (60, 120), "utility": (60, 120), "validation": (40, 120),
    }  # fmt: skip
    whole = told((shop, release.data), "all")
    assert whole.name == "memory"
    assert {one.what for one in whole.sampled} == {"control", "links", "validation"}


def test_who_drops_dummies_learns_in_blocks_what_he_learns_in_the_whole(shop, release):
    left = Left.of(_sample(shop, release, 60).released, "last-receipt", in_order=False)
    strip = StripAttack(drop="last-receipt")
    kept = strip.prepare(Tables(shop, release.data, Chance(SEED))).released
    blocks = Dropping(InMemory(release.data, 3), left)
    parts = list(blocks.map(lambda block: (len(block), len(block.customers))))
    assert sum(rows for rows, _ in parts) == len(kept)
    assert sum(people for _, people in parts) == len(kept.customers)
    given = AuditInput.of(shop, release, None, 60, Chance(SEED), Progress())
    spoken = vocabulary(given.original, given.released)
    tables = Tables(spoken.original, given.released, Chance(SEED), given.original)
    found = search(given, tables, learners(shop), recode=spoken.alike)
    made = learning(found, spoken)
    laid_open = {(one.knowledge, one.attack, one.way, one.grain): one.laid_open for one in made.lessons}
    whole = Tables(shop, release.data, Chance(SEED))
    likely = [who for who in asking(shop, ["a month"]) if who.name == "likelihood"]
    checked = 0
    for looked in looking(whole, likely, np.arange(len(shop.customers))):
        for claim, claimed in looked.claims():
            key = claim.knowledge, claim.attacker.name, claim.way, " and ".join(claim.grain)
            if looked.drops and key in laid_open:
                assert (
                    laid_open[key].low - 0.05 <= claimed.learnt.laid_open.mean() <= laid_open[key].high + 0.05
                )
                checked += 1
    assert checked


def test_few_of_many_who_look_alike_are_no_find(shop):
    agreement, jaccard = (
        next(who for who in attackers(shop) if who.name == name and who.reading == "nearest")
        for name in ("agreement", "jaccard")
    )
    none, few = np.uint64(2**64 - 1), np.uint64(1)
    draws = np.array([[few] * 4, [few, none, none, none]])
    places = Ties(np.ones(2), np.zeros(2), np.array([1000, 2]), np.ones(2, int), draws, draws)
    names = pl.Series(["a", "b"])
    sought = Sought({jaccard.key: places}, names, names, 2, ())
    for who in (agreement, jaccard):
        assert cut_down(who, sought, 2, [jaccard.key]).tolist() == [5 / 1000, 1.0]
    assert cut_down(agreement, sought, 2, []).tolist() == [1.0, 1.0]


@pytest.mark.campaign
def test_without_a_secret_the_answer_is_about_what_is_learnt(shop):
    few = shop.of(shop.customers.head(60))
    released = kb.methods.Pseudonymize().release(few, seed=3).data
    told = kb.audit(few, released, targets=30, seed=SEED)
    assert told.worst is None
    assert not told.attacks
    assert told.targets is not None
    assert told.targets.drawn == 30
    assert told.worst_lesson is not None
    assert told.worst_lesson.laid_open.value > 0.9
    assert told.verdict == "no"
    assert told.groups == equals(released)
    intervals = told.to_dict()["utility_intervals"]
    assert intervals
    assert all(row["low"] <= row["high"] for row in intervals.values())


@pytest.mark.campaign
def test_a_planted_fault_in_the_scan_denies_the_release(shop, monkeypatch):
    few = shop.of(shop.customers.head(40))
    _blind(monkeypatch)
    told = kb.audit(few, kb.methods.Pseudonymize().release(few, seed=3), targets=30, seed=SEED)
    assert told.verdict == "no"
    assert any("proof failed" in reason and "evidence" in reason for reason in told.reasons)
