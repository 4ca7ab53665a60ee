"""Unicity: how many people are singled out by k random points of their own history.

An attacker who happened to see a person buy (a good, in a month, on a day, so many of it) holds such points.
If no other customer has all of them, the person is unique: every release that keeps these points betrays him
to this attacker. For k = 1 the share is counted exactly; for more, random points are drawn, evenly over the
customers, and the interval is given. A customer with fewer than k points is known by all of them.

After de Montjoye et al., "Unique in the shopping mall" (Science, 2015).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from kakurenbo.data.groups import groups
from kakurenbo.data.table import ByKind
from kakurenbo.document import flat
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases

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


@dataclass(frozen=True, slots=True)
class Unicity:
    """The share of customers whom k points of this knowledge make unique."""

    knowledge: Knowledge
    k: int
    rate: Rate = field(metadata=flat("rate", "low", "high", "exact"))


def _of_attributes(data: Microdata, rng: np.random.Generator) -> Iterator[Unicity]:  # noqa: ARG001 - it is counted
    """Yield the share of people alone with their quasi-identifiers."""
    codes = groups(data, data.qi)
    yield Unicity("quasi-identifiers", 1, Rate.known(float((np.bincount(codes)[codes] == 1).mean())))


def _of_purchases(purchases: Purchases, rng: np.random.Generator) -> Iterator[Unicity]:
    """Yield the unicity of k = 1..4 points for every knowledge whose columns are present."""
    for knowledge, parts in PARTS.items():
        if set(parts) <= set(purchases.roles):
            held = Held.of(purchases, parts)
            yield Unicity(knowledge, 1, Rate.known(held.alone()))
            drawn = held.draw(rng)
            for k, others in enumerate(held.others(drawn)[1:], start=2):
                yield Unicity(knowledge, k, Rate.estimated(int((~others).sum()), len(drawn.customers)))


# Whom few points single out, for every kind of point that a table shows.
unicity: ByKind[Iterator[Unicity]] = ByKind(purchases=_of_purchases, microdata=_of_attributes)


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
    def of(cls, purchases: Purchases, parts: dict[str, pl.Expr]) -> Held:
        """Collect the distinct (point, customer) pairs of the records."""
        codes = purchases.records.select(pl.col("customer", "goods").to_physical().cast(pl.Int64), **parts)
        people = len(purchases.customers)
        point = codes["goods"].to_numpy()
        for name in parts:
            point = _joined(point, codes[name].to_numpy())
        pairs = pl.Series(_joined(point, codes["customer"].to_numpy(), people))
        return cls(pairs.unique().sort().to_numpy(), people)

    @property
    def customers(self) -> NDArray[np.int64]:
        """The customer of each pair."""
        return self.pairs % self.people

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
        own = np.bincount(customers[self.holders() == 1], minlength=self.people)
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
        holders = np.where(none, np.iinfo(np.int64).max, self.holders()[pair])
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


def _joined(high: NDArray[np.int64], low: NDArray[np.int64], width: int | None = None) -> NDArray[np.int64]:
    """Return one number for each pair of numbers, alike for alike pairs and ordered by them."""
    if width is None:
        low = low - low.min(initial=0)
        width = int(low.max(initial=0)) + 1
    if int(high.max(initial=0) + 1) * width > _LIMIT:
        high = np.unique(high, return_inverse=True)[1]
    return high * width + low


def _chunks(sizes: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    """Yield index ranges whose sizes sum to about `_CHUNK`, so that memory is bounded."""
    groups = np.cumsum(sizes) // _CHUNK
    yield from np.split(np.arange(len(sizes)), np.flatnonzero(np.diff(groups)) + 1)
