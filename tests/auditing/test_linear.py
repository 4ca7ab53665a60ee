"""The linear audit: people sought among all, block by block, are found as in the whole table."""

import math
from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.search import lookup as scan
from kakurenbo.attacks.search import seek as seek_module
from kakurenbo.attacks.search.scores import LookUp
from kakurenbo.attacks.search.seek import in_blocks, seek
from kakurenbo.auditing.input import AuditInput, needs_sampling
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.outcomes import outcomes
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.owners import Owners
from kakurenbo.kernels.scan import own_scores
from kakurenbo.progress import Progress
from kakurenbo.risk.found import reidentification
from shops import light_shop

SEED = 5


def shop_of(rows):
    days = pl.datetime_range(pl.datetime(2024, 1, 1), pl.datetime(2024, 3, 30), "1d", eager=True)
    return kb.Purchases.from_frame(
        pl.DataFrame({
            "c": [f"p{who:02}" for who, _, _, _ in rows], "g": [f"g{good}" for _, good, _, _ in rows],
            "t": [days[day * 9] for _, _, day, _ in rows], "q": [pieces for _, _, _, pieces in rows],
            "p": [1.5 * good + 1 for _, good, _, _ in rows],
        }),
        customer="c", goods="g", time="t", quantity="q", price="p",
    )  # fmt: skip


record = st.tuples(st.integers(0, 11), st.integers(0, 5), st.integers(0, 4), st.integers(1, 3))
shops = st.lists(record, min_size=12, max_size=50).map(shop_of)


def scanned(shop, release, blocks, targets=None, wanted=lambda _: True):
    """Seek so many people of a shop in its release, both in so many blocks."""
    chance, both = Chance(SEED), (InMemory(shop, blocks), InMemory(release.data, blocks))
    count = targets or len(shop.customers)
    given = AuditInput.of(*both, release.pairing, count, chance, Progress())
    members = [who for who in attackers(shop) if wanted(who)]
    tables = Tables(given.original, given.released, chance)
    sought = seek(tables, given.owners, both, members, alike=None, progress=Progress())
    found = outcomes(given, sought, members, 0.0)
    return given, sought, {outcome.attacker.key: outcome for outcome in found}


def released(shop, share):
    return kb.methods.Delete(share=share).release(shop, seed=2)


@pytest.mark.campaign
@settings(max_examples=8)
@given(shops, st.integers(1, 5), st.sampled_from([0.0, 0.3]))
def test_who_compares_names_finds_in_blocks_what_he_finds_in_the_whole(shop, blocks, share):
    release = released(shop, share)
    _, _, found = scanned(shop, release, blocks, wanted=lambda who: who.reading == "nearest")
    tables = Tables(shop, release.data, Chance(SEED))
    compared = [who for who in attackers(shop) if who.key in found]
    assert {"jaccard", "weighted", "cosine", "containment", "multiset", "evidence", "totals", "rows"} <= {
        who.name for who in compared
    }
    for who in compared:
        whole = reidentification(release.pairing, who.attack.named(tables, Chance(1)))
        assert found[who.key].finding.rate.value == pytest.approx(whole.rate.value, abs=1e-12), who.called
        assert np.allclose(found[who.key].chance, whole.by_person["chance"], atol=1e-12), who.called


