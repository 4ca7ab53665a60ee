"""Numbers at the door: text or typed columns become finite floats or whole numbers, or a clear error.

Only ASCII digits count as digits: a full-width figure is a sign of a broken export, and reading it in one
tool but not in another would make two truths of one file. Missing values stay missing here; whether they
may be is decided where the column's role is known.
"""

from __future__ import annotations

import polars as pl

from kakurenbo.data.checks.columns import refuse_rows
from kakurenbo.errors import InputError

_LARGEST_WHOLE_FLOAT = 2.0**53


def as_numbers(values: pl.Series, *, column: str) -> pl.Series:
    """Return the values as Float64; text that is no number, NaN and infinities are refused."""
    if values.dtype == pl.String:
        text = values.str.strip_chars()
        numbers = text.cast(pl.Float64, strict=False)
        bad = numbers.is_null() & (text != "")
    elif values.dtype.is_numeric() or values.dtype == pl.Null:
        numbers = values.cast(pl.Float64)
        bad = pl.repeat(value=False, n=len(values), eager=True, dtype=pl.Boolean)
    else:
        raise InputError(
            f"Expected numbers, but the column holds {values.dtype}.", code="not-number", column=column
        )
    bad |= numbers.is_infinite() | numbers.is_nan() & (values.dtype == pl.String)
    message = "A value is not a finite number in plain digits (such as 12 or 3.75)."
    refuse_rows(bad, message, code="not-number", column=column)
    return numbers.fill_nan(None)


def as_whole_numbers(values: pl.Series, *, column: str) -> pl.Series:
    """Return the values as Int64; anything with a fraction is refused."""
    if values.dtype.is_integer():
        return values.cast(pl.Int64)
    numbers = as_numbers(values, column=column)
    bad = (numbers != numbers.round(0)) | (numbers.abs() > _LARGEST_WHOLE_FLOAT)
    message = "A quantity is not a whole number; count in smaller units, or leave the role quantity out."
    refuse_rows(bad, message, code="not-whole", column=column)
    return numbers.cast(pl.Int64)


def refuse_missing(values: pl.Series, *, column: str, code: str) -> None:
    """Raise if any value is missing, naming the first row."""
    message = f"{values.null_count()} values are missing; fill them, or give the column no role."
    refuse_rows(values.is_null(), message, code=code, column=column)


def as_text(values: pl.Series) -> pl.Series:
    """Return values of any type as trimmed text, for comparing only; what is blank is missing."""
    if values.dtype.is_nested() or values.dtype in {pl.Binary, pl.Object}:
        texts = [None if value is None else str(value) for value in values.to_list()]
        return pl.Series(values.name, texts, dtype=pl.String)
    if values.dtype.is_float():
        return values.fill_nan(None).cast(pl.String).str.strip_suffix(".0")
    return values.cast(pl.String).str.strip_chars().replace("", None)
