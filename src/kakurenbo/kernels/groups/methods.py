"""MDAV and Mondrian: columns are scaled or counted, then the compiled loops make the groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def mdav(points: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Return the number of each row's group, k to 2k - 1 rows each; columns count in units of their spread.

    Args:
        points: rows x columns.
        k: fewest rows in a group, at most the rows there are.
    """
    from kakurenbo.kernels.groups import loops  # noqa: PLC0415 - loads the compiler

    largest = np.abs(points).max(axis=0, initial=0.0)
    points = points / np.where(largest > 0, largest, 1.0)  # first, so that the spread stays finite
    spread = points.std(axis=0)
    return loops.mdav(np.ascontiguousarray(points / np.where(spread > 0, spread, 1.0)), k)


def mondrian(
    columns: Sequence[NDArray[np.float64]], nominal: Sequence[bool], k: int, *, strict: bool = True
) -> NDArray[np.int64]:
    """Return the number of each row's group.

    Args:
        columns: the quasi-identifiers as numbers, categories by their place in the sorted list of them.
        nominal: which columns are categories: their width is how many they are, not how far apart.
        k: fewest rows in a group, at most the rows there are.
        strict: never part equal values; else relaxed.
    """
    from kakurenbo.kernels.groups import loops  # noqa: PLC0415 - loads the compiler

    coded = [np.unique(column, return_inverse=True) for column in columns]
    codes = np.column_stack([code for _, code in coded]).astype(np.int64)
    position = np.zeros((len(columns), max(2, *(len(values) for values, _ in coded))))
    for place, (values, _), category in zip(position, coded, nominal, strict=True):
        if category:
            place[1] = 1 / max(len(values) - 1, 1)
        elif len(values) > 1:
            place[: len(values)] = (values / 2 - values[0] / 2) / (values[-1] / 2 - values[0] / 2)
    return loops.partition(codes, position, np.asarray(nominal), k, strict)
