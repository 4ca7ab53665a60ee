"""The profile of purchases: counted by hand, and the same however they are cut into blocks."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.chance import Chance
from kakurenbo.data import sampling
from kakurenbo.data.blocks import InMemory
from kakurenbo.risk.exposure import similarity as alike
from kakurenbo.risk.exposure.nearness import equals
from kakurenbo.risk.exposure.tally import Shelf
from kakurenbo.risk.exposure.unicity import Asked, drawn_points, unicity
from strategies import purchases_of, rows

POINTS = {
    "good": lambda row: row[1],
    "good+month": lambda row: (row[1], 0 if row[3] < 31 else 1 if row[3] < 60 else 2),
    "good+day": lambda row: (row[1], row[3]),
    "good+day+quantity": lambda row: (row[1], row[3], row[5]),
}
several = rows.filter(lambda table: len({row[0] for row in table}) > 1)


def sets_of(table, point):
    held = {}
    for row in table:
        held.setdefault(row[0], set()).add(point(row))
    return held


def pairs_of(table):
    sets = sets_of(table, POINTS["good"]).values()
    return [(len(a & b), len(a | b)) for a, b in combinations(sets, 2)]


def exact_unicity(held, k):
    """The probability that a random customer's k random points are his alone, over all choices of points."""
    shares = []
    for who, mine in held.items():
        others = [points for name, points in held.items() if name != who]
        choices = list(combinations(sorted(mine), min(k, len(mine))))
        alone = sum(not any(set(choice) <= points for points in others) for choice in choices)
        shares.append(alone / len(choices))
    return sum(shares) / len(shares)


def near_the_truth(row, table):
    """10,000 draws: five standard deviations of a share are at most 0.025."""
    truth = exact_unicity(sets_of(table, POINTS[row.knowledge]), row.k)
    return abs(row.rate.value - truth) <= 5 * math.sqrt(max(truth * (1 - truth), 1e-9) / 10_000) + 1e-9


@pytest.fixture
def many(monkeypatch):
    """Call any table large."""
    monkeypatch.setattr(sampling, "TARGETS", 2)


@given(rows)
def test_similarity_is_that_of_every_pair_counted_by_hand(table):
    pairs = pairs_of(table)
    profile = kb.profile(purchases_of(table), seed=1)
    if not pairs:
        assert profile.similarity is None
        assert profile.to_dict()["mean_jaccard"] is None
        return
    found = profile.similarity
    assert found.exact
    assert found.mean == pytest.approx(sum(i / u for i, u in pairs) / len(pairs))
    assert found.maximum == max(i / u for i, u in pairs)
    assert profile.mean_intersection == pytest.approx(sum(i for i, _ in pairs) / len(pairs))
    by_hand = [0] * 100
    for both, union in pairs:
        by_hand[min(both * 100 // union, 99)] += 1
    assert list(found.histogram) == by_hand


@settings(max_examples=25)
@given(several, st.integers(1, 50), st.integers(2, 8))
def test_what_adds_up_is_that_counted_by_hand_in_blocks_of_any_size(table, records, people):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampling, "TARGETS", people)
        found, once = (kb.profile(InMemory.of(purchases_of(table), size), seed=3) for size in (records, 1000))
    sets = sets_of(table, POINTS["good"])
    sizes = [len(mine) for mine in sets.values()]
    assert found == once
    assert (found.customers, found.records, found.goods) == (
        len(sets),
        len(table),
        len(set().union(*sets.values())),
    )
    assert found.goods_per_customer == sum(sizes) / len(sizes)
    assert found.goods_quantiles == {
        f"{q:.2f}": np.quantile(sizes, q) for q in map(float, found.goods_quantiles)
    }
    assert found.mean_intersection == pytest.approx(np.mean([both for both, _ in pairs_of(table)]))
    assert found.unicity[0].rate.exact
    assert found.unicity[0].rate.value == pytest.approx(exact_unicity(sets, 1))
    values = [[who % 2 for who in sets], [who % 3 for who in sets], [(who % 2, who % 3) for who in sets]]
    assert [(column.name, column.values, column.alone) for column in found.master] == [
        (name, len(set(of)), sum(of.count(value) == 1 for value in of))
        for name, of in zip(("sex", "country", ""), values, strict=True)
    ]


@given(rows, st.integers(0, 5))
def test_unicity_is_that_of_all_choices_of_points(table, seed):
    found = list(unicity(purchases_of(table), np.random.default_rng(seed)))
    assert [(row.knowledge, row.k) for row in found] == [(name, k) for name in POINTS for k in (1, 2, 3, 4)]
    for row in found:
        if row.k == 1:
            assert row.rate.exact
            assert row.rate.value == pytest.approx(exact_unicity(sets_of(table, POINTS[row.knowledge]), 1))
        else:
            assert near_the_truth(row, table)
            assert row.rate.low <= row.rate.value <= row.rate.high


@settings(max_examples=25)
@given(several, st.integers(1, 50), st.integers(0, 5))
def test_points_asked_of_blocks_tell_the_same(table, records, seed):
    shop = purchases_of(table)
    shelf, blocks = Shelf.of(shop.goods), InMemory.of(shop, records)
    counted = {(row.knowledge, row.k): row.rate for row in unicity(shop, np.random.default_rng(seed))}
    for points in drawn_points(shop, np.random.default_rng(seed)):
        asked = Asked.of(points, shelf)
        told = list(asked.unicity(blocks.map(asked.others)))
        assert all(near_the_truth(row, table) for row in told)
        assert [row.rate for row in told[1:]] == [counted[row.knowledge, row.k] for row in told[1:]]
        assert not any(row.rate.exact for row in told)


@settings(max_examples=6)
@given(several)
def test_pairs_met_lie_among_all_pairs(table):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alike, "EXACT_PAIRS", 0)
        found = kb.profile(purchases_of(table), seed=3)
    pairs = [both / either for both, either in pairs_of(table)]
    met = found.similarity
    assert not met.exact
    assert met.pairs == sum(met.histogram) == 20 * found.customers
    assert min(pairs) - 1e-9 <= met.mean <= met.maximum + 1e-9
    assert met.maximum <= max(pairs)


