"""Points of some people, asked of everybody: unicity when the people stand in many blocks.

Points are drawn from the histories of a sample. Every block then tells which of these draws somebody else in
it holds, by one bit a draw; who is shared in no block is unique. A point is known by 64 bits, so it is the
same in every block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.data.sampling import places
from kakurenbo.kernels.scan import Codes
from kakurenbo.risk.exposure.unicity import PARTS, POINTS, Drawn, Held, Unicity
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.exposure.tally import Bits, Shelf
    from kakurenbo.risk.exposure.unicity import Knowledge

    Ints = NDArray[np.int64]

_AT_ONCE = 64  # people as bits of a word


@dataclass(frozen=True, eq=False)
class Asked:
    """Draws of up to four points of a person.

    Attributes:
        knowledge: the kind of point.
        shelf: the goods of all blocks.
        people: those drawn from.
        who: the place among them of each draw.
        bits: the points drawn, ascending.
        points: the places among these of each draw's points, -1 where he has no more.
    """

    knowledge: Knowledge
    shelf: Shelf
    people: pl.Series
    who: Ints
    bits: Bits
    points: Ints

    @classmethod
    def draw(cls, knowledge: Knowledge, sample: Purchases, shelf: Shelf, rng: np.random.Generator) -> Asked:
        """Draw points from the histories of a sample."""
        every, place = np.unique(shelf.points(sample, PARTS[knowledge]), return_inverse=True)
        drawn = _held(place, sample).draw(rng)
        used, points = np.unique(drawn.points, return_inverse=True)
        points = points.reshape(drawn.points.shape)
        if used[0] < 0:
            used, points = used[1:], points - 1
        return cls(knowledge, shelf, sample.customers, drawn.customers, every[used], points)

    def others(self, block: Purchases) -> NDArray[np.uint8]:
        """Return for k = 1, 2, 3, 4 which draws' first k points somebody else in the block holds, packed."""
        place, rows = self._met(self.shelf.points(block, PARTS[self.knowledge]))
        held = _held(place, block, rows)
        counts = np.bincount(held.pairs // held.people, minlength=len(self.bits))
        holders = np.where(self.points < 0, np.iinfo(np.int64).max, counts[self.points])
        himself = places(self.people, block.customers)[self.who]
        drawn = Drawn(himself, self.points, holders)
        return np.packbits(
            self._by_bits(held, drawn) if _crowded(held, drawn) else held.others(drawn), axis=1
        )

    def _by_bits(self, held: Held, drawn: Drawn) -> NDArray[np.bool_]:
        from kakurenbo.kernels.together import held_by_others  # noqa: PLC0415 - loads the compiler

        return held_by_others(held.pairs, held.people, drawn.points, drawn.customers, len(self.bits))

    def _met(self, bits: Bits) -> tuple[Ints, Ints]:
        """Return which of the points drawn are among these, and where."""
        place = self._codes.place(bits)
        rows = np.flatnonzero(place >= 0)
        return place[rows].astype(np.int64), rows

    @cached_property
    def _codes(self) -> Codes:
        return Codes(self.bits)

    def unicity(self, others: NDArray[np.uint8], *, first: float | None = None) -> Iterator[Unicity]:
        """Yield the shares of unique people, from what all blocks told together.

        Args:
            others: which draws somebody else holds.
            first: the share for one point, where it is known exactly.
        """
        draws = len(self.who)
        for k, row in enumerate(np.unpackbits(others, axis=1, count=draws), start=1):
            known = first is not None and k == 1
            rate = Rate.known(first or 0.0) if known else Rate.estimated(draws - int(row.sum()), draws)
            yield Unicity(self.knowledge, k, rate)


def _crowded(held: Held, drawn: Drawn) -> bool:
    """Whether points have so many holders that all people as bits are looked at sooner than they are."""
    walked = float(drawn.holders[:, :2].min(axis=1).astype(np.float64).sum())
    return walked > held.people / _AT_ONCE * len(drawn.points)


def asked_of(sample: Purchases, shelf: Shelf, rng: np.random.Generator) -> Iterator[Asked]:
    """Yield draws for every knowledge whose columns are present."""
    for knowledge, parts in PARTS.items():
        if set(parts) <= set(sample.roles):
            yield Asked.draw(knowledge, sample, shelf, rng)


def nobody(asked: Asked) -> NDArray[np.uint8]:
    """Return what `others` tells where nobody holds anything."""
    return np.zeros((POINTS, -(-len(asked.who) // 8)), dtype=np.uint8)


def _held(places: NDArray[np.intp], block: Purchases, rows: Ints | slice = slice(None)) -> Held:
    people = len(block.customers)
    customers = block.records["customer"].to_physical().to_numpy()[rows]
    pairs = np.sort(places.astype(np.int64) * people + customers)
    return Held(pairs[np.diff(pairs, prepend=-1) > 0], people)
