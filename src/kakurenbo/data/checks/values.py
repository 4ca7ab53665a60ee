"""Numbers at the door: text or typed columns become finite floats or whole numbers, or a clear error.

Text may have the marks, signs and currencies of its country, one form a column (`numbers`). Missing values
stay missing here; whether they may be is decided where the column's role is known.

No number is changed on the way. Counts are read digit by digit and never through a float. Prices and
sensitive attributes are floats: a whole number that a float cannot hold, and a number that would become zero
or infinite, are refused. They have a stated range, so that amounts and sums over all rows stay finite.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import polars as pl

from kakurenbo.data.checks.columns import refuse_rows
from kakurenbo.data.checks.numbers import Marks, NumberForm, Numerals
from kakurenbo.errors import InputError

LARGEST = 1e300  # of sensitive attributes, in size
LARGEST_PRICE = 1e15
LARGEST_TOTAL = 2**62 - 1  # of all quantities together: two such totals can still be added
_LARGEST_WHOLE_FLOAT = 2.0**53
_LARGEST_WHOLE = 2**63 - 1
_NOT_A_NUMBER = "A value is not a finite number in plain digits (such as 12 or 3.75)."
_NOT_WHOLE = "A quantity is not a whole number; count in smaller units, or leave the role quantity out."
_TOO_LARGE = "A whole number is too large to be counted with; count in larger units, or give it no role."
_ROUNDED = "A whole number has more digits than a number can be held with; give it no role, or rescale."
_MOST_DIGITS = 20
_ZERO = r"^[+-]?0*\.?0*(?:[eE][+-]?[0-9]+)?$"
_MOST_DECIMALS = 6  # of typed numbers that a release is rounded to


def as_numbers(values: pl.Series, *, column: str, largest: float = LARGEST) -> pl.Series:
    """Return the values as Float64; no number, infinite or out of range raises."""
    return numbers_in_form(values, column=column, largest=largest)[0]


def numbers_in_form(
    values: pl.Series, *, column: str, largest: float = LARGEST, marks: Marks | None = None
) -> tuple[pl.Series, NumberForm | None]:
    """Return the values as Float64, and how they were written; None for typed numbers of many decimals.

    Args:
        values: text or numbers.
        column: its name in messages.
        largest: the largest number, in size, that is read.
        marks: what is known of the marks of text.
    """
    text, form = _as_written(values, column, marks) if values.dtype == pl.String else (None, _typed(values))
    numbers = _floats(values, column) if text is None else text.cast(pl.Float64, strict=False)
    refuse_rows(
        numbers.abs() > largest, f"A number is larger than {largest:g}; rescale.", code="limit", column=column
    )
    if text is not None:
        vanished = (numbers == 0) & ~text.str.contains(_ZERO)
        message = "A number is nearer to zero than a number can be held; rescale."
        refuse_rows(vanished, message, code="limit", column=column)
    if text is not None or values.dtype.is_integer():
        refuse_rows(
            _rounded(numbers, values if text is None else text), _ROUNDED, code="limit", column=column
        )
    return numbers, form


def _typed(values: pl.Series) -> NumberForm | None:
    """Return the form of typed numbers: as many decimals as they have, if these are few."""
    if not values.dtype.is_float():
        return None
    text = values.unique().cast(pl.String)
    if text.str.contains("e").any():
        return None
    decimals = text.str.extract(r"\.([0-9]*[1-9])0*$").str.len_chars().max()
    most = int(decimals or 0)  # type: ignore[arg-type] # lengths are whole numbers
    return NumberForm(decimals=most) if most <= _MOST_DECIMALS else None


def _rounded(numbers: pl.Series, written: pl.Series) -> pl.Series:
    """Return which whole numbers became others as floats; only the large ones can."""
    suspects = (numbers.abs() >= _LARGEST_WHOLE_FLOAT).arg_true()
    changed = [
        place
        for place, text in zip(suspects, written.gather(suspects).cast(pl.String), strict=True)
        if text.lstrip("+-").isdigit() and int(text) != int(numbers[place])
    ]
    return pl.Series(range(len(numbers)), dtype=pl.Int64).is_in(changed)


def as_whole_numbers(values: pl.Series, *, column: str) -> pl.Series:
    """Return the values as Int64, exactly; what has a fraction is refused, and what is too large.

    Text may have zeroes after its point (`5.0`) or an exponent (`1e3`), as spreadsheets write them.
    """
    return whole_numbers_in_form(values, column=column)[0]


def whole_numbers_in_form(
    values: pl.Series, *, column: str, marks: Marks | None = None
) -> tuple[pl.Series, NumberForm | None]:
    """Return the values as Int64, exactly, and how they were written; None for typed numbers."""
    if values.dtype != pl.String:
        return _whole(values, column), None
    text, form = _as_written(values, column, marks, whole=True)
    return _whole_text(text, column), form


def _whole(values: pl.Series, column: str) -> pl.Series:
    if values.dtype.is_decimal():
        return _whole_text(values.cast(pl.String), column)
    if values.dtype.is_integer():
        whole = values.cast(pl.Int64, strict=False)
        refuse_rows(whole.is_null() & values.is_not_null(), _TOO_LARGE, code="limit", column=column)
        return whole
    numbers = _floats(values, column)
    refuse_rows(numbers != numbers.round(0), _NOT_WHOLE, code="not-whole", column=column)
    refuse_rows(numbers.abs() > _LARGEST_WHOLE_FLOAT, _TOO_LARGE, code="limit", column=column)
    return numbers.cast(pl.Int64)


def refuse_missing(values: pl.Series, *, column: str, code: str) -> None:
    """Raise if any value is missing, naming the first row."""
    message = f"{values.null_count()} values are missing; fill them, or give the column no role."
    refuse_rows(values.is_null(), message, code=code, column=column)


def counted(counts: pl.Series, *, column: str) -> pl.Series:
    """Return whole numbers, none of them negative, as Int64; raise if they cannot be added up."""
    wide = counts.cast(pl.Int128)
    if wide.sum() > LARGEST_TOTAL:
        raise InputError(
            f"All quantities together are more than {LARGEST_TOTAL:.2g}; count in larger units.",
            code="limit",
            column=column,
        )
    return wide.cast(pl.Int64)


def _as_written(
    values: pl.Series, column: str, marks: Marks | None, *, whole: bool = False
) -> tuple[pl.Series, NumberForm]:
    """Return text as programs write numbers, null where it is blank, and the form it had.

    What is no number is refused, and so is a column that can be read in two ways.
    """
    text = values.str.strip_chars().replace("", None)
    numerals, known = Numerals(text), marks or Marks()
    reading = numerals.decided(known, whole=whole)
    if reading is None:
        _refuse_other(text, numerals, known, column)
        raise InputError(
            "The numbers can be read in two ways, with a mark of decimals or of thousands; say in decimal "
            "which mark stands before decimals.",
            code="not-number",
            column=column,
            parameter="decimal",
        )
    _refuse_currencies(text, numerals, column)
    plain = numerals.plain_text(reading)
    if not plain.equals(numerals.distinct):
        text = text.replace_strict(numerals.distinct, plain, default=None, return_dtype=pl.String)
    return text, numerals.form(reading)


def _refuse_other(text: pl.Series, numerals: Numerals, marks: Marks, column: str) -> None:
    """Refuse the first value that does not fit how most are written."""
    fits = numerals.most_fitting(marks)
    bad = numerals.distinct.filter(~fits.fill_null(value=False))
    declared = "decimal" if marks.decimal or marks.thousands else None
    refuse_rows(
        text.is_in(bad.implode()), _NOT_A_NUMBER, code="not-number", column=column, parameter=declared
    )


def _refuse_currencies(text: pl.Series, numerals: Numerals, column: str) -> None:
    named = numerals.currencies.filter(numerals.currencies != "").unique()
    if len(named) > 1:
        others = numerals.distinct.filter((numerals.currencies != "") & (numerals.currencies != named[0]))
        message = "The column has amounts in more than one currency; convert them, or leave the column out."
        refuse_rows(text.is_in(others.implode()), message, code="not-number", column=column)


def _floats(values: pl.Series, column: str) -> pl.Series:
    if not (values.dtype.is_numeric() or values.dtype == pl.Null):
        raise InputError(
            f"Expected numbers, but the column holds {values.dtype.base_type()}.",
            code="not-number",
            column=column,
        )
    numbers = values.cast(pl.Float64).fill_nan(None)
    refuse_rows(numbers.is_infinite(), _NOT_A_NUMBER, code="not-number", column=column)
    return numbers


def _whole_text(text: pl.Series, column: str) -> pl.Series:
    """Return numbers in writing as Int64; only the few that are not plain digits are looked at one by one."""
    whole = text.cast(pl.Int64, strict=False)
    others = text.filter(whole.is_null() & text.is_not_null()).unique().to_list()
    if not others:
        return whole
    exact = {written: _exactly(written) for written in others}
    for code, message in (("not-whole", _NOT_WHOLE), ("limit", _TOO_LARGE)):
        faulty = [written for written in others if exact[written] == code]
        refuse_rows(text.is_in(faulty), message, code=code, column=column)
    known = pl.Series(others, dtype=pl.String)
    return whole.fill_null(
        text.replace_strict(known, pl.Series(list(exact.values()), dtype=pl.Int64), default=None)
    )


def _exactly(written: str) -> int | Literal["not-whole", "limit"]:
    """Return the whole number that is written so, or the code of why it is none."""
    number = Decimal(written)
    if number and number.adjusted() >= _MOST_DIGITS:
        return "limit"
    if number != number.to_integral_value():
        return "not-whole"
    return int(number) if abs(number) <= _LARGEST_WHOLE else "limit"


def as_text(values: pl.Series) -> pl.Series:
    """Return values of any type as trimmed text, for comparing only; what is blank is missing."""
    if values.dtype.is_nested() or values.dtype in {pl.Binary, pl.Object}:
        texts = [None if value is None else str(value) for value in values.to_list()]
        return pl.Series(values.name, texts, dtype=pl.String)
    if values.dtype.is_float():
        return values.fill_nan(None).cast(pl.String).str.strip_suffix(".0")
    return values.cast(pl.String).str.strip_chars().replace("", None)
