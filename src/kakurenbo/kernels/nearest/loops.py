"""The compiled loops of the nearest search.

One block of originals at a time is turned around (`turn`). For a released customer, the sums over common
goods with all originals of the block are gathered in one short array that stays in the fastest cache:
a frequent good adds its whole column of bytes, 32 or 64 originals an instruction; a rare one walks its list.
Originals are ordered by size, so the best score so far gives one least sum for a block or a stretch of
originals, and those that cannot reach it are left without looking at single pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kakurenbo.kernels.compiled import compiled
from kakurenbo.kernels.nearest.rows import (
    NOTHING,
    ONE,
    ORIGINAL,
    PRODUCT,
    TIE,
    UNION,
    Block,
    Measure,
    Rows,
    Search,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from kakurenbo.kernels.nearest.rows import Floats, Integers, Pairs

    Ratio = tuple[float, float]

_SLACK = 1e-11  # bounds give way by this much, so that rounding never hides an equal
_ANYTHING = 5e-324  # the smallest number above 0
_STRETCH = 64  # originals looked over at once
_FULL = 252  # columns a byte can add up, in fours


class Bench(NamedTuple):
    """The arrays one thread works on, as wide as the block: they are filled anew for every released row."""

    total: Floats
    small: npt.NDArray[np.uint8]
    picked: npt.NDArray[np.uint32]
    equal: npt.NDArray[np.uint16]


@compiled
def turn(originals: Rows, ids: Integers, goods: int, frequent: float) -> Block:
    """Turn these originals around; a good that at least `frequent` of them have becomes a column."""
    starts = np.zeros(goods + 1, np.int64)
    for original in ids:
        for p in range(originals.starts[original], originals.starts[original + 1]):
            starts[originals.goods[p] + 1] += 1
    slots = np.zeros(goods, np.uint32)
    used = 1
    for good in range(goods):
        if starts[good + 1] >= frequent:
            slots[good] = used
            used += 1
            starts[good + 1] = 0
        starts[good + 1] += starts[good]
    columns = np.zeros((used, len(ids)), np.uint8)
    rows = np.empty(starts[goods], np.uint16)
    values = np.empty(starts[goods] if len(originals.values) else 0)
    place = starts[:-1].copy()
    for row, original in enumerate(ids):
        for p in range(originals.starts[original], originals.starts[original + 1]):
            good = originals.goods[p]
            if slots[good]:
                columns[slots[good], row] = 1
                continue
            rows[place[good]] = row
            if len(values):
                values[place[good]] = originals.values[p]
            place[good] += 1
    return Block(ids, originals.sizes[ids], starts, rows, values, slots, columns)


@compiled
def nearest_in(search: Search, best: Floats, first: int, last: int) -> Pairs:
    """Offer the block to released rows first..last: raise their `best` and return who equals it.

    `best` holds, a row, the ratio above and below the line. Returned are released rows, originals and
    their sums; those that a later block beats are left for the caller to drop (`equal_best`).
    """
    bench = _bench(search, first, last)
    room = 2 * (last - first) + 16
    who, whom, sums = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room)
    used = 0
    for row in range(first, last):
        count = _equals(search, row, bench, best[row])
        while used + count > len(who):
            who, whom, sums = np.append(who, who), np.append(whom, whom), np.append(sums, sums)
        for i in bench.equal[:count]:
            who[used], whom[used], sums[used] = row, search.block.ids[i], bench.total[i]
            used += 1
    return who[:used].copy(), whom[:used].copy(), sums[:used].copy()


@compiled
def _equals(search: Search, row: int, bench: Bench, best: Floats) -> int:
    """Raise one row's best to the best of the block, list who equals it in bench.equal, and count them."""
    measure, sizes = search.measure, search.block.sizes
    size, leader = search.released.sizes[row], (best[0], best[1])
    if not _worth_it(search, row, leader) or not _gather(search, row, bench, leader):
        return 0
    count = 0
    i = _next(search, row, bench.total, leader, 0)
    while i < len(sizes):
        ratio = _ratio(measure, bench.total[i], size, sizes[i])
        order = _compare(measure, ratio, leader, TIE)
        if order >= 0:
            count = 0 if order > 0 else count
            bench.equal[count] = i
            count += 1
            if order > 0 or ratio[0] > leader[0]:
                leader = ratio
        i = _next(search, row, bench.total, leader, i + 1)
    best[0], best[1] = leader
    return count


