"""What a submission of PWS Cup 2017 must not have: every fault with its line and cell, not only the first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kakurenbo.contest.judging.pws2017.tables import (
    CELLS,
    DAY,
    DELETED,
    GOOD,
    ID,
    PRICE,
    QUANTITY,
    RECEIPT,
    TIME,
    day_of,
)
from kakurenbo.contest.judging.records import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.contest.judging.pws2017.tables import Month, Original, Row

FAULTS: Final = {
    "rows": "the file must have as many rows as T",
    "cells": "a row must have seven cells",
    "deleted": "a deleted row is written DEL and six empty cells",
    "pseudonym": "a pseudonym must not be empty",
    "text": "a cell has at most 60 printable letters, no comma or quote, and begins with none of = + - @",
    "encoding": "the line must be text in UTF-8",
    "original-id": "a customer's own id must not be a pseudonym",
    "second-pseudonym": "this customer has another pseudonym in the same month",
    "date": "a day must be written Y/M/D and exist",
    "month": "the day must lie in the year and month of the original row",
    "time": "a time must be written H:MM and exist",
    "goods": "the good does not occur in T",
    "price": "a price must have 1 to 5 digits, and at most 2 behind a point",
    "quantity": "a quantity must have 1 to 6 digits",
    "kept": "too few rows are kept",
}
_TIME: Final = re.compile(r"([01]?\d|2[0-3]):[0-5]\d", re.ASCII)
_PRICE: Final = re.compile(r"\d{1,5}(\.\d{1,2})?", re.ASCII)
_QUANTITY: Final = re.compile(r"\d{1,6}", re.ASCII)
_LONGEST: Final = 60

Place = tuple[int | None, int | None, str]  # line, cell and code


def faults_of(file: str, rows: list[Row], original: Original, keep_share: float) -> list[Fault]:
    """Return all faults of a submission, in the order of its lines and cells."""
    found = [*_of_file(rows, original, keep_share), *_of_rows(rows, original)]
    return [Fault(file, line, cell, FAULTS[code], code) for line, cell, code in found]


def _of_file(rows: list[Row], original: Original, keep_share: float) -> Iterator[Place]:
    if len(rows) != len(original.rows):
        yield None, None, "rows"
    if sum(row[ID] != DELETED for row in rows) < keep_share * len(original.rows):
        yield None, None, "kept"


def _of_rows(rows: list[Row], original: Original) -> Iterator[Place]:
    first: dict[tuple[str, Month], str] = {}  # everybody's pseudonym of a month, where it first stands
    beside = zip(rows, original.rows, original.row_months, strict=False)
    for line, (row, before, month) in enumerate(beside, 1):
        if len(row) != CELLS:
            yield line, None, "cells"
        elif row[ID] == DELETED:
            yield from ((line, cell + 1, "deleted") for cell in range(1, CELLS) if row[cell])
        else:
            if row[ID] != first.setdefault((before[ID], month), row[ID]):
                yield line, ID + 1, "second-pseudonym"
            yield from ((line, cell + 1, code) for cell, code in _of_cells(row, month, original))


def _of_cells(row: Row, month: Month, original: Original) -> Iterator[tuple[int, str]]:
    """Yield the faults that a kept row has by itself, cell by cell."""
    if not row[ID]:
        yield ID, "pseudonym"
    elif row[ID] in original.ids:
        yield ID, "original-id"
    yield from ((cell, "text") for cell in (ID, RECEIPT) if not safe(row[cell]))
    day = day_of(row[DAY])
    if day is None:
        yield DAY, "date"
    elif (day.year, day.month) != month:
        yield DAY, "month"
    if not _TIME.fullmatch(row[TIME]):
        yield TIME, "time"
    if row[GOOD] not in original.goods:
        yield GOOD, "goods"
    if not _PRICE.fullmatch(row[PRICE]):
        yield PRICE, "price"
    if not _QUANTITY.fullmatch(row[QUANTITY]):
        yield QUANTITY, "quantity"


def safe(cell: str) -> bool:
    """Whether a cell of free text can stand in a table that somebody opens with a spreadsheet."""
    plain = cell.isprintable() and not set(cell) & {",", '"'}
    return plain and len(cell) <= _LONGEST and not cell.startswith(("=", "+", "-", "@"))
