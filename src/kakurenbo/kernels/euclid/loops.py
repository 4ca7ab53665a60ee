"""The compiled loops behind `kernels.euclid`: nearest rows within a group, searched outward."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAME = 1e-12  # two squared distances closer than this, relatively, are a tie


@compiled
def squared(a: NDArray[np.float64], b: NDArray[np.float64], limit: float) -> float:
    """Return the squared distance of two rows, or something over the limit as soon as it is passed."""
    total = 0.0
    for k in range(len(a)):
        step = a[k] - b[k]
        total += step * step
        if total > limit:
            break
    return total


@compiled
def place(b: NDArray[np.float64], value: float, low: int, high: int) -> int:
    """Return the first place in b[low:high], sorted by its first column, that is not below the value."""
    while low < high:
        middle = (low + high) // 2
        if b[middle, 0] < value:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def find(
    a: NDArray[np.float64], b: NDArray[np.float64], start: NDArray[np.int64], end: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Return for each row of a the least squared distance to b[start:end], how many have it, and one of them.

    Each slice of b is sorted by the first column. The search goes outward from where the row would stand
    and ends on each side when the first column alone is farther than the best found.
    """
    best = np.full(len(a), np.inf)
    count = np.zeros(len(a), dtype=np.int64)
    nearest = np.full(len(a), -1, dtype=np.int64)
    for i in range(len(a)):
        if start[i] == end[i]:
            continue
        right = place(b, a[i, 0], start[i], end[i])
        left = right - 1
        while True:
            ahead = b[right, 0] - a[i, 0] if right < end[i] else np.inf
            behind = a[i, 0] - b[left, 0] if left >= start[i] else np.inf
            step = min(ahead, behind)
            limit = best[i] * (1 + SAME)
            if step == np.inf or step * step > limit:
                break
            if ahead <= behind:
                j, right = right, right + 1
            else:
                j, left = left, left - 1
            distance = squared(a[i], b[j], limit)
            if distance > limit:
                continue
            if distance < best[i] * (1 - SAME):
                count[i] = 0
            best[i] = min(best[i], distance)
            count[i] += 1
            nearest[i] = j
    return best, count, nearest


@compiled
def gather(
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    best: NDArray[np.float64],
    offset: NDArray[np.int64],
    out: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return how many rows of b[start:end] are at the best distance of each row of a.

    Where there is room in `out`, their places are written from `offset` on.
    """
    counts = np.zeros(len(a), dtype=np.int64)
    for i in range(len(a)):
        limit = best[i] * (1 + SAME)
        middle = place(b, a[i, 0], start[i], end[i])
        for side in range(2):
            j = middle - side
            while start[i] <= j < end[i]:
                step = b[j, 0] - a[i, 0]
                if step * step > limit:
                    break
                if squared(a[i], b[j], limit) <= limit:
                    if len(out):
                        out[offset[i] + counts[i]] = j
                    counts[i] += 1
                j += 1 - 2 * side
    return counts
