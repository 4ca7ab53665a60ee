"""The compiled loop behind `kernels.mondrian`: cut a group at its middle until nothing can be cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels._compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray


@compiled
def spans(
    codes: NDArray[np.int64],
    rows: NDArray[np.int64],
    position: NDArray[np.float64],
    nominal: NDArray[np.bool_],
    seen: NDArray[np.int64],
    stamp: int,
) -> NDArray[np.float64]:
    """Return how wide these rows lie in each column: the share of its range, or of its distinct values."""
    wide = np.zeros(codes.shape[1])
    for c in range(codes.shape[1]):
        low, high, distinct = codes[rows[0], c], codes[rows[0], c], 0
        for i in rows:
            code = codes[i, c]
            low, high = min(low, code), max(high, code)
            if nominal[c] and seen[c, code] != stamp:
                seen[c, code] = stamp
                distinct += 1
        wide[c] = distinct - 1 if nominal[c] else position[c, high] - position[c, low]
        if nominal[c]:
            wide[c] *= position[c, 1]
    return wide


@compiled
def cut_at(values: NDArray[np.int64], k: int, strict: bool) -> int:
    """Return where to cut sorted values so that both sides have k, nearest to the middle; 0 if nowhere.

    Strict cuts only between different values; relaxed may part equal ones.
    """
    n = len(values)
    middle = n // 2
    if not strict:
        return middle if middle >= k and values[0] != values[n - 1] else 0
    for away in range(n):
        for cut in (middle - away, middle + away):
            if k <= cut <= n - k and values[cut - 1] != values[cut]:
                return cut
        if middle - away < k and middle + away > n - k:
            break
    return 0


@compiled
def partition(
    codes: NDArray[np.int64],
    position: NDArray[np.float64],
    nominal: NDArray[np.bool_],
    k: int,
    strict: bool,
) -> NDArray[np.int64]:
    """Return the number of each row's group; every group holds at least k rows."""
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
            wide = spans(codes, part, position, nominal, seen, stamp)
            for _ in range(codes.shape[1]):
                column = np.argmax(wide)
                if wide[column] <= 0:
                    break
                wide[column] = 0
                order = part[np.argsort(codes[part, column], kind="mergesort")]
                cut = cut_at(codes[order, column], k, strict)
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
