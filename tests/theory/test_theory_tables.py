import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kakurenbo.theory import histogram_distance, relative_error

cells = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=20)


@given(cells)
def test_relative_error_cell_by_cell(pairs):
    filled = [(a, b) for a, b in pairs if a or b]
    assume(filled)
    want = sum(2 * abs(a - b) / (a + b) for a, b in filled) / len(filled)
    got = relative_error([a for a, _ in pairs], [b for _, b in pairs])
    assert got == pytest.approx(want)
    assert 0 <= got <= 2


@given(cells)
def test_histogram_distance_cell_by_cell(pairs):
    n = sum(a for a, _ in pairs)
    assume(n)
    want = sum(abs(a - b) for a, b in pairs) / (2 * n)
    assert histogram_distance([a for a, _ in pairs], [b for _, b in pairs]) == pytest.approx(want)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_histogram_distance_is_the_share_that_moved(h, random):
    assume(sum(h))
    moved = sorted(h, key=lambda _: random.random())
    assert 0 <= histogram_distance(h, moved) <= 1
    assert histogram_distance(h, h) == 0


def test_tables_of_any_shape():
    a, b = np.array([[1, 0], [3, 0]]), np.array([[1, 0], [1, 2]])
    assert relative_error(a, b) == pytest.approx((0 + 1 + 2) / 3)
    assert histogram_distance(a, b) == pytest.approx(4 / 8)


def test_extreme_cells_stay_finite():
    assert relative_error([1.5e308, 5e-324], [1.5e308, 0]) == pytest.approx(1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: relative_error([1], [1, 2]),
        lambda: relative_error([0], [0]),
        lambda: relative_error([-1], [1]),
        lambda: relative_error([math.nan], [1]),
        lambda: histogram_distance([0, 0], [1, 0]),
        lambda: histogram_distance([1], [math.inf]),
        lambda: histogram_distance([[1]], [1]),
    ],
)
def test_outside_the_range(call):
    with pytest.raises(ValueError, match=r"expected .*; got "):
        call()
