import math
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kakurenbo.theory import jaccard, mean_intersection, mean_jaccard, multiset_jaccard_distance, tf_idf

goods = st.frozensets(st.integers(0, 12))
quantities = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12)


@given(goods, goods)
def test_jaccard_is_that_of_the_sets(a, b):
    assume(a | b)
    assert jaccard(len(a), len(b), len(a & b)) == len(a & b) / len(a | b)


@given(quantities)
def test_multiset_distance_is_that_of_the_bags(pairs):
    x, y = Counter(), Counter()
    for good, (p, q) in enumerate(pairs):
        x[good], y[good] = p, q
    assume(x.total() + y.total())
    want = 1 - (x & y).total() / (x | y).total()
    got = multiset_jaccard_distance([p for p, _ in pairs], [q for _, q in pairs])
    assert got == pytest.approx(want)


@given(st.integers(1, 1000), st.floats(0, 1))
def test_mean_jaccard_undoes_mean_intersection(b, mu):
    assert mean_jaccard(b, min(b, mean_intersection(b, mu))) == pytest.approx(mu)


def test_proposition_is_exact_for_equal_sets():
    # Two sets of 4 that share 2: mu = 2/6.
    assert mean_intersection(4, 2 / 6) == pytest.approx(2)
    assert mean_jaccard(4, 2) == pytest.approx(2 / 6)


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 49))
def test_tf_idf_by_hand(count, n, fewer):
    buyers = max(1, n - fewer)
    assert tf_idf(count, n, buyers) == pytest.approx(1 / count * (math.log(n) - math.log(buyers) + 1))


@pytest.mark.parametrize(
    "call",
    [
        lambda: jaccard(0, 0, 0),
        lambda: jaccard(2, 3, 3),
        lambda: jaccard(-1, 3, 0),
        lambda: jaccard(2.5, 3, 1),
        lambda: multiset_jaccard_distance([0, 0], [0, 0]),
        lambda: multiset_jaccard_distance([], []),
        lambda: multiset_jaccard_distance([1], [1, 2]),
        lambda: multiset_jaccard_distance([1, -1], [1, 2]),
        lambda: multiset_jaccard_distance([1, math.nan], [1, 2]),
        lambda: mean_intersection(0, 0.5),
        lambda: mean_intersection(10, 1.5),
        lambda: mean_intersection(10, math.nan),
        lambda: mean_jaccard(10, 11),
        lambda: mean_jaccard(10, -1),
        lambda: mean_jaccard(math.inf, 1),
        lambda: tf_idf(0, 4, 2),
        lambda: tf_idf(2, 4, 0),
        lambda: tf_idf(2, 4, 5),
    ],
)
def test_outside_the_range(call):
    with pytest.raises(ValueError, match=r"expected .*; got "):
        call()
