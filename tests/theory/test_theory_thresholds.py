import math
from dataclasses import FrozenInstanceError
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kakurenbo.theory import (
    Admissible,
    admissible_thresholds,
    is_excessive,
    nearest_distances,
    s_exact_0,
    s_lower,
    shortage_bound,
)


@st.composite
def matrices(draw):
    n = draw(st.integers(2, 6))
    # Whole numbers, so that plain sums are exact and bounds may be compared without slack.
    return [[draw(st.integers(0, 20)) if i != j else 0 for j in range(n)] for i in range(n)]


def exact(matrix, r):
    """Definition of s_exact(r), 004 eq. 6, over all permutations."""
    return min(
        sum(matrix[i][k] for i, k in enumerate(p))
        for p in permutations(range(len(matrix)))
        if sum(i == k for i, k in enumerate(p)) <= r
    )


@given(matrices())
def test_nearest_by_hand(matrix):
    want = [min(d for k, d in enumerate(row) if k != j) for j, row in enumerate(matrix)]
    assert nearest_distances(matrix) == want


@settings(deadline=None)  # the first call loads scipy.optimize
@given(matrices())
def test_assignment_by_brute_force(matrix):
    assert s_exact_0(matrix) == exact(matrix, 0)


@settings(deadline=None)  # the first call loads scipy.optimize
@given(matrices())
def test_lower_bound_never_exceeds_the_exact_value(matrix):
    # For every r, n - 1 included: 004's footnote excludes it by mistake.
    mdis, n = nearest_distances(matrix), len(matrix)
    for r in range(n + 1):
        assert s_lower(mdis, r) == sum(sorted(mdis)[: n - r])
        assert s_lower(mdis, r) <= exact(matrix, r)
    assert s_lower(mdis, 0) <= s_exact_0(matrix)
    assert s_lower(mdis, n) == 0


def test_004_footnote_is_mistaken():
    # Two records 5 apart: at most one fixed point leaves only the swap, which costs 10 and not 0.
    assert exact([[0, 5], [5, 0]], 1) == 10


def test_diagonal_is_never_looked_at():
    matrix = [[math.nan, 1, 2], [1, -3, 4], [2, 4, math.inf]]
    assert nearest_distances(matrix) == [1, 1, 2]
    assert s_exact_0(matrix) == 1 + 4 + 2


def test_sum_is_exact():
    assert s_lower([0.1] * 10, 0) == 1.0


def test_interval():
    interval = admissible_thresholds(4, 3.0, 11.0)
    assert interval == Admissible(6.0, 11.0)
    assert 6.0 not in interval
    assert 6.1 in interval
    assert 11.0 in interval
    assert 11.1 not in interval
    assert str(interval) == "6 < t <= 11"
    with pytest.raises(FrozenInstanceError):
        interval.low = 0


def test_an_empty_interval_explains_itself():
    with pytest.raises(ValueError, match=r"no threshold stops cheats.*= 6\.0 and .* = 6\.0"):
        admissible_thresholds(4, 3.0, 6.0)


def test_the_threshold_itself_is_accepted():
    assert not is_excessive(5, 5)
    assert is_excessive(math.nextafter(5, 6), 5)


def test_shortage_by_hand():
    assert shortage_bound(10, 0.5) == 2.5


@pytest.mark.parametrize(
    "call",
    [
        lambda: nearest_distances([[0]]),
        lambda: nearest_distances([[0, 1, 2], [1, 0, 2]]),
        lambda: nearest_distances([[0, -1], [1, 0]]),
        lambda: nearest_distances([[0, math.inf], [1, 0]]),
        lambda: s_lower([1], 0),
        lambda: s_lower([[1, 2]], 0),
        lambda: s_lower([1, 2], 3),
        lambda: s_lower([1, 2], -1),
        lambda: s_lower([1, 2], 0.5),
        lambda: s_lower([1, math.nan], 0),
        lambda: s_exact_0([[0]]),
        lambda: s_exact_0([[0, math.nan], [1, 0]]),
        lambda: shortage_bound(1, 1),
        lambda: shortage_bound(5, -1),
        lambda: admissible_thresholds(5, 1, 2),
        lambda: admissible_thresholds(5, 1, math.inf),
        lambda: is_excessive(-1, 1),
        lambda: is_excessive(1, math.nan),
    ],
)
def test_outside_the_range(call):
    with pytest.raises(ValueError, match=r"expected .*; got "):
        call()
