"""Unicity: how many people are singled out by k random points of their own history.

An attacker who happened to see a person buy (a good, in a month, on a day, so many of it) holds such points.
If no other customer has all of them, the person is unique: every release that keeps these points betrays him
to this attacker. For k = 1 the share is counted exactly; for more, random points are drawn, evenly over the
customers, and the interval is given. A customer with fewer than k points is known by all of them.

After de Montjoye et al., "Unique in the shopping mall" (Science, 2015).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from kakurenbo.data.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases

Knowledge = Literal["good", "good+month", "good+day", "good+day+quantity"]
POINTS = 4
DRAWS = 10_000
_CHUNK = 2_000_000

_PARTS: dict[Knowledge, dict[str, pl.Expr]] = {
    "good": {},
    "good+month": {"time": pl.col("time").dt.month_start().dt.epoch("d")},
    "good+day": {"time": pl.col("time").dt.date().dt.epoch("d")},
    "good+day+quantity": {"time": pl.col("time").dt.date().dt.epoch("d"), "quantity": pl.col("quantity")},
}


@dataclass(frozen=True, slots=True)
class Unicity:
    """The share of customers whom k points of this knowledge make unique."""

    knowledge: Knowledge
    k: int
    rate: Rate


def unicity(purchases: Purchases, rng: np.random.Generator) -> Iterator[Unicity]:
    """Yield the unicity of k = 1..4 points for every knowledge whose columns are present."""
    for knowledge, parts in _PARTS.items():
        if set(parts) <= set(purchases.roles):
            yield from _of_points(_points(purchases.records, parts), knowledge, rng)


def _points(records: pl.DataFrame, parts: dict[str, pl.Expr]) -> pl.DataFrame:
    """Return the distinct (customer, point) pairs with the number of customers who hold each point.

    Rows and point numbers come in any order; only the columns that make up the point are stable.
    """
    names = ["goods", *(f"part_{name}" for name in parts)]
    distinct = (
        records.lazy()
        .select(
            pl.col("customer", "goods").to_physical(),
            *(part.cast(pl.Int64).alias(f"part_{name}") for name, part in parts.items()),
        )
        .unique()
        .collect(engine="streaming")
    )
    holders = (
        distinct.lazy()
        .group_by(names)
        .agg(holders=pl.len())
        .collect(engine="streaming")
        .with_row_index("point")
    )
    return distinct.lazy().join(holders.lazy(), on=names).collect()


def _of_points(points: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Iterator[Unicity]:
    alone = points.group_by("customer").agg(share=(pl.col("holders") == 1).mean())
    yield Unicity(knowledge, 1, Rate.known(math.fsum(alone["share"]) / alone.height))
    drawn = _draw(points, rng)
    trials = len(drawn.customers)
    for k, unique in enumerate(_unique_after(points, drawn), start=2):
        yield Unicity(knowledge, k, Rate.estimated(unique, trials))


@dataclass(frozen=True)
class _Drawn:
    """Draws: the customer of each, up to four of his points (-1: he has no more) and their holders."""

    customers: NDArray[np.int64]
    points: NDArray[np.int64]
    holders: NDArray[np.int64]


def _draw(points: pl.DataFrame, rng: np.random.Generator) -> _Drawn:
    """Draw four random points of a customer, about `DRAWS` times, evenly over the customers."""
    people = points["customer"].unique().sort().to_numpy()
    order = rng.permutation(people)
    customers = np.tile(order, -(-DRAWS // len(order)))[:DRAWS]
    draws = pl.DataFrame({"customer": customers}).with_row_index("draw")
    held = draws.lazy().join(points.lazy(), on="customer").collect()
    held = held.sort("draw", pl.exclude("draw", "customer", "point", "holders"))  # a seed must repeat
    held = held.with_columns(luck=pl.Series(rng.random(held.height))).sort("draw", "luck")
    held = held.with_columns(turn=pl.int_range(pl.len()).over("draw")).filter(pl.col("turn") < POINTS)
    where = held["draw"].to_numpy(), held["turn"].to_numpy()
    chosen = np.full((len(customers), POINTS), -1, dtype=np.int64)
    holders = np.full((len(customers), POINTS), np.iinfo(np.int64).max)
    chosen[where] = held["point"].to_numpy()
    holders[where] = held["holders"].to_numpy()
    return _Drawn(customers.astype(np.int64), chosen, holders)


def _unique_after(points: pl.DataFrame, drawn: _Drawn) -> Iterator[int]:
    """Yield, for k = 2, 3, 4, how many draws are held by nobody else."""
    index = _Postings(points, np.unique(drawn.points[drawn.points >= 0]))
    others = np.zeros((POINTS + 1, len(drawn.customers)), dtype=np.int64)
    for chunk in _chunks(drawn.holders[:, :2].min(axis=1)):
        mine, rivals = index.holders_of_both(drawn.points[chunk], drawn.holders[chunk])
        stranger = rivals != drawn.customers[chunk][mine]
        mine, rivals = mine[stranger], rivals[stranger]
        for k in range(2, POINTS + 1):
            if k > 2:
                still = index.holds(drawn.points[chunk][mine, k - 1], rivals)
                mine, rivals = mine[still], rivals[still]
            others[k, chunk] = np.bincount(mine, minlength=len(chunk))
    for k in range(2, POINTS + 1):
        yield int((others[k] == 0).sum())


def _chunks(sizes: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    """Yield index ranges whose sizes sum to about `_CHUNK`, so that memory is bounded."""
    groups = np.cumsum(sizes) // _CHUNK
    yield from np.split(np.arange(len(sizes)), np.flatnonzero(np.diff(groups)) + 1)


class _Postings:
    """Who holds a point: an inverted index over the points that were drawn."""

    def __init__(self, points: pl.DataFrame, wanted: NDArray[np.int64]) -> None:
        kept = (
            points.lazy()
            .select(pl.col("customer").cast(pl.Int64), pl.col("point").cast(pl.Int64))
            .join(pl.LazyFrame({"point": wanted}), on="point", how="semi")
            .sort("point", "customer")
            .collect()
        )
        self._customers = kept["customer"].to_numpy()
        self._people = int(points["customer"].max()) + 1  # type: ignore[arg-type] # codes are integers
        self._starts = np.searchsorted(kept["point"].to_numpy(), wanted)
        self._wanted = wanted
        self._pairs = kept["point"].to_numpy() * self._people + self._customers

    def holds(self, points: NDArray[np.int64], customers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each customer holds the point beside him; no point (-1) asks nothing."""
        pairs = points * self._people + customers
        at = np.minimum(np.searchsorted(self._pairs, pairs), len(self._pairs) - 1)
        found: NDArray[np.bool_] = (self._pairs[at] == pairs) | (points < 0)
        return found

    def holders_of_both(
        self, points: NDArray[np.int64], holders: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return (draw, customer) of all holders of the first two points: walk the rarer, ask the other."""
        rows = np.arange(len(points))
        rarer = holders[:, :2].argmin(axis=1)
        count = holders[rows, rarer]
        starts = self._starts[np.searchsorted(self._wanted, points[rows, rarer])]
        draw = np.repeat(rows, count)
        step = np.arange(len(draw)) - np.repeat(np.cumsum(count) - count, count)
        rivals = self._customers[starts[draw] + step]
        both = self.holds(points[rows, 1 - rarer][draw], rivals)
        return draw[both], rivals[both]
