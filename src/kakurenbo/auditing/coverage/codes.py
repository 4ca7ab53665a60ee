"""Whether the codes of a release mean what they mean in the original.

A permutation of the codes keeps every one of them and means nothing: who compares goods then compares names
that were dealt out anew. What a code means shows in how it is used. If the same goods are bought by many and
by few in both tables, they are the same goods; if not, or if they are bought as often but at other prices,
in other quantities and at other times, they look rewritten. Few goods are never called so.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases

    Floats = NDArray[np.float64]

_LEAST = 0.5  # of the rank correlation that goods of the same meaning would show
_SURE = 3.3  # standard deviations: one false alarm in two thousand
_FEW = 3


def rewritten(original: Purchases, released: Purchases) -> str:
    """Return in which way goods are bought otherwise than their codes say; empty where they are not."""
    both = _used(original).join(_used(released), on="goods", suffix="_released")
    mine, theirs = (both[name].to_numpy().astype(np.float64) for name in ("buyers", "buyers_released"))
    people = len(released.customers) / len(original.customers)
    if _highest(mine, theirs) < _LEAST * _expected(mine, people):
        return "in other numbers"
    others = [name for name in both.columns if name in _WORDS and f"{name}_released" in both.columns]
    if len(others) > 1 and all(
        _highest(both[name].to_numpy(), both[f"{name}_released"].to_numpy()) < _LEAST for name in others
    ):
        *first, last = [_WORDS[name] for name in others]
        return f"{', '.join(first)} and {last}"
    return ""


_WORDS = {"price": "at other prices", "quantity": "in other quantities", "time": "at other times"}


def _used(data: Purchases) -> pl.DataFrame:
    """Return (goods, buyers, and the mean of what else is shown): how every good is used."""
    means = [
        pl.col(role).to_physical().cast(pl.Float64).mean().alias(role)
        for role in _WORDS
        if role in data.roles
    ]
    used = data.records.group_by("goods").agg(pl.col("customer").n_unique().alias("buyers"), *means)
    return used.with_columns(pl.col("goods").cast(pl.String)).sort("goods")


def _highest(mine: Floats, theirs: Floats) -> float:
    """Return the upper end of the rank correlation's interval, as a share of what it could be at most."""
    if len(mine) <= _FEW or np.ptp(mine) == 0 or np.ptp(theirs) == 0:
        return 1.0
    found = float(np.clip(_ranked(mine, theirs), -0.999999, 0.999999))
    most = _ranked(np.sort(mine), np.sort(theirs))  # where many tie, even the same order correlates less
    return math.tanh(math.atanh(found) + _SURE / math.sqrt(len(mine) - _FEW)) / most


def _ranked(mine: Floats, theirs: Floats) -> float:
    from scipy.stats import rankdata  # noqa: PLC0415 - slow to load

    return float(np.corrcoef(rankdata(mine), rankdata(theirs))[0, 1])


def _expected(buyers: Floats, people: float) -> float:
    """Return the rank correlation to expect of the same goods where a share of the people is released."""
    if people >= 1:
        return 1.0
    some = np.random.default_rng(0).binomial(buyers.astype(np.int64), people).astype(np.float64)
    there = some > 0
    if there.sum() <= _FEW or np.ptp(some[there]) == 0 or np.ptp(buyers[there]) == 0:
        return 0.0
    return max(_ranked(buyers[there], some[there]), 0.0)
