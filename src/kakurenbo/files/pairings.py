"""Pairings and guesses on disk: CSV with the header `released,original`, an empty cell for an abstention.

A secret and a guess have the same form, and only the second may ever be replaced. So that one is never taken
for the other, a secret has its rows in rising order of the released id and a guess in falling order: a file
in any other order is never replaced.
"""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kakurenbo.data.checks import columns
from kakurenbo.data.checks.ids import as_text
from kakurenbo.data.owners import Owners
from kakurenbo.data.pairing import Pairing
from kakurenbo.files import atomic, outputs, tables
from kakurenbo.files.aside import PRIVATE

if TYPE_CHECKING:
    from kakurenbo.data.checks.spelling import Spelling

_COLUMNS = ("released", "original")
_Pairs = TypeVar("_Pairs", Pairing, Owners)


def read_pairing(path: str | Path, *, spelling: Spelling = "refuse") -> Pairing:
    """Read a pairing or a guess: CSV, whatever its name ends in; ids are read as those of its tables."""
    return _read(Pairing, path, spelling)


def read_secret(path: str | Path, *, spelling: Spelling = "refuse") -> Pairing:
    """Read the secret of a release: a pairing that names an original for everyone."""
    return read_pairing(path, spelling=spelling).complete()


def read_owners(path: str | Path, *, spelling: Spelling = "refuse") -> Owners:
    """Read the secret of a release by anybody: a person may have several names, a name no owner or several.

    A row for each name and each of its owners; the original of a fake is an empty cell.
    """
    return _read(Owners, path, spelling)


def _read(kind: type[_Pairs], path: str | Path, spelling: Spelling) -> _Pairs:
    table = tables.opened(Path(path), tables.open_text)
    columns.require(_COLUMNS, table.names)
    frame = table.load(_COLUMNS)
    return kind(*(as_text(frame[name], column=name, spelling=spelling) for name in _COLUMNS))


def write_pairing(
    pairing: Pairing, path: str | Path, *, secret: bool = False, allow_exposed: bool = False
) -> None:
    """Write a guess, which may replace a guess, or a secret, which replaces nothing; both are mode 0600.

    Args:
        pairing: what to write.
        path: the file.
        secret: it is the secret of a release.
        allow_exposed: write it even inside a release or a git work tree, where it may be published.
    """
    output = outputs.Output("out", Path(path), private=True, replaces=None if secret else is_guess)
    outputs.check_places([output], allow_exposed=allow_exposed)
    content = as_bytes(pairing, falling=not secret)
    atomic.write_file(output.path, content, mode=PRIVATE, replaces=output.replaces)


def as_bytes(pairing: Pairing, *, falling: bool = False) -> bytes:
    """Return what the file of a pairing holds, by rising released id, or by falling one for a guess."""
    frame = pairing.frame
    return (frame.reverse() if falling else frame).write_csv().encode()


def is_guess(path: Path) -> bool:
    """Tell whether a file is a guess that this program wrote; of one row it cannot be told."""
    if path.is_symlink() or not path.is_file():
        return False
    try:
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file, strict=True)
    except (ValueError, csv.Error):
        return False
    if header != [*_COLUMNS] or any(len(row) != len(_COLUMNS) for row in rows):
        return False
    return len(rows) > 1 and all(first[0] > second[0] for first, second in pairwise(rows))
