"""The nearest rows and the best assignment within each group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.assignment import DENSE, NEIGHBOURS, assign_among, assign_by, draw_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


def nearest_in_groups(a: Floats, a_group: Ints, b: Floats, b_group: Ints) -> tuple[Ints, Ints]:
    """Return (indptr, indices): for each row of a, the rows of b in the same group that are nearest.

    Args:
        a: released rows, with at least one column.
        a_group: the group of each; a group that b lacks has no nearest.
        b: original rows over the same columns.
        b_group: the group of each.
    """
    from kakurenbo.kernels.euclid import loops  # noqa: PLC0415 - loads the compiler

    a, b = _prepared(a, b)
    order = np.lexsort((b[:, 0], b_group))
    b, groups = b[order], b_group[order]
    start, end = np.searchsorted(groups, a_group, "left"), np.searchsorted(groups, a_group, "right")
    best, count, nearest = loops.find(a, b, start, end)
    many = np.flatnonzero(count > 1)
    part = (a[many], b, start[many], end[many], best[many])
    nothing = np.empty(0, dtype=np.int64)
    count[many] = loops.gather(*part, nothing, nothing)
    indptr = np.concatenate([[0], np.cumsum(count)])
    indices = np.empty(indptr[-1], dtype=np.int64)
    single = count == 1
    indices[indptr[:-1][single]] = nearest[single]
    loops.gather(*part, indptr[:-1][many], indices)
    return indptr, order[indices]


def _prepared(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return both scaled, widest column first."""
    a, b = _scaled(a, b)
    widest = np.argsort(-b.std(axis=0), kind="stable") if len(b) else np.arange(b.shape[1])
    return np.ascontiguousarray(a[:, widest]), np.ascontiguousarray(b[:, widest])


def _scaled(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return both divided by one power of two, so that squares stay finite."""
    largest = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
    if largest == 0:
        return a, b
    down = -int(np.frexp(largest)[1])
    return np.ldexp(a, down), np.ldexp(b, down)


def assign_in_groups(a: Floats, a_group: Ints, b: Floats, b_group: Ints, rng: np.random.Generator) -> Ints:
    """Return draws x rows of a: the row of b paired with each by the best one-to-one assignment, -1 for none.

    Within each group the sum of Euclidean distances is least; equally good assignments are equally likely.
    Groups over `assignment.DENSE` rows only weigh the `NEIGHBOURS` nearest of each.
    """
    drawn, places = [np.full((1, len(a)), -1, dtype=np.int64)], [np.arange(len(a))]
    rows, columns = np.argsort(a_group, kind="stable"), np.argsort(b_group, kind="stable")
    groups, first, count = np.unique(a_group[rows], return_index=True, return_counts=True)
    start = np.searchsorted(b_group[columns], groups, "left")
    end = np.searchsorted(b_group[columns], groups, "right")
    alone = (count == 1) & (end - start == 1)
    drawn[0][0, rows[first[alone]]] = columns[start[alone]]
    for g in np.flatnonzero(~alone & (end > start)):
        theirs, mine = rows[first[g] : first[g] + count[g]], columns[start[g] : end[g]]
        drawn.append(np.append(mine, -1)[_matched(a[theirs], b[mine], rng)])
        places.append(theirs)
    turn = np.arange(max(map(len, drawn)))
    paired = np.empty((len(turn), len(a)), dtype=np.int64)
    for those, who in zip(drawn, places, strict=True):
        paired[:, who] = those[turn % len(those)]
    return paired


def _matched(a: Floats, b: Floats, rng: np.random.Generator) -> Ints:
    """Return draws x rows of a: the row of b paired with each, -1 for none."""
    if a.shape[1] == 0 or np.ptp(b, axis=0).max() == 0:  # all rows are equal
        size = max(len(a), len(b))
        anybody = np.where(np.arange(size) < len(b), np.arange(size), -1)
        return rng.permuted(np.tile(anybody, (draw_count(size), 1)), axis=1)[:, : len(a)]
    if max(len(a), len(b)) <= DENSE:
        from scipy.spatial.distance import cdist  # noqa: PLC0415 - slow to load

        return assign_by(-cdist(*_scaled(a, b)), rng)
    from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to load

    columns, near = rng.permutation(len(b)), min(NEIGHBOURS, len(b))
    distance, whom = (np.asarray(column).ravel() for column in cKDTree(b[columns]).query(a, k=near))
    score = 1 - distance / max(float(distance.max()), 1e-300)
    return assign_among(np.repeat(np.arange(len(a)), near), columns[whom], score, (len(a), len(b)), rng)
