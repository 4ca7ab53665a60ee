"""The door, in the workers: every batch is checked as a whole table would be, and its people are placed.

How times and numbers are written was read from the first rows, and holds for all. What a partition has to
tell (how many rows are no purchase, how the others were written, why it was refused) is a note of its own, in
a place behind the blocks, so that it arrives once however often the work is tried.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.data.checks import records as checks
from kakurenbo.data.checks.policy import Dropped
from kakurenbo.spark import pieces
from kakurenbo.spark.placing import placed
from kakurenbo.spark.workers import Refused, answered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from kakurenbo.data.checks.spelling import Spelling
    from kakurenbo.data.layout import Role

_ROWS = 500_000  # that are placed together: the fewer parts a block has, the better


@dataclass(frozen=True)
class Note:
    """What a partition tells beside its records."""

    read: int = 0
    dropped: Dropped = field(default_factory=Dropped)
    forms: tuple[checks.Forms, ...] = ()
    zones: frozenset[str | None] = frozenset()
    refused: Refused | None = None

    def beside(self, other: Note) -> Note:
        """Return what two partitions tell together."""
        return Note(
            self.read + other.read,
            together(self.dropped, other.dropped),
            _merged(self.forms, other.forms),
            self.zones | other.zones,
            self.refused or other.refused,
        )


@dataclass(frozen=True)
class Door:
    """How a batch of rows becomes records in blocks.

    Attributes:
        roles: the columns of every role.
        known: how times and numbers are written.
        cancelled: how receipts of cancellations begin.
        spelling: what is done with ids in two writings.
        blocks: how many there are.
    """

    roles: dict[Role, tuple[str, ...]]
    known: checks.Known
    cancelled: str
    spelling: Spelling
    blocks: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the parts of blocks that a partition holds, and its note."""
        note = Note()
        for table in _tables(batches):
            made: Any = answered(self.checked, table)
            if isinstance(made, Refused):
                note = note.beside(Note(refused=made))
                break
            records, told = made
            note = note.beside(told)
            yield from placed(records, self.blocks)
        yield from pieces.in_pieces(self.blocks, pickle.dumps(note))

    def checked(self, table: pl.DataFrame) -> tuple[pl.DataFrame, Note]:
        """Return the records of a batch, and what there is to tell of it."""
        records, forms, known = checks.converted(table, self.roles, self.spelling, self.known)
        kept, dropped = checks.cleaned(records, "drop", self.cancelled, self.roles)
        return kept, Note(table.height, dropped, (forms,), frozenset([known.zone]))


def together(first: Dropped, second: Dropped) -> Dropped:
    """Return what was dropped of two parts of a table."""
    names = [one.name for one in fields(Dropped)]
    return Dropped(**{name: getattr(first, name) + getattr(second, name) for name in names})


def _merged(first: tuple[checks.Forms, ...], second: tuple[checks.Forms, ...]) -> tuple[checks.Forms, ...]:
    if not first or not second:
        return first or second
    return (checks.joined(first[0], second[0], None),)


def _tables(batches: Iterable[pa.RecordBatch]) -> Iterator[pl.DataFrame]:
    """Yield batches put together to larger tables."""
    held, rows = list[pl.DataFrame](), 0
    for batch in batches:
        table = pl.from_arrow(batch)
        if isinstance(table, pl.DataFrame) and table.height:
            held.append(table)
            rows += table.height
        if rows >= _ROWS:
            yield pl.concat(held)
            held, rows = [], 0
    if held:
        yield pl.concat(held)
