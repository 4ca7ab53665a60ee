"""MDAV: groups of k rows that lie close together, found from the edges of the cloud inward.

Domingo-Ferrer and Mateo-Sanz (2002), as used for microaggregation: the row farthest from the centre takes its
k - 1 nearest, then so does the row farthest from that one, until fewer than 2k are left. Time grows with the
square of the rows over k.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def mdav(points: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Return the number of each row's group, k to 2k - 1 rows each; columns count in units of their spread.

    Args:
        points: rows x columns.
        k: fewest rows in a group, at most the rows there are.
    """
    from kakurenbo.kernels import _mdav_loops as loops  # noqa: PLC0415 - loads the compiler

    largest = np.abs(points).max(axis=0, initial=0.0)
    points = points / np.where(largest > 0, largest, 1.0)  # first, so that the spread stays finite
    spread = points.std(axis=0)
    return loops.mdav(np.ascontiguousarray(points / np.where(spread > 0, spread, 1.0)), k)
