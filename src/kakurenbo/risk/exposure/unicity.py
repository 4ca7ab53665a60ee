"""Unicity: how many people are singled out by k random points of their own history.

An attacker who happened to see a person buy (a good, in a month, on a day, so many of it) holds such points.
If no other customer has all of them, the person is unique: every release that keeps these points betrays him
to this attacker. For k = 1 the share is counted exactly; for more, random points are drawn, evenly over the
customers, and the interval is given. A customer with fewer than k points is known by all of them.

Of people who stand in many blocks, points are drawn from the histories of a sample. Every block then tells
which of these draws somebody else in it holds, by one bit a draw; who is shared in no block is unique. A
point is known by 64 bits, so it is the same in every block.

After de Montjoye et al., "Unique in the shopping mall" (Science, 2015).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from kakurenbo.data.groups import groups
from kakurenbo.data.sampling import places
from kakurenbo.data.table import ByKind
from kakurenbo.document import flat
from kakurenbo.kernels.scan import Codes
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.exposure.tally import Bits, Shelf

    Ints = NDArray[np.int64]

Knowledge = Literal["good", "good+month", "good+day", "good+day+quantity", "quasi-identifiers"]
POINTS = 4
DRAWS = 10_000
_CHUNK = 2_000_000

_DAY = pl.col("time").dt.date().dt.epoch("d").cast(pl.Int64)
PARTS: dict[Knowledge, dict[str, pl.Expr]] = {
    "good": {},
    "good+month": {"time": pl.col("time").dt.month_start().dt.epoch("d").cast(pl.Int64)},
    "good+day": {"time": _DAY},
    "good+day+quantity": {"time": _DAY, "quantity": pl.col("quantity")},
}
_LIMIT = 2**62
_AT_ONCE = 64  # people as bits of a word


@dataclass(frozen=True, slots=True)
class Unicity:
    """The share of customers whom k points of this knowledge make unique."""

    knowledge: Knowledge
    k: int
    rate: Rate = field(metadata=flat("rate", "low", "high", "exact"))


@dataclass(frozen=True)
class Drawn:
    """Draws: the customer of each, up to four of his points (-1: he has no more) and their holders."""

    customers: NDArray[np.int64]
    points: NDArray[np.int64]
    holders: NDArray[np.int64]


@dataclass(frozen=True)
class Held:
    """Who holds which point: each distinct pair as the number point * people + customer, ascending.

    Sorted numbers are an index for free: the holders of a point stand together, and whether somebody holds
    it is one binary search.
    """

    pairs: NDArray[np.int64]
    people: int

    @classmethod
    def of(cls, points: Ints, block: Purchases, rows: Ints | slice = slice(None)) -> Held:
        """Collect the distinct (point, customer) pairs of records of a block, given the points of these."""
        people = len(block.customers)
        customers = block.records["customer"].to_physical().to_numpy()[rows]
        pairs = pl.Series(points * people + customers)
        return cls(pairs.unique().sort().to_numpy(), people)

    @cached_property
    def customers(self) -> NDArray[np.unsignedinteger]:
        """The customer of each pair, in as few bits as will do: they are sorted."""
        return (self.pairs % self.people).astype(np.min_scalar_type(self.people))

    @cached_property
    def holders(self) -> NDArray[np.int64]:
        """How many customers hold the point of each pair."""
        point = self.pairs // self.people
        starts = np.flatnonzero(np.concatenate([[True], point[1:] != point[:-1]]))
        counts = np.diff(np.append(starts, len(point)))
        return np.repeat(counts, counts)

    def alone(self) -> float:
        """Return the mean share of a customer's points that nobody else holds."""
        customers = self.customers
        points = np.bincount(customers, minlength=self.people)
        own = np.bincount(customers[self.holders == 1], minlength=self.people)
        return math.fsum(own / points) / self.people

    def draw(self, rng: np.random.Generator) -> Drawn:
        """Draw four random points of a customer, `DRAWS` times, evenly over the customers."""
        chosen = np.tile(rng.permutation(self.people), -(-DRAWS // self.people))[:DRAWS]
        by_customer = np.argsort(self.customers, kind="stable")
        count = np.bincount(self.customers, minlength=self.people)
        first = np.cumsum(count) - count
        place = _without_repeats(count[chosen], rng)
        pair = by_customer[first[chosen][:, None] + np.maximum(place, 0)]
        none = place < 0
        points = np.where(none, -1, self.pairs[pair] // self.people)
        holders = np.where(none, np.iinfo(np.int64).max, self.holders[pair])
        return Drawn(chosen, points, holders)

    def others(self, drawn: Drawn) -> NDArray[np.bool_]:
        """Return for k = 1, 2, 3, 4, one row each, whether somebody else holds the first k points drawn."""
        draws = len(drawn.customers)
        others = np.zeros((POINTS, draws), dtype=np.int64)
        if not len(self.pairs):
            return others > 0
        himself = self._holds(drawn.points[:, 0], drawn.customers) & (drawn.customers >= 0)
        others[0] = drawn.holders[:, 0] - himself
        for chunk in _chunks(drawn.holders[:, :2].min(axis=1)):
            mine, rivals = self._holders_of_both(drawn.points[chunk], drawn.holders[chunk])
            stranger = rivals != drawn.customers[chunk][mine]
            mine, rivals = mine[stranger], rivals[stranger]
            for k in range(2, POINTS + 1):
                if k > 2:
                    still = self._holds(drawn.points[chunk][mine, k - 1], rivals)
                    mine, rivals = mine[still], rivals[still]
                others[k - 1, chunk] = np.bincount(mine, minlength=len(chunk))
        return others > 0

    def _holds(self, points: NDArray[np.int64], customers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each customer holds the point beside him; no point (-1) asks nothing."""
        wanted = points * self.people + customers
        at = np.minimum(np.searchsorted(self.pairs, wanted), len(self.pairs) - 1)
        holds: NDArray[np.bool_] = (self.pairs[at] == wanted) | (points < 0)
        return holds

    def _holders_of_both(
        self, points: NDArray[np.int64], holders: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return (draw, customer) of all holders of the first two points: walk the rarer, ask the other."""
        rows = np.arange(len(points))
        rarer = holders[:, :2].argmin(axis=1)
        count = holders[rows, rarer]
        starts = np.searchsorted(self.pairs, points[rows, rarer] * self.people)
        draw = np.repeat(rows, count)
        step = np.arange(len(draw)) - np.repeat(np.cumsum(count) - count, count)
        rivals = self.pairs[starts[draw] + step] % self.people
        both = self._holds(points[rows, 1 - rarer][draw], rivals)
        return draw[both], rivals[both]


def _without_repeats(count: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw `POINTS` different places below each count, -1 where there are no more."""
    place = np.full((len(count), POINTS), -1, dtype=np.int64)
    for turn in range(POINTS):
        left = count - turn
        spot = (rng.random(len(count)) * np.maximum(left, 1)).astype(np.int64)
        for earlier in np.sort(place[:, :turn], axis=1).T:
            spot += spot >= earlier  # the spot-th of those not drawn yet
        place[:, turn] = np.where(left > 0, spot, -1)
    return place


@dataclass(frozen=True, eq=False)
class Points:
    """Points of one kind, drawn from the histories of the people of a table.

    Attributes:
        knowledge: the kind of point.
        data: the table.
        numbers: the point of every record.
        held: who holds which.
        drawn: the draws.
    """

    knowledge: Knowledge
    data: Purchases
    numbers: Ints
    held: Held
    drawn: Drawn

    @classmethod
    def draw(cls, knowledge: Knowledge, data: Purchases, rng: np.random.Generator) -> Points:
        """Draw points from the histories of everybody in a table."""
        numbers = _numbers(data, PARTS[knowledge])
        held = Held.of(numbers, data)
        return cls(knowledge, data, numbers, held, held.draw(rng))

    def among_themselves(self) -> Iterator[Unicity]:
        """Yield the shares of unique people where nobody stands elsewhere; for one point it is counted."""
        yield Unicity(self.knowledge, 1, Rate.known(self.held.alone()))
        for k, others in enumerate(self.held.others(self.drawn)[1:], start=2):
            yield Unicity(self.knowledge, k, Rate.estimated(int((~others).sum()), len(others)))


def drawn_points(data: Purchases, rng: np.random.Generator) -> Iterator[Points]:
    """Yield draws for every knowledge whose columns are present."""
    for knowledge, parts in PARTS.items():
        if set(parts) <= set(data.roles):
            yield Points.draw(knowledge, data, rng)


def _of_purchases(data: Purchases, rng: np.random.Generator) -> Iterator[Unicity]:
    for points in drawn_points(data, rng):
        yield from points.among_themselves()


def _of_attributes(data: Microdata, rng: np.random.Generator) -> Iterator[Unicity]:  # noqa: ARG001 - it is counted
    """Yield the share of people alone with their quasi-identifiers."""
    codes = groups(data, data.qi)
    yield Unicity("quasi-identifiers", 1, Rate.known(float((np.bincount(codes)[codes] == 1).mean())))


# Whom few points single out of a table in memory, for every kind of point that it shows.
unicity: ByKind[Iterator[Unicity]] = ByKind(purchases=_of_purchases, microdata=_of_attributes)


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
    def of(cls, drawn: Points, shelf: Shelf) -> Asked:
        """Return what is asked of everybody, with the points told by their bits."""
        draws, data = drawn.drawn, drawn.data
        order, there = np.argsort(drawn.numbers, kind="stable"), draws.points >= 0
        rows = order[np.searchsorted(drawn.numbers, draws.points[there], sorter=order)]
        bits, place = np.unique(shelf.points(data, PARTS[drawn.knowledge])[rows], return_inverse=True)
        points = np.full(there.shape, -1, dtype=np.int64)
        points[there] = place
        return cls(drawn.knowledge, shelf, data.customers, draws.customers, bits, points)

    def others(self, block: Purchases) -> NDArray[np.uint8]:
        """Return for k = 1, 2, 3, 4 which draws' first k points somebody else in the block holds, packed."""
        place, rows = self._met(self.shelf.points(block, PARTS[self.knowledge]))
        held = Held.of(place, block, rows)
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

    def unicity(self, parts: Iterable[NDArray[np.uint8]], *, first: float | None = None) -> Iterator[Unicity]:
        """Yield the shares of unique people, from what all blocks told together.

        Args:
            parts: which draws somebody else holds, by block.
            first: the share for one point, where it is known exactly.
        """
        draws, others = len(self.who), np.bitwise_or.reduce(list(parts))
        for k, row in enumerate(np.unpackbits(others, axis=1, count=draws), start=1):
            known = first is not None and k == 1
            rate = Rate.known(first or 0.0) if known else Rate.estimated(draws - int(row.sum()), draws)
            yield Unicity(self.knowledge, k, rate)


def _crowded(held: Held, drawn: Drawn) -> bool:
    """Whether points have so many holders that all people as bits are looked at sooner than they are."""
    walked = float(drawn.holders[:, :2].min(axis=1).astype(np.float64).sum())
    return walked > held.people / _AT_ONCE * len(drawn.points)


def _numbers(data: Purchases, parts: Mapping[str, pl.Expr]) -> Ints:
    """Return the number of every record's point, its good with these parts: ordered as they are."""
    codes = data.records.select(pl.col("goods").to_physical().cast(pl.Int64), **parts)
    point = codes["goods"].to_numpy()
    for name in parts:
        low = codes[name].to_numpy() - codes[name].to_numpy().min()
        width = int(low.max()) + 1
        point = _with_room(point, width) * width + low
    return _with_room(point, len(data.customers))


def _with_room(numbers: Ints, width: int) -> Ints:
    """Return numbers in the same order that can be multiplied by a width."""
    if int(numbers.max() + 1) * width > _LIMIT:
        return np.unique(numbers, return_inverse=True)[1]
    return numbers


def _chunks(sizes: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    """Yield index ranges whose sizes sum to about `_CHUNK`, so that memory is bounded."""
    groups = np.cumsum(sizes) // _CHUNK
    yield from np.split(np.arange(len(sizes)), np.flatnonzero(np.diff(groups)) + 1)