@pytest.mark.parametrize("people", [60, 150, 300])
def test_the_interval_of_a_sample_covers_the_mean_of_all_pairs(people, monkeypatch):
    shop = kb.demo.shop(300, seed=3)
    truth, inside = kb.profile(shop, seed=1).similarity, []
    monkeypatch.setattr(sampling, "TARGETS", people)
    monkeypatch.setattr(alike, "EXACT_PAIRS", 0)
    for seed in range(20):
        found = kb.profile(shop, seed=seed).similarity
        assert not found.exact
        assert sum(found.histogram) == found.pairs == 20 * 300
        assert found.maximum <= truth.maximum
        inside.append(found.mean_low <= truth.mean <= found.mean_high)
    assert sum(inside) >= 16  # 95 % intervals: fewer than 16 of 20 has a chance of 1 in 400


def test_whoever_is_drawn_adds_no_chance_where_everybody_is(monkeypatch):
    shop = kb.demo.shop(300, seed=3)
    monkeypatch.setattr(alike, "EXACT_PAIRS", 0)
    means = np.array([kb.profile(shop, seed=seed).similarity.mean for seed in range(40)])
    found = kb.profile(shop, seed=1).similarity
    half = 1.96 * means.std(ddof=1)
    assert found.mean_high - found.mean == pytest.approx(
        half, rel=0.4
    )  # 40 means tell their spread to a third


def test_twins_are_found_even_in_a_sample(monkeypatch):
    monkeypatch.setattr(alike, "EXACT_PAIRS", 0)
    monkeypatch.setattr(alike, "SAMPLED_PAIRS", 5)
    table = [(i, i, 0, 0, 1, 1) for i in range(40)] + [(40, 0, 0, 0, 1, 1)]
    assert alike.similarity(purchases_of(table), Chance(0)).maximum == 1.0


def test_a_seed_repeats_the_profile():
    shop = kb.demo.shop(80, seed=1)
    assert kb.profile(shop, seed=7) == kb.profile(shop, seed=7)


def test_knowledge_needs_its_columns(small_frame):
    shop = kb.Purchases.from_frame(small_frame, customer="who", goods="what")
    assert {row.knowledge for row in kb.profile(shop).unicity} == {"good"}
    assert kb.profile(shop).receipts is None


@settings(max_examples=25)
@given(table=rows, records=st.integers(1, 50))
def test_equal_people_are_counted_in_blocks_as_in_the_whole(table, records):
    shop = purchases_of(table)
    sets = [frozenset(mine) for mine in sets_of(table, POINTS["good"]).values()]
    sizes = [sets.count(one) for one in set(sets)]
    found = equals(InMemory.of(shop, records))
    assert found == equals(shop)
    assert (found.count, found.smallest) == (len(sizes), min(sizes))
    assert found.sizes == tuple((size, size * sizes.count(size)) for size in sorted(set(sizes)))


def test_the_engines_agree_and_keys_stay(many):
    shop = kb.demo.shop(60, seed=2)
    whole, cut = kb.profile(shop, seed=5), kb.profile(InMemory.of(shop, 500), seed=5)
    assert cut == whole
    assert whole.sampled == 2
    few = kb.profile(shop.of(shop.customers.head(2)), seed=5)
    assert few.sampled == 0
    assert whole.to_dict().keys() == few.to_dict().keys()


def test_a_small_table_in_blocks_is_profiled_like_one_in_memory():
    shop = replace(kb.demo.shop(40, seed=2), dropped=kb.profile(kb.demo.shop(5, seed=1)).dropped)
    assert kb.profile(InMemory.of(shop, 300), seed=5) == kb.profile(shop, seed=5)


def test_master_and_goods_are_counted(many):
    people = [f"p{number}" for number in range(30)]
    frame = pl.DataFrame({"who": people * 2, "what": ["a"] * 30 + ["b", "c"] * 15})
    shop = kb.Purchases.from_frame(
        frame, customer="who", goods="what",
        master=pl.DataFrame({
            "who": [*people, "x"], "town": ["here"] * 20 + ["there"] * 9 + [None] * 2,
            "mail": [f"{name}@home.org" for name in [*people, "x"]],
        }),
        goods_table=pl.DataFrame({"what": ["a", "b", "c", "d"], "kind": ["food", None, "food", "food"]}),
    )  # fmt: skip
    found = kb.profile(InMemory.of(shop, 7), seed=1)
    assert found.without_purchases == 1
    assert found.goods_known == {"kind": 2}
    town, mail, both = found.master
    assert (town.name, town.values, town.missing, town.alone, town.direct) == ("town", 2, 1, 0, "")
    assert (mail.values, mail.missing, mail.alone, mail.direct) == (30, 0, 30, "it holds e-mail addresses")
    assert (both.name, both.values, both.missing, both.alone) == ("", 30, 0, 30)
