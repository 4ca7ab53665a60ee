"""The pairing P of a release, and a guess Q at it: lines of `released,original`.

P names one original of his own for everybody in the release. Q may leave lines or originals out and may name
an original twice. What it leaves out is filled by chance before it is judged: then a blank is worth what a
blind guess is worth, and whoever leaves out a half of the people learns nothing about the other half that he
would not have learnt by guessing blindly at them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import polars as pl

from kakurenbo.contest.judging.cells import Cells, Form
from kakurenbo.contest.judging.columns import ids_of
from kakurenbo.contest.judging.lines import read_cells
from kakurenbo.data.pairing import Pairing

if TYPE_CHECKING:
    from kakurenbo.chance import Chance
    from kakurenbo.contest.judging.faults import Faults

COLUMNS: Final = ("released", "original")


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a pairing: their ids, and where they stand."""

    cells: Cells
    released: pl.Series
    original: pl.Series

    @property
    def pairing(self) -> Pairing:
        """The pairing that they write."""
        return Pairing(self.released, self.original)


def read_lines(file: str, data: bytes, faults: Faults, *, rows: int, blanks: bool) -> Lines | None:
    """Read a pairing, and note what is wrong with its lines alone; None where none of them can be read.

    Args:
        file: its name.
        data: what it holds.
        faults: where they are noted.
        rows: how many lines it may have.
        blanks: whether it is a guess, which may leave originals out and name one twice.
    """
    cells = read_cells(file, data, Form(rows=rows), faults)
    if cells is None:
        return None
    if sorted(cells.names) != sorted(COLUMNS):
        faults.add(file, "header", line=1)
        return None
    released = ids_of(cells, "released", faults)
    original = ids_of(cells, "original", faults, missing=blanks)
    cells.blame(faults, "duplicate-id", again(released), "released")
    if not blanks:
        cells.blame(faults, "duplicate-id", again(original), "original")
    return Lines(cells, released, original)


def check_known(lines: Lines, faults: Faults, *, released: pl.Series | None, original: pl.Series) -> None:
    """Note ids that are of neither table; those of the release are not asked for where it cannot be read."""
    known = {"released": (lines.released, released), "original": (lines.original, original)}
    for column, (named, there) in known.items():
        if there is not None:
            foreign = named.is_not_null() & ~named.is_in(there.implode())
            lines.cells.blame(faults, f"unknown-{column}", foreign, column)


def again(ids: pl.Series) -> pl.Series:
    """Return which ids stand further above already."""
    return ids.is_not_null() & ~ids.is_first_distinct()


def filled(lines: Lines, released: pl.Series, originals: pl.Series, chance: Chance) -> Pairing:
    """Return a guess about everybody in a release: where it names nobody, anybody is drawn for him.

    Args:
        lines: of the guess.
        released: everybody in the release.
        originals: everybody in the original.
        chance: draws by the released id, so that the same name gets the same blind guess.
    """
    people = originals.cast(pl.String)
    names = pl.DataFrame({"released": released.cast(pl.String)})
    drawn = people.gather(chance.below("blank", names["released"], len(people)))
    named = pl.DataFrame({"released": lines.released, "original": lines.original})
    guess = names.join(named, on="released", how="left", maintain_order="left")["original"].fill_null(drawn)
    return Pairing(names["released"], guess)
