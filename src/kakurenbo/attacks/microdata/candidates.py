"""Candidates: which originals lie inside each released combination, block by block.

A combination is one choice of quasi-identifiers that occurs; equal rows have one. Each column is compared by
its distinct values only: a small table of released x known values, gathered by codes. Released combinations
go through in blocks, and those with the same candidates are one group from there on, so that memory never
grows with released x known combinations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.data.generalised.cells import coded
from kakurenbo.data.generalised.forms import Known, Released, read
from kakurenbo.data.groups import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.attacks.microdata.base import Side
    from kakurenbo.data.hierarchy import Hierarchy

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """Rows of one table in the order of their combinations, with their numbers."""

    combination: Ints
    values: Floats

    @classmethod
    def of(cls, side: Side, rows: Ints) -> Rows:
        """Return these rows of a table, which are in the order of their combinations."""
        return cls(side.combination[rows], side.values[rows])


@dataclass(frozen=True)
class Block:
    """Some released rows, in groups, with the originals that are candidates of each group.

    Attributes:
        rows: where the released rows stand.
        group: the group of each; those of one group have the same candidates.
        share: for each group the share of the quasi-identifiers that its candidates lie inside, 1 for all.
        originals: the candidates, group after group.
        owner: the group of each candidate.
    """

    rows: slice
    group: Ints
    share: Floats
    originals: Ints
    owner: Ints

    def groups(self) -> Iterator[tuple[float, Ints, Ints]]:
        """Yield the share, released rows and originals of each group that has candidates."""
        order = np.argsort(self.group, kind="stable")
        ends = np.arange(1, len(self.share))
        rows = np.split(self.rows.start + order, np.searchsorted(self.group[order], ends))
        originals = np.split(self.originals, np.searchsorted(self.owner, ends))
        for share, released, candidates in zip(self.share.tolist(), rows, originals, strict=True):
            if len(candidates):
                yield share, released, candidates


@dataclass(frozen=True)
class Candidates:
    """The search for those who lie inside.

    Attributes:
        released: distinct combinations of released values.
        known: distinct combinations of known values, over the same columns.
        partly: whether a released combination that holds nobody gets those inside in the most columns.
        at_a_time: how many released combinations make a block.
        trees: what the words of columns stand for.
    """

    released: pl.DataFrame
    known: pl.DataFrame
    partly: bool
    at_a_time: int
    trees: Mapping[str, Hierarchy]

    def blocks(self, theirs: Rows, mine: Rows) -> Iterator[Block]:
        """Yield the released rows with their candidates; every row comes once, in order."""
        columns = [
            _Column.of(self.released[name], self.known[name], self.trees.get(name))
            for name in self.known.columns
        ]
        for first in range(0, self.released.height, self.at_a_time):
            here = slice(first, min(first + self.at_a_time, self.released.height))
            inside = np.zeros((here.stop - first, self.known.height), dtype=np.min_scalar_type(len(columns)))
            for column in columns:
                inside += column.inside(here)
            most = inside.max(axis=1)
            wanted = most if self.partly else np.full_like(most, len(columns))
            group, share, owner, known = _grouped(inside == wanted[:, None], most / len(columns))
            start, end = np.searchsorted(theirs.combination, [here.start, here.stop])
            originals, count = members(mine.combination, known)
            rows = theirs.combination[start:end] - first
            yield Block(slice(start, end), group[rows], share, originals, np.repeat(owner, count))


@dataclass(frozen=True)
class _Column:
    """One quasi-identifier: what was released, what is known, and which combination has which, by code."""

    released: Sequence[Released]
    their_codes: Ints
    known: Known
    my_codes: Ints

    @classmethod
    def of(cls, released: pl.Series, original: pl.Series, tree: Hierarchy | None) -> _Column:
        theirs, their_codes = coded(released)
        mine, my_codes = coded(original)
        return cls([read(text) for text in theirs], their_codes, Known(mine, tree), my_codes)

    def inside(self, block: slice) -> NDArray[np.bool_]:
        """Return released x known combinations: does the known value lie inside the released one?"""
        codes, place = np.unique(self.their_codes[block], return_inverse=True)
        held = np.stack([self.released[code].holds(self.known) for code in codes])
        return held[:, self.my_codes][place]


def _grouped(candidates: NDArray[np.bool_], share: Floats) -> tuple[Ints, Floats, Ints, Ints]:
    """Return each released combination's group, each group's share, and the pairs of groups and candidates.

    The pairs are two arrays: a group, ascending, and a known combination that is its candidate.
    """
    groups: dict[tuple[bytes, float], int] = {}
    keys = zip((row.tobytes() for row in np.packbits(candidates, axis=1)), share.tolist(), strict=True)
    group = np.array([groups.setdefault(key, len(groups)) for key in keys])
    _, example = np.unique(group, return_index=True)
    owner, known = np.nonzero(candidates[example])
    return group, share[example], owner, known
