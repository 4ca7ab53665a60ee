"""Groups of equal rows, found by sorting: the candidates, crowds and cells of microdata.

Rows get a number such that two rows have the same number exactly if they are equal in the chosen columns,
within one table or across several. The numbers follow the sorted values, never the order of rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_LARGEST = 2**62


def group_codes(tables: Sequence[pl.DataFrame], columns: Sequence[str]) -> list[NDArray[np.int64]]:
    """Return for each table the numbers of its rows' groups, from 0 and without gaps over all tables.

    Columns of different types are compared as text: a generalised "[20..29]" equals no number, and the
    number 25 read from another file as "25" is still 25. Without columns all rows are one group.
    """
    heights = [table.height for table in tables]
    combined, size = np.zeros(sum(heights), dtype=np.int64), 1
    for column in columns:
        codes, count = _codes(together([table[column] for table in tables]))
        if size > _LARGEST // count:
            combined, size = _dense(combined)
        combined, size = combined * count + codes, size * count
    dense, _ = _dense(combined)
    return np.split(dense, np.cumsum(heights)[:-1])


def together(parts: Sequence[pl.Series]) -> pl.Series:
    """Return the columns one under the other, as text where their types differ."""
    plain = [part.cast(pl.String) if part.dtype in {pl.Categorical, pl.Enum} else part for part in parts]
    kinds = {part.dtype for part in plain}
    if len(kinds) > 1:
        numeric = all(kind.is_numeric() for kind in kinds)
        plain = [part.cast(pl.Float64 if numeric else pl.String) for part in plain]
    return pl.concat([part.alias("") for part in plain], rechunk=True)


def group_sizes(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many rows each group has; a number that no row here has counts no group."""
    sizes = np.bincount(codes)
    return sizes[sizes > 0]


def _codes(column: pl.Series) -> tuple[NDArray[np.int64], int]:
    """Return numbers in the order of the values, and how many distinct ones there may be."""
    if column.dtype == pl.String:
        column = column.cast(pl.Enum(column.unique().drop_nulls().sort())).to_physical()
    elif column.dtype == pl.Boolean:
        column = column.cast(pl.UInt8)
    numbers = column.to_physical()
    if numbers.dtype.is_float():
        numbers = numbers + 0.0  # one zero, not two
    ranks = (numbers.rank("dense").cast(pl.Int64) - 1).to_numpy()
    return ranks, int(ranks.max(initial=0)) + 1


def _dense(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    values, dense = np.unique(codes, return_inverse=True)
    return dense.astype(np.int64), max(len(values), 1)