@compiled
def equal_best(
    measure: Measure, released: Floats, originals: Floats, best: Floats, pairs: Pairs
) -> npt.NDArray[np.bool_]:
    """Tell which pairs found so far equal the best their released row has now; the sizes of all are given."""
    who, whom, sums = pairs
    equal = np.empty(len(sums), np.bool_)
    for p in range(len(sums)):
        row = who[p]
        ratio = _ratio(measure, sums[p], released[row], originals[whom[p]])
        equal[p] = _compare(measure, ratio, (best[row, 0], best[row, 1]), TIE) == 0
    return equal


@compiled
def top_in(search: Search, ratios: Floats, ids: Integers, first: int, last: int) -> None:
    """Offer the block to the k best lists of released rows first..last; -1 is an empty place."""
    bench = _bench(search, first, last)
    measure, sizes = search.measure, search.block.sizes
    for row in range(first, last):
        size, worst = search.released.sizes[row], ratios[row, -1]
        if not _worth_it(search, row, (worst[0], worst[1])):
            continue
        if not _gather(search, row, bench, (worst[0], worst[1])):
            continue
        i = _next(search, row, bench.total, (worst[0], worst[1]), 0)
        while i < len(sizes):
            ratio = _ratio(measure, bench.total[i], size, sizes[i])
            _insert(measure, ratio, search.block.ids[i], ratios[row], ids[row])
            i = _next(search, row, bench.total, (worst[0], worst[1]), i + 1)


@compiled
def scores_in(search: Search, scores: Floats, first: int, last: int) -> None:
    """Write the scores of released rows first..last with every original of the block."""
    bench = _bench(search, first, last)
    sizes = search.block.sizes
    for row in range(first, last):
        if not _gather(search, row, bench, (0.0, 1.0)):
            continue
        for i in range(len(sizes)):
            if bench.total[i] > 0:
                ratio = _ratio(search.measure, bench.total[i], search.released.sizes[row], sizes[i])
                scores[row, search.block.ids[i]] = ratio[0] / ratio[1]


@compiled
def _bench(search: Search, first: int, last: int) -> Bench:
    width, longest = len(search.block.ids), 0
    for row in range(first, last):
        longest = max(longest, search.released.starts[row + 1] - search.released.starts[row])
    return Bench(
        np.zeros(width),
        np.zeros(width, np.uint8),
        np.zeros(longest + 3, np.uint32),
        np.zeros(width, np.uint16),
    )


@compiled
def _gather(search: Search, row: int, bench: Bench, leader: Ratio) -> bool:
    """Sum over the goods of one released row, for every original of the block at once.

    Return whether any of the sums may equal the leader; where none can they are left unfinished.
    """
    released, block, total = search.released, search.block, bench.total
    begin, end = released.starts[row], released.starts[row + 1]
    if search.measure.adds == ONE:
        goods = released.goods[begin:end]
        if min(end - begin, max(block.sizes[0], block.sizes[-1])) <= _FULL:
            return _count_small(search, row, goods, bench, leader)
        _count(block, goods, bench)
        return True
    total[:] = 0
    for q in range(begin, end):
        good, value = released.goods[q], released.values[q]
        if search.measure.adds == PRODUCT:
            for p in range(block.starts[good], block.starts[good + 1]):
                total[block.rows[p]] += value * block.values[p]
        else:
            for p in range(block.starts[good], block.starts[good + 1]):
                total[block.rows[p]] += min(value, block.values[p])
    return True


@compiled
def _count_small(search: Search, row: int, goods: npt.NDArray[np.int32], bench: Bench, leader: Ratio) -> bool:
    """Count common goods where a byte holds them, and write them out only if one may equal the leader."""
    block, small, total = search.block, bench.small, bench.total
    small[:] = 0
    _add_columns(block, small, bench.picked, 0, _pick(block, goods, bench.picked))
    for good in goods:
        for p in range(block.starts[good], block.starts[good + 1]):
            small[block.rows[p]] += 1
    most = np.uint8(0)
    for i in range(len(small)):
        most = max(most, small[i])
    smallest = min(block.sizes[0], block.sizes[-1])
    if most < _least(search.measure, leader, search.released.sizes[row], smallest):
        return False
    for i in range(len(small)):
        total[i] = small[i]
    return True


