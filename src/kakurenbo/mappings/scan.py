"""By how much a clock was moved before times were rounded down to weeks or more.

A span of days is tried by moving the original's days, rounding them, and asking how many records then lie in
the same periods as the release's. There are not many days, so every span is tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.mappings.lag import UNITS, Unit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_SPANS = 20_000  # days tried at most
_LONGEST = 366  # days that a period may last
_LEFT = 0.25  # of what did not fit before, which may be left after moving the clock
_FEW = 4  # periods that nothing is told from
_SURE = 10.0  # by how much the logarithm of its likelihood must exceed that of the clock as it was
_ANY = 0.05  # of the records, which may lie anywhere
_CLOSE = 1e-9


def days_moved(mine: pl.DataFrame, theirs: pl.DataFrame, unit: Unit, visits: int) -> int:
    """Return the days by which a clock was moved, 0 where it was not or nothing can be told.

    Args:
        mine: (time, len), how many records the original has at each of its times.
        theirs: the same of the release, whose times are rounded down.
        unit: what they are rounded down to.
        visits: how many people came in how many periods of the release, the records that count.
    """
    (days, counts), (shown, _) = _daily(mine), _daily(theirs)
    spans = np.arange(shown[0] - days[-1], shown[-1] + _LONGEST - days[0])
    if theirs.height < _FEW or len(spans) > _SPANS:
        return 0
    calendar = _Calendar.of(days, counts, np.append(spans, 0), unit)
    target = calendar.periods(theirs)
    fits = np.array([np.minimum(calendar.after(span), target).sum() for span in spans.tolist()])
    equal = spans[fits >= fits.max() - _CLOSE]
    best = int(equal[np.abs(equal).argmin()])
    plain, moved = calendar.after(0), calendar.after(best)
    left = 1 - float(np.minimum(moved, target).sum())
    likelier = visits * (_likelihood(moved, target) - _likelihood(plain, target)) > _SURE
    return best if likelier and left <= _LEFT * (1 - float(np.minimum(plain, target).sum())) else 0


@dataclass(frozen=True, eq=False)
class _Calendar:
    """The original's days, and in which period each day lies that they may be moved to.

    Attributes:
        days: since 1970, ascending.
        shares: of the records on each of them.
        first: the first day of the calendar.
        numbers: the period of each of its days, from 0.
        unit: what a period is.
        low: the first period's own number.
    """

    days: Ints
    shares: Floats
    first: int
    numbers: Ints
    unit: Unit
    low: int

    @classmethod
    def of(cls, days: Ints, counts: Floats, spans: Ints, unit: Unit) -> _Calendar:
        """Return the calendar of all days that these can be moved to."""
        first, last = int(days[0] + spans.min()), int(days[-1] + spans.max())
        moments = pl.Series("time", np.arange(first, last + 1) * 86_400_000).cast(pl.Datetime("ms"))
        numbers = moments.to_frame().select(UNITS[unit][0].cast(pl.Int64)).to_series().to_numpy()
        return cls(days, counts / counts.sum(), first, numbers - numbers[0], unit, int(numbers[0]))

    def after(self, span: int) -> Floats:
        """Return the share of the original's records in each period when moved by so many days."""
        numbers = self.numbers[self.days + span - self.first]
        return np.bincount(numbers, self.shares, int(self.numbers[-1]) + 1).astype(np.float64)

    def periods(self, table: pl.DataFrame) -> Floats:
        """Return the share of a release's records in each period."""
        numbers = table.select(UNITS[self.unit][0].cast(pl.Int64)).to_series().to_numpy() - self.low
        counts = table["len"].to_numpy().astype(np.float64)
        return np.bincount(numbers, counts / counts.sum(), int(self.numbers[-1]) + 1).astype(np.float64)


def _daily(table: pl.DataFrame) -> tuple[Ints, Floats]:
    """Return (days, counts): how many records lie on each day, as days since 1970, ascending."""
    day = pl.col("time").dt.epoch("d").cast(pl.Int64)
    daily = table.group_by(day.alias("day")).agg(pl.col("len").sum()).sort("day")
    return daily["day"].to_numpy(), daily["len"].to_numpy().astype(np.float64)


def _likelihood(known: Floats, target: Floats) -> float:
    """Return the mean logarithm of how likely a released record is to lie where it does."""
    return float(target @ np.log((1 - _ANY) * known + _ANY / len(target)))
