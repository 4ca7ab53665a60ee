"""The tables of PWS Cup 2017 as they are written: lines of cells, compared as text.

A customer's purchases of twelve months, one row each and no header: id, a receipt that is always 0, the day
as Y/M/D, the time as H:MM, the good, its price, the quantity. In a submission a row stands where it stands in
T, under a pseudonym or as `DEL,,,,,,`; in what an attacker knows, a row he does not know is written so too.
"""

from __future__ import annotations

import csv
import datetime as dt
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

DELETED: Final = "DEL"
CELLS: Final = 7
ID, RECEIPT, DAY, TIME, GOOD, PRICE, QUANTITY = range(CELLS)
LEVELS: Final = ("T25", "T50", "T75", "T100")
MONTHS: Final = 12
_DAY: Final = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})", re.ASCII)

Row = list[str]
Month = tuple[int, int]


def rows_of(text: str) -> list[Row]:
    """Return the cells of every line, which may stand in quotes; an end of the last line begins no other."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return [_cells(line) for line in (lines[:-1] if lines and not lines[-1] else lines)]


def _cells(line: str) -> Row:
    return next(csv.reader([line])) if '"' in line else line.split(",")


def day_of(cell: str) -> dt.date | None:
    """Return the day that a cell writes, None where it writes none that exists."""
    match = _DAY.fullmatch(cell)
    try:
        return dt.date(*map(int, match.groups())) if match else None
    except ValueError:
        return None


def month_of(cell: str) -> Month:
    """Return the year and month of a day that was checked before."""
    year, month, _ = cell.split("/")
    return int(year), int(month)


@dataclass(frozen=True, eq=False)
class Original:
    """What a contest is about.

    Attributes:
        customers: the ids of M, in its order.
        rows: those of T.
        known: what an attacker knows of them at every level.
    """

    customers: tuple[str, ...]
    rows: list[Row]
    known: Mapping[str, list[Row]]

    @classmethod
    def read(cls, folder: Path) -> Original:
        """Read M, T and T25 to T100 from a folder."""
        tables = {name: rows_of(_text(folder, name)) for name in ("M", "T", *LEVELS)}
        _require(tables)
        return cls(
            tuple(row[ID] for row in tables["M"]), tables["T"], {name: tables[name] for name in LEVELS}
        )

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of M, to be looked up."""
        return frozenset(self.customers)

    @cached_property
    def goods(self) -> frozenset[str]:
        """All that was bought."""
        return frozenset(row[GOOD] for row in self.rows)

    @cached_property
    def row_months(self) -> list[Month]:
        """The month of every row of T."""
        return [month_of(row[DAY]) for row in self.rows]

    @cached_property
    def months(self) -> tuple[Month, ...]:
        """The twelve months from the first one on: the columns of F."""
        year, month = min(self.row_months)
        return tuple((year + (month - 1 + i) // 12, (month - 1 + i) % 12 + 1) for i in range(MONTHS))


def _text(folder: Path, name: str) -> str:
    """Return the text of a table, whose file may be written in small letters and end in .csv or .txt."""
    wanted = {f"{name}.csv".lower(), f"{name}.txt".lower()}
    found = (
        sorted(path for path in folder.iterdir() if path.name.lower() in wanted) if folder.is_dir() else []
    )
    if not found:
        raise InputError(
            f"The original's folder must hold M, T, T25, T50, T75 and T100 as CSV; {name}.csv is missing.",
            code="path-missing",
        )
    try:
        return found[0].read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{found[0].name} cannot be read as UTF-8 text.", code="path-unreadable") from None


def _require(tables: Mapping[str, Sequence[Row]]) -> None:
    """Refuse an original that is not in the contest's layout, with the first place where it is not."""
    customers = {row[ID] for row in tables["M"]}
    for name in ("T", *LEVELS):
        for line, row in enumerate(tables[name], 1):
            if len(row) != CELLS:
                _refuse(name, line, f"has {len(row)} cells, not {CELLS}")
            elif row[ID] != DELETED or name == "T":
                if row[ID] not in customers:
                    _refuse(name, line, "is of a customer who is not in M")
                if day_of(row[DAY]) is None:
                    _refuse(name, line, "has no day as Y/M/D")
        if len(tables[name]) != len(tables["T"]):
            raise InputError(f"{name} must have as many rows as T.", code="file-broken")
    for line, row in enumerate(tables["T"], 1):
        if not (_number(row[PRICE]) and row[QUANTITY].isdecimal() and row[QUANTITY].isascii()):
            _refuse("T", line, "has no price and quantity in digits")


def _number(cell: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", cell, re.ASCII) is not None


def _refuse(name: str, line: int, why: str) -> None:
    error = InputError(f"The row {why}.", code="file-broken", row=line)
    error.file = f"{name}.csv"
    raise error
