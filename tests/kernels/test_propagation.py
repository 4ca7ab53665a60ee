"""Propagation: a few people who are surely the same tell all the rest, and a wrong start tells nothing."""

import numpy as np
import pytest
from scipy import sparse

from kakurenbo.kernels.propagation import Pairs, by_goods, mutual, propagate

PEOPLE, GOODS = 120, 300


def bought(rng, people=PEOPLE, goods=GOODS):
    """Return who bought what: some goods are bought by many, most by few."""
    popular = 0.6 * rng.random(goods) ** 3 + 0.02
    return (rng.random((people, goods)) < popular).astype(np.int64)


@pytest.fixture
def renamed():
    """Return a table, the same with three in ten missing under other numbers, and who and what is which."""
    rng = np.random.default_rng(0)
    table = bought(rng)
    who, what = rng.permutation(PEOPLE), rng.permutation(GOODS)
    left = (table * (rng.random(table.shape) < 0.7))[who][:, what]
    return sparse.csr_array(left), sparse.csr_array(table), who, what


def start(rng, who, right, wrong):
    """Return pairs of which so many are right."""
    rows = rng.permutation(PEOPLE)[: right + wrong]
    mine = who[rows].copy()
    mine[right:] = np.roll(mine[right:], 1)
    return Pairs(rows, mine)


@pytest.mark.parametrize(("right", "wrong"), [(12, 0), (30, 30), (20, 40)])
def test_a_few_right_pairs_among_wrong_ones_tell_everybody(renamed, right, wrong):
    released, originals, who, what = renamed
    found = propagate(released, originals, start(np.random.default_rng(1), who, right, wrong))
    assert (found.people.over(PEOPLE) == who).mean() >= 0.98
    goods = found.goods.over(GOODS)
    named = goods >= 0
    assert (goods == what)[named].mean() >= 0.95
    table = originals.toarray()
    plain = sum(
        int(table[m, goods[g]] and released[t, g])
        for t, m in zip(*found.people, strict=True)
        for g in np.flatnonzero(named)
    )
    assert found.common == plain


def test_wrong_pairs_alone_tell_nothing_and_explain_little(renamed):
    released, originals, who, _ = renamed
    rng = np.random.default_rng(2)
    wrong = propagate(released, originals, start(rng, who, 0, PEOPLE))
    right = propagate(released, originals, start(rng, who, 30, 0))
    assert (wrong.people.over(PEOPLE) == who).mean() <= 0.1
    assert wrong.common < right.common / 2


def test_people_are_paired_over_goods_that_are_known(renamed):
    released, originals, who, what = renamed
    found = by_goods(released, originals, Pairs(np.arange(GOODS), what))
    assert (found.people.over(PEOPLE) == who).mean() >= 0.98
    assert found.common <= released.nnz


def test_what_one_person_alone_bought_is_paired_in_any_order():
    """Two people share a good; beside it one has two of his own, which nothing tells apart."""
    table = sparse.csr_array(np.array([[1, 1, 1, 0], [1, 0, 0, 1]]))
    found = propagate(table, table, Pairs(np.arange(2), np.arange(2)))
    assert sorted(found.goods.theirs.tolist()) == sorted(found.goods.mine.tolist()) == [0, 1, 2, 3]
    goods = found.goods.over(4)
    assert (goods[0], goods[3], {goods[1], goods[2]}) == (0, 3, {1, 2})
    assert found.common == table.nnz


def test_without_any_pair_nobody_is_paired(renamed):
    released, originals, *_ = renamed
    nobody = Pairs(*np.empty((2, 0), dtype=np.int64))
    found = propagate(released, originals, nobody)
    assert (len(found.people.theirs), len(found.goods.theirs), found.common) == (0, 0, 0)


def test_only_who_is_each_others_nearest_is_paired():
    pairs = mutual(np.array([1, 1, -1]), np.array([2, 1]))
    assert (pairs.theirs.tolist(), pairs.mine.tolist()) == ([1], [1])
