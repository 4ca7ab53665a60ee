"""How far two tables of numbers differ: the arithmetic inside the contest's utility measures.

These are reconstructions. 000 and 003 name U1-cMAE, U2-cMAE and U3-RFM of PWS Cup 2016 but print no formula,
and the rule paper is not to be had; values made here may be compared with one another, not with printed ones.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.theory._checks import require, same_shape

if TYPE_CHECKING:
    import numpy.typing as npt


def relative_error(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Mean relative difference of two cross tabulations; 0 when equal, 2 when no cell is in both.

    Formula: mean over cells with a + b > 0 of 2 |a - b| / (a + b).

    Symbols: a, b = values of the same cells in the original and in the release.
    Valid range: one shape, finite values >= 0, at least one cell that is not empty in both.
    Source: a reconstruction of U1-cMAE and U2-cMAE (000 and 003, section 4.1), not the printed measure.
    """
    x, y = same_shape("tables", a, b)
    filled = (x > 0) | (y > 0)
    require(bool(filled.any()), "a cell that is not empty in both tables", "none")
    x, y = x[filled], y[filled]
    larger = np.maximum(x, y)
    # Dividing by the larger of the two first keeps sums of huge cells finite.
    errors = 2 * (np.abs(x - y) / larger) / (x / larger + y / larger)
    return math.fsum(errors) / len(errors)


def histogram_distance(h: npt.ArrayLike, h_released: npt.ArrayLike) -> float:
    """Share of customers who would have to change their rank to turn one histogram into the other.

    Formula: sum over cells of |h - h'| / (2 n), with n = sum of h.

    Symbols: h, h' = customers in each RFM rank of the original and of the release (10 x 10 x 10 cells).
    Valid range: one shape, finite counts >= 0, n > 0. It lies in 0..1 when both hold n customers.
    Source: a reconstruction of U3-RFM (000 and 003, section 4.1), not the printed measure.
    """
    x, y = same_shape("histograms", h, h_released)
    n = math.fsum(x.ravel())
    require(n > 0, "an original histogram with at least one customer", "an empty one")
    return math.fsum(np.abs(x - y).ravel()) / (2 * n)
