"""The compiled loops of the nearest search.

One block of originals at a time is turned around (`turn`). For a released customer, the sums over common
goods with all originals of the block are gathered in short arrays that stay in the fastest cache. Where a
good counts one, the counts are kept in binary, a plane of bits for ones, twos, fours and so on: a frequent
good adds its whole column of bits, 256 or 512 originals an instruction; a rare one walks its list. Originals
are ordered by size, so the best score so far gives one least sum for a block or a stretch of originals, and
those that cannot reach it are left without looking at single pairs.
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
    Lists,
    Measure,
    Rows,
    Search,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from kakurenbo.kernels.nearest.rows import Floats, Integers, Pairs

    Bits = npt.NDArray[np.uint64]
    Ratio = tuple[float, float]

_SLACK = 1e-11  # bounds give way by this much, so that rounding never hides an equal
_ANYTHING = 5e-324  # the smallest number above 0
_LOOSE = 1e-7  # what is left of a sum is known less exactly, since it is a difference
_SPENT = 4  # times that looking for few must take less than summing up for all
_STRETCH = 64  # originals looked over at once
_AT_ONCE = 7  # columns added at once: their sum fits three planes
_WORD = 64  # originals in a word of a column
_LOOKED_UP = 1000  # entries of the lists of a row's rarest goods, looked through for a first leader
_TRIED = 4  # of those who share the most of them, compared as whole
_BIT = np.uint64(1)
_NONE = np.uint64(0)


class Bench(NamedTuple):
    """The arrays one thread works on, as wide as the block: they are filled anew for every released row."""

    total: Floats
    planes: Bits
    carry: Bits
    level: Bits
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
    columns = np.zeros((used, _words(len(ids))), np.uint64)
    rows = np.empty(starts[goods], np.uint16)
    values = np.empty(starts[goods] if len(originals.values) else 0)
    place = starts[:-1].copy()
    for row, original in enumerate(ids):
        for p in range(originals.starts[original], originals.starts[original + 1]):
            good = originals.goods[p]
            if slots[good]:
                columns[slots[good], row // _WORD] |= _BIT << np.uint64(row % _WORD)
                continue
            rows[place[good]] = row
            if len(values):
                values[place[good]] = originals.values[p]
            place[good] += 1
    return Block(ids, originals.sizes[ids], starts, rows, values, slots, columns)


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
                total = _common(measure, released, row, originals, original)
                ratio = _ratio(measure, total, released.sizes[row], originals.sizes[original])
                if _compare(measure, ratio, (best[row, 0], best[row, 1]), 0.0) > 0:
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


@compiled
def _common(measure: Measure, released: Rows, row: int, originals: Rows, original: int) -> float:
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


@compiled
def row_by_row(measure: Measure, released: Rows, originals: Rows, scores: Floats) -> None:
    """Write the score of every released row with the original in the same place."""
    for row in range(len(scores)):
        total = _common(measure, released, row, originals, row)
        if total > 0:
            scores[row, 0], scores[row, 1] = _ratio(measure, total, released.sizes[row], originals.sizes[row])


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
    words = _words(width)
    return Bench(
        np.zeros(width),
        np.zeros((_planes(longest), words), np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(longest + _AT_ONCE, np.uint32),
        np.zeros(width, np.uint16),
    )


@compiled
def _words(width: int) -> int:
    return (width + _WORD - 1) // _WORD


@compiled
def _planes(most: int) -> int:
    """Return how many planes hold counts up to this."""
    planes = 3
    while most >> planes:
        planes += 1
    return planes


@compiled
def _gather(search: Search, row: int, bench: Bench, leader: Ratio) -> bool:
    """Sum over the goods of one released row, for every original of the block at once.

    Return whether any of the sums may equal the leader; where none can they are left unfinished.
    """
    released, block, total = search.released, search.block, bench.total
    begin, end = released.starts[row], released.starts[row + 1]
    if search.measure.adds == ONE:
        _count(block, released.goods[begin:end], bench)
        smallest = min(block.sizes[0], block.sizes[-1])
        least = np.ceil(_least(search.measure, leader, released.sizes[row], smallest))
        return _reaching(bench, min(end - begin, np.int64(least)), end - begin)
    total[:] = 0
    if len(search.rarest) and leader[0] > 0:
        few = _few(search, row, bench, leader)
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
def _few(search: Search, row: int, bench: Bench, leader: Ratio) -> int:
    """Sum for those alone who can equal the leader, where few can; return how many, -1 where they are many.

    They are met among who has the rarest goods of the row: as soon as all goods that are left could not make
    anybody equal the leader, nobody else can. Rows of rounded values have length 1, so what goods add that
    are left is at most their own length.
    """
    released, block, total = search.released, search.block, bench.total
    product = search.measure.adds == PRODUCT
    begin, end = released.starts[row], released.starts[row + 1]
    least = _least(search.measure, leader, released.sizes[row], min(block.sizes[0], block.sizes[-1]))
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
        total[original] = _common(search.measure, released, row, search.originals, block.ids[original])
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


@compiled
def _count(block: Block, goods: npt.NDArray[np.int32], bench: Bench) -> None:
    """Count the common goods of one released row and every original of the block, into the planes."""
    planes, picked = bench.planes, bench.picked
    planes[: _planes(len(goods))] = _NONE
    count = 0
    for good in goods:
        if block.slots[good]:
            picked[count] = block.slots[good]
            count += 1
    picked[count : count + _AT_ONCE] = 0
    for q in range(0, count, _AT_ONCE):
        _add_columns(block.columns, picked[q : q + _AT_ONCE], planes, bench.carry)
        for plane in range(3, _planes(min(q + _AT_ONCE, len(goods)))):
            _carry_on(planes[plane], bench.carry)
    for good in goods:
        for p in range(block.starts[good], block.starts[good + 1]):
            _add_one(planes, block.rows[p])


@compiled
def _add_columns(columns: Bits, picked: npt.NDArray[np.uint32], planes: Bits, carry: Bits) -> None:
    """Add seven columns to the three lowest planes, and keep what the fourth has to get."""
    a, b, c, d = columns[picked[0]], columns[picked[1]], columns[picked[2]], columns[picked[3]]
    e, f, g = columns[picked[4]], columns[picked[5]], columns[picked[6]]
    ones, twos, fours = planes[0], planes[1], planes[2]
    for w in range(len(carry)):
        first, second = a[w] ^ b[w] ^ c[w], d[w] ^ e[w] ^ f[w]
        low = first ^ second ^ g[w]
        x = (a[w] & b[w]) | (c[w] & (a[w] ^ b[w]))
        y = (d[w] & e[w]) | (f[w] & (d[w] ^ e[w]))
        z = (first & second) | (g[w] & (first ^ second))
        middle, high = x ^ y ^ z, (x & y) | (z & (x ^ y))
        up = ones[w] & low
        ones[w] ^= low
        one = twos[w]
        twos[w] = one ^ middle ^ up
        up = (one & middle) | (up & (one ^ middle))
        one = fours[w]
        fours[w] = one ^ high ^ up
        carry[w] = (one & high) | (up & (one ^ high))


@compiled
def _carry_on(plane: Bits, carry: Bits) -> None:
    """Add what is carried to one plane, and keep what the next has to get."""
    for w in range(len(carry)):
        up = plane[w] & carry[w]
        plane[w] ^= carry[w]
        carry[w] = up


@compiled
def _add_one(planes: Bits, row: int) -> None:
    """Count one more for one original."""
    word, bit, plane = row // _WORD, _BIT << np.uint64(row % _WORD), 0
    while planes[plane, word] & bit:
        planes[plane, word] ^= bit
        plane += 1
    planes[plane, word] ^= bit


@compiled
def _reaching(bench: Bench, least: int, most: int) -> bool:
    """Write out the counts that reach the least, 0 for all others; tell whether there are any."""
    planes, above, level, total = bench.planes, bench.carry, bench.level, bench.total
    above[:] = _NONE
    level[:] = ~_NONE
    for plane in range(_planes(most) - 1, -1, -1):
        if (least >> plane) & 1:
            for w in range(len(level)):
                level[w] &= planes[plane, w]
        else:
            for w in range(len(level)):
                above[w] |= level[w] & planes[plane, w]
                level[w] &= ~planes[plane, w]
    anybody = _NONE
    for w in range(len(level)):
        above[w] |= level[w]
        anybody |= above[w]
    if not anybody:
        return False
    total[:] = 0
    for w in range(len(above)):
        if above[w]:
            _write_out(planes, above[w], w, _planes(most), total)
    return True


@compiled
def _write_out(planes: Bits, which: int, word: int, depth: int, total: Floats) -> None:
    """Write the counts of these originals of a word as numbers."""
    for bit in range(min(_WORD, len(total) - word * _WORD)):
        if (which >> np.uint64(bit)) & _BIT:
            count = _NONE
            for plane in range(depth):
                count |= ((planes[plane, word] >> np.uint64(bit)) & _BIT) << np.uint64(plane)
            total[word * _WORD + bit] = count


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
