"""The data sheet in a release folder: written as two files, and recognised when a release is read.

A file beside the tables is foreign, whatever it is called and whoever lists it: it could carry the secret.
A data sheet is not, if it is one to the letter: the record reads back as itself, its texts are short, and the
page is what this program makes of the record. So there is no room in it but for a contact and for figures.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kakurenbo.errors import InputError
from kakurenbo.sheet.markdown import markdown
from kakurenbo.sheet.record import JSON, LARGEST, NAMES, README, parsed

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.sheet.record import DataSheet

__all__ = ["JSON", "NAMES", "README", "put", "read", "recognised"]


def put(sheet: DataSheet | None, folder: Path) -> None:
    """Write a sheet into a folder, for people and for programs; nothing where there is none."""
    if sheet is None:
        return
    (folder / JSON).write_text(sheet.to_json(), encoding="utf-8")
    (folder / README).write_text(markdown(sheet), encoding="utf-8")


def read(folder: Path) -> DataSheet | None:
    """Return the sheet that stands in a folder, None where there is none to the letter."""
    path = folder / JSON
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
            return None
        said = path.read_text(encoding="utf-8")
        sheet = parsed(json.loads(said))
        return sheet if sheet is not None and sheet.to_json() == said else None
    except (ValueError, RecursionError, OSError, InputError):
        return None


def recognised(folder: Path) -> frozenset[str]:
    """Return which files of a folder are its data sheet."""
    sheet, page = read(folder), folder / README
    if sheet is None:
        return frozenset()
    try:
        same = not page.is_symlink() and page.read_bytes() == markdown(sheet).encode()
    except (OSError, LookupError, ValueError):
        same = False
    return frozenset(NAMES if same else (JSON,))
