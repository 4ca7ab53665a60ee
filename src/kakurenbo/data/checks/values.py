"""Numbers at the door: text or typed columns become finite floats or whole numbers, or a clear error.

Only ASCII digits count as digits: a full-width figure is a sign of a broken export, and reading it in one
tool but not in another would make two truths of one file. Missing values stay missing here; whether they
may be is decided where the column's role is known.
"""

from __future__ import annotations

import polars as pl

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
    _refuse_where(bad | numbers.is_infinite() | numbers.is_nan() & (values.dtype == pl.String), column)
    return numbers.fill_nan(None)


def as_whole_numbers(values: pl.Series, *, column: str) -> pl.Series:
    """Return the values as Int64; anything with a fraction is refused."""
    if values.dtype.is_integer():
        return values.cast(pl.Int64)
    numbers = as_numbers(values, column=column)
    rows = ((numbers != numbers.round(0)) | (numbers.abs() > _LARGEST_WHOLE_FLOAT)).arg_true()
    if len(rows):
        raise InputError(
            "A quantity is not a whole number; count in smaller units, or leave the role quantity out.",
            code="not-whole",
            row=int(rows[0]) + 1,
            column=column,
        )
    return numbers.cast(pl.Int64)


def refuse_missing(values: pl.Series, *, column: str, code: str) -> None:
    """Raise if any value is missing, naming the first row."""
    if values.null_count():
        raise InputError(
            f"{values.null_count()} values are missing; fill them, or give the column no role.",
            code=code,
            row=int(values.is_null().arg_true()[0]) + 1,
            column=column,
        )


def _refuse_where(bad: pl.Series, column: str) -> None:
    rows = bad.arg_true()
    if len(rows):
        raise InputError(
            "A value is not a finite number in plain digits (such as 12 or 3.75).",
            code="not-number",
            row=int(rows[0]) + 1,
            column=column,
        )
