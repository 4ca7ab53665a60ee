"""How a release writes times: moved by one span, rounded down to days, weeks, months, quarters or years.

Rounding is inferred from where the records lie: the period that has as many of them as the release. A clock
that was moved is found by when people come: sharp times by the hour or day at which their numbers agree
(see `lag`), then to the instant by the difference that most times have; times by week or more by trying every
span of days (see `scan`). Times that were moved for each person apart are no mapping, and left as they are.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl

from kakurenbo.mappings.lag import coarsest, lag, visits
from kakurenbo.mappings.scan import days_moved

if TYPE_CHECKING:
    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

Period = Literal["day", "week", "month", "quarter", "year"]

EVERY: dict[Period, str] = {"day": "1d", "week": "1w", "month": "1mo", "quarter": "1q", "year": "1y"}
_ROUNDING = 1e-9
_SAMPLE = 400  # released times that are asked how far they were moved
_NEAR = 2 * 3600  # seconds round the hours found, in which the instant lies
_MOST = 0.5  # of those asked, which must have been moved alike


@dataclass(frozen=True)
class Clock:
    """How times are written in a release.

    Attributes:
        period: what they are rounded down to beyond the original's, None for nothing.
        later: by how much the clock was moved before.
    """

    period: Period | None = None
    later: dt.timedelta = dt.timedelta()

    role: ClassVar[Role] = "time"

    def apply(self, data: Purchases) -> Purchases:
        """Return the purchases with their times so written."""
        time = pl.col("time") + self.later if self.later else pl.col("time")
        time = time if self.period is None else time.dt.truncate(EVERY[self.period])
        return replace(data, records=data.records.with_columns(time))

    def __str__(self) -> str:
        by = "" if self.period is None else f" by {self.period}"
        return f"times{by}{',' if by and self.later else ''}{_said(self.later)}"


def _said(later: dt.timedelta) -> str:
    """Return how far a clock was moved, in words: days, hours or minutes."""
    if not later:
        return ""
    seconds = abs(later.total_seconds())
    unit, size = next(
        ((u, s) for u, s in (("day", 86400), ("hour", 3600)) if not seconds % s), ("minute", 60)
    )
    count = seconds / size
    way = "later" if later > dt.timedelta() else "earlier"
    return f" moved {count:,.6g} {unit}{'s' * (count != 1)} {way}"


def clock_mapping(original: Purchases, released: Purchases) -> Clock | None:
    """Return what explains the released times best; None where the original's own times do."""
    if not all("time" in data.roles for data in (original, released)):
        return None
    theirs, mine = (data.records.group_by("time").len() for data in (released, original))
    unit = coarsest(released)
    if unit == "hour":
        later = _moved(original, released, mine, theirs)
    elif unit == "day":
        later = _days(original, released)
    else:
        later = dt.timedelta(days=days_moved(mine, theirs, unit, _visits(released)))
    if later:
        return Clock(None if unit == "hour" or unit == coarsest(original) else unit, later)
    rounded = period_of(mine, theirs)
    return None if rounded is None else Clock(rounded)


def period_of(mine: pl.DataFrame, theirs: pl.DataFrame) -> Period | None:
    """Return the rounding that explains the released times best; None where the original's own times do."""
    best, period = _common(mine, theirs), None
    for name, every in EVERY.items():
        if theirs.select((pl.col("time").dt.truncate(every) == pl.col("time")).all()).item():
            rounded_down = mine.group_by(pl.col("time").dt.truncate(every)).agg(pl.col("len").sum())
            common = _common(rounded_down, theirs)
            if common > best + _ROUNDING:
                best, period = common, name
    return period


def _common(mine: pl.DataFrame, theirs: pl.DataFrame) -> float:
    """Return the share of records that two tables have at the same times."""
    shares = [table.select("time", share=pl.col("len") / pl.col("len").sum()) for table in (mine, theirs)]
    both = shares[0].join(shares[1], on="time").select(pl.min_horizontal("share", "share_right").sum())
    return float(both.item())


def _days(original: Purchases, released: Purchases) -> dt.timedelta:
    """Return by how many days times were moved that are rounded down to days."""
    return dt.timedelta(days=lag(visits(original, "day"), visits(released, "day")))


def _moved(
    original: Purchases, released: Purchases, mine: pl.DataFrame, theirs: pl.DataFrame
) -> dt.timedelta:
    """Return by how much sharp times were moved: the span that most have, near the hours found."""
    span = dt.timedelta(hours=lag(visits(original, "hour"), visits(released, "hour")))
    return _instant(mine, theirs, span)


def _instant(mine: pl.DataFrame, theirs: pl.DataFrame, span: dt.timedelta) -> dt.timedelta:
    """Return the very span near this one by which most times were moved, or this one where there is none."""
    known, shown = (np.sort(table["time"].dt.timestamp("us").to_numpy()) for table in (mine, theirs))
    if not span and np.isin(shown, known).mean() >= _MOST:
        return span
    asked = shown[np.linspace(0, len(shown) - 1, min(_SAMPLE, len(shown))).astype(np.int64)]
    middle, near = round(span.total_seconds()) * 10**6, _NEAR * 10**6
    first = np.searchsorted(known, asked - middle - near)
    last = np.searchsorted(known, asked - middle + near, "right")
    spans = np.concatenate(
        [time - known[a:b] for time, a, b in zip(asked, first, last, strict=True)] or [np.empty(0, np.int64)]
    )
    if not len(spans):
        return span
    values, counts = np.unique(spans, return_counts=True)
    best = int(counts.argmax())
    likely = counts[best] >= _MOST * len(asked)
    return dt.timedelta(microseconds=int(values[best])) if likely else span


def _visits(data: Purchases) -> int:
    """Return how many people came at how many times."""
    return data.records.select("customer", "time").n_unique()
