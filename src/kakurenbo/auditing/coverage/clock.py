"""Whether the clock of a release was moved, so that no time can be compared.

Where no one span is found, times that lie elsewhere or otherwise than before are told all the same. Noise on
times spreads them about the place where they were, and is no such thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.mappings.lag import UNITS, Unit, coarsest, lag, visits

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases

_ENOUGH = 0.25  # of the visits that should lie on the same days


@dataclass(frozen=True)
class Lag:
    """How much later a release's times lie.

    Attributes:
        count: of the unit; 0 where no one lag is to be seen.
        unit: hours, days, or what times are rounded to.
        days: the same in days.
    """

    count: int
    unit: Unit
    days: float

    def __str__(self) -> str:
        units = f"{self.unit}{'s' * (abs(self.count) != 1)}"
        return f"{abs(self.count):,} {units} {'later' if self.count > 0 else 'earlier'}"


def moved(original: Purchases, released: Purchases) -> Lag | None:
    """Return by how much the times of a release were moved, None where they lie as before."""
    unit = coarsest(original, released)
    mine, theirs = (visits(data, unit) for data in (original, released))
    count = lag(mine, theirs)
    if count:
        return _in_words(count, unit)
    days = "day" if unit == "hour" else unit
    return None if _agree(*(visits(data, days) for data in (original, released))) else Lag(0, unit, 0.0)


def _in_words(count: int, unit: Unit) -> Lag:
    """Return the lag, in days where it is whole days."""
    if unit == "hour" and count % 24 == 0:
        return Lag(count // 24, "day", count / 24)
    return Lag(count, unit, count * UNITS[unit][1])


def _agree(mine: pl.DataFrame, theirs: pl.DataFrame) -> bool:
    """Whether as many visits lie on the same days, within the span of the release, as chance would let."""
    within = pl.col("unit").is_between(theirs["unit"].min(), theirs["unit"].max())
    there = mine.filter(within)
    if not there.height:
        return False
    share = there["visits"].to_numpy() / int(there["visits"].sum())
    drawn = np.random.default_rng(0).multinomial(int(theirs["visits"].sum()), share)
    expected = np.minimum(drawn / drawn.sum(), share).sum()
    both = there.join(theirs, on="unit").select(
        pl.min_horizontal(
            pl.col("visits") / int(there["visits"].sum()),
            pl.col("visits_right") / int(theirs["visits"].sum()),
        ).sum()
    )
    return bool(both.item() >= _ENOUGH * expected)
