"""The compiled loops behind MDAV."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray


@compiled
def distances(
    points: NDArray[np.float64],
    rows: NDArray[np.int64],
    centre: NDArray[np.float64],
    out: NDArray[np.float64],
) -> int:
    """Write the squared distance of each of these rows to a centre; return the place of the farthest."""
    far = 0
    for place in range(len(rows)):
        total = 0.0
        for c in range(points.shape[1]):
            step = points[rows[place], c] - centre[c]
            total += step * step
        out[place] = total
        if total > out[far]:
            far = place
    return far


@compiled
def take(
    points: NDArray[np.float64],
    rows: NDArray[np.int64],
    seed: int,
    k: int,
    label: NDArray[np.int64],
    group: int,
) -> NDArray[np.int64]:
    """Label the k rows nearest to the row at place `seed`, itself among them; return the rows left."""
    away = np.empty(len(rows))
    distances(points, rows, points[rows[seed]], away)
    away[seed] = -1.0
    nearest = np.full(k, -1)
    worst = np.full(k, np.inf)
    for place in range(len(rows)):
        if away[place] < worst[k - 1]:
            spot = k - 1
            while spot > 0 and worst[spot - 1] > away[place]:
                worst[spot], nearest[spot] = worst[spot - 1], nearest[spot - 1]
                spot -= 1
            worst[spot], nearest[spot] = away[place], place
    kept = np.ones(len(rows), dtype=np.bool_)
    for place in nearest:
        label[rows[place]] = group
        kept[place] = False
    return rows[kept]


@compiled
def centroid(points: NDArray[np.float64], rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the mean of these rows."""
    centre = np.zeros(points.shape[1])
    for i in rows:
        centre += points[i]
    return centre / len(rows)


@compiled
def mdav(points: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Return the number of each row's group: k to 2k - 1 rows each."""
    rows = np.arange(len(points))
    label = np.zeros(len(points), dtype=np.int64)
    away = np.empty(len(points))
    group = 0
    while len(rows) >= 2 * k:
        twice = len(rows) >= 3 * k
        far = distances(points, rows, centroid(points, rows), away)
        edge = points[rows[far]].copy()
        rows = take(points, rows, far, k, label, group)
        group += 1
        if twice:
            other = distances(points, rows, edge, away)
            rows = take(points, rows, other, k, label, group)
            group += 1
    for i in rows:
        label[i] = group
    return label
