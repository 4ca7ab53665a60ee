"""Ids are text inside the program, whatever they were outside.

A customer read as 17850.0 from a spreadsheet, 17850 from a database and "17850" or "17850.0" from a CSV file
is the same person, and a pairing written to CSV must find him again. So ids become strings at the door (what
else is one id in two writings: `spelling`), and columns of ids become polars Enums: four bytes a value, with
sorted categories, so that codes carry no trace of the order in which people came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.checks.columns import refuse_rows
from kakurenbo.data.checks.spelling import Spelling, settled
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST_WHOLE_FLOAT = 2.0**53


def as_text(ids: pl.Series, *, column: str, spelling: Spelling = "refuse") -> pl.Series:
    """Return ids as trimmed strings; blanks and NaN become null, whole floats lose their ".0"."""
    dtype = ids.dtype
    if dtype.is_float():
        whole = ids.cast(pl.Float64).fill_nan(None)
        message = "An id was read as a number with a fraction; store ids as text or whole numbers."
        refuse_rows((whole != whole.round(0)) | whole.is_infinite(), message, code="not-whole", column=column)
        message = "An id was read as a number too large to have all its digits; store ids as text."
        refuse_rows(whole.abs() > _LARGEST_WHOLE_FLOAT, message, code="limit", column=column)
        return whole.cast(pl.Int64).cast(pl.String)
    if dtype.is_integer() or dtype in {pl.Boolean, pl.Null}:
        return ids.cast(pl.String)
    if dtype in (pl.String, pl.Categorical, pl.Enum):  # instances equal their class, but hash apart
        return settled(trimmed(ids.cast(pl.String)), column=column, spelling=spelling)
    raise InputError(
        f"Ids must be text or whole numbers, but the column holds {dtype.base_type()}.",
        code="frame",
        column=column,
    )


def trimmed(text: pl.Series) -> pl.Series:
    """Return the text without blanks at either end; what is empty then is missing."""
    return text.str.strip_chars().replace("", None)


def encode(ids: pl.Series) -> pl.Series:
    """Return the ids as an Enum whose categories are the sorted distinct ids.

    Ids that are encoded already are not looked at as text again.
    """
    if not isinstance(ids.dtype, pl.Enum):
        text = ids.cast(pl.String)
        return text.cast(pl.Enum(text.unique().drop_nulls().sort()))
    names, codes = ids.dtype.categories, ids.to_physical()
    there = np.zeros(len(names), dtype=bool)
    there[(codes.drop_nulls() if codes.null_count() else codes).to_numpy()] = True
    if there.all() and names.is_sorted():
        return ids
    present = names.filter(pl.Series(there))
    order = present.arg_sort().to_numpy()
    places = np.zeros(len(names), dtype=np.uint32)
    places[np.flatnonzero(there)[order]] = np.arange(len(order), dtype=np.uint32)
    return coded(pl.Series(places).gather(codes), present.gather(order)).alias(ids.name)


def coded(codes: pl.Series, names: pl.Series) -> pl.Series:
    """Return what codes stand for as an Enum of these distinct names."""
    return names.cast(pl.Enum(names)).gather(codes)


def stacked(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return tables of the same columns one below the other; encoded ids are not looked at as text again."""
    if len(parts) == 1:
        return parts[0]
    made = []
    for column in parts[0]:
        some = [part[column.name] for part in parts]
        if isinstance(column.dtype, pl.Enum):
            names = pl.concat([categories(one) for one in some]).unique().sort()
            codes = [names.search_sorted(categories(one)).gather(one.to_physical()) for one in some]
            made.append(coded(pl.concat(codes), names).alias(column.name))
        else:
            made.append(pl.concat(some))
    return pl.DataFrame(made)


def categories(ids: pl.Series) -> pl.Series:
    """Return the sorted distinct ids of an encoded column, as strings; position = code."""
    dtype = ids.dtype
    if not isinstance(dtype, pl.Enum):
        raise TypeError("expected an encoded column of ids")
    return dtype.categories
