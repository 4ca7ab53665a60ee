"""Fits: which originals lie inside each released cell?

A cell is one combination of released quasi-identifiers. Equal originals are one row here, and each column is
compared by its distinct values only: a small table of released x known values, gathered by codes. Cells go
through in blocks, and cells with the same candidates are one from there on, so that memory never grows with
cells x originals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.data.checks import ids
from kakurenbo.data.generalised.forms import Known, Released, read
from kakurenbo.data.generalised.writing import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Block:
    """Consecutive cells from `first` on, and their candidates.

    Attributes:
        first: the first cell.
        lot: for each cell the number of its lot; cells of one lot have the same candidates.
        share: for each lot the share of the quasi-identifiers that its candidates fit in, 1 where all do.
        owner: for each pair of a lot and a candidate the lot, ascending.
        fitting: the candidate of each pair, a row of the originals.
    """

    first: int
    lot: Ints
    share: NDArray[np.float64]
    owner: Ints
    fitting: Ints


@dataclass(frozen=True)
class _Column:
    """One quasi-identifier: what was released, what is known, and who has which, by code."""

    released: Sequence[Released]
    cells: Ints
    known: Known
    originals: Ints

    @classmethod
    def of(cls, released: pl.Series, original: pl.Series) -> _Column:
        theirs, cells = _coded(released)
        mine, originals = _coded(original)
        return cls([read(text) for text in theirs], cells, Known(mine), originals)

    def fits(self, cells: slice) -> NDArray[np.bool_]:
        """Return cells x originals: does the original's value lie in the cell's?"""
        codes, place = np.unique(self.cells[cells], return_inverse=True)
        held = np.stack([self.released[code].holds(self.known) for code in codes])
        return held[:, self.originals][place]


def _coded(column: pl.Series) -> tuple[list[str], Ints]:
    """Return the sorted distinct values as text, and the place of each row's value among them."""
    encoded = ids.encode(as_text(column).fill_null(""))
    return ids.categories(encoded).to_list(), encoded.to_physical().to_numpy().astype(np.int64)


def blocks(cells: pl.DataFrame, originals: pl.DataFrame, *, partly: bool, rows: int) -> Iterator[Block]:
    """Yield the candidates of all cells: the originals that fit in every column.

    Args:
        cells: distinct combinations of released values.
        originals: distinct combinations of known values, over the same columns.
        partly: whether a cell without such an original gets those that fit in the most columns.
        rows: how many cells to take at a time.
    """
    compared = [_Column.of(cells[name], originals[name]) for name in cells.columns]
    for first in range(0, cells.height, rows):
        here = slice(first, min(first + rows, cells.height))
        fitting = np.zeros((here.stop - first, originals.height), dtype=np.min_scalar_type(len(compared)))
        for column in compared:
            fitting += column.fits(here)
        most = fitting.max(axis=1)
        wanted = most if partly else np.full_like(most, len(compared))
        yield _block(first, fitting == wanted[:, None], most / len(compared))


def _block(first: int, candidates: NDArray[np.bool_], share: NDArray[np.float64]) -> Block:
    """Return the block of these cells x originals, cells with the same candidates taken together."""
    lots: dict[tuple[bytes, float], int] = {}
    keys = zip((row.tobytes() for row in np.packbits(candidates, axis=1)), share.tolist(), strict=True)
    lot = np.array([lots.setdefault(key, len(lots)) for key in keys])
    _, example = np.unique(lot, return_index=True)
    owner, fitting = np.nonzero(candidates[example])
    return Block(first, lot, share[example], owner, fitting)
