"""Suppress: nothing rare by a count of its own, few records deleted, and goods climbed where it pays."""

import datetime as dt
from collections import Counter
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import kakurenbo as kb
from kakurenbo.data.hierarchy import Hierarchy
from kakurenbo.deidentify.purchases import traces
from kakurenbo.kernels.suppression import rare_combinations, suppress

_tables = st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=12)


def rare(histories, k, m):
    """The combinations of up to m traces that some but fewer than k have, by brute force."""
    people = Counter(
        each for held in histories for size in range(1, m + 1) for each in combinations(sorted(held), size)
    )
    return [each for each, count in people.items() if count < k]


def kept_of(table, k, m):
    """The histories that are left, and the records deleted."""
    held = sparse.csr_array(np.array(table, dtype=np.int64))
    held.eliminate_zeros()
    kept = suppress(held, k, m)
    left = sparse.csr_array((kept.astype(np.int64), held.indices, held.indptr), shape=held.shape).toarray()
    return [set(np.flatnonzero(row).tolist()) for row in left], int(held.data[~kept].sum())


@settings(max_examples=50)
@given(_tables, st.integers(1, 4), st.integers(1, 3))
def test_nothing_rare_is_left_and_nothing_can_be_given_back(table, k, m):
    histories = [{trace for trace, records in enumerate(row) if records} for row in table]
    held = sparse.csr_array(np.array(table, dtype=np.int64))
    held.eliminate_zeros()
    assert rare_combinations(held, k, m) == len(rare(histories, k, m))
    left, _ = kept_of(table, k, m)
    assert not rare(left, k, m)
    for place, (had, has) in enumerate(zip(histories, left, strict=True)):
        assert has <= had
        for trace in had - has:
            assert rare([*left[:place], has | {trace}, *left[place + 1 :]], k, m)


@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=2, max_size=4))
def test_few_more_records_are_deleted_than_must_be(table):
    """All that could be kept is tried; what is kept is at least half of the best, and mostly the best."""
    cells = [(who, trace) for who, row in enumerate(table) for trace, records in enumerate(row) if records]
    best = 0
    for chosen in range(2 ** len(cells)):
        some = [cell for place, cell in enumerate(cells) if chosen >> place & 1]
        histories = [{trace for who, trace in some if who == person} for person in range(len(table))]
        if not rare(histories, 2, 2):
            best = max(best, sum(table[who][trace] for who, trace in some))
    total = sum(map(sum, table))
    assert total - kept_of(table, 2, 2)[1] >= best / 2


def plain_greedy(held, k):
    """For each rare pair, the rarest first, delete the rarer trace of its holders, until none is rare."""
    has, records = held.toarray() > 0, held.toarray()
    while True:
        has[:, has.sum(axis=0) < k] = False
        together = sparse.csr_array(has.astype(np.int64))
        together = sparse.coo_array(sparse.triu(together.T @ together, 1))
        some = together.data < k
        if not some.any():
            return int(records[~has].sum())
        row, col = together.coords
        for place in np.lexsort((col, row, together.data))[: some.sum()]:
            first, second = row[place], col[place]
            both = has[:, first] & has[:, second]
            if 0 < both.sum() < k:
                rarer = first if has[:, first].sum() <= has[:, second].sum() else second
                has[both, rarer] = False


def by_categories(shop, characters, every):
    """The shop with goods cut to some characters, and times to a period."""
    goods, time = pl.col("goods").str.slice(0, characters), pl.col("time").dt.truncate(every)
    return shop.with_records(shop.under(None).with_columns(goods, time))


def held_by(shop):
    """People x (good, time), the records where held."""
    codes = shop.records.select("customer", trace=pl.struct("goods", "time").rank("dense"))
    who, trace = codes["customer"].to_physical().to_numpy(), codes["trace"].to_numpy() - 1
    return sparse.coo_array((np.ones(len(who), dtype=np.int64), (who, trace))).tocsr()


def test_fewer_records_than_a_plain_greedy_on_tc400(real):
    shop = by_categories(kb.read_purchases(real("tc400.csv")), 3, "1q")
    deleted = kb.methods.Suppress(k=5).release(shop, seed=1).facts.deleted
    assert deleted < plain_greedy(held_by(shop), 5)


