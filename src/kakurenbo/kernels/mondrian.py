"""Mondrian: cut a table into groups of at least k rows, always across the widest column.

LeFevre, DeWitt and Ramakrishnan (2006). Strict cuts never part rows with equal values in the column that is
cut; relaxed ones may, and groups come out between k and 2k - 1 rows as long as rows differ. A cut is made
nearest to the middle where both sides keep k, so more cuts succeed than with the median alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


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
    from kakurenbo.kernels import _mondrian_loops as loops  # noqa: PLC0415 - loads the compiler

    found = [np.unique(column, return_inverse=True) for column in columns]
    codes = np.column_stack([code for _, code in found]).astype(np.int64)
    position = np.zeros((len(columns), max(2, *(len(values) for values, _ in found))))
    for place, (values, _), category in zip(position, found, nominal, strict=True):
        if category:
            place[1] = 1 / max(len(values) - 1, 1)
        elif len(values) > 1:
            place[: len(values)] = (values / 2 - values[0] / 2) / (values[-1] / 2 - values[0] / 2)
    return loops.partition(codes, position, np.asarray(nominal), k, strict)
