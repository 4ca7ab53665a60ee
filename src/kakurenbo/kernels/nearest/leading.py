"""A first leader for every released row, found among the buyers of its rarest goods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled
from kakurenbo.kernels.nearest.scores import common, compare, ratio_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from kakurenbo.kernels.nearest.rows import Floats, Lists, Measure, Rows

_LOOKED_UP = 500  # entries of the lists of a row's rarest goods, looked through for a first leader
_TRIED = 4  # of those who share the most of them, compared as whole


@compiled
def lead(
    measure: Measure, released: Rows, originals: Rows, buyers: Lists, best: Floats, first: int, last: int
) -> None:
    """Give released rows first..last a first leader: somebody who shares their rarest goods.

    Whoever leads early saves looking at all who cannot be as good. Goods are numbered from the most to the
    least bought, so the rarest stand at the end of a row.
    """
    shared = np.zeros(len(originals.sizes), np.uint8)
    seen = np.empty(_LOOKED_UP, np.int32)
    for row in range(first, last):
        used, most = _look_up(released, buyers, row, shared, seen)
        tried = 0
        for original in seen[:used]:
            if shared[original] == most and tried < _TRIED:
                tried += 1
                total = common(measure, released, row, originals, original)
                ratio = ratio_of(measure, total, released.sizes[row], originals.sizes[original])
                if compare(measure, ratio, (best[row, 0], best[row, 1]), 0.0) > 0:
                    best[row, 0], best[row, 1] = ratio
            shared[original] = 0


@compiled
def _look_up(
    released: Rows, buyers: Lists, row: int, shared: npt.NDArray[np.uint8], seen: npt.NDArray[np.int32]
) -> tuple[int, int]:
    """Count for the buyers of the rarest goods of a row how many of them they share; list and count them."""
    used, looked, most = 0, 0, 0
    for q in range(released.starts[row + 1] - 1, released.starts[row] - 1, -1):
        begin, end = buyers.starts[released.goods[q]], buyers.starts[released.goods[q] + 1]
        for p in range(begin, min(end, begin + _LOOKED_UP - looked)):
            original = buyers.rows[p]
            if shared[original] == 0:
                seen[used] = original
                used += 1
            shared[original] += shared[original] < 255
            most = max(most, shared[original])
        looked += end - begin
        if looked >= _LOOKED_UP:
            break
    return used, most
