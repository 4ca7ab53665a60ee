"""The profile of a table in blocks: counts are exact, samples are the same in blocks of any size."""

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
from kakurenbo.progress import Progress
from kakurenbo.risk.exposure.meetings import Meetings
from kakurenbo.risk.exposure.nearness import equals
from kakurenbo.risk.exposure.similarity import similarity
from kakurenbo.risk.exposure.tally import Shelf
from kakurenbo.risk.profile_passes import scan
from strategies import purchases_of, rows

KNOWN = {
    "good": lambda row: row[1],
    "good+month": lambda row: (row[1], 0 if row[3] < 31 else 1 if row[3] < 60 else 2),
    "good+day": lambda row: (row[1], row[3]),
    "good+day+quantity": lambda row: (row[1], row[3], row[5]),
}


@pytest.fixture
def many(monkeypatch):
    """Call any table large."""
    monkeypatch.setattr(sampling, "TARGETS", 2)


several = rows.filter(lambda table: len({row[0] for row in table}) > 1)


@settings(max_examples=7)
@given(table=several, records=st.integers(1, 50), people=st.integers(2, 8))
def test_blocks_of_any_size_count_and_find_the_same_as_the_whole(table, records, people):
    shop = purchases_of(table)
    once, cut = (scan(InMemory.of(shop, size), people, Chance(3), Progress()) for size in (1000, records))
    assert (cut.similarity, cut.unicity) == (once.similarity, once.unicity)
    whole, counted = kb.profile(shop, seed=1), cut.counted
    assert counted.people == whole.customers
    assert counted.goods_per_customer == whole.goods_per_customer
    assert all(counted.quantile(float(q)) == size for q, size in whole.goods_quantiles.items())
    assert counted.mean_intersection == whole.mean_intersection
    assert counted.alone_by_a_good == pytest.approx(whole.unicity[0].rate.value)
    assert [(name, len(tally.bits), tally.alone) for name, tally in counted.values.items()] == [
        (column.name, column.values, column.alone) for column in whole.master
    ]


@settings(max_examples=25)
@given(table=rows, records=st.integers(1, 50))
def test_equal_people_are_counted_in_blocks_as_in_the_whole(table, records):
    shop = purchases_of(table)
    sets = {}
    for row in table:
        sets.setdefault(row[0], set()).add(row[1])
    sizes = [list(map(frozenset, sets.values())).count(one) for one in set(map(frozenset, sets.values()))]
    found = equals(InMemory.of(shop, records))
    assert found == equals(shop)
    assert (found.count, found.smallest) == (len(sizes), min(sizes))
    assert found.sizes == tuple((size, size * sizes.count(size)) for size in sorted(set(sizes)))


@settings(max_examples=6)
@given(table=several)
def test_with_everybody_in_the_sample_the_estimates_are_near_the_truth(table):
    shop = purchases_of(table)
    sets = {who: {row[1] for row in table if row[0] == who} for who in {row[0] for row in table}}
    found = scan(InMemory.of(shop, 9), len(sets), Chance(3), Progress())
    pairs = [len(a & b) / len(a | b) for a, b in combinations(sets.values(), 2)]
    alike = found.similarity
    assert alike.pairs == sum(alike.histogram) == 20 * len(sets)
    assert min(pairs) - 1e-9 <= alike.mean <= alike.maximum + 1e-9
    assert alike.maximum <= max(pairs)
    for row in found.unicity:
        held = {who: {KNOWN[row.knowledge](one) for one in table if one[0] == who} for who in sets}
        truth = _unique(held, row.k)
        near = 5 * math.sqrt(max(truth * (1 - truth), 1e-9) / 10_000) + 1e-9
        assert row.rate.value == pytest.approx(truth, abs=near)
        assert row.rate.exact == (row.k == 1 and row.knowledge == "good")


def _unique(held, k):
    shares = []
    for who, mine in held.items():
        others = [points for name, points in held.items() if name != who]
        choices = list(combinations(sorted(mine), min(k, len(mine))))
        shares.append(sum(not any(set(one) <= points for points in others) for one in choices) / len(choices))
    return sum(shares) / len(shares)


def test_the_interval_of_a_sample_covers_the_mean_of_all_pairs():
    shop = kb.demo.shop(300, seed=3)
    truth, shelf, close = similarity(shop.baskets(), np.random.default_rng(1)), Shelf.of(shop.goods), 0
    for seed in range(20):
        sample = shop.of(sampling.drawn(shop.customers, 60, Chance(seed)))
        meetings = Meetings.of(sample, shelf, Chance(seed), 300, twins=False)
        found = meetings.similarity([meetings(shop)])
        close += found.mean_low <= truth.mean <= found.mean_high
        assert found.maximum <= truth.maximum
        assert not found.exact
    assert close >= 16  # 95 % intervals: fewer than 16 of 20 has a chance of 1 in 400


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
