"""Pairings and guesses on disk: CSV with the header `released,original`, an empty cell for an abstention."""

from __future__ import annotations

from pathlib import Path

from kakurenbo.data.checks import columns
from kakurenbo.data.pairing import Pairing
from kakurenbo.files import atomic, tables

_COLUMNS = ("released", "original")


def read_pairing(path: str | Path) -> Pairing:
    """Read a pairing or a guess: CSV, whatever its name ends in."""
    table = tables.opened(Path(path), tables.open_text)
    columns.require(_COLUMNS, table.names)
    frame = table.load(_COLUMNS)
    return Pairing(frame["released"], frame["original"])


def read_secret(path: str | Path) -> Pairing:
    """Read the secret of a release: a pairing that gives everyone an original of his own."""
    return read_pairing(path).as_secret()


def write_pairing(pairing: Pairing, path: str | Path, *, secret: bool = False) -> None:
    """Write a pairing or a guess; a secret is readable by its owner only and never overwrites another."""
    text = pairing.frame.write_csv()
    atomic.write_file(Path(path), text.encode(), mode=0o600 if secret else 0o644, overwrite=not secret)
