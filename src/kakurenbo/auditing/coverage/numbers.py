"""Whether prices or quantities were multiplied by one factor.

Noise changes every value and may leave no price as it was, so shares of common values say little of numbers.
A factor moves all of them alike: on a logarithmic scale the two distributions have one shape at two places.
How far they are apart (the earth mover's distance) then nearly vanishes when one is moved to the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

    Floats = NDArray[np.float64]

_QUANTILES = np.array([*np.linspace(0.05, 0.95, 19), 0.975, 0.99, 0.999])
_SMALL = math.log(1.05)  # a factor below is none
_EXACTLY = 0.05  # of the distance that may remain where the same records were multiplied
_FEW = 4  # distinct values that nothing is told from
_MANY = 20  # records, of which it can be told where they lie
_ALL = 0.95  # of them
_NEARLY = 0.25  # of the distance that may remain where more was done to them
_SURE = 4  # standard errors of the mean, over people, that a factor must exceed then
_OLD = 0.9  # of the released values that were there before: other people have other, but no new numbers
_MERGED = 0.25  # of the records that rounding may put together: all ones explain nothing


def rescaled(original: Purchases, released: Purchases, role: Role, *, by_goods: bool) -> float | None:
    """Return the factor by which these numbers were multiplied, None where they were not.

    Args:
        original: the data before.
        released: the release.
        role: price or quantity.
        by_goods: whether goods can be compared, so that each must show about the same factor.
    """
    mine, theirs = (_Spread.of(data, role) for data in (original, released))
    if min(len(mine.values), len(theirs.values)) <= _FEW or len(released) < _MANY:
        return None
    factors = _factors(mine, theirs)
    if not len(factors):
        return None
    moved = [mine.times(factor, whole=role == "quantity") for factor in factors]
    left = [_apart(one, theirs) for one in moved]
    best = int(np.argmin(left))
    factor, before = float(factors[best]), _apart(mine, theirs)
    people = math.sqrt(1 / len(original.people) + 1 / len(released.people))
    exactly = left[best] <= _EXACTLY * before
    nearly = (
        left[best] <= _NEARLY * before
        and abs(math.log(factor)) > _SURE * mine.deviation * people
        and np.isin(theirs.values, mine.values).mean() < _OLD
    )
    if not (exactly or nearly) or moved[best].mode > mine.mode + _MERGED:
        return None
    return factor if not by_goods or _everywhere(original, released, role, factor) else None


def beyond(original: Purchases, released: Purchases, role: Role) -> str:
    """Return on which side of all the original's numbers nearly all of many released ones lie, if any."""
    mine, theirs = original.records[role].to_numpy(), released.records[role].to_numpy()
    if len(theirs) < _MANY:
        return ""
    if (theirs > mine.max()).mean() >= _ALL:
        return "above"
    return "below" if (theirs < mine.min()).mean() >= _ALL else ""


@dataclass(frozen=True, eq=False)
class _Spread:
    """Distinct values, ascending, and which share of the records has each."""

    values: Floats
    shares: Floats

    @classmethod
    def of(cls, data: Purchases, role: Role) -> _Spread:
        """Return how a role's numbers are spread."""
        counted = data.records.filter(pl.col(role) > 0).group_by(role).len().sort(role)
        values: Floats = counted[role].to_numpy().astype(np.float64)
        counts: Floats = counted["len"].to_numpy().astype(np.float64)
        return cls(values, counts / counts.sum())

    def times(self, factor: float, *, whole: bool) -> _Spread:
        """Return the same numbers multiplied, whole ones and no smaller than 1 where they count pieces."""
        if not whole:
            return _Spread(self.values * factor, self.shares)
        values, place = np.unique(np.maximum(np.rint(self.values * factor), 1), return_inverse=True)
        shares: Floats = np.bincount(place, weights=self.shares).astype(np.float64)
        return _Spread(values, shares)

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


def _factors(mine: _Spread, theirs: _Spread) -> Floats:
    """Return the factors worth trying: what any quantile, or a mean, was multiplied by."""
    means = [
        math.exp(theirs.mean - mine.mean),
        float(theirs.shares @ theirs.values / (mine.shares @ mine.values)),
    ]
    factors: Floats = np.unique(np.concatenate([theirs.quantiles() / mine.quantiles(), means]))
    return factors[np.abs(np.log(factors)) > _SMALL]


def _apart(mine: _Spread, theirs: _Spread) -> float:
    """Return the earth mover's distance of two sets of numbers on a logarithmic scale."""
    from scipy.stats import wasserstein_distance  # noqa: PLC0415 - slow to load

    return float(wasserstein_distance(np.log(mine.values), np.log(theirs.values), mine.shares, theirs.shares))


def _everywhere(original: Purchases, released: Purchases, role: Role, factor: float) -> bool:
    """Whether the goods show about this factor each, and not only other goods than before."""
    log = pl.col(role).log().mean()
    mine, theirs = (
        data.records.group_by(pl.col("goods").cast(pl.String)).agg(log.alias("log"), pl.len())
        for data in (original, released)
    )
    both = mine.join(theirs, on="goods").with_columns(shift=pl.col("log_right") - pl.col("log")).sort("shift")
    middle = both.filter(pl.col("len_right").cum_sum() * 2 >= pl.col("len_right").sum())["shift"]
    return bool(len(middle)) and abs(middle[0] - math.log(factor)) < abs(math.log(factor)) / 2
