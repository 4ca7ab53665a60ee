"""Points: sensitive attributes as numbers, so that people can be compared by Euclid.

A number is itself. A category has no place on a line: all others are equally far. Each of its values gets an
axis of its own, so that two people who differ in it are apart by 1, and two who agree by nothing. Rare values
of a category with very many share axes in pairs, or memory would grow with people x values: two of them still
differ, by a little more or less than 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.data.groups import column_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_AXES = 64


def points(
    before: pl.DataFrame, after: pl.DataFrame, names: Sequence[str], unit: str = "none"
) -> tuple[Floats, Floats]:
    """Return (before, after): rows x axes over these columns.

    Args:
        before: the original rows.
        after: the released ones.
        names: columns that both have; one that is a number in only one of them is compared as a category.
        unit: numbers as they are (`none`), or in units of the original's `spread` or `range`.
    """
    made = [_axes(before[name], after[name], unit) for name in names]
    if not made:
        return np.empty((before.height, 0)), np.empty((after.height, 0))
    mine, theirs = (np.ascontiguousarray(np.hstack(part)) for part in zip(*made, strict=True))
    return mine, theirs


def _axes(mine: pl.Series, theirs: pl.Series, unit: str) -> tuple[Floats, Floats]:
    if mine.dtype.is_numeric() and theirs.dtype.is_numeric():
        a, b = (column.to_numpy().astype(np.float64)[:, None] for column in (mine, theirs))
        size = _unit(a, unit)
        return a / size, b / size
    codes, count = column_codes([mine, theirs])
    common = np.argsort(-np.bincount(codes, minlength=count), kind="stable")
    rank = np.empty(count, dtype=np.int64)
    rank[common] = np.arange(count)
    placed = _simplex(rank[codes], count)
    return placed[: len(mine)], placed[len(mine) :]


def _simplex(rank: NDArray[np.int64], count: int) -> Floats:
    """Return a point for every value: an axis for each of the common ones, for a rare one two of them."""
    axes = min(count, _AXES)
    made = np.zeros((len(rank), axes))
    rows, rare = np.arange(len(rank)), rank >= axes
    made[rows[~rare], rank[~rare]] = np.sqrt(0.5)
    turn = rank[rare] - axes
    first, step = turn % axes, 1 + turn // axes % (axes - 1 or 1)
    made[rows[rare], first] += 0.5
    made[rows[rare], (first + step) % axes] -= 0.5
    made[rows[rare], 0] += 1e-6 * (turn // (axes * max(axes - 1, 1)))  # beyond all pairs they still differ
    return made


def _unit(values: Floats, unit: str) -> float:
    if unit == "none":
        return 1.0
    with np.errstate(over="ignore"):
        size = float(np.sort(values, axis=0).std() if unit == "spread" else np.ptp(values))
    return size if size > 0 and np.isfinite(size) else 1.0
