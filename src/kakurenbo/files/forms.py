"""The form of a column in a few words, such as `5 digits` or `number with decimal comma`: never a value.

Whoever is asked whether a column is the customer must see what it looks like, and must not see anybody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.checks import ids, times
from kakurenbo.data.checks.numbers import Marks, Numerals
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.data.checks.numbers import NumberForm

_KINDS = {r"^[0-9]+$": "digits", r"^\p{L}+$": "letters", r"^[\p{L}0-9]+$": "letters and digits"}
_MARKS = {",": "comma", ".": "point", " ": "blank", "'": "apostrophe"}


def form_of(values: Sequence[str | None] | pl.Series) -> str:
    """Return how the values of a column are written.

    Args:
        values: some of the column's values, or all.
    """
    column = values if isinstance(values, pl.Series) else pl.Series(values, dtype=pl.String)
    if column.dtype != pl.String:
        return "empty" if column.null_count() == len(column) else str(column.dtype.base_type()).lower()
    text = ids.trimmed(column).drop_nulls()
    if not len(text):
        return "empty"
    return _of_digits(text) or _of_time(text) or _of_number(text) or _of_text(text)


def _of_digits(text: pl.Series) -> str | None:
    """Whole numbers of any length but that of a date."""
    plain = text.str.contains("^[0-9]+$").all() and not text.str.contains("^(19|20)[0-9]{6}$").all()
    return _lengths(text, "digits") if plain else None


def _of_time(text: pl.Series) -> str | None:
    try:
        _, pattern = times.as_times(text, column="")
    except InputError as error:
        return "date, day and month in doubt" if "more than one way" in error.message else None
    return None if pattern == times.SERIAL else f"time {pattern}"


def _of_number(text: pl.Series) -> str | None:
    numerals = Numerals(text)
    if numerals.undecided:
        return "number, comma or point in doubt"
    reading = numerals.decided(Marks())
    return None if reading is None else _number_words(numerals.form(reading))


def _number_words(form: NumberForm) -> str:
    decimals = f" with decimal {_MARKS[form.decimal]}" if form.decimals != 0 else ""
    thousands = _MARKS.get(form.thousands, "blank") if form.thousands else ""
    grouped = f"{' and' if decimals else ' with'} {thousands} between thousands" if thousands else ""
    money = f", in {(form.before + form.after).strip()}" if form.before or form.after else ""
    return f"number{decimals}{grouped}{money}"


def _of_text(text: pl.Series) -> str:
    kind = next((word for pattern, word in _KINDS.items() if text.str.contains(pattern).all()), "characters")
    return _lengths(text, kind)


def _lengths(text: pl.Series, kind: str) -> str:
    lengths = sorted(text.str.len_chars())
    shortest, longest = lengths[0], lengths[-1]
    return f"{shortest} {kind}" if shortest == longest else f"{shortest}-{longest} {kind}"
