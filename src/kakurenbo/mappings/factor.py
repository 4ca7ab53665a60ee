"""Whether prices or quantities were multiplied by one factor.

Noise changes every value and may leave no price as it was, so shares of common values say little of numbers.
A factor moves all of them alike: on a logarithmic scale the two distributions have one shape at two places.
How far they are apart (the earth mover's distance) then nearly vanishes when one is moved to the other.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.mappings.spread import Spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

    Floats = NDArray[np.float64]

_SMALL = math.log(1.05)  # a factor below is none
_EXACTLY = 0.05  # of the distance that may remain where the same records were multiplied
_FEW = 4  # distinct values that nothing is told from
_MANY = 20  # records, of which it can be told where they lie
_NEARLY = 0.25  # of the distance that may remain where more was done to them
_SURE = 4  # standard errors of the mean, over people, that a factor must exceed then
_OLD = 0.9  # of the released values that were there before: other people have other, but no new numbers
_SIMPLER = 0.05  # of the records, for which a factor of fewer digits is preferred
MERGED = 0.25  # of the records that rounding may put together: all ones explain nothing


def rescaled(original: Purchases, released: Purchases, role: Role, *, by_goods: bool) -> float | None:
    """Return the factor by which these numbers were multiplied, None where they were not.

    Args:
        original: the data before.
        released: the release.
        role: price or quantity.
        by_goods: whether goods can be compared, so that each must show about the same factor.
    """
    mine, theirs = (Spread.of(data, role) for data in (original, released))
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
    if not (exactly or nearly) or moved[best].mode > mine.mode + MERGED:
        return None
    if not by_goods:
        return factor
    middle = _by_goods(original, released, role)
    if abs(math.log(middle / factor)) >= abs(math.log(factor)) / 2:
        return None
    return factor if exactly else middle


def _factors(mine: Spread, theirs: Spread) -> Floats:
    """Return the factors worth trying: what any quantile, or a mean, was multiplied by."""
    means = [
        math.exp(theirs.mean - mine.mean),
        float(theirs.shares @ theirs.values / (mine.shares @ mine.values)),
    ]
    factors: Floats = np.unique(np.concatenate([theirs.quantiles() / mine.quantiles(), means]))
    return factors[np.abs(np.log(factors)) > _SMALL]


def _apart(mine: Spread, theirs: Spread) -> float:
    """Return the earth mover's distance of two sets of numbers on a logarithmic scale."""
    from scipy.stats import wasserstein_distance  # noqa: PLC0415 - slow to load

    return float(wasserstein_distance(np.log(mine.values), np.log(theirs.values), mine.shares, theirs.shares))


def likeliest_factor(mine: Spread, theirs: Spread, common: Callable[[float], float]) -> float:
    """Return the factor after which most records lie in the same places, to as few digits as tell it.

    Args:
        mine: the original's numbers.
        theirs: the released ones.
        common: which share of the records lies in the same places after a factor.
    """
    ratios = theirs.quantiles() / mine.quantiles()
    starts = {*ratios.tolist(), math.exp(theirs.mean - mine.mean)}
    tried = {_to_digits(start, 3, steps) for start in starts for steps in range(-10, 11)}
    most, _, best = max((common(factor), -abs(math.log(factor)), factor) for factor in tried)
    for start in (best, float(np.median(ratios))):
        near = _aligned(mine, theirs, start)
        close = [_to_digits(near, digits, steps) for digits in (4, 5) for steps in range(-10, 11)]
        exact = [_to_digits(near, digits) for digits in (6, 7, 8)]
        for factor in (*close, *exact, 1 / _to_digits(1 / near, 3), near):
            shared = common(factor)
            if shared > most + _SIMPLER:
                most, best = shared, factor
    return best


def _to_digits(number: float, digits: int, steps: int = 0) -> float:
    """Return a number to so many significant digits, some steps of the last digit away."""
    last = math.floor(math.log10(number)) - digits + 1
    return float(f"{max(round(number / 10.0**last) + steps, 1)}e{last}")


def _aligned(mine: Spread, theirs: Spread, factor: float) -> float:
    """Return a factor bettered until the numbers after it lie next to released ones."""
    for near in (1e-2, 1e-3, 1e-4):
        made = mine.values * factor
        place = np.searchsorted(theirs.values, made)
        sides = theirs.values[np.clip(np.stack([place - 1, place]), 0, len(theirs.values) - 1)]
        nearest = sides[np.abs(sides - made).argmin(axis=0), np.arange(len(made))]
        close = np.abs(nearest / made - 1) < near
        if close.any():
            factor = float(np.median(nearest[close] / mine.values[close]))
    return factor


def _by_goods(original: Purchases, released: Purchases, role: Role) -> float:
    """Return the factor that the middle record's good shows: what other goods do is none."""
    log = pl.col(role).log().mean()
    mine, theirs = (
        data.records.group_by(pl.col("goods").cast(pl.String)).agg(log.alias("log"), pl.len())
        for data in (original, released)
    )
    both = mine.join(theirs, on="goods").with_columns(shift=pl.col("log_right") - pl.col("log")).sort("shift")
    middle = both.filter(pl.col("len_right").cum_sum() * 2 >= pl.col("len_right").sum())["shift"]
    return math.exp(middle[0]) if len(middle) else 1.0
