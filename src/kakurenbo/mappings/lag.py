"""By how much the clock of a release was moved.

The times of a whole release moved by the same span are nobody's times any more, and all of them can be moved
back. The span shows in the number of visits by hour, day or month: two rows of numbers that agree at another
place than their own.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from kakurenbo.mappings.periods import rounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases

    Floats = NDArray[np.float64]

Unit = Literal["hour", "day", "week", "month", "quarter", "season", "year"]

_MONTH = pl.col("time").dt.year() * 12 + pl.col("time").dt.month()
UNITS: dict[Unit, tuple[pl.Expr, float]] = {  # coarsest first: number of it, days
    "year": (pl.col("time").dt.year(), 365.25),
    "season": (_MONTH // 3, 365.25 / 4),
    "quarter": (pl.col("time").dt.year() * 4 + pl.col("time").dt.quarter(), 365.25 / 4),
    "month": (_MONTH, 365.25 / 12),
    "week": ((pl.col("time").dt.epoch("d") + 3) // 7, 7.0),
    "day": (pl.col("time").dt.epoch("d"), 1.0),
    "hour": (pl.col("time").dt.epoch("s") // 3600, 1 / 24),
}
_AGREE = 0.5  # correlation at the place where two rows of numbers agree
_CLEARLY = 0.25  # by how much it must exceed that at their own place
_SURE = 5  # standard deviations
_FEW = 3
_MANY = 2**24  # hours: two thousand years


def coarsest(*tables: Purchases) -> Unit:
    """Return the coarsest unit that all times of these tables are rounded to, or hours."""
    times = pl.concat([data.records.select(pl.col("time").unique()) for data in tables])
    for unit in UNITS:
        if unit != "hour" and times.select((rounded(pl.col("time"), unit) == pl.col("time")).all()).item():
            return unit
    return "hour"


def visits(data: Purchases, unit: Unit) -> pl.DataFrame:
    """Return (unit, visits): how many people bought anything in each."""
    number = UNITS[unit][0].cast(pl.Int64).alias("unit")
    there = data.records.select("customer", number).unique()
    return there.group_by("unit").agg(visits=pl.len()).sort("unit")


def lag(mine: pl.DataFrame, theirs: pl.DataFrame) -> int:
    """Return where the released numbers agree clearly better with the original's than at their own place."""
    from scipy.signal import correlate  # noqa: PLC0415 - slow to load

    a, b = _row(mine), _row(theirs)
    if a is None or b is None:
        return 0
    norm = float(np.linalg.norm(a) * np.linalg.norm(b))
    if not norm:
        return 0
    found = correlate(b, a, mode="full", method="fft") / norm
    shift = int(theirs["unit"][0]) - int(mine["unit"][0]) - (len(a) - 1)  # of the first place
    best = int(found.argmax())
    own = found[-shift] if 0 <= -shift < len(found) else 0.0
    sure = math.atanh(min(found[best], 0.999999)) * math.sqrt(max(min(len(a), len(b)) - _FEW, 0)) > _SURE
    return best + shift if sure and found[best] >= max(_AGREE, own + _CLEARLY) else 0


def _row(numbers: pl.DataFrame) -> Floats | None:
    """Return the number of visits of every unit in turn, less their mean; None where that is too long."""
    first, last = int(numbers["unit"][0]), int(numbers["unit"][-1])
    if last - first >= _MANY:
        return None
    row: Floats = np.zeros(last - first + 1)
    row[numbers["unit"].to_numpy() - first] = numbers["visits"].to_numpy()
    row -= row.mean()
    return row
