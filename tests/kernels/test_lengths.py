"""Rows of length 1: as plain arithmetic makes them, however large or small their values are."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.kernels.nearest.lengths import unit_length

value = st.floats(1e-300, 1e300)


@given(st.lists(st.lists(value, max_size=5), max_size=6))
def test_every_row_is_scaled_to_length_one(rows):
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    made = unit_length(np.array([one for row in rows for one in row], np.float64), starts)
    for row, first, last in zip(rows, starts[:-1], starts[1:], strict=True):
        scaled = [one / max(row) for one in row]
        expected = [one / math.sqrt(sum(other * other for other in scaled)) for one in scaled]
        assert np.allclose(made[first:last], expected, rtol=1e-12, atol=0.0)
