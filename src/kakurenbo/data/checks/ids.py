"""Ids are text inside the program, whatever they were outside.

A customer read as 17850.0 from a spreadsheet, 17850 from a database and "17850" from a CSV file is the same
person, and a pairing written to CSV must find him again. So ids become strings at the door, and columns of
ids become polars Enums: four bytes a value, with sorted categories, so that codes carry no trace of the
order in which people came.
"""

from __future__ import annotations

import polars as pl

from kakurenbo.errors import InputError


def as_text(ids: pl.Series, *, column: str) -> pl.Series:
    """Return ids as trimmed strings; blanks and NaN become null, whole floats lose their ".0"."""
    dtype = ids.dtype
    if dtype.is_float():
        whole = ids.fill_nan(None)
        rows = (whole != whole.round(0)).arg_true()
        if len(rows):
            raise InputError(
                "An id was read as a number with a fraction; store ids as text or whole numbers.",
                code="not-whole",
                row=int(rows[0]) + 1,
                column=column,
            )
        return whole.cast(pl.Int64).cast(pl.String)
    if dtype.is_integer() or dtype == pl.Boolean:
        return ids.cast(pl.String)
    if dtype == pl.Null:
        return ids.cast(pl.String)
    if dtype in {pl.String, pl.Categorical, pl.Enum}:
        text = ids.cast(pl.String)
        return text.to_frame("id").select(trimmed())["id"]
    raise InputError(
        f"Ids must be text or whole numbers, but the column holds {dtype}.", code="frame", column=column
    )


def trimmed() -> pl.Expr:
    """Strip the column `id`; what is blank then is missing."""
    text = pl.col("id").str.strip_chars()
    return pl.when(text != "").then(text)


def encode(ids: pl.Series) -> pl.Series:
    """Return the ids as an Enum whose categories are the sorted distinct ids."""
    return ids.cast(pl.Enum(ids.unique().drop_nulls().sort()))


def categories(ids: pl.Series) -> pl.Series:
    """Return the sorted distinct ids of an encoded column, as strings; position = code."""
    dtype = ids.dtype
    if not isinstance(dtype, pl.Enum):
        raise TypeError("expected an encoded column of ids")
    return dtype.categories
