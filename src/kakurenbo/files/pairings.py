"""Pairings and guesses on disk: CSV with the header `released,original`, an empty cell for an abstention.

Those of other people have columns of any name: which of them holds released ids, and which original ones,
is told by the ids of the two tables.

A secret and a guess have the same form, and only the second may ever be replaced. So that one is never taken
for the other, a secret has its rows in rising order of the released id and a guess in falling order: a file
in any other order is never replaced.
"""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import polars as pl

from kakurenbo.data.checks.ids import as_text
from kakurenbo.data.owners import Owners
from kakurenbo.data.pairing import Pairing
from kakurenbo.errors import InputError
from kakurenbo.files import atomic, outputs, tables
from kakurenbo.files.aside import PRIVATE
from kakurenbo.files.dialects import dialect_of
from kakurenbo.files.headers import names_columns

if TYPE_CHECKING:
    from kakurenbo.data.checks.spelling import Spelling
    from kakurenbo.files.tables import TextTable

    Ids = pl.Series | None

_MOSTLY = 0.5
_MOST_LISTED = 12
COLUMNS = ("released", "original")
_Pairs = TypeVar("_Pairs", Pairing, Owners)


def read_pairing(
    path: str | Path,
    *,
    spelling: Spelling = "refuse",
    released: Ids = None,
    original: Ids = None,
) -> Pairing:
    """Read a pairing or a guess: text, whatever its name ends in; ids are read as those of its tables.

    Args:
        path: the file, with the columns `released` and `original`, or any two that fit the ids below.
        spelling: how ids are read, as in the tables.
        released: the ids of the release, to tell which column holds them.
        original: the ids of the original, likewise.
    """
    return _read(Pairing, path, spelling, released, original)


def read_secret(
    path: str | Path, *, spelling: Spelling = "refuse", released: Ids = None, original: Ids = None
) -> Pairing:
    """Read the secret of a release: a pairing that names an original for everyone."""
    return read_pairing(path, spelling=spelling, released=released, original=original).complete()


def read_owners(
    path: str | Path, *, spelling: Spelling = "refuse", released: Ids = None, original: Ids = None
) -> Owners:
    """Read the secret of a release by anybody: a person may have several names, a name no owner or several.

    A row for each name and each of its owners; the original of a fake is an empty cell.
    """
    return _read(Owners, path, spelling, released, original)


def read_both(
    secret: str | Path, guess: str | Path, *, spelling: Spelling = "refuse"
) -> tuple[Pairing, Pairing]:
    """Read a secret and a guess; the one that calls its columns released and original tells the other's."""
    if _is_plain(Path(secret)) or not _is_plain(Path(guess)):
        truth = read_secret(secret, spelling=spelling)
        return truth, read_pairing(guess, spelling=spelling, released=truth.released, original=truth.original)
    named = read_pairing(guess, spelling=spelling)
    return read_secret(secret, spelling=spelling, released=named.released, original=named.original), named


def _is_plain(path: Path) -> bool:
    return set(COLUMNS) <= set(opened(path).names)


def _read(kind: type[_Pairs], path: str | Path, spelling: Spelling, released: Ids, original: Ids) -> _Pairs:
    place = Path(path)
    table = opened(place)
    if not set(COLUMNS) <= set(table.names):
        return kind(*_by_content(place, table, spelling, released, original))
    frame = table.load(COLUMNS)
    pairs = {name: as_text(frame[name], column=name, spelling=spelling) for name in COLUMNS}
    _refuse_others(place, pairs["released"], pairs["original"], released, original)
    return kind(pairs["released"], pairs["original"])


def opened(path: Path, *, header: bool = True) -> TextTable:
    """Open the text of a pairing; how it is written is worked out."""
    return tables.opened(path, lambda file: tables.open_text(file, dialect_of(file, header=header)))


def _by_content(
    path: Path, table: TextTable, spelling: Spelling, released: Ids, original: Ids
) -> tuple[pl.Series, pl.Series]:
    """Return the columns that hold released and original ids, whatever they are called."""
    if released is None or original is None:
        raise _unfit(path, table, "the columns released and original")
    sides = [{*released.cast(pl.String)}, {*original.cast(pl.String)}]
    if any(name in side for name in table.names for side in sides):  # the first row is no header
        table = opened(path, header=False)
    frame = table.load(table.names)
    held = [as_text(frame[name], column=name, spelling=spelling) for name in table.names]
    shares = [[_share(column, side) for column in held] for side in sides]
    pairs = [(i, j) for i in range(len(held)) for j in range(len(held)) if i != j]
    best = max(pairs, key=lambda pair: shares[0][pair[0]] + shares[1][pair[1]], default=None)
    if best is None or min(shares[0][best[0]], shares[1][best[1]]) < _MOSTLY:
        crossed = [(i, j) for i, j in pairs if min(shares[1][i], shares[0][j]) >= _MOSTLY]
        wanted = "one column of ids of the release and one of ids of the original"
        raise _unfit(path, table, wanted if not crossed else wanted + " (are the two tables exchanged?)")
    return held[best[0]], held[best[1]]


def _share(column: pl.Series, ids: set[str]) -> float:
    """Return the share of the ids in a column that are among these."""
    there = column.drop_nulls().unique()
    return sum(name in ids for name in there) / len(there) if len(there) else 0.0


def _refuse_others(path: Path, first: pl.Series, second: pl.Series, released: Ids, original: Ids) -> None:
    """Refuse the pairing of another release, and tables in the wrong order: their ids stand crosswise."""
    if released is None or original is None:
        return
    names, people = {*released.cast(pl.String)}, {*original.cast(pl.String)}
    if _share(first, names):
        return
    if _share(first, people) >= _MOSTLY and _share(second, names) >= _MOSTLY:
        raise InputError(
            f"The original and the release seem to be exchanged: {path.name} calls released what stands in "
            "the original. Give the original first, then the release.",
            code="unknown-id",
        )
    raise InputError(
        f"{path.name} holds no id of this release; give the pairing that was made with it.", code="unknown-id"
    )


def _unfit(path: Path, table: TextTable, wanted: str) -> InputError:
    listed = f" ({', '.join(map(repr, table.names[:_MOST_LISTED]))})" if names_columns(table) else ""
    return InputError(
        f"{path.name} is no pairing of these tables: it needs {wanted}, and has {len(table.names)} "
        f"columns{listed}.",
        code="column-missing",
    )


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
    if header != [*COLUMNS] or any(len(row) != len(COLUMNS) for row in rows):
        return False
    return len(rows) > 1 and all(first[0] > second[0] for first, second in pairwise(rows))
