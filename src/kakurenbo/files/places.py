"""Which tables a path holds: a path is one table, in a file or in parts, or a folder that tables stand in.

A folder that holds `transactions.*` or `microdata.*` (`T.*` and `X.*` in the contests) is one that tables
stand in. Any other is a table in parts, if it is called `.parquet` or holds part files as a cluster calls
them. What belongs to a table and is none, such as its settings, stands beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.errors import InputError
from kakurenbo.files import parts, tables
from kakurenbo.files.aside import located

if TYPE_CHECKING:
    from pathlib import Path

TRANSACTIONS = ("transactions", "T")
MASTER = ("master", "M")
GOODS = ("goods",)
MICRODATA = ("microdata", "X")


def is_folder(place: Path) -> bool:
    """Tell whether tables stand in a path; a table in parts is no such folder."""
    return place.is_dir() and not _is_in_parts(place)


def folder_of(place: Path) -> Path:
    """Return the folder that the tables of a path stand in, and what belongs to them."""
    if is_folder(place):
        return place
    return (located(place) if place.is_dir() else place).parent


def table_of(place: Path, stems: tuple[str, ...]) -> Path:
    """Return the table of a path: itself, or the one of these names in a folder."""
    if not is_folder(place):
        return place
    table = table_in(place, stems)
    if table is None:
        raise InputError(
            f"The folder has no table; it needs {stems[0]}.csv (or {', '.join(tables.ENDINGS[1:])}).",
            code="no-table",
        )
    return table


def table_in(place: Path, stems: tuple[str, ...]) -> Path | None:
    """Return the one table of these names in a folder, None where there is none or the path is no folder."""
    named = [path for path in parts.shown_in(place) if _is_called(path, stems)] if is_folder(place) else []
    if len(named) > 1:
        raise InputError(
            f"The folder has {len(named)} tables that could be {stems[0]}; name one of them.",
            code="many-tables",
        )
    return named[0] if named else None


def tables_in(place: Path) -> list[Path]:
    """Return the tables of purchases that a path holds: itself, or those of a folder, however many."""
    if not is_folder(place):
        return [place]
    return [path for path in parts.shown_in(place) if _is_called(path, (*TRANSACTIONS, *MASTER))]


def _is_in_parts(folder: Path) -> bool:
    there = list(parts.shown_in(folder))
    if any(_is_called(path, (*TRANSACTIONS, *MICRODATA)) for path in there):
        return False
    return located(folder).suffix.lower() == tables.PARQUET or any(
        path.name.startswith(parts.PART) and path.suffix.lower() == tables.PARQUET for path in there
    )


def _is_called(path: Path, stems: tuple[str, ...]) -> bool:
    return path.stem in stems and path.suffix.lower() in tables.ENDINGS
