"""What a column of a submission must hold, by what it means: every cell that does not is a fault.

Ids, numbers and times are told by the project's own rules for reading them, so that a table which passes is
read without an error.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.checks import times, values
from kakurenbo.data.checks.ids import as_text
from kakurenbo.data.checks.numbers import Marks, NumberForm, Numerals
from kakurenbo.errors import InputError
from kakurenbo.files.known import DELETED

if TYPE_CHECKING:
    from kakurenbo.contest.judging.cells import Cells
    from kakurenbo.contest.judging.faults import Faults
    from kakurenbo.data.checks.spelling import Spelling

_ANY_DAY = "2000-01-01 "
_LARGEST_COUNT = 2.0**53


def ids_of(
    cells: Cells, name: str, faults: Faults, *, spelling: Spelling = "refuse", missing: bool = False
) -> pl.Series:
    """Return ids as they are read, and note those that are missing, reserved, or written in two ways.

    Args:
        cells: the table.
        name: the column.
        faults: where they are noted.
        spelling: how ids are read in the original.
        missing: whether ids may be missing.
    """
    try:
        found = as_text(cells.frame[name], column=name, spelling=spelling)
    except InputError as error:
        line = None if error.row is None else int(cells.lines[error.row - 1])
        faults.add(cells.file, "spelling", line=line, column=cells.place(name))
        found = cells.text(name)
    if not missing:
        cells.blame(faults, "missing-id", found.is_null(), name)
    cells.blame(faults, "reserved-id", found == DELETED, name)
    return found


def check_numbers(
    cells: Cells,
    name: str,
    faults: Faults,
    form: NumberForm | None,
    *,
    largest: float,
    positive: bool = False,
    whole: bool = False,
) -> None:
    """Note what is no number, or none of the kind that is wanted.

    Args:
        cells: the table.
        name: the column.
        faults: where they are noted.
        form: how the original writes such numbers, where it is text.
        largest: the largest number, in size.
        positive: whether they must be more than zero.
        whole: whether they must be whole.
    """
    column = cells.frame[name] if cells.frame[name].dtype.is_numeric() else cells.text(name)
    marks = Marks() if form is None else Marks(form.decimal)
    other = _no_numbers(column, marks)
    cells.blame(faults, "not-number", other, name)
    try:
        read = column.set(other, None)
        numbers, _ = values.numbers_in_form(read, column=name, largest=math.inf, marks=marks)
    except InputError as error:  # nearer to zero, or with more digits, than a number can be held
        line = None if error.row is None else int(cells.lines[error.row - 1])
        faults.add(cells.file, "limit", line=line, column=cells.place(name))
        return
    cells.blame(faults, "missing", numbers.is_null() & ~other, name)
    cells.blame(faults, "limit", numbers.abs() > (min(largest, _LARGEST_COUNT) if whole else largest), name)
    if positive:
        cells.blame(faults, "not-positive", numbers <= 0, name)
    if whole:
        cells.blame(faults, "not-whole", (numbers != numbers.round(0)) & (numbers > 0), name)


def _no_numbers(column: pl.Series, marks: Marks) -> pl.Series:
    """Return which values are no numbers, written as most of them are; what is missing is none of them."""
    if column.dtype != pl.String:
        return column.is_infinite() if column.dtype.is_float() else column.is_null() & False
    numerals = Numerals(column)
    odd = numerals.distinct.filter(~numerals.most_fitting(marks).fill_null(value=False))
    return column.is_in(odd.implode()).fill_null(value=False)


def are_numbers(column: pl.Series) -> bool:
    """Whether a column holds numbers alone."""
    return column.dtype.is_numeric() or not _no_numbers(column, Marks()).any()


def check_times(cells: Cells, name: str, faults: Faults, pattern: str | None, *, clock: bool = False) -> None:
    """Note what is no date or time that exists.

    Args:
        cells: the table.
        name: the column.
        faults: where they are noted.
        pattern: how the original writes it, where it is text.
        clock: it holds times of the day alone.
    """
    if cells.frame[name].dtype in (pl.Datetime, pl.Date):
        cells.blame(faults, "missing", cells.frame[name].is_null(), name)
        return
    text = cells.text(name)
    cells.blame(faults, "missing", text.is_null(), name)
    told = pattern
    if clock and pattern is not None:
        text, told = _ANY_DAY + text, "%Y-%m-%d " + pattern
    cells.blame(faults, "not-date", times.unread(text, told) & text.is_not_null(), name)
