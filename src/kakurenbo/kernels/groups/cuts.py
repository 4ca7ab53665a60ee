"""The compiled loops behind Mondrian: cut, and check what both sides must keep.

A side keeps k rows, and of every sensitive attribute l values (distinct, by entropy, or recursively) at a
distance of at most t from the whole table. Checks sort the codes of a side, so they cost its size and never
the number of values there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

DISTINCT, ENTROPY, RECURSIVE = 0, 1, 2
_TRIES = 8  # places in a column where a cut is tried before the next column
_ROUNDING = 1e-9


@compiled
def diverse(counts: NDArray[np.int64], way: int, least: int, c: float) -> bool:
    """Return whether values that occur so often are diverse enough."""
    if len(counts) < least:
        return False
    if way == ENTROPY:
        total, entropy = counts.sum(), 0.0
        for count in counts:
            entropy -= count / total * np.log(count / total)
        return bool(np.exp(entropy) >= least - _ROUNDING)
    if way == RECURSIVE:
        ordered = np.sort(counts)[::-1]
        return bool(ordered[0] < c * ordered[least - 1 :].sum())
    return True


@compiled
def far_ordered(codes: NDArray[np.int64], whole: NDArray[np.float64], running: NDArray[np.float64]) -> float:
    """Return the ordered distance of sorted codes from the whole, stretch by stretch of equal height.

    Args:
        codes: of one side, ascending.
        whole: the whole table's distribution, summed up.
        running: the sums of that, from 0.
    """
    n, m = len(codes), len(whole)
    total = running[codes[0]]
    for place in range(n):
        start, end = codes[place], codes[place + 1] if place + 1 < n else m
        height = (place + 1) / n
        cross = min(max(np.searchsorted(whole, height), start), end)
        total += height * (2 * cross - start - end) - 2 * running[cross] + running[start] + running[end]
    return total / (m - 1) if m > 1 else 0.0


@compiled
def far_equal(values: NDArray[np.int64], counts: NDArray[np.int64], share: NDArray[np.float64]) -> float:
    """Return the equal distance of values that occur so often from their shares in the whole."""
    total, n = 1.0, counts.sum()
    for place in range(len(values)):
        p = share[values[place]]
        total += abs(counts[place] / n - p) - p
    return total / 2


@compiled
def kept(
    side: NDArray[np.int64],
    attributes: NDArray[np.int64],
    share: NDArray[np.float64],
    running: NDArray[np.float64],
    sizes: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    way: int,
    least: int,
    c: float,
    t: float,
) -> bool:
    """Return whether these rows keep l and t in every attribute.

    Shares are how frequent each value is in the whole table, of ordered attributes summed up, and `running`
    the sums of those again, from 0.
    """
    for s in range(attributes.shape[1]):
        codes = np.sort(attributes[side, s])
        first = np.flatnonzero(np.diff(codes)) + 1
        starts = np.concatenate((np.zeros(1, dtype=np.int64), first))
        counts = np.concatenate((first, np.full(1, len(codes), dtype=np.int64))) - starts
        if not diverse(counts, way, least, c):
            return False
        if t < 1:
            m = sizes[s]
            if ordered[s]:
                far = far_ordered(codes, share[s, :m], running[s])
            else:
                far = far_equal(codes[starts], counts, share[s])
            if far > t + _ROUNDING:
                return False
    return True


@compiled
def spans(
    codes: NDArray[np.int64],
    rows: NDArray[np.int64],
    position: NDArray[np.float64],
    kind: NDArray[np.int64],
    words: NDArray[np.int64],
    seen: NDArray[np.int64],
    stamp: int,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return how wide these rows lie in each column, and the level of a hierarchy that parts them, else 0.

    A range counts its share of the column's, a set its share of the values (kind 1), a word of a hierarchy
    the share of the values under it (kind 2).
    """
    wide, level = np.zeros(codes.shape[1]), np.zeros(codes.shape[1], dtype=np.int64)
    for c in range(codes.shape[1]):
        low, high, distinct = codes[rows[0], c], codes[rows[0], c], 0
        for i in rows:
            code = codes[i, c]
            low, high = min(low, code), max(high, code)
            if kind[c] == 1 and seen[c, code] != stamp:
                seen[c, code] = stamp
                distinct += 1
        if kind[c] == 2:
            while words[c, level[c], low] != words[c, level[c], high]:
                level[c] += 1
            under = 0
            for code in range(position.shape[1]):
                under += words[c, level[c], code] == words[c, level[c], low]
            wide[c] = (under - 1) * position[c, 1]
            level[c] = max(level[c] - 1, 0)
        elif kind[c] == 1:
            wide[c] = (distinct - 1) * position[c, 1]
        else:
            wide[c] = position[c, high] - position[c, low]
    return wide, level


@compiled
def cuts(values: NDArray[np.int64], k: int, strict: bool, halves: bool) -> NDArray[np.int64]:
    """Return where sorted values may be cut so that both sides have k, nearest to the middle first.

    Strict cuts only between different values; relaxed may part equal ones, in the middle alone if `halves`.
    """
    n = len(values)
    middle = n // 2
    made = np.zeros(_TRIES, dtype=np.int64)
    count = 0
    if not strict and values[0] != values[n - 1] and middle >= k:
        made[0], count = middle, 1
        if halves:
            return made[:1]
    for away in range(n):
        for turn in range(2):
            cut = middle - away if turn == 0 else middle + away
            if (turn == 1 and away == 0) or not k <= cut <= n - k or values[cut - 1] == values[cut]:
                continue
            made[count] = cut
            count += 1
            if count == _TRIES:
                return made
        if middle - away < k and middle + away > n - k:
            break
    return made[:count]


@compiled
def partition(
    codes: NDArray[np.int64],
    position: NDArray[np.float64],
    kind: NDArray[np.int64],
    words: NDArray[np.int64],
    k: int,
    strict: bool,
    checked: bool,
    attributes: NDArray[np.int64],
    share: NDArray[np.float64],
    running: NDArray[np.float64],
    sizes: NDArray[np.int64],
    ordered: NDArray[np.bool_],
    way: int,
    least: int,
    c: float,
    t: float,
) -> NDArray[np.int64]:
    """Return the number of each row's group; every group keeps k, and l and t where they are checked."""
    n = len(codes)
    rows = np.arange(n)
    label = np.zeros(n, dtype=np.int64)
    seen = np.full(position.shape, -1, dtype=np.int64)
    pending = [(0, n)]
    groups, stamp = 0, 0
    while len(pending) > 0:
        low, high = pending.pop()
        cut = 0
        if high - low >= 2 * k:
            part = rows[low:high].copy()
            stamp += 1
            wide, level = spans(codes, part, position, kind, words, seen, stamp)
            for _ in range(codes.shape[1]):
                column = np.argmax(wide)
                if wide[column] <= 0:
                    break
                wide[column] = 0
                order = part[np.argsort(codes[part, column], kind="mergesort")]
                values = codes[order, column]
                if kind[column] == 2:
                    values = words[column, level[column]][values]
                for place in cuts(values, k, strict or kind[column] == 2, not checked):
                    if checked and not (
                        kept(order[:place], attributes, share, running, sizes, ordered, way, least, c, t)
                        and kept(order[place:], attributes, share, running, sizes, ordered, way, least, c, t)
                    ):
                        continue
                    cut = place
                    break
                if cut:
                    rows[low:high] = order
                    break
        if cut:
            pending.append((low + cut, high))
            pending.append((low, low + cut))
        else:
            label[rows[low:high]] = groups
            groups += 1
    return label
