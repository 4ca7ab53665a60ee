"""The first rows of what somebody is about to submit, with the cells marked that have faults.

Whoever sent the wrong file, a wrong separator or a header too much sees it here before a try is used up.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from kakurenbo.contest.judging.records import Fault

ROWS: Final = 6
CELLS: Final = 14
LETTERS: Final = 40  # of a cell
BYTES: Final = 64_000  # of a file that are looked at


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it is shown, and whether it has a fault."""

    text: str
    wrong: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a file.

    Attributes:
        name: of the file.
        size: its bytes.
        rows: line number and cells.
        more_cells: how many cells of the longest row are not shown.
    """

    name: str
    size: int
    rows: tuple[tuple[int, tuple[Cell, ...]], ...]
    more_cells: int

    @property
    def width(self) -> int:
        """How many cells the longest row shows."""
        return max((len(cells) for _, cells in self.rows), default=0)


def previews(files: Mapping[str, bytes], faults: Sequence[Fault]) -> list[Preview]:
    """Return the first rows of every file."""
    places = {(fault.file, fault.line, fault.column) for fault in faults if fault.line is not None}
    return [_preview(name, content, places) for name, content in files.items()]


def _preview(name: str, content: bytes, places: Collection[tuple[str, int, int | None]]) -> Preview:
    lines = _parquet(content) if name.lower().endswith(".parquet") else _csv(content)
    wrong = {(line, cell) for file, line, cell in places if file == name}
    rows = tuple((number, _cells(line, number, wrong)) for number, line in enumerate(lines, 1))
    longest = max((len(line) for line in lines), default=0)
    return Preview(name, len(content), rows, max(0, longest - CELLS))


def _cells(line: Sequence[str], number: int, wrong: Collection[tuple[int, int | None]]) -> tuple[Cell, ...]:
    return tuple(
        Cell(_short(text), (number, place) in wrong or (number, None) in wrong)
        for place, text in enumerate(line[:CELLS], 1)
    )


def _csv(content: bytes) -> list[list[str]]:
    """Return the first rows of a text; one that is none shows signs in place of what cannot be read."""
    text = content[:BYTES].decode("utf-8-sig", "replace")
    lines = io.StringIO(text, newline="")
    try:
        return [row for row, _ in zip(csv.reader(lines), range(ROWS), strict=False)]
    except csv.Error:
        return [[line] for line in text.splitlines()[:ROWS]]


def _parquet(content: bytes) -> list[list[str]]:
    """Return names and first rows of a Parquet file; nothing of one that cannot be read."""
    import polars as pl  # noqa: PLC0415 - loaded when somebody sends such a file

    try:
        frame = pl.read_parquet(io.BytesIO(content), n_rows=ROWS - 1)
    except (pl.exceptions.PolarsError, OSError, ValueError):
        return []
    return [list(frame.columns), *([str(value) for value in row] for row in frame.iter_rows())]


def _short(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return plain if len(plain) <= LETTERS else f"{plain[: LETTERS - 1]}…"
