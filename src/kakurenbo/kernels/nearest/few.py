"""Sums for those alone who can equal a leader, where these are few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled
from kakurenbo.kernels.nearest.rows import PRODUCT, Search
from kakurenbo.kernels.nearest.scores import common, least_sum

if TYPE_CHECKING:
    from kakurenbo.kernels.nearest.counting import Bench
    from kakurenbo.kernels.nearest.scores import Ratio

_LOOSE = 1e-7  # what is left of a sum is known less exactly, since it is a difference
_SPENT = 4  # times that looking for few must take less than summing up for all


@compiled
def sum_few(search: Search, row: int, bench: Bench, leader: Ratio) -> int:
    """Sum for those alone who can equal the leader, where few can; return how many, -1 where they are many.

    They are met among who has the rarest goods of the row: as soon as all goods that are left could not make
    anybody equal the leader, nobody else can. Rows of rounded values have length 1, so what goods add that
    are left is at most their own length.
    """
    released, block, total = search.released, search.block, bench.total
    product = search.measure.adds == PRODUCT
    begin, end = released.starts[row], released.starts[row + 1]
    least = least_sum(search.measure, leader, released.sizes[row], min(block.sizes[0], block.sizes[-1]))
    work = 0
    for good in released.goods[begin:end]:
        work += block.starts[good + 1] - block.starts[good]
    needed, left = _needed(search, row, least, work)
    if needed < 0:
        return -1
    count = 0
    for q in search.rarest[begin : begin + needed]:
        good, value = released.goods[q], released.values[q]
        for p in range(block.starts[good], block.starts[good + 1]):
            original = block.rows[p]
            if total[original] == 0.0:
                bench.equal[count] = original
                count += 1
            total[original] += value * block.values[p] if product else min(value, block.values[p])
    kept = _able(least - left, bench, count)
    if kept * (end - begin) * _SPENT > work:
        return -1
    for original in bench.equal[:kept]:
        total[original] = common(search.measure, released, row, search.originals, block.ids[original])
    return kept


@compiled
def _needed(search: Search, row: int, least: float, work: int) -> tuple[int, float]:
    """Return among how many of a row's rarest goods all are met who can reach the least, and what is left.

    -1 where going through these would take long beside all the work there is.
    """
    released, block, product = search.released, search.block, search.measure.adds == PRODUCT
    begin, end = released.starts[row], released.starts[row + 1]
    rest, spent = released.sizes[row], 0  # of rows of length 1, its square
    for place in range(begin, end):
        left = _left(rest, product)
        if left < least:
            return place - begin, left
        good, value = released.goods[search.rarest[place]], released.values[search.rarest[place]]
        spent += block.starts[good + 1] - block.starts[good]
        if spent * _SPENT > work:
            break
        rest -= value * value if product else value
    return -1, 0.0


@compiled
def _left(rest: float, product: bool) -> float:
    """Return what goods that are left add at most, given their sum or the square of their length."""
    most: float = np.sqrt(max(rest, 0.0)) if product else rest
    return most * (1 + _LOOSE) + _LOOSE


@compiled
def _able(least: float, bench: Bench, count: int) -> int:
    """Keep those in bench.equal whose sums are at least so much; those of others are 0 again."""
    kept = 0
    for original in bench.equal[:count]:
        if bench.total[original] >= least:
            bench.equal[kept] = original
            kept += 1
        else:
            bench.total[original] = 0.0
    return kept
