import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.theory import (
    alpha_occupancy,
    alpha_sharing,
    best_clusters,
    best_clusters_occupancy,
    best_clusters_sharing,
    closed_form_clusters,
    expected_dummies_bound,
    expected_dummies_occupancy,
    expected_dummies_sharing,
    expected_reidentification,
    fewest_clusters,
    joint_objective,
)

sharing = st.tuples(st.integers(2, 200), st.integers(1, 100), st.integers(0, 100)).map(
    lambda t: (t[0], t[1], t[1] * t[2] / 100)
)
occupancy = st.tuples(st.integers(2, 80), st.integers(1, 5000), st.integers(50, 500))


@given(sharing)
def test_sharing_normaliser_brings_the_largest_to_one(given_):
    n, b, h = given_
    clusters = range(math.ceil(fewest_clusters(n, b, h)), n + 1)
    largest = max(expected_dummies_sharing(n, b, h, c) for c in clusters)
    if largest == 0:
        with pytest.raises(ValueError, match="needs dummies"):
            alpha_sharing(n, b, h)
    else:
        assert alpha_sharing(n, b, h) * largest == pytest.approx(1)


@given(occupancy)
def test_occupancy_normaliser_brings_the_largest_to_one(given_):
    n, m, l = given_  # noqa: E741 - the paper's l
    largest = max(expected_dummies_occupancy(n, m, l, c) for c in range(1, n + 1))
    assert alpha_occupancy(n, m, l) * largest == pytest.approx(1)


@given(occupancy)
def test_no_number_of_clusters_beats_the_best_by_occupancy(given_):
    n, m, l = given_  # noqa: E741 - the paper's l
    alpha, best = alpha_occupancy(n, m, l), best_clusters_occupancy(n, m, l)
    scores = {c: alpha * expected_dummies_occupancy(n, m, l, c) + c / n for c in range(1, n + 1)}
    assert scores[best] == min(scores.values())


@given(st.integers(10, 200), st.integers(1, 100), st.integers(0, 40))
def test_no_number_of_clusters_beats_the_best_by_sharing(n, b, percent):
    h = b * percent / 100
    alpha, best = alpha_sharing(n, b, h), best_clusters_sharing(n, b, h)
    scores = {
        c: (alpha * expected_dummies_sharing(n, b, h, c) + c / n) / 2
        for c in range(math.ceil(fewest_clusters(n, b, h)), n + 1)
    }
    assert scores[best] == pytest.approx(min(scores.values()), rel=1e-12)


@given(st.integers(10, 300), st.integers(1, 100), st.integers(0, 100), st.floats(1e-9, 1e-5))
def test_closed_form_is_where_the_bound_is_best(n, b, percent, alpha):
    h = b * percent / 100
    best = closed_form_clusters(n, b, h, alpha)
    if 1 < best < n:
        scores = [
            joint_objective(expected_dummies_bound(n, b, h, c), c, n, alpha)
            for c in (max(1, best * 0.99), best, min(n, best * 1.01))
        ]
        assert scores[1] == min(scores)


def test_halving_halves():
    assert joint_objective(100, 5, 10, 0.01) == 1.5
    assert joint_objective(100, 5, 10, 0.01, halved=True) == 0.75


def test_of_equals_the_smallest():
    assert best_clusters(lambda c: (c - 3) ** 2 // 2, 1, 9) == 2


@pytest.mark.parametrize(
    "call",
    [
        lambda: expected_reidentification(0, 5),
        lambda: expected_reidentification(6, 5),
        lambda: expected_reidentification(1, 0),
        lambda: joint_objective(-1, 1, 5, 1),
        lambda: joint_objective(1, 1, 5, 0),
        lambda: joint_objective(1, 9, 5, 1),
        lambda: alpha_occupancy(1, 5, 5),
        lambda: alpha_occupancy(5, 5, 1),
        lambda: alpha_occupancy(2, 2053, 2),  # every customer has every good, up to 1e-309
        lambda: alpha_sharing(1, 5, 1),
        lambda: best_clusters(float, 0, 5),
        lambda: best_clusters(float, 5, 4),
        lambda: best_clusters_occupancy(1, 5, 5),
        lambda: best_clusters_sharing(1, 5, 1),
        lambda: closed_form_clusters(5, 5, 6, 1),
        lambda: closed_form_clusters(5, 5, 1, 0),
        lambda: closed_form_clusters(0, 5, 1, 1),
    ],
)
def test_outside_the_range(call):
    with pytest.raises(ValueError, match=r"expected .*; got "):
        call()
