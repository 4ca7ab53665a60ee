"""What a column of text holds: whole numbers, decimals, dates, or categories.

A file of text says nothing of types, so all values of a column decide: if every one is a number it is a
column of numbers, if every one is a date of one form it is a column of dates, and otherwise its values are
names. Figures that are no amounts stay names: codes with leading zeroes, and columns that are called a code,
an id or a postcode. Who knows better says so (`as_categories`, `as_numbers`).

A mark such as `?` among numbers or dates means a missing value, and the policy decides about its row. Among
names it is a name like any other: those who gave no answer are people with equal answers, and to drop them
would be a choice of its own (`missing`). A column of numbers with other words in between is refused: it is a
broken export more often than a column of categories.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.checks import columns, ids, times, values
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MARKS = ("?", "-", "--", ".", "na", "n/a", "#n/a", "nan", "null", "none", "missing", "unknown")
_MOSTLY = 0.9  # of the values, which are numbers: the others are then faults
_A_CODE = re.compile(
    r"(^|[_\W])(id|ids|code|codes|zip|zipcode|postcode|postalcode|postal|plz|phone|tel)([_\W]|$)"
    "|番号|コード",
    re.IGNORECASE,
)
_LEADING_ZERO = r"^[+-]?0[0-9]"
_FIGURES = r"^[+-]?[0-9][0-9.,]*$"
_DATE = r"^[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}"


@dataclass(frozen=True)
class Kinds:
    """What is known of columns beforehand.

    Attributes:
        categories: columns whose values are names, whatever they look like.
        numbers: columns whose values are numbers, whatever they are called.
        missing: texts that mean a missing value in every column.
    """

    categories: Collection[str] = ()
    numbers: Collection[str] = ()
    missing: Sequence[str] = ()

    def typed(self, column: pl.Series) -> pl.Series:
        """Return a column of text as what it holds; a column that has a type keeps it."""
        if column.dtype != pl.String:
            return column
        text = ids.trimmed(column)
        if self.missing:
            text = text.replace(list(self.missing), [None] * len(self.missing))
        if column.name in self.categories:
            return text
        if column.name in self.numbers:
            return _numbers(_unmarked(text))
        shown = _unmarked(text).drop_nulls().unique()
        if _A_CODE.search(column.name) or not len(shown) or shown.str.contains(_LEADING_ZERO).any():
            return text
        return _as_dates(text, shown) if shown.str.contains(_DATE).all() else _as_numbers(text, shown)


def _unmarked(text: pl.Series) -> pl.Series:
    """Return the text, missing where it is a mark that says so."""
    marked = text.str.to_lowercase().is_in(MARKS)
    return text.set(marked.fill_null(value=False), None)


def _as_numbers(text: pl.Series, shown: pl.Series) -> pl.Series:
    """Return a column of numbers if all are; the text, if there are names among them that are no faults."""
    try:
        values.as_numbers(shown, column=text.name)
    except InputError as error:
        figures = shown.str.contains(_FIGURES)
        if error.code == "not-number" and _MOSTLY * len(shown) <= figures.sum() < len(shown):
            _refuse_others(text, shown.filter(figures))
        return text
    return _numbers(_unmarked(text))


def _refuse_others(text: pl.Series, numbers: pl.Series) -> None:
    """Refuse the first value of a column of numbers that is none."""
    columns.refuse_rows(
        ~_unmarked(text).is_in(numbers.implode()),
        "Nearly all values of the column are numbers, but not this one; mend it, or name the column in "
        "as_categories.",
        code="not-number", column=text.name, parameter="as_categories",
    )  # fmt: skip


def _numbers(text: pl.Series) -> pl.Series:
    """Return whole numbers where all are whole, else floats."""
    numbers = values.as_numbers(text, column=text.name)
    if (numbers.drop_nulls() != numbers.drop_nulls().round(0)).any():
        return numbers.alias(text.name)
    return values.as_whole_numbers(text, column=text.name).alias(text.name)


def _as_dates(text: pl.Series, shown: pl.Series) -> pl.Series:
    """Return a column of dates, or of dates with a clock; the text, where nobody can tell their form."""
    try:
        times.as_times(shown, column=text.name)
    except InputError:
        return text
    moments, _ = times.as_times(_unmarked(text), column=text.name)
    days = moments.cast(pl.Date)
    return (days if (days.cast(moments.dtype) == moments).all() else moments).alias(text.name)
