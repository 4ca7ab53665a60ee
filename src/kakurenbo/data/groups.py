"""Groups of equal rows, found by sorting.

Rows get a number such that two rows have the same number exactly if they are equal in the chosen columns,
within one table or across several. The numbers follow the sorted values, never the order of rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo.data.checks import columns as names
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from kakurenbo.data.table import Table

    Ints = NDArray[np.int64]

_LARGEST = 2**62
_ROOM = 4  # counts a row that counting may take, before sorting is the leaner way


def group_codes(tables: Sequence[pl.DataFrame], columns: Sequence[str]) -> list[Ints]:
    """Return for each table the numbers of its rows' groups, from 0 and without gaps over all tables.

    Columns of different types are compared as text: a generalised "[20..29]" equals no number, and the
    number 25 read from another file as "25" is still 25. Without columns all rows are one group.
    """
    heights = [table.height for table in tables]
    columns_of = (column_codes([table[column] for table in tables]) for column in columns)
    return np.split(combined(columns_of, sum(heights)), np.cumsum(heights)[:-1])


def column_codes(parts: Sequence[pl.Series]) -> tuple[Ints, int]:
    """Return numbers of the values of a column that stands in several tables, and a bound on how many."""
    kinds = [part.dtype for part in parts if isinstance(part.dtype, pl.Enum) and not part.null_count()]
    if len(kinds) < len(parts):
        return _codes(together(parts))
    words = [kind.categories for kind in kinds]  # numbered once, however many rows have them
    codes, count = _codes(pl.concat(words))
    each = np.split(codes, np.cumsum([len(one) for one in words])[:-1])
    rows = [part.to_physical().to_numpy() for part in parts]
    return np.concatenate([code[row] for code, row in zip(each, rows, strict=True)]), count


def combined(columns: Iterable[tuple[NDArray[Any], int]], rows: int) -> Ints:
    """Return the number of every row's group, from 0 and without gaps, from the numbers of its columns."""
    made, size = np.zeros(rows, dtype=np.int64), 1
    for codes, count in columns:
        if size > _LARGEST // count:
            made, size = _dense(made, size)
        made, size = made * count + codes, size * count
    return _dense(made, size)[0]


def together(parts: Sequence[pl.Series]) -> pl.Series:
    """Return the columns one under the other, as text where their types differ."""
    plain = [part.cast(pl.String) if part.dtype in (pl.Categorical, pl.Enum) else part for part in parts]
    kinds = {part.dtype for part in plain}
    if len(kinds) > 1:
        numeric = all(kind.is_numeric() for kind in kinds)
        plain = [part.cast(pl.Float64) if numeric else as_text(part) for part in plain]
    return pl.concat([part.alias("") for part in plain], rechunk=True)


def as_text(column: pl.Series) -> pl.Series:
    """Return the values as text, no two alike: a mere cast of times leaves out what is less than a second."""
    return column.dt.to_string("iso") if column.dtype == pl.Time else column.cast(pl.String)


def comparable(tables: Sequence[pl.DataFrame], names: Sequence[str]) -> list[pl.DataFrame]:
    """Return the tables with these columns in one type each: equal values are equal in all of them."""
    stacked = [together([table[name] for table in tables]).alias(name) for name in names]
    ends = np.cumsum([table.height for table in tables]).tolist()
    return [
        table.with_columns(column.slice(end - table.height, table.height) for column in stacked)
        for table, end in zip(tables, ends, strict=True)
    ]


def groups(data: Table, by: Sequence[str]) -> Ints:
    """Return the group of every person, in the order of the table's people.

    Args:
        data: purchases with a master, or microdata.
        by: columns of the master, or quasi-identifiers; none means that all are one group.
    """
    if not by:
        return np.zeros(len(data.people), dtype=np.int64)
    if not data.attributes.width:
        raise InputError("Groups are made by the master's columns, and there is no master.", code="roles")
    names.require(list(by), data.attributes.columns)
    return group_codes([data.attributes], by)[0]


def members(labels: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """Return where each wanted label stands among ascending ones, place after place, and how often."""
    start = np.searchsorted(labels, wanted, "left")
    count = np.searchsorted(labels, wanted, "right") - start
    shift = np.repeat(start - (np.cumsum(count) - count), count)
    return np.arange(len(shift)) + shift, count


def over(made: pl.Expr, group: Ints) -> pl.Expr:
    """Return for every row what is made of all rows of its group, such as their mean."""
    return made.over(pl.lit(pl.Series(group)))


def _codes(column: pl.Series) -> tuple[Ints, int]:
    """Return numbers in the order of the values, missing ones last, and a bound on how many there are."""
    if column.null_count():
        there = column.is_not_null().to_numpy()
        codes, count = _codes(column.drop_nulls())
        all_codes = np.full(len(column), count, dtype=np.int64)
        all_codes[there] = codes
        return all_codes, count + 1
    if column.dtype == pl.String:
        names = column.unique().sort()
        return column.cast(pl.Enum(names)).to_physical().to_numpy().astype(np.int64), max(len(names), 1)
    numbers = (column.cast(pl.UInt8) if column.dtype == pl.Boolean else column.to_physical()).to_numpy()
    if not len(numbers):
        return np.empty(0, dtype=np.int64), 1
    low, high = numbers.min().item(), numbers.max().item()
    if high - low < _ROOM * len(numbers) and _all_whole(numbers):
        return (numbers - low).astype(np.int64), int(high - low) + 1
    ranks = (pl.Series(numbers + 0).rank("dense").cast(pl.Int64) - 1).to_numpy()  # + 0: one zero, not two
    return ranks, int(ranks.max(initial=0)) + 1


def _all_whole(numbers: NDArray[Any]) -> bool:
    return numbers.dtype.kind in "iu" or bool((numbers == np.rint(numbers)).all())


def _dense(codes: Ints, bound: int) -> tuple[Ints, int]:
    """Return the codes without gaps, by counting where the bound is small enough, else by sorting."""
    if bound <= _ROOM * len(codes):
        there = np.bincount(codes, minlength=bound) > 0
        return (np.cumsum(there) - 1)[codes], max(int(there.sum()), 1)
    values, dense = np.unique(codes, return_inverse=True)
    return dense.astype(np.int64), max(len(values), 1)
