import math
from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.theory import (
    fixed_point_probability,
    fixed_points_at_most,
    format_certainty,
    grouped_fixed_point_probability,
    grouped_fixed_points_at_most,
    log2_complement,
    smallest_limit,
)

sizes_ = st.lists(st.integers(1, 12), min_size=1, max_size=6)


def in_place(p):
    return sum(i == k for i, k in enumerate(p))


def brute_force(sizes):
    """Every combination of permutations inside the groups, counted by its fixed points."""
    shuffles = product(*(permutations(range(size)) for size in sizes))
    counts = Counter(sum(map(in_place, shuffle)) for shuffle in shuffles)
    return {k: Fraction(count, counts.total()) for k, count in counts.items()}


@pytest.mark.parametrize("n", range(1, 7))
def test_probability_by_brute_force(n):
    want = brute_force([n])
    assert [fixed_point_probability(n, k) for k in range(n + 1)] == [want.get(k, 0) for k in range(n + 1)]


@pytest.mark.parametrize("sizes", [[1], [2, 2], [1, 1, 1], [3, 1, 2], [4, 4], [2, 3, 3], [5, 1, 1], [2] * 6])
def test_groups_by_brute_force(sizes):
    want, n = brute_force(sizes), sum(sizes)
    assert [grouped_fixed_point_probability(sizes, k) for k in range(n + 1)] == [
        want.get(k, 0) for k in range(n + 1)
    ]
    for limit in range(n + 1):
        assert grouped_fixed_points_at_most(sizes, limit) == sum(p for k, p in want.items() if k <= limit)


@given(st.integers(1, 40), st.data())
def test_probability_as_printed(n, data):
    k = data.draw(st.integers(0, n))
    printed = sum(Fraction((-1) ** i, math.factorial(i)) for i in range(n - k + 1)) / math.factorial(k)
    assert fixed_point_probability(n, k) == printed
    assert fixed_points_at_most(n, k) == sum(fixed_point_probability(n, j) for j in range(k + 1))


@given(sizes_)
def test_probabilities_sum_to_one_exactly_and_the_mean_is_the_number_of_groups(sizes):
    every = [grouped_fixed_point_probability(sizes, k) for k in range(sum(sizes) + 1)]
    assert sum(every) == 1
    assert grouped_fixed_points_at_most(sizes, sum(sizes)) == 1
    assert sum(k * p for k, p in enumerate(every)) == len(sizes)


@given(sizes_, st.integers(0, 70))
def test_smallest_limit_is_enough_and_no_larger_than_needed(sizes, bits):
    limit, wanted = smallest_limit(sizes, bits), 1 - Fraction(1, 2**bits)
    assert grouped_fixed_points_at_most(sizes, limit) >= wanted
    assert limit == 0 or grouped_fixed_points_at_most(sizes, limit - 1) < wanted


def test_smallest_limit_beyond_the_first_look():
    assert smallest_limit([200], 400) > 18
    assert smallest_limit([200], 10_000) == 200


@given(st.integers(1, 400), st.integers(1, 10**6))
def test_log2_of_known_gaps(power, odd):
    assert log2_complement(1 - Fraction(1, 2**power)) == -power
    gap = Fraction(odd, 10**6)
    assert log2_complement(1 - gap) == pytest.approx(math.log2(odd / 10**6), rel=1e-12, abs=1e-15)


def test_log2_of_gaps_that_no_float_holds():
    assert log2_complement(1 - Fraction(3, 2**5000)) == pytest.approx(math.log2(3) - 5000, rel=1e-15)
    # A gap just under 1: the logarithm is as small as q itself.
    assert log2_complement(Fraction(1, 10**200)) == pytest.approx(-1e-200 / math.log(2), rel=1e-12)


def test_formatting():
    assert format_certainty(1 - Fraction(1, 1024)) == "1 - 2^-10.00"
    assert format_certainty(1 - Fraction(1, 1024), digits=0) == "1 - 2^-10"
    assert format_certainty(Fraction(1)) == "1"


@pytest.mark.parametrize(
    "call",
    [
        lambda: fixed_point_probability(0, 0),
        lambda: fixed_point_probability(5, 6),
        lambda: fixed_point_probability(5, -1),
        lambda: fixed_point_probability(5.0, 1),
        lambda: fixed_points_at_most(5, 6),
        lambda: fixed_points_at_most(0, 0),
        lambda: grouped_fixed_point_probability([], 0),
        lambda: grouped_fixed_point_probability([2, 0], 0),
        lambda: grouped_fixed_point_probability([2, 3], 6),
        lambda: grouped_fixed_points_at_most([2, 3], -1),
        lambda: grouped_fixed_points_at_most([], 0),
        lambda: smallest_limit([], 5),
        lambda: smallest_limit([5], -1),
        lambda: smallest_limit([5], 2.5),
        lambda: log2_complement(Fraction(3, 2)),
        lambda: log2_complement(Fraction(-1, 2)),
        lambda: format_certainty(Fraction(2)),
        lambda: format_certainty(Fraction(1, 2), digits=-1),
    ],
)
def test_outside_the_range(call):
    with pytest.raises(ValueError, match=r"expected .*; got "):
        call()
