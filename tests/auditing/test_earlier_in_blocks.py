"""Earlier releases beside one of which some people are sought: names are linked block by block."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.auditing import earlier as module
from kakurenbo.auditing.dropping import Believed
from kakurenbo.auditing.earlier import Other, join
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.learning.learn import learners
from kakurenbo.auditing.links import Links, links_in_blocks
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.search import search
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.progress import Progress
from shops import light_shop

SEED = 5
RUNGS = {"1 record", "2 records", "a receipt", "goods"}
NAMES = {"agreement", "containment", "evidence", "jaccard", "likelihood"}


@pytest.fixture(scope="module")
def shop():
    return light_shop(120, seed=2)


@pytest.fixture(scope="module")
def releases(shop):
    """Two releases whose dummies hide who is who in each of them, and fall away where both are held."""
    hidden = kb.methods.Chain(
        methods=(kb.methods.Coarsen(times="month"), kb.methods.Compact(min_size=8, dummies="donor"))
    )
    return [hidden.release(shop, seed=seed) for seed in (1, 2)]


def taken(shop, release, targets, blocks):
    """Return what an audit is given, and its tables."""
    tables = (shop, release.data) if blocks == 0 else (InMemory(shop, blocks), InMemory(release.data, blocks))
    given = AuditInput.of(*tables, release.pairing, targets, Chance(SEED), Progress())
    spoken = vocabulary(given.original, given.released)
    return given, spoken, Tables(spoken.original, given.released, Chance(SEED), given.original)


def attacked(shop, release, other, targets, blocks=3):
    """Return what is found in a release by who holds another as well, and what he makes of both."""
    given, spoken, tables = taken(shop, release, targets, blocks)
    panel = Panel.of(spoken.original)
    some = tuple(who for who in panel.members if who.knowledge in RUNGS and who.name in NAMES)
    panel = replace(panel, members=some)
    alone = panel.attack_input(given, tables, recode=spoken.alike)
    held = join(given, [other], alone.search.matches, Chance(SEED), Progress())
    joined = held.joined(given)
    both = Tables(tables.original, joined.released, tables.chance, tables.plain)
    found = panel.attack_input(joined, both, recode=spoken.alike, people=held.people)
    return {one.attacker.key: one.finding for one in found.outcomes}, held


@pytest.fixture(scope="module")
def whole(shop, releases):
    return attacked(shop, *releases, "all", blocks=0)


def in_blocks(release):
    return InMemory(release.data, 2), release.pairing


def records(data):
    frame = data.under(None)
    return frame.sort(frame.columns)


def test_where_all_are_sought_blocks_say_what_memory_says(shop, releases, whole):
    found, held = attacked(shop, releases[0], in_blocks(releases[1]), "all")
    assert records(held.believed).equals(records(whole[1].believed))
    assert (held.earlier, held.people) == (whole[1].earlier, None)
    assert found.keys() == whole[0].keys()
    for key, finding in found.items():
        assert finding.rate.value == pytest.approx(whole[0][key].rate.value, abs=1e-9), key


def within(found, whole):
    """Tell of every attacker whether what is found of everybody lies in the interval of what is found here.

    One-to-one assignments, made among look-alikes, may lie above.
    """
    return {
        key: one.rate.low <= whole[key].rate.value <= one.rate.high
        for key, one in found.items()
        if one.reading != "assignment"
    }


def test_of_half_the_people_as_many_are_found_with_an_earlier_release(shop, releases, whole):
    found, held = attacked(shop, releases[0], in_blocks(releases[1]), 60)
    assert records(held.believed).equals(records(whole[1].believed)), "few names are all linked"
    inside = within(found, whole[0])
    assert len(inside) >= 15
    assert np.mean(list(inside.values())) >= 0.9
    assert {one.people for one in found.values()} == {60}
    (one,) = held.earlier
    assert (one.names, one.asked) == (120, 60)
    assert whole[1].earlier[0].linked / 120 - 0.15 < one.linked / 60 < whole[1].earlier[0].linked / 120 + 0.15
    assert 0.9 * one.linked <= one.rightly <= one.linked
    worst = max(one.rate.value for key, one in found.items() if key[0] == "goods")
    assert worst > 0.5, "an eighth is found in either release alone"


def test_of_many_names_those_of_the_first_targets_and_their_rivals_are_linked(
    shop, releases, whole, monkeypatch
):
    monkeypatch.setattr(module, "PAIRS", 120 * 120 - 1)
    monkeypatch.setattr(module, "NAMES", 100)
    found, held = attacked(shop, releases[0], in_blocks(releases[1]), 60)
    first, names = len(held.people), len(held.believed.customers)
    assert 5 < first < 60
    assert first < names < 120
    assert held.earlier[0].asked == first
    assert {one.people for one in found.values() if one.reading != "assignment"} == {first}
    assert np.mean(list(within(found, whole[0]).values())) >= 0.9
    theirs = whole[1].believed.of(held.believed.customers)
    same = records(held.believed).join(records(theirs), on=theirs.records.columns, how="inner")
    assert len(same) > 0.97 * max(len(theirs), len(held.believed))


@pytest.mark.parametrize("share", [1.0, 0.5, 0.25])
def test_names_are_linked_in_blocks_as_in_the_whole(releases, share, monkeypatch):
    """Though who says how rare traces are, and which of them link, are a few people."""
    monkeypatch.setattr("kakurenbo.auditing.links.SAMPLE", 30)
    monkeypatch.setattr("kakurenbo.auditing.links._TRIED", 30)
    one, other = (release.data for release in releases)
    names = one.customers.gather(np.sort(Chance(3).order("some", one.customers)[: int(share * 120)]))
    some = links_in_blocks(one.of(names), InMemory(one, 3), InMemory(other, 4), Chance(1), Progress()).links
    told = dict(Links.whole(one, other).links.frame.iter_rows())
    made = dict(some.frame.iter_rows())
    linked = [name for name in names if told[name] is not None]
    assert set(made) == set(names)
    assert sum(made[name] == told[name] for name in linked) >= 0.9 * len(linked) > 3
    assert sum(made[name] is not None for name in names if told[name] is None) <= 0.05 * len(names)


def test_nobody_is_linked_with_strangers(releases):
    strangers = kb.methods.Pseudonymize().release(light_shop(60, seed=9), seed=4).data
    one = releases[0].data
    made = links_in_blocks(one, InMemory(one, 2), InMemory(strangers, 2), Chance(1), Progress())
    assert len(made.links) - made.links.abstained <= 6


def test_what_is_believed_of_some_stands_in_every_block(releases):
    data = releases[0].data
    some = data.of(data.customers.head(40))
    half = some.with_records(some.records.gather_every(2), master=some.master)
    left = Believed(half)
    parts = pl.concat(list(InMemory(data, 3).map(lambda block: left(block).under(None))))
    others = data.under(None).filter(~pl.col("customer").is_in(data.customers.head(40).implode()))
    assert parts.sort(parts.columns).equals(pl.concat([half.under(None), others]).sort(parts.columns))


def test_without_a_secret_links_are_counted_of_the_names_that_were_asked(shop, releases):
    first, second = releases
    tables = InMemory(shop, 2), InMemory(first.data, 2)
    given = AuditInput.of(*tables, None, 30, Chance(SEED), Progress())
    seen = Tables(vocabulary(given.original, given.released).original, given.released, Chance(SEED))
    found = search(given, seen, learners(shop, "1 record"))
    (one,) = join(given, [InMemory(second.data, 2)], found.matches, Chance(SEED), Progress()).earlier
    assert (one.asked, one.rightly) == (120, None)
    assert one.linked > 60


def test_a_secret_of_other_names_is_no_secret_of_an_earlier_release(releases):
    first, second = releases
    with pytest.raises(kb.InputError, match="exactly the people in it"):
        Other.of((second.data, first.pairing))
