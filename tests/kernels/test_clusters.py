"""Methods 0, 1 and 2 against set arithmetic in plain Python, and against the papers' table."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import kakurenbo as kb
from kakurenbo.kernels.clusters.methods import balance, dummies, kmeans, tfidf, tfidf_kmeans, unit_rows

_baskets = st.lists(st.frozensets(st.integers(0, 7), max_size=8), min_size=1, max_size=14)


def matrix(baskets):
    dense = np.array([[good in basket for good in range(8)] for basket in baskets], dtype=np.int64)
    return sparse.csr_array(dense)


def slow_dummies(baskets, labels):
    total = 0
    for x in set(labels):
        members = [basket for basket, label in zip(baskets, labels, strict=True) if label == x]
        union = frozenset().union(*members)
        total += sum(len(union - basket) for basket in members)
    return total


def slow_balance(baskets, labels, min_size):
    def jaccard(a, b):
        return Fraction(len(a & b), len(a | b)) if a | b else Fraction(0)

    labels = list(labels)
    clusters = range(max(labels) + 1)
    for small in clusters:
        while labels.count(small) < min_size:
            largest = max(clusters, key=labels.count)
            members = [baskets[i] for i, label in enumerate(labels) if label == small]
            candidates = [i for i, label in enumerate(labels) if label == largest]
            best = max(candidates, key=lambda i: max((jaccard(baskets[i], m) for m in members), default=0))
            labels[best] = small
    return labels


@pytest.fixture(scope="module")
def tc400(real):
    return kb.read_purchases(real("tc400.csv")).baskets().matrix


@given(_baskets, st.data())
def test_dummies_is_set_arithmetic(baskets, data):
    labels = data.draw(st.lists(st.integers(0, 3), min_size=len(baskets), max_size=len(baskets)))
    assert dummies(matrix(baskets), np.array(labels)) == slow_dummies(baskets, labels)


@settings(deadline=None, max_examples=50)
@given(_baskets, st.data())
def test_balance_is_algorithm_4(baskets, data):
    labels = data.draw(st.lists(st.integers(0, 4), min_size=len(baskets), max_size=len(baskets)))
    min_size = data.draw(st.integers(1, max(1, len(baskets) // (max(labels) + 1))))
    if (max(labels) + 1) * min_size > len(baskets):
        return
    balanced = balance(matrix(baskets), np.array(labels), min_size)
    assert balanced.tolist() == slow_balance(baskets, labels, min_size)
    assert np.bincount(balanced).min() >= min_size


@given(_baskets)
def test_tfidf_is_the_formula(baskets):
    weighted = tfidf(matrix(baskets)).toarray()
    for i, basket in enumerate(baskets):
        for good in range(8):
            buyers = sum(good in other for other in baskets)
            expected = (math.log(len(baskets) / buyers) + 1) / len(basket) if good in basket else 0.0
            assert weighted[i, good] == pytest.approx(expected)
    lengths = np.linalg.norm(unit_rows(tfidf(matrix(baskets))).toarray(), axis=1)
    np.testing.assert_allclose(lengths, [1.0 if basket else 0.0 for basket in baskets])


@settings(deadline=None, max_examples=25)
@given(_baskets, st.integers(0, 2**32), st.data())
def test_kmeans_uses_every_label_and_repeats(baskets, seed, data):
    clusters = data.draw(st.integers(1, len(baskets)))
    for method in (kmeans, tfidf_kmeans):
        labels = method(matrix(baskets), clusters, np.random.default_rng(seed))
        assert sorted(set(labels.tolist())) == list(range(clusters))
        assert np.array_equal(labels, method(matrix(baskets), clusters, np.random.default_rng(seed)))


@pytest.mark.parametrize(
    ("clusters", "min_size", "words"),
    [(2, 0, "at least 1"), (1, 5, "at most the 4"), (2, 3, "need 6 customers")],
)
def test_impossible_sizes_are_refused(clusters, min_size, words):
    labels = np.arange(4) % clusters
    with pytest.raises(kb.ParameterError, match=words):
        balance(matrix([frozenset({1})] * 4), labels, min_size)


@pytest.mark.parametrize("clusters", [0, 5])
def test_impossible_numbers_of_clusters_are_refused(clusters):
    with pytest.raises(kb.ParameterError, match="1 to 4 clusters"):
        kmeans(matrix([frozenset({1})] * 4), clusters, np.random.default_rng(0))


def test_plain_kmeans_shows_the_monopoly(tc400):
    for seed in range(3):
        sizes = np.bincount(kmeans(tc400, 50, np.random.default_rng(seed)))
        assert sizes.max() > 150
        assert 30 <= np.sum(sizes == 1) <= 45


def test_method_1_on_tc400(tc400):
    found = [tfidf_kmeans(tc400, 50, np.random.default_rng(seed)) for seed in range(5)]
    sizes = [np.bincount(labels) for labels in found]
    assert np.mean([dummies(tc400, labels) for labels in found]) == pytest.approx(176_000, rel=0.1)
    assert 22 <= np.mean([s.max() for s in sizes]) <= 35
    assert all(s.min() <= 2 for s in sizes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("clusters", "min_size", "expected"),
    [
        (50, 8, 128.0),
        *(
            pytest.param(*row, marks=pytest.mark.campaign)
            for row in ((75, 5, 85.3), (100, 4, 61.5), (125, 3, 46.8))
        ),
    ],
)
def test_method_2_on_tc400(tc400, clusters, min_size, expected):
    costs = []
    for seed in range(5):
        labels = balance(tc400, tfidf_kmeans(tc400, clusters, np.random.default_rng(seed)), min_size)
        assert np.bincount(labels).min() >= min_size
        costs.append(dummies(tc400, labels))
    assert np.mean(costs) == pytest.approx(1000 * expected, rel=0.08)
