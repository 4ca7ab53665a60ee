"""The compiled loops of the nearest search.

One block of originals at a time is turned around (`turn`). For a released customer, the sums over common
goods with all originals of the block are gathered in short arrays that stay in the fastest cache, in binary
where a good counts one (`counting.py`). Originals are ordered by size, so the best score so far gives one
least sum for a block or a stretch of originals, and those that cannot reach it are left without looking at
single pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled
from kakurenbo.kernels.nearest.counting import BIT, WORD, Bench, bench_for, count_common, reaching, words_for
from kakurenbo.kernels.nearest.few import sum_few
from kakurenbo.kernels.nearest.rows import ONE, PRODUCT, TIE, Block, Measure, Rows, Search
from kakurenbo.kernels.nearest.scores import SLACK, common, compare, least_sum, ratio_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from kakurenbo.kernels.nearest.rows import Floats, Integers, Pairs
    from kakurenbo.kernels.nearest.scores import Ratio

_STRETCH = 64  # originals looked over at once


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
    columns = np.zeros((used, words_for(len(ids))), np.uint64)
    rows = np.empty(starts[goods], np.uint16)
    values = np.empty(starts[goods] if len(originals.values) else 0)
    place = starts[:-1].copy()
    for row, original in enumerate(ids):
        for p in range(originals.starts[original], originals.starts[original + 1]):
            good = originals.goods[p]
            if slots[good]:
                columns[slots[good], row // WORD] |= BIT << np.uint64(row % WORD)
                continue
            rows[place[good]] = row
            if len(values):
                values[place[good]] = originals.values[p]
            place[good] += 1
    return Block(ids, originals.sizes[ids], starts, rows, values, slots, columns)


@compiled
def row_by_row(measure: Measure, released: Rows, originals: Rows, scores: Floats) -> None:
    """Write the score of every released row with the original in the same place."""
    for row in range(len(scores)):
        total = common(measure, released, row, originals, row)
        if total > 0:
            scores[row, 0], scores[row, 1] = ratio_of(
                measure, total, released.sizes[row], originals.sizes[row]
            )


@compiled
def nearest_in(search: Search, best: Floats, first: int, last: int) -> Pairs:
    """Offer the block to released rows first..last: raise their `best` and return who equals it.

    `best` holds, a row, the ratio above and below the line. Returned are released rows, originals and
    their sums; those that a later block beats are left for the caller to drop (`equal_best`).
    """
    bench = bench_for(search, first, last)
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
        ratio = ratio_of(measure, bench.total[i], size, sizes[i])
        order = compare(measure, ratio, leader, TIE)
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
        ratio = ratio_of(measure, sums[p], released[row], originals[whom[p]])
        equal[p] = compare(measure, ratio, (best[row, 0], best[row, 1]), TIE) == 0
    return equal


@compiled
def top_in(search: Search, ratios: Floats, ids: Integers, first: int, last: int) -> None:
    """Offer the block to the k best lists of released rows first..last; -1 is an empty place."""
    bench = bench_for(search, first, last)
    measure, sizes = search.measure, search.block.sizes
    for row in range(first, last):
        size, worst = search.released.sizes[row], ratios[row, -1]
        if not _worth_it(search, row, (worst[0], worst[1])):
            continue
        if not _gather(search, row, bench, (worst[0], worst[1])):
            continue
        i = _next(search, row, bench.total, (worst[0], worst[1]), 0)
        while i < len(sizes):
            ratio = ratio_of(measure, bench.total[i], size, sizes[i])
            _insert(measure, ratio, search.block.ids[i], ratios[row], ids[row])
            i = _next(search, row, bench.total, (worst[0], worst[1]), i + 1)


@compiled
def scores_in(search: Search, scores: Floats, first: int, last: int) -> None:
    """Write the scores of released rows first..last with every original of the block."""
    bench = bench_for(search, first, last)
    sizes = search.block.sizes
    for row in range(first, last):
        if not _gather(search, row, bench, (0.0, 1.0)):
            continue
        for i in range(len(sizes)):
            if bench.total[i] > 0:
                ratio = ratio_of(search.measure, bench.total[i], search.released.sizes[row], sizes[i])
                scores[row, search.block.ids[i]] = ratio[0] / ratio[1]


@compiled
def _gather(search: Search, row: int, bench: Bench, leader: Ratio) -> bool:
    """Sum over the goods of one released row, for every original of the block at once.

    Return whether any of the sums may equal the leader; where none can they are left unfinished.
    """
    released, block, total = search.released, search.block, bench.total
    begin, end = released.starts[row], released.starts[row + 1]
    if search.measure.adds == ONE:
        count_common(block, released.goods[begin:end], bench)
        smallest = min(block.sizes[0], block.sizes[-1])
        least = np.ceil(least_sum(search.measure, leader, released.sizes[row], smallest))
        return reaching(bench, min(end - begin, np.int64(least)), end - begin)
    total[:] = 0
    if len(search.rarest) and leader[0] > 0:
        few = sum_few(search, row, bench, leader)
        if few >= 0:
            return few > 0
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
def _worth_it(search: Search, row: int, leader: Ratio) -> bool:
    """Tell whether any original of the block can equal the leader: no sum exceeds the smaller basket."""
    size, first, last = search.released.sizes[row], search.block.sizes[0], search.block.sizes[-1]
    most: float = min(size, max(first, last))
    return most * (1 + SLACK) >= least_sum(search.measure, leader, size, min(first, last))


@compiled
def _next(search: Search, row: int, total: Floats, leader: Ratio, start: int) -> int:
    """Return the first original from start on whose sum may equal the leader, or the width of the block.

    A new stretch is first scanned without branching, which the processor does many at a time; a stretch
    entered before holds a match, and often more beside it.
    """
    size, sizes = search.released.sizes[row], search.block.sizes
    while start < len(total):
        stop = min(len(total), start - start % _STRETCH + _STRETCH)
        least = least_sum(search.measure, leader, size, min(sizes[start], sizes[stop - 1]))
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
        order = compare(measure, ratio, (ratios[place - 1, 0], ratios[place - 1, 1]), 0.0)
        if order < 0 or (order == 0 and ids[place - 1] < original):
            break
        place -= 1
    if place == len(ids):
        return
    for later in range(len(ids) - 1, place, -1):
        ratios[later, 0], ratios[later, 1] = ratios[later - 1, 0], ratios[later - 1, 1]
        ids[later] = ids[later - 1]
    ratios[place, 0], ratios[place, 1], ids[place] = ratio[0], ratio[1], original