@settings(max_examples=8)
@given(shops, st.integers(1, 5))
def test_who_is_looked_up_is_found_by_plain_arithmetic(shop, blocks):
    release = released(shop, 0.3)
    attack = kb.attacks.LikelihoodAttack(points=1)
    chance = Chance(SEED)
    tables = Tables(shop, release.data, chance)

    def mine(who):
        return who.name == "likelihood" and who.knowledge == "1 record"

    _, sought, found = scanned(shop, release, blocks, wanted=mine)
    grains = [(), ("month",), ("day",), ("quantity",), ("price",), ("time", "price", "quantity")]
    read = {
        "month": lambda row: row["time"].month, "day": lambda row: row["time"].date(),
        "time": lambda row: row["time"], "price": lambda row: row["price"],
        "quantity": lambda row: row["quantity"],
    }  # fmt: skip

    def traces(row):
        return [(i, row["goods"], *(read[part](row) for part in grain)) for i, grain in enumerate(grains)]

    there, everywhere = defaultdict(Counter), Counter()
    for row in release.data.under(None).iter_rows(named=True):
        there[row["customer"]].update(traces(row))
        everywhere.update(traces(row))
    total = len(release.data)
    owner = dict(release.pairing.frame.select("original", "released").iter_rows())
    for row in shop.under(None)[attack.known_rows(tables)].iter_rows(named=True):
        scores = {}
        for name, held_there in there.items():
            length = sum(held_there.values()) / len(grains)
            ratio = sum(
                held_there[trace] / length * total / everywhere[trace]
                for trace in traces(row) if everywhere[trace]
            )  # fmt: skip
            scores[name] = math.log(1 + ratio / len(grains))
        best = max(scores.values())
        tied = [name for name, score in scores.items() if score >= best * (1 - 1e-9) and best > 0]
        hit = owner.get(row["customer"]) in tied
        expected = (hit / len(tied)) if tied else 1 / len(there)
        (plain,) = [key for key in found if '"all"' in key[2]]
        at = sought.people.to_list().index(row["customer"])
        places = sought.places[plain]
        assert places.ties[at] == len(tied)
        assert places.own[at] == hit
        if row["customer"] in owner:
            rows = Owners.of(release.pairing).frame.with_columns(chance=pl.Series(found[plain].chance))
            got = rows.filter(pl.col("original") == row["customer"])["chance"].sum()
            assert got == pytest.approx(expected)


def test_targets_are_the_same_in_any_number_of_blocks_and_their_places_too():
    shop = light_shop(60, seed=1)
    release = kb.methods.Coarsen(times="month").release(shop, seed=3)
    made = [scanned(shop, release, blocks, targets=20) for blocks in (1, 4)]
    first, second = (sought for _, sought, _ in made)
    assert first.people.equals(second.people)
    assert len(first.people) == 20
    for key, places in first.places.items():
        other = second.places[key]
        assert (places.ties == other.ties).all(), key
        assert (places.own == other.own).all(), key
        assert (np.sort(places.kept, axis=1) == np.sort(other.kept, axis=1)).all(), key
        assert places.score == pytest.approx(other.score, rel=1e-9), key
        assert places.strength == pytest.approx(other.strength, rel=1e-9), key
    assert {"agreement", "visits"} <= {name for _, name, _ in first.places}


def test_everybody_was_sought_where_fewer_were_released():
    """Fewer names than people are all compared: nobody stopped before the last of them."""
    shop = light_shop(40, seed=1)
    release = kb.methods.Sample(share=0.5).release(shop, seed=3)
    given, sought, _ = scanned(shop, release, 2)
    assert len(sought.names) == given.names < 40
    assert sought.compared == 40
    assert given.targets(sought.compared) is None


@pytest.mark.parametrize("share", [0.0, 0.4])
def test_who_compares_units_has_in_blocks_the_places_of_the_whole(share):
    """Of two blocks, as one who sees both tables whole looks everybody up: the same places, equally sure."""
    shop = kb.demo.shop(40, seed=3)
    release = kb.methods.Chain(
        methods=(kb.methods.Coarsen(times="month"), kb.methods.Delete(share=share), kb.methods.Noise())
    ).release(shop, seed=2)
    _, sought, _ = scanned(shop, release, 2, wanted=lambda who: who.name == "agreement")
    tables = Tables(shop, release.data, Chance(SEED))
    people = sought.people.to_list()
    told = 0
    for who in attackers(shop):
        if who.name != "agreement" or who.reading != "target":
            continue
        whole = who.attack.locate(tables, np.arange(len(shop.customers)))
        at = np.array([people.index(name) for name in shop.customers])
        places = sought.places[who.key].of(np.arange(len(people)))
        assert places.ties[at].tolist() == np.diff(whole.best.indptr).tolist(), who.knowledge
        assert places.strength[at] == pytest.approx(whole.strength, rel=1e-9), who.knowledge
        told += 1
    assert told == 7


def test_looking_up_is_said_by_the_attack_itself():
    shop = light_shop(20, seed=1)
    ways = {who.key: in_blocks(who, shop.shown) for who in attackers(shop)}
    looking = {key[1] for key, how in ways.items() if isinstance(how, LookUp)}
    assert looking == {"evidence", "likelihood", "containment", "rows"}
    assert all(how is None for key, how in ways.items() if '"assignment"' in key[2])


