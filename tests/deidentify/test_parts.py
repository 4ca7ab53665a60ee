"""Groups in parts of look-alikes: the promises hold, and memory and blocks of any size release the same."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy import sparse

import kakurenbo as kb
from kakurenbo.chance import Chance
from kakurenbo.data.aside import Aside
from kakurenbo.data.blocks import InMemory
from kakurenbo.deidentify.purchases import parts
from kakurenbo.errors import ParameterError
from kakurenbo.kernels.parts import cut, directions, signatures, telling
from strategies import purchases_of, rows

METHODS = [
    kb.methods.Compact(min_size=2, dummies="donor", effort=5),
    kb.methods.Compact(min_size=1, clusters=3, effort=5),
    kb.methods.Consensus(min_size=2, effort=5),
    kb.methods.Balanced(clusters=2, min_size=1),
    kb.methods.Deal(min_size=2, effort=5),
    kb.methods.Deal(min_size=1, within=("sex",), effort=5),
]
SEVEN = [
    (who, (3 * who + item) % 8, item % 3, 5 * who + item, 100 + item, 1)
    for who in range(7)
    for item in range(4)
]


class Anew(InMemory):
    """A table in memory that is put into other blocks through files, as one on disk is."""

    def regrouped(self, parts):
        return Aside.of(self, parts, bucket=3)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    for name, number in (("LIMIT", 2), ("PEOPLE", 2), ("GROUPS", 1)):
        monkeypatch.setattr(parts, name, number)


def in_blocks(method, blocks):
    """Return the records and parts of a method run in blocks, put together plainly."""
    fitted = method.fitted(blocks, Chance(1))
    changed = list(fitted.blocks.map(fitted.work))
    records = pl.concat([one.data.under(None) for one in changed])
    return records.sort(records.columns), changed


@pytest.mark.parametrize("method", METHODS, ids=repr)
@settings(max_examples=3)
@example(table=SEVEN, blocks=3, way=Anew)
@example(table=SEVEN, blocks=2, way=InMemory)
@given(table=rows, blocks=st.integers(1, 4), way=st.sampled_from([Anew, InMemory]))
def test_blocks_of_any_number_are_grouped_as_the_table_in_memory_is(method, table, blocks, way):
    shop = purchases_of(table)
    try:
        whole = method.change(shop, Chance(1))
    except ParameterError:
        with pytest.raises(ParameterError):
            in_blocks(method, way(shop, blocks))
        return
    records, changed = in_blocks(method, way(shop, blocks))
    assert records.equals(whole.data.by_content())
    assert sum(one.facts.groups for one in changed) == whole.facts.groups
    assert min(one.facts.smallest_group for one in changed) == whole.facts.smallest_group


@settings(max_examples=4)
@given(table=rows, min_size=st.integers(1, 3))
def test_in_parts_everybody_shares_his_goods_set_with_as_many_as_promised(table, min_size):
    shop = purchases_of(table)
    assume(len(shop.customers) > min_size)
    padded = kb.methods.Compact(min_size=min_size, effort=5).change(shop, Chance(1))
    sets = padded.data.under(None).group_by("customer").agg(pl.col("goods").unique().sort())
    assert sets.group_by("goods").len()["len"].min() >= min_size
    before, after = (set(data.under(None).rows()) for data in (shop, padded.data))
    assert before <= after
    assert padded.facts.added == len(padded.data) - len(shop)


@settings(max_examples=4)
@given(table=rows)
def test_in_parts_a_deal_counts_whom_it_leaves_out(table):
    shop = purchases_of(table)
    alone = int((shop.records_each == 1).sum())
    assume(len(shop.customers) - alone > 2)
    dealt = kb.methods.Deal(min_size=2, effort=5).change(shop, Chance(1))
    assert dealt.facts.extras["left_out"] == alone
    assert dealt.facts.deleted == alone == len(shop) - len(dealt.data)


@given(people=st.integers(1, 60), min_size=st.integers(1, 5), clusters=st.none() | st.integers(1, 60))
def test_clusters_are_shared_so_that_every_part_has_room_for_its_own(people, min_size, clusters):
    assume(min_size * (clusters or 1) <= people)
    sizes, each = parts.shared(people, min_size, clusters)
    assert sum(sizes) == people
    assert sum(each) == (clusters or people // min_size)
    assert all(share >= 1 and share * min_size <= size for size, share in zip(sizes, each, strict=True))
    if clusters is None:
        assert max(sizes) <= 2 * max(2, min_size)


def test_as_many_clusters_come_out_as_are_asked_for():
    shop = kb.demo.shop(30, seed=1)
    assert kb.methods.Compact(min_size=2, clusters=11, effort=2).change(shop, Chance(1)).facts.groups == 11


def test_a_cut_keeps_two_kinds_of_people_apart():
    rng = np.random.default_rng(1)
    kind = rng.permutation(np.repeat([0, 1], 20))
    baskets = np.zeros((40, 30))
    for row, half in zip(baskets, kind, strict=True):
        row[half * 15 + rng.permutation(15)[:8]] = 1
    table = sparse.csr_array(baskets)
    weights = telling(baskets.sum(axis=0), 40)
    part = cut(signatures(table, weights, directions(table, weights)), [20, 20])
    assert len(set(zip(part, kind, strict=True))) == 2


@given(data=st.data())
def test_a_cut_gives_every_part_its_people(data):
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    pairs = st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=sum(sizes), max_size=sum(sizes))
    points = np.array(data.draw(pairs))
    assert np.bincount(cut(points.astype(np.int16), sizes)).tolist() == sizes
