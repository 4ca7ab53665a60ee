"""Pairings and guesses on disk: CSV with the header `released,original`, an empty cell for an abstention."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kakurenbo.data.checks import columns
from kakurenbo.data.checks.ids import as_text
from kakurenbo.data.pairing import Pairing
from kakurenbo.files import atomic, tables

if TYPE_CHECKING:
    from kakurenbo.data.checks.spelling import Spelling

_COLUMNS = ("released", "original")


def read_pairing(path: str | Path, *, spelling: Spelling = "refuse") -> Pairing:
    """Read a pairing or a guess: CSV, whatever its name ends in; ids are read as those of its tables."""
    table = tables.opened(Path(path), tables.open_text)
    columns.require(_COLUMNS, table.names)
    frame = table.load(_COLUMNS)
    return Pairing(*(as_text(frame[name], column=name, spelling=spelling) for name in _COLUMNS))


def read_secret(path: str | Path, *, spelling: Spelling = "refuse") -> Pairing:
    """Read the secret of a release: a pairing that gives everyone an original of his own."""
    return read_pairing(path, spelling=spelling).as_secret()


def write_pairing(pairing: Pairing, path: str | Path, *, secret: bool = False) -> None:
    """Write a pairing or a guess; a secret is readable by its owner only and never overwrites another."""
    text = pairing.frame.write_csv()
    atomic.write_file(Path(path), text.encode(), mode=0o600 if secret else 0o644, overwrite=not secret)