@compiled
def _count(block: Block, goods: npt.NDArray[np.int32], bench: Bench) -> None:
    """Count common goods; the bytes are emptied before one can overflow."""
    total, small, picked = bench.total, bench.small, bench.picked
    total[:] = 0
    count = _pick(block, goods, picked)
    for begin in range(0, count, _FULL):
        small[:] = 0
        _add_columns(block, small, picked, begin, min(count, begin + _FULL))
        for i in range(len(small)):
            total[i] += small[i]
    for good in goods:
        for p in range(block.starts[good], block.starts[good + 1]):
            total[block.rows[p]] += 1


@compiled
def _pick(block: Block, goods: npt.NDArray[np.int32], picked: npt.NDArray[np.uint32]) -> int:
    """List the columns of the frequent goods, with empty ones behind them, and count them."""
    count = 0
    for good in goods:
        if block.slots[good]:
            picked[count] = block.slots[good]
            count += 1
    picked[count : count + 3] = 0
    return count


@compiled
def _add_columns(
    block: Block, small: npt.NDArray[np.uint8], picked: npt.NDArray[np.uint32], begin: int, end: int
) -> None:
    """Add columns in bytes, four at a time."""
    for q in range(begin, end, 4):
        a, b = block.columns[picked[q]], block.columns[picked[q + 1]]
        c, d = block.columns[picked[q + 2]], block.columns[picked[q + 3]]
        for i in range(len(small)):
            small[i] += a[i] + b[i] + c[i] + d[i]


@compiled
def _ratio(measure: Measure, total: float, size: float, original: float) -> Ratio:
    """Return a score above and below the line; a rounded one is divided at once, so that it has one value."""
    if measure.divisor == ORIGINAL:
        return total, original
    if measure.divisor == NOTHING:
        return total if measure.exact else min(total, 1.0), 1.0
    if measure.exact:
        return total, size + original - total
    return min(total / (size + original - total), 1.0), 1.0


@compiled
def _compare(measure: Measure, ratio: Ratio, leader: Ratio, tie: float) -> int:
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
def _least(measure: Measure, leader: Ratio, size: float, smallest: float) -> float:
    """Return the least sum with which an original of at least this size can equal the leader."""
    least = leader[0] / leader[1]
    if measure.divisor == UNION:
        least = leader[0] * (size + smallest) / (leader[0] + leader[1])
    elif measure.divisor == ORIGINAL and leader[0] < leader[1]:
        least = leader[0] * smallest / leader[1]
    elif measure.divisor == ORIGINAL:
        least = max(leader[0], smallest)  # 1 is the highest score: only one as large can equal it
    return max(least * (1 - _SLACK), _ANYTHING)


@compiled
def _worth_it(search: Search, row: int, leader: Ratio) -> bool:
    """Tell whether any original of the block can equal the leader: no sum exceeds the smaller basket."""
    size, first, last = search.released.sizes[row], search.block.sizes[0], search.block.sizes[-1]
    most: float = min(size, max(first, last))
    return most * (1 + _SLACK) >= _least(search.measure, leader, size, min(first, last))


@compiled
def _next(search: Search, row: int, total: Floats, leader: Ratio, start: int) -> int:
    """Return the first original from start on whose sum may equal the leader, or the width of the block.

    A new stretch is first scanned without branching, which the processor does many at a time; a stretch
    entered before holds a match, and often more beside it.
    """
    size, sizes = search.released.sizes[row], search.block.sizes
    while start < len(total):
        stop = min(len(total), start - start % _STRETCH + _STRETCH)
        least = _least(search.measure, leader, size, min(sizes[start], sizes[stop - 1]))
        reached = start % _STRETCH
        if not reached:
            for i in range(start, stop):
                reached += total[i] >= least
        if reached:
            for i in range(start, stop):
                if total[i] >= least:
                    return i
        start = stop
    return len(total)


@compiled
def _insert(measure: Measure, ratio: Ratio, original: int, ratios: Floats, ids: Integers) -> None:
    """Put one original at its place in a k best list, by score, then by index, if it has one."""
    place = len(ids)
    while place > 0:
        order = _compare(measure, ratio, (ratios[place - 1, 0], ratios[place - 1, 1]), 0.0)
        if order < 0 or (order == 0 and ids[place - 1] < original):
            break
        place -= 1
    if place == len(ids):
        return
    for later in range(len(ids) - 1, place, -1):
        ratios[later, 0], ratios[later, 1] = ratios[later - 1, 0], ratios[later - 1, 1]
        ids[later] = ids[later - 1]
    ratios[place, 0], ratios[place, 1], ids[place] = ratio[0], ratio[1], original