def test_online_retail_by_month_in_115_categories_is_5_2_anonymous(real):
    shop = by_categories(kb.read_purchases(real("online_retail.parquet"), policy="drop"), 3, "1mo")
    release = kb.methods.Suppress(k=5).release(shop, seed=1)
    held = held_by(release.data)
    held.data[:] = 1
    people = (held.T @ held).data
    assert people.min() >= 5
    assert release.facts.deleted <= 29_057, "what a plain greedy deletes"
    assert len(release.data) + release.facts.deleted == len(shop)


def fruit(rows):
    """A shop of (customer, good) whose goods have names, kinds and all in one."""
    tree = Hierarchy.of({
        "apple": ("fruit", "food"), "pear": ("fruit", "food"), "plum": ("fruit", "food"),
        "leek": ("greens", "food"), "kale": ("greens", "food"),
    })  # fmt: skip
    return kb.Purchases.from_frame(
        pl.DataFrame(rows, schema=["u", "g"], orient="row"), customer="u", goods="g",
        hierarchies={"goods": tree},
    )  # fmt: skip


RARE_FRUIT = [("a", "apple"), ("b", "pear"), ("c", "plum"), ("a", "leek"), ("b", "leek"), ("c", "leek")]


def test_goods_climb_only_where_something_would_be_deleted():
    release = kb.methods.Suppress(k=3, m=2, first="generalize").release(fruit(RARE_FRUIT), seed=1)
    assert set(release.data.goods) == {"fruit", "leek"}
    assert (release.facts.deleted, release.facts.altered) == (0, 3)
    assert set(release.data.hierarchies) == {"goods"}, "the release says what its words stand for"


def test_the_cheaper_way_is_taken():
    """Three fruits of five goods cost 2/4 a record; where all but one are apples, deleting it costs 1."""
    many = [(who, "apple") for who in "abcdef"] + [("a", "pear")]
    for rows, goods in ((RARE_FRUIT, {"fruit", "leek"}), (many, {"apple"})):
        release = kb.methods.Suppress(k=3, first="cheaper").release(fruit(rows), seed=1)
        assert set(release.data.goods) == goods
    assert kb.methods.Suppress(k=3, first="generalize").release(fruit(many), seed=1).facts.altered == 7


def test_codes_without_a_hierarchy_are_cut():
    table = pl.DataFrame({"u": ["a", "b", "c"], "g": ["851", "852", "853"]})
    shop = kb.Purchases.from_frame(table, customer="u", goods="g")
    release = kb.methods.Suppress(k=3, first="generalize").release(shop, seed=1)
    assert release.data.goods.to_list() == ["85"]


def test_who_has_nothing_left_is_not_released_and_somebody_must_be():
    day = dt.datetime(2024, 1, 1)
    table = pl.DataFrame({"u": ["a", "b", "c"], "g": ["x", "x", "y"], "t": [day] * 3})
    shop = kb.Purchases.from_frame(table, customer="u", goods="g", time="t")
    release = kb.methods.Suppress(k=2).release(shop, seed=1)
    assert set(release.pairing.original) == {"a", "b"}
    assert release.facts.extras == {"mended": 1, "left_out": 1}
    with pytest.raises(kb.InputError, match="Nothing is left") as error:
        kb.methods.Suppress(k=3).release(shop)
    assert error.value.code == "file-empty"
    with pytest.raises(kb.ParameterError, match="only 3 customers"):
        kb.methods.Suppress(k=4).release(shop)


@pytest.mark.parametrize(("bound", "said"), [("MOST_HELD", "shared traces"), ("MOST_TRACES", "different")])
def test_more_than_memory_holds_is_refused_with_what_to_do(monkeypatch, bound, said):
    monkeypatch.setattr(traces, bound, 3)
    with pytest.raises(kb.ParameterError, match=f"{said}.*coarser"):
        kb.methods.Suppress(k=1).release(fruit(RARE_FRUIT), seed=1)