def test_people_are_drawn_only_where_there_are_more_than_asked_for():
    shop = light_shop(20, seed=1)
    assert not needs_sampling(shop, shop, None)
    assert needs_sampling(shop, shop, 19)
    assert not needs_sampling(shop, shop, 20)
    assert not needs_sampling(shop, shop, "all")
    assert needs_sampling(InMemory(shop, 2), shop, "all")


def test_should_a_bar_be_too_high_the_release_is_gone_through_without(monkeypatch):
    """What his own name scores is worked out apart from the blocks: were it wrong, nobody is missed."""
    shop = light_shop(30, seed=3)
    release = released(shop, 0.2)
    right = scanned(shop, release, 2)[1].places
    monkeypatch.setattr(scan, "own_scores", lambda *given, **how: 2.0 * own_scores(*given, **how))
    for key, ties in scanned(shop, release, 2)[1].places.items():
        for name in ("score", "ties", "own"):
            assert getattr(ties, name) == pytest.approx(getattr(right[key], name)), key


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_who_is_looked_up_among_a_few_first_has_the_same_places(share, monkeypatch):
    shop = kb.demo.shop(30, seed=3)
    release = released(shop, share)
    plain = scanned(shop, release, 2)[1].places
    raised = []
    before = scan.ScanRelease.raised

    def watched(work, some):
        made = before(work, some)
        pairs = zip(work.searches, made.searches, strict=True)
        raised.append((len(some.customers), any((new.reached > old.reached).any() for old, new in pairs)))
        return made

    monkeypatch.setattr(scan.ScanRelease, "raised", watched)
    monkeypatch.setattr(seek_module, "_TRIED", 3)
    monkeypatch.setattr(seek_module, "_WORTH_IT", 10)
    for key, ties in scanned(shop, release, 2)[1].places.items():
        for name in ("score", "ties", "own", "kept"):
            assert np.array_equal(getattr(ties, name), getattr(plain[key], name)), key
    assert raised == [(10, True)], "other people score what deleted names do not"


def test_nobody_is_not_enough():
    shop = light_shop(20, seed=1)
    with pytest.raises(kb.ParameterError, match="At least one"):
        kb.audit(shop, shop, targets=0)


def test_the_costliest_look_ups_seek_the_first_targets_and_say_of_how_many(monkeypatch):
    monkeypatch.setattr("kakurenbo.attacks.search.seek.REMEMBERED", 3)
    shop = light_shop(30, seed=3)
    release = released(shop, 0.2)
    whole, chance = scanned(shop, release, 2), Chance(SEED)
    both = InMemory(shop, 2), InMemory(release.data, 3)
    given = AuditInput.of(*both, release.pairing, 30, chance, Progress())
    members = [who for who in attackers(shop) if who.key in whole[1].places]
    tables = Tables(given.original, given.released, chance)
    sought = seek(tables, given.owners, both, members, alike=None, progress=Progress(), work=15_000)
    asked = {key: len(ties.ties) for key, ties in sought.places.items()}
    assert 3 <= min(asked.values()) == sought.compared < 30, "the costliest is held to the first"
    assert 30 in {asked[key] for key in asked if key[0] == "1 record"}, "the cheapest asks all"
    for key, ties in sought.places.items():
        beside = whole[1].places[key]
        for name in ("score", "ties", "own"):
            assert np.array_equal(getattr(ties, name), getattr(beside, name)[: asked[key]]), key
    for outcome in outcomes(given, sought, members, 0.0):
        assert outcome.finding.people == asked[outcome.attacker.key]


def test_who_looks_people_up_but_says_no_places_is_asked_for_a_guess(monkeypatch):
    monkeypatch.setattr(kb.attacks.FingerprintAttack, "locate", lambda *_: None)
    shop = light_shop(12, 1)
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    members = [who for who in attackers(shop) if who.name == "fingerprint" and who.reading == "target"]
    panel = replace(Panel.of(shop), members=tuple(members))
    ran = panel.attack(release.data, release.pairing, seed=1, everybody=True)
    assert [finding.rate.value for finding in ran.findings] == [1.0]
