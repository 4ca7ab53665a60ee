"""What two rows score: the sum over goods that both have, above and below the line, and how two compare."""

from __future__ import annotations

import numpy as np

from kakurenbo.kernels.compiled import compiled
from kakurenbo.kernels.nearest.rows import NOTHING, ONE, ORIGINAL, PRODUCT, UNION, Measure, Rows

Ratio = tuple[float, float]

SLACK = 1e-11  # bounds give way by this much, so that rounding never hides an equal
_ANYTHING = 5e-324  # the smallest number above 0


@compiled
def ratio_of(measure: Measure, total: float, size: float, original: float) -> Ratio:
    """Return a score above and below the line; a rounded one is divided at once, so that it has one value."""
    if measure.divisor == ORIGINAL:
        return total, original
    if measure.divisor == NOTHING:
        return total if measure.exact else min(total, 1.0), 1.0
    if measure.exact:
        return total, size + original - total
    return min(total / (size + original - total), 1.0), 1.0


@compiled
def compare(measure: Measure, ratio: Ratio, leader: Ratio, tie: float) -> int:
    """Return 1, 0 or -1 as the ratio is better than, equal to or worse than the leader's."""
    if measure.exact:
        order = np.int64(ratio[0]) * np.int64(leader[1]) - np.int64(leader[0]) * np.int64(ratio[1])
        if order == 0 and measure.divisor == ORIGINAL:
            order = np.int64(ratio[1]) - np.int64(leader[1])
        return 1 if order > 0 else (0 if order == 0 else -1)
    if ratio[0] * (1 - tie) > leader[0]:
        return 1
    return 0 if ratio[0] >= leader[0] * (1 - tie) else -1


@compiled
def least_sum(measure: Measure, leader: Ratio, size: float, smallest: float) -> float:
    """Return the least sum with which an original of at least this size can equal the leader."""
    least = leader[0] / leader[1]
    if measure.divisor == UNION:
        least = leader[0] * (size + smallest) / (leader[0] + leader[1])
    elif measure.divisor == ORIGINAL and leader[0] < leader[1]:
        least = leader[0] * smallest / leader[1]
    elif measure.divisor == ORIGINAL:
        least = max(leader[0], smallest)  # 1 is the highest score: only one as large can equal it
    return max(least * (1 - SLACK), _ANYTHING)


@compiled
def common(measure: Measure, released: Rows, row: int, originals: Rows, original: int) -> float:
    """Return the sum over the goods that both have."""
    total = 0.0
    p, q = originals.starts[original], released.starts[row]
    while p < originals.starts[original + 1] and q < released.starts[row + 1]:
        if originals.goods[p] < released.goods[q]:
            p += 1
        elif originals.goods[p] > released.goods[q]:
            q += 1
        else:
            total += _adding(measure, originals, p, released, q)
            p += 1
            q += 1
    return total


@compiled
def _adding(measure: Measure, originals: Rows, p: int, released: Rows, q: int) -> float:
    """Return what a good adds that stands at p in the one and at q in the other."""
    if measure.adds == ONE:
        return 1.0
    mine, theirs = originals.values[p], released.values[q]
    added: float = mine * theirs if measure.adds == PRODUCT else min(mine, theirs)
    return added
