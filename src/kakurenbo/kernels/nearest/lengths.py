"""Rows of length 1; compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from kakurenbo.kernels.nearest.rows import Floats, Integers


@compiled
def unit_length(values: Floats, starts: Integers) -> Floats:
    """Scale every row to length 1, by way of its largest value, whose square might leave float64."""
    made = np.empty_like(values)
    for row in range(len(starts) - 1):
        most, squares = 0.0, 0.0
        for p in range(starts[row], starts[row + 1]):
            most = max(most, values[p])
        for p in range(starts[row], starts[row + 1]):
            made[p] = values[p] / most
            squares += made[p] * made[p]
        for p in range(starts[row], starts[row + 1]):
            made[p] /= np.sqrt(squares)
    return made
