"""Meetings: released rows and the originals that lie inside them, brought together block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from kakurenbo.attacks.microdata.base import Side
    from kakurenbo.attacks.microdata.fits import Block

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Rows in the order of their groups, with their numbers."""

    group: Ints
    values: Floats

    @classmethod
    def of(cls, side: Side, rows: Ints) -> Rows:
        """Return these rows of a table, which are in the order of their groups."""
        return cls(side.group[rows], side.values[rows])

    def between(self, low: int, high: int) -> slice:
        """Return where the groups from `low` up to `high` stand."""
        start, end = np.searchsorted(self.group, [low, high])
        return slice(int(start), int(end))

    def members(self, groups: Ints) -> tuple[Ints, Ints]:
        """Return the rows of these groups, one group after the other, and how many each has."""
        start = np.searchsorted(self.group, groups, "left")
        count = np.searchsorted(self.group, groups, "right") - start
        shift = np.repeat(start - (np.cumsum(count) - count), count)
        return np.arange(len(shift)) + shift, count


@dataclass(frozen=True)
class Meeting:
    """Some released rows, in lots, with the originals that are candidates of each lot.

    Attributes:
        rows: where the released rows stand.
        lot: the lot of each.
        share: for each lot the share of the quasi-identifiers that its candidates fit in.
        originals: the candidates, lot after lot.
        owner: the lot of each candidate.
    """

    rows: slice
    lot: Ints
    share: Floats
    originals: Ints
    owner: Ints

    def lots(self) -> Iterator[tuple[float, Ints, Ints]]:
        """Yield the share, released rows and originals of each lot that has candidates."""
        order = np.argsort(self.lot, kind="stable")
        ends = np.arange(1, len(self.share))
        rows = np.split(self.rows.start + order, np.searchsorted(self.lot[order], ends))
        originals = np.split(self.originals, np.searchsorted(self.owner, ends))
        for share, these, held in zip(self.share.tolist(), rows, originals, strict=True):
            if len(held):
                yield share, these, held


def meetings(found: Iterable[Block], theirs: Rows, mine: Rows) -> Iterator[Meeting]:
    """Yield the released rows of each block with their candidates; every row comes once, in order."""
    for block in found:
        rows = theirs.between(block.first, block.first + len(block.lot))
        originals, count = mine.members(block.fitting)
        lot = block.lot[theirs.group[rows] - block.first]
        yield Meeting(rows, lot, block.share, originals, np.repeat(block.owner, count))
