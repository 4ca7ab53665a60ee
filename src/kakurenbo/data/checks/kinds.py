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
from kakurenbo.data.groups import as_text
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kakurenbo.data.checks.numbers import Marks, NumberForm

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

    def read(self, column: pl.Series, marks: Marks | None = None) -> tuple[pl.Series, NumberForm | None]:
        """Return a column of text as what it holds, and how its numbers were written.

        A column that has a type keeps it, unless it is named among the categories.

        Args:
            column: under its name.
            marks: what is known of the marks of numbers.
        """
        if column.dtype != pl.String:
            return (as_text(column) if column.name in self.categories else column), None
        text = ids.trimmed(column)
        if self.missing:
            text = text.set(text.is_in(list(self.missing)).fill_null(value=False), None)
        if column.name in self.categories:
            return text, None
        if column.name in self.numbers:
            return _numbers(_unmarked(text), marks)
        shown = _unmarked(text).drop_nulls().unique()
        if _A_CODE.search(column.name) or not len(shown) or shown.str.contains(_LEADING_ZERO).any():
            return text, None
        if shown.str.contains(_DATE).all():
            return _as_dates(text, shown), None
        return _as_numbers(text, shown, marks)


def _unmarked(text: pl.Series) -> pl.Series:
    """Return the text, missing where it is a mark that says so."""
    marked = text.str.to_lowercase().is_in(MARKS)
    return text.set(marked.fill_null(value=False), None)


def _as_numbers(
    text: pl.Series, shown: pl.Series, marks: Marks | None
) -> tuple[pl.Series, NumberForm | None]:
    """Return a column of numbers if all are; the text, if there are names among them that are no faults."""
    try:
        values.numbers_in_form(shown, column=text.name, marks=marks)
    except InputError as error:
        figures = shown.str.contains(_FIGURES)
        if error.code == "not-number" and figures.all():
            raise  # doubtful marks, which have to be asked for
        if error.code == "not-number" and figures.sum() >= _MOSTLY * len(shown):
            _refuse_others(text, shown.filter(figures))
        return text, None
    return _numbers(_unmarked(text), marks)


def _refuse_others(text: pl.Series, numbers: pl.Series) -> None:
    """Refuse the first value of a column of numbers that is none."""
    columns.refuse_rows(
        ~_unmarked(text).is_in(numbers.implode()),
        "Nearly all values of the column are numbers, but not this one; mend it, or name the column in "
        "as_categories.",
        code="not-number", column=text.name, parameter="as_categories",
    )  # fmt: skip


def _numbers(text: pl.Series, marks: Marks | None) -> tuple[pl.Series, NumberForm | None]:
    """Return whole numbers where all are whole, else floats; and how they were written."""
    numbers, form = values.numbers_in_form(text, column=text.name, marks=marks)
    if (numbers.drop_nulls() != numbers.drop_nulls().round(0)).any():
        return numbers.alias(text.name), form
    whole, form = values.whole_numbers_in_form(text, column=text.name, marks=marks)
    return whole.alias(text.name), form


def _as_dates(text: pl.Series, shown: pl.Series) -> pl.Series:
    """Return a column of dates, or of dates with a clock; the text, where nobody can tell their form."""
    try:
        times.as_times(shown, column=text.name)
    except InputError:
        return text
    moments, _ = times.as_times(_unmarked(text), column=text.name)
    days = moments.cast(pl.Date)
    return (days if (days.cast(moments.dtype) == moments).all() else moments).alias(text.name)
