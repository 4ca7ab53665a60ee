import math
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kakurenbo.theory import (
    cluster_dummies,
    expected_dummies_bound,
    expected_dummies_occupancy,
    expected_dummies_sharing,
    fewest_clusters,
    sharing_dummies,
    sharing_means,
    total_dummies,
)

cluster = st.lists(st.frozensets(st.integers(0, 9)), min_size=1, max_size=6)


def added(members):
    union = frozenset().union(*members)
    return sum(len(union - goods) for goods in members)


def numbers(members):
    return [len(goods) for goods in members], len(frozenset().union(*members))


@given(st.lists(cluster, max_size=4))
def test_dummies_are_the_goods_added(clusters):
    assert total_dummies(numbers(x) for x in clusters) == sum(added(x) for x in clusters)


def shared_sets(a):
    """Members' goods when every subset of i members has a_i goods of its own."""
    members = [set() for _ in a]
    for i, a_i in enumerate(a, start=1):
        for subset in combinations(range(len(a)), i):
            for u in subset:
                members[u].update((subset, good) for good in range(a_i))
    return members


@given(st.lists(st.integers(0, 3), min_size=2, max_size=6))
def test_sharing_model_against_built_sets(a):
    members = shared_sets(a)
    assert sharing_dummies(a) == added(members)
    means = sharing_means(a)
    assert means.b == len(members[0])
    assert means.h == len(members[0] & members[1])


@given(st.integers(2, 40), st.integers(1, 40), st.integers(0, 20), st.integers(0, 20))
def test_equation_3_is_the_sharing_model_without_triples(s, c, spare, h):
    b = (s - 1) * h + spare
    assume(b > 0)
    n = s * c
    assume(c >= fewest_clusters(n, b, h))
    a = [b - (s - 1) * h, h] + [0] * (s - 2)
    assert sharing_means(a) == (b, h)
    assert expected_dummies_sharing(n, b, h, c) == pytest.approx(c * sharing_dummies(a))


@st.composite
def valid_sharing(draw):
    n, b = draw(st.integers(1, 500)), draw(st.floats(0.5, 200))
    h = draw(st.floats(0, 1)) * b
    c = draw(st.floats(fewest_clusters(n, b, h), n))
    return n, b, h, c


@given(valid_sharing())
def test_equation_3_as_printed(given_):
    n, b, h, c = map(Fraction, given_)
    printed = -h * n**3 / (2 * c**2) + (b + h / 2) * n**2 / c - b * n
    assert expected_dummies_sharing(*given_) == pytest.approx(float(printed), rel=1e-9, abs=1e-6)


@given(valid_sharing())
def test_equation_4_is_above_equation_3(given_):
    assert 0 <= expected_dummies_sharing(*given_) <= expected_dummies_bound(*given_)


@given(st.integers(2, 300), st.integers(1, 100), st.integers(0, 100))
def test_equation_3_falls_on_its_range(n, b, share):
    h = b * share / 100
    clusters = range(math.ceil(fewest_clusters(n, b, h)), n + 1)
    values = [expected_dummies_sharing(n, b, h, c) for c in clusters]
    assert all(x >= y - 1e-9 * x for x, y in pairwise(values))
    assert values[-1] == 0


def test_dropping_a_cluster_below_the_range_would_seem_to_save_dummies():
    # What the range protects from: at n = 400, b = 65, h = 3.786 the polynomial is negative at c = 5.
    n, b, h, c = 400, 65, 3.786, 5
    assert -h * n**3 / (2 * c**2) + (b + h / 2) * n**2 / c - b * n < 0
    with pytest.raises(ValueError, match=r"c of at least 22\.6"):
        expected_dummies_sharing(n, b, h, c)


def occupied(l, records):  # noqa: E741 - the paper's l
    """Expected distinct goods of so many random records, one record at a time."""
    expected = Fraction(0)
    for _ in range(records):
        expected += 1 - expected / l
    return expected


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 5), st.integers(1, 30))
def test_occupancy_counts_distinct_goods(c, s, records_each, l):  # noqa: E741 - the paper's l
    n = c * s
    want = n * (occupied(l, s * records_each) - occupied(l, records_each))
    assert expected_dummies_occupancy(n, n * records_each, l, c) == pytest.approx(float(want), abs=1e-9)


def test_occupancy_with_very_many_goods_loses_no_digits():
    # Nearly no two records meet: 10 customers of 1 record in one cluster need 9 each, less collisions.
    want = 10 * (occupied(10**15, 10) - 1)
    assert expected_dummies_occupancy(10, 10, 10**15, 1) == pytest.approx(float(want), rel=1e-12)


def test_sharing_model_of_a_huge_cluster_does_not_overflow():
    assert sharing_dummies([1.0] + [0.0] * 1999) == 2000 * 1999


@pytest.mark.parametrize(
    "call",
    [
        lambda: cluster_dummies([], 0),
        lambda: cluster_dummies([3, 2], 2),
        lambda: cluster_dummies([3, 2], 6),
        lambda: cluster_dummies([-1], 0),
        lambda: total_dummies([([1, 2], 9)]),
        lambda: expected_dummies_occupancy(0, 5, 5, 1),
        lambda: expected_dummies_occupancy(5, 0, 5, 1),
        lambda: expected_dummies_occupancy(5, 5, 0, 1),
        lambda: expected_dummies_occupancy(5, 5, 5, 0.5),
        lambda: expected_dummies_occupancy(5, 5, 5, 6),
        lambda: fewest_clusters(0, 5, 1),
        lambda: fewest_clusters(5, 0, 0),
        lambda: fewest_clusters(5, 5, 6),
        lambda: expected_dummies_sharing(400, 65, 4, 20),
        lambda: expected_dummies_sharing(400, 65, 4, 401),
        lambda: expected_dummies_sharing(400, 65, 4, math.nan),
        lambda: expected_dummies_bound(400, 65, 4, 0.9),
        lambda: expected_dummies_bound(400, 65, 4, 401),
        lambda: expected_dummies_bound(400, 65, 66, 40),
        lambda: sharing_dummies([]),
        lambda: sharing_dummies([1, -1]),
        lambda: sharing_means([1]),
        lambda: sharing_means([1, math.inf]),
    ],
)
def test_outside_the_range(call):
    with pytest.raises(ValueError, match=r"expected .*; got "):
        call()
