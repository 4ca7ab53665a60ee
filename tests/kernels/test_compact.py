"""Our clusters: exact prices, never too small, repeatable, never below the optimum, cheaper than Method 2."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import kakurenbo as kb
from kakurenbo.kernels.clusters import balance, dummies, tfidf_kmeans
from kakurenbo.kernels.compact import loops
from kakurenbo.kernels.compact import state as steps
from kakurenbo.kernels.compact.search import _search, compact, consensus

_baskets = st.lists(st.frozensets(st.integers(0, 7), max_size=8), min_size=2, max_size=14)
_prices = st.none() | st.lists(st.integers(1, 4), min_size=1, max_size=9)


def matrix(baskets):
    dense = np.array([[good in basket for good in range(8)] for basket in baskets], dtype=np.int64)
    return sparse.csr_array(dense)


def priced(baskets, prices):
    """The baskets with a price of taking each good; no price means that nothing may be taken."""
    table = matrix(baskets)
    table.data[:] = len(baskets) if prices is None else np.resize(prices, table.nnz)
    return table


def edits(table, labels):
    """What makes goods equal in every cluster, counted good by good from the definition."""
    dense, labels, total = table.toarray(), np.asarray(labels), 0
    for x in set(labels.tolist()):
        members = dense[labels == x]
        for held in members.T:
            total += min(int((held == 0).sum()), int(held.sum())) if held.any() else 0
    return total


def make(table, labels, clusters):
    totals = np.zeros((clusters, table.shape[1]), dtype=np.int32)
    indptr, indices = table.indptr.astype(np.int64), table.indices.astype(np.int32)
    weights = 1 + table.data.astype(np.int64)
    return steps.make_state(indptr, indices, weights, np.array(labels, dtype=np.int64), totals)


def assert_consistent(state, table):
    """Every number the state keeps equals a recount from its labels, and the rings hold the clusters."""
    clusters = len(state.sizes)
    fresh = make(table, state.labels.copy(), clusters)
    for name in ("totals", "costs", "given", "even", "sizes"):
        assert np.array_equal(getattr(state, name), getattr(fresh, name)), name
    for u, label in enumerate(state.labels):
        ring, v = {u}, state.after[u]
        while v != u:
            ring.add(int(v))
            assert state.after[state.before[v]] == v
            v = state.after[v]
        assert ring == set(np.flatnonzero(state.labels == label).tolist())


def partitions(people, min_size, clusters):
    """All labellings of people with clusters of at least min_size, `clusters` of them if given."""

    def extend(labels, used):
        if len(labels) == people:
            right = clusters is None or used == clusters
            if right and all(labels.count(x) >= min_size for x in range(used)):
                yield labels
            return
        for x in range(used + 1):
            yield from extend([*labels, x], max(used, x + 1))

    return extend([], 0)


def _joined(state, u, v):
    """What two clusters pay if two customers leave, and each comes to the other cluster, one at a time."""

    def paid(x, leaves=None, comes=None):
        totals = state.totals[x].astype(int)
        for who, sign in ((leaves, -1), (comes, 1)):
            if who is not None:
                own = slice(state.indptr[who], state.indptr[who + 1])
                np.add.at(totals, state.indices[own], sign * state.weights[own])
        return np.minimum(totals, state.sizes[x]).sum() - np.minimum(state.totals[x], state.sizes[x]).sum()

    a, b = state.labels[u], state.labels[v]
    return paid(a, leaves=u) + paid(a, comes=v) + paid(b, leaves=v) + paid(b, comes=u)


@settings(deadline=None, max_examples=50)
@given(_baskets, _prices, st.data())
def test_prices_are_exact(baskets, prices, data):
    table, n = priced(baskets, prices), len(baskets)
    state = make(table, data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), 3)
    for _ in range(6):
        u, v = data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))
        target = state.labels[v]
        if state.labels[u] == target:
            continue
        before = steps.cost(state)
        if data.draw(st.booleans()):
            left, entered = steps.swap_change(state, u, v)
            assert not steps.swap_hopeless(state, u, v, left + entered)  # never more than the exact price
            assert not steps.swap_hopeless(state, v, u, left + entered)
            assert steps.swap_hopeless(state, u, v, _joined(state, u, v) - 1)
            steps.swap(state, u, v, left, entered)
        else:
            left, entered = steps.move_change(state, u, target)
            steps.move(state, u, target, v, left, entered)
        assert steps.cost(state) - before == left + entered
        assert_consistent(state, table)
        assert steps.cost(state) == edits(table, state.labels) + table.nnz
        assert prices is not None or edits(table, state.labels) == dummies(table, state.labels)


@settings(deadline=None, max_examples=50)
@given(_baskets, _prices, st.integers(0, 2**32), st.data())
def test_the_whole_search_keeps_its_books(baskets, prices, seed, data):
    table = priced(baskets, prices)
    min_size = data.draw(st.integers(1, len(baskets)))
    clusters = len(baskets) // min_size
    state = make(table, np.arange(len(baskets)) % clusters, clusters)
    nearest = np.random.default_rng(seed).integers(-1, len(baskets), (len(baskets), 3)).astype(np.int32)
    loops.anneal(state, nearest, min_size, 20, 3.0, 0.1, np.array([seed + 1], dtype=np.uint64))
    assert_consistent(state, table)
    annealed = steps.cost(state)
    loops.descend(state, min_size)
    loops.dissolve(state)
    assert_consistent(state, table)
    assert steps.cost(state) <= annealed
    assert state.sizes[state.sizes > 0].min() >= min_size


@settings(deadline=None, max_examples=50)
@given(_baskets, st.integers(0, 2**32), st.sampled_from([0, 1, 30]), st.sampled_from([2**22, 16]), st.data())
def test_labels_are_whole_and_repeat(baskets, seed, effort, table_cells, data):
    table, n = matrix(baskets), len(baskets)
    min_size = data.draw(st.integers(1, n))
    clusters = data.draw(st.none() | st.integers(1, n // min_size))

    def run():
        rng = np.random.default_rng(seed)
        return compact(table, min_size, clusters, rng=rng, effort=effort, table_cells=table_cells)

    labels = run()
    sizes = np.bincount(labels, minlength=clusters or 0)
    assert labels.shape == (n,)
    assert sizes.min() >= min_size
    assert clusters is None or len(sizes) == clusters
    assert np.array_equal(labels, run())


@settings(deadline=None)
@given(_baskets, _prices, st.integers(0, 2**32), st.integers(0, 5))
def test_never_worse_than_its_start(baskets, prices, seed, effort):
    table = priced(baskets, prices)
    clusters = len(baskets) // 2
    columns = table.T.tocsr()
    start = loops.greedy(
        *(a.astype(t) for m in (table, columns) for a, t in ((m.indptr, np.int64), (m.indices, np.int32))),
        clusters,
    )
    found = _search(table, 2, clusters, np.random.default_rng(seed), effort, free=False)
    assert edits(table, found) <= edits(table, start)


@pytest.mark.parametrize("fixed", [True, False])
def test_tiny_optima_are_reached(fixed):
    rng = np.random.default_rng(7)
    reached = 0
    for _ in range(60):
        n, min_size = int(rng.integers(4, 8)), int(rng.integers(2, 4))
        table = sparse.csr_array((rng.random((n, 6)) < rng.uniform(0.2, 0.7)).astype(np.int64))
        clusters = n // min_size if fixed else None
        found = dummies(table, compact(table, min_size, clusters, rng=rng, effort=200))
        best = min(dummies(table, np.array(labels)) for labels in partitions(n, min_size, clusters))
        assert found >= best
        reached += found == best
    assert reached >= 57


def test_tiny_optima_of_edits_are_reached():
    rng = np.random.default_rng(7)
    reached = 0
    for _ in range(40):
        n, min_size = int(rng.integers(4, 8)), int(rng.integers(2, 4))
        held = (rng.random((n, 6)) < rng.uniform(0.2, 0.7)) * rng.integers(1, 4, (n, 6))
        table = sparse.csr_array(held.astype(np.int64))
        found = edits(table, consensus(table, min_size, rng=rng, effort=200))
        best = min(edits(table, labels) for labels in partitions(n, min_size, None))
        assert found >= best
        reached += found == best
    assert reached >= 38


def test_a_free_number_of_clusters_closes_those_that_force_strangers_together():
    table = matrix([frozenset({0, 1, 2})] * 4 + [frozenset({4, 5, 6})] * 5)
    labels = compact(table, 3, rng=np.random.default_rng(0))
    assert dummies(table, labels) == 0
    assert sorted(np.bincount(labels)) == [4, 5]


def test_everybody_alone_costs_nothing():
    table = matrix([frozenset({i % 8}) for i in range(10)])
    assert dummies(table, compact(table, 1, rng=np.random.default_rng(0))) == 0


@pytest.mark.parametrize(
    ("min_size", "clusters", "effort", "words"),
    [
        (0, None, 1, "at least 1 customer"),
        (5, None, 1, "at most the 4 customers"),
        (1, 5, 1, "1 to 4 clusters"),
        (1, 0, 1, "1 to 4 clusters"),
        (3, 2, 1, "need 6 customers"),
        (2, 2, -1, "effort"),
    ],
)
def test_impossible_wishes_are_refused(min_size, clusters, effort, words):
    with pytest.raises(kb.ParameterError, match=words):
        compact(matrix([frozenset({1})] * 4), min_size, clusters, rng=np.random.default_rng(0), effort=effort)


@pytest.mark.slow
@pytest.mark.campaign
def test_a_sixth_fewer_dummies_than_method_2_on_tc400(real):
    table = kb.read_purchases(real("tc400.csv")).baskets().matrix
    ratios = []
    for clusters, min_size in ((50, 8), (75, 5), (100, 4), (125, 3)):
        theirs = []
        for seed in range(5):
            rng = np.random.default_rng(seed)
            theirs.append(dummies(table, balance(table, tfidf_kmeans(table, clusters, rng), min_size)))
        labels = compact(table, min_size, clusters, rng=np.random.default_rng(0))  # others: within 0.3 %
        assert np.bincount(labels, minlength=clusters).min() >= min_size
        ratios.append(dummies(table, labels) / np.mean(theirs))
    assert max(ratios) <= 0.87
    assert np.mean(ratios) <= 0.84
