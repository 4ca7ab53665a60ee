"""Common goods counted in binary, for all originals of a block at once.

A plane of bits holds ones, another twos, fours and so on: a frequent good adds its whole column of bits, 256
or 512 originals an instruction; a rare one walks its list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    from kakurenbo.kernels.nearest.rows import Block, Floats, Search

    Bits = npt.NDArray[np.uint64]

WORD = 64  # originals in a word of a column
BIT = np.uint64(1)
_AT_ONCE = 7  # columns added at once: their sum fits three planes
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
def bench_for(search: Search, first: int, last: int) -> Bench:
    """Return the arrays for released rows first..last."""
    width, longest = len(search.block.ids), 0
    for row in range(first, last):
        longest = max(longest, search.released.starts[row + 1] - search.released.starts[row])
    words = words_for(width)
    return Bench(
        np.zeros(width),
        np.zeros((planes_for(longest), words), np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(longest + _AT_ONCE, np.uint32),
        np.zeros(width, np.uint16),
    )


@compiled
def words_for(width: int) -> int:
    """Return how many words a column of so many originals has."""
    return (width + WORD - 1) // WORD


@compiled
def planes_for(most: int) -> int:
    """Return how many planes hold counts up to this."""
    planes = 3
    while most >> planes:
        planes += 1
    return planes


@compiled
def count_common(block: Block, goods: npt.NDArray[np.int32], bench: Bench) -> None:
    """Count the common goods of one released row and every original of the block, into the planes."""
    planes, picked = bench.planes, bench.picked
    planes[: planes_for(len(goods))] = _NONE
    count = 0
    for good in goods:
        if block.slots[good]:
            picked[count] = block.slots[good]
            count += 1
    picked[count : count + _AT_ONCE] = 0
    for q in range(0, count, _AT_ONCE):
        _add_columns(block.columns, picked[q : q + _AT_ONCE], planes, bench.carry)
        for plane in range(3, planes_for(min(q + _AT_ONCE, len(goods)))):
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
    word, bit, plane = row // WORD, BIT << np.uint64(row % WORD), 0
    while planes[plane, word] & bit:
        planes[plane, word] ^= bit
        plane += 1
    planes[plane, word] ^= bit


@compiled
def reaching(bench: Bench, least: int, most: int) -> bool:
    """Write out the counts that reach the least, 0 for all others; tell whether there are any."""
    planes, above, level, total = bench.planes, bench.carry, bench.level, bench.total
    above[:] = _NONE
    level[:] = ~_NONE
    for plane in range(planes_for(most) - 1, -1, -1):
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
            _write_out(planes, above[w], w, planes_for(most), total)
    return True


@compiled
def _write_out(planes: Bits, which: int, word: int, depth: int, total: Floats) -> None:
    """Write the counts of these originals of a word as numbers."""
    for bit in range(min(WORD, len(total) - word * WORD)):
        if (which >> np.uint64(bit)) & BIT:
            count = _NONE
            for plane in range(depth):
                count |= ((planes[plane, word] >> np.uint64(bit)) & BIT) << np.uint64(plane)
            total[word * WORD + bit] = count
