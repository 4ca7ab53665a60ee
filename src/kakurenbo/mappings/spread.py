"""Numbers as they are spread: the distinct ones, and which share of the records has each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

    Floats = NDArray[np.float64]

_QUANTILES = np.array([*np.linspace(0.05, 0.95, 19), 0.975, 0.99, 0.999])
_ANY = 0.05  # of the records, which may be of any number


@dataclass(frozen=True, eq=False)
class Spread:
    """Distinct values, ascending, and which share of the records has each."""

    values: Floats
    shares: Floats

    @classmethod
    def of(cls, data: Purchases, role: Role) -> Spread:
        """Return how a role's numbers are spread."""
        return cls.counted(data.records[role])

    @classmethod
    def counted(cls, numbers: pl.Series) -> Spread:
        """Return how numbers are spread; what is not above zero has no logarithm, and is left out."""
        counts = numbers.filter(numbers > 0).value_counts(name="len").sort(numbers.name)
        values: Floats = counts[numbers.name].to_numpy().astype(np.float64)
        shares: Floats = counts["len"].to_numpy().astype(np.float64)
        return cls(values, shares / max(shares.sum(), 1.0))

    def times(self, factor: float, *, whole: bool) -> Spread:
        """Return the same numbers multiplied, whole ones and no smaller than 1 where they count pieces."""
        if not whole:
            return Spread(self.values * factor, self.shares)
        return self.through(lambda values: np.maximum(np.rint(values * factor), 1))

    def through(self, written: Callable[[Floats], Floats]) -> Spread:
        """Return the same records with their numbers written otherwise."""
        values, place = np.unique(written(self.values), return_inverse=True)
        shares: Floats = np.bincount(place, weights=self.shares).astype(np.float64)
        return Spread(values, shares)

    def most(self, count: int) -> Spread:
        """Return the most frequent numbers alone."""
        kept = np.sort(np.argsort(-self.shares, kind="stable")[:count])
        return Spread(self.values[kept], self.shares[kept])

    def of_each(self, values: Floats) -> Floats:
        """Return the share of the records that each of these numbers has here."""
        place = np.minimum(np.searchsorted(self.values, values), len(self.values) - 1)
        shares: Floats = np.where(self.values[place] == values, self.shares[place], 0.0)
        return shares

    def common(self, other: Spread) -> float:
        """Return the share of records that two tables have in the same places."""
        return float(np.minimum(self.shares, other.of_each(self.values)).sum())

    def likelihood(self, known: Spread) -> float:
        """Return the mean logarithm of how likely a record here is to be drawn from those; some are any."""
        least = _ANY / (len(self.values) + len(known.values))
        return float(self.shares @ np.log((1 - _ANY) * known.of_each(self.values) + least))

    @property
    def mode(self) -> float:
        """The share of the most frequent value."""
        return float(self.shares.max())

    @property
    def mean(self) -> float:
        """The mean logarithm."""
        return float(self.shares @ np.log(self.values))

    @property
    def deviation(self) -> float:
        """The standard deviation of the logarithm."""
        return math.sqrt(float(self.shares @ (np.log(self.values) - self.mean) ** 2))

    def quantiles(self) -> Floats:
        """Return the values that so many of the records do not exceed."""
        places = np.searchsorted(np.cumsum(self.shares), _QUANTILES)
        quantiles: Floats = self.values[np.minimum(places, len(self.values) - 1)]
        return quantiles
