"""Outliers: rows without which a group could be told far more exactly.

One person of ninety among people in their twenties makes all of them `[20..90]`. Left out, the others gain a
range; and he is lost. A row is left out only if the others gain more than it told: for every column the width
by which the group shrinks, once for each of the others, against what of the column the row itself still said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.deidentify.microdata.quasi import Quasi

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


def loss(columns: Sequence[Quasi], rows: Ints, group: Ints) -> float:
    """Return how much is lost of all values, in values; a row that is left out loses all of its own."""
    gone = len(columns[0].column) - len(rows)
    return float(sum(column.width(rows, group).sum() for column in columns)) + gone * len(columns)


def outliers(columns: Sequence[Quasi], rows: Ints, group: Ints, most: int) -> Ints:
    """Return the places of at most so many rows whose going gains more than is lost, the best first."""
    gain, told = np.zeros(len(rows)), np.zeros(len(rows))
    for column in columns:
        gain += _gain(column, rows, group)
        told += 1 - column.width(rows, group)
    best = np.argsort(told - gain, kind="stable")[:most]
    return best[gain[best] > told[best]]


def _gain(column: Quasi, rows: Ints, group: Ints) -> Floats:
    """Return what the others of a group gain if a row goes that stands alone, at an end or with its value."""
    values, size = column.cut.values[rows], np.bincount(group)
    order = np.lexsort((values, group))
    ordered, owner = values[order], group[order]
    others = size[owner] - 1.0
    gap = np.diff(ordered) if not column.cut.nominal else (np.diff(ordered) > 0).astype(float)
    inside = np.diff(owner) == 0
    below, above = np.append(True, ~inside), np.append(~inside, True)
    before = np.append(0.0, np.where(inside, gap, 0.0))
    after = np.append(np.where(inside, gap, 0.0), 0.0)
    if column.cut.nominal:
        alone = (below | (before > 0)) & (above | (after > 0))
        saved = np.where(alone & (others > 0), 1.0, 0.0) / max(len(np.unique(column.cut.values)) - 1, 1)
    else:
        saved = np.where(below, after, np.where(above, before, 0.0)) / (
            float(np.ptp(column.cut.values)) or 1.0
        )
    made = np.zeros(len(rows))
    made[order] = saved * others
    return made
