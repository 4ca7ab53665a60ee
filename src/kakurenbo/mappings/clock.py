"""How a release writes times: moved by one span, rounded down to a period, or with the date gone.

Rounding is inferred from where the records lie: the period that has as many of them as the release. A clock
that was moved is found by when people come: sharp times by the hour or day at which their numbers agree
(see `lag`), then to the instant by the difference that most times have; times by week or more by trying every
span of days (see `scan`). Times that were moved for each person apart are no mapping, and left as they are.

Where the date is gone, all times lie in one week, in which the original has far too few: then what is left is
the weekday, the hour, or both, whichever week they are written in.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.mappings.lag import coarsest, lag, visits
from kakurenbo.mappings.periods import EVERY, MONDAY, RECURRING, Period, in_words, rounded
from kakurenbo.mappings.scan import days_moved

if TYPE_CHECKING:
    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

_DOWN: tuple[Period, ...] = (*EVERY, "season")
_ROUNDING = 1e-9
_SAMPLE = 400  # released times that are asked how far they were moved
_NEAR = 2 * 3600  # seconds round the hours found, in which the instant lies
_MOST = 0.5  # of those asked, which must have been moved alike
_WEEK = 7  # days
_MORE = 2.0  # records in a week, for one that the original has there: then it stands for all weeks
_ALIKE = 0.5  # of the records, which the original must have at the same weekdays or hours
_MANY = 20  # records, of which it can be told


@dataclass(frozen=True)
class Clock:
    """How times are written in a release.

    Attributes:
        period: what they are rounded down to beyond the original's, None for nothing.
        later: by how much the clock was moved before.
        week: the first day of the week in which weekdays and hours are written.
    """

    period: Period | None = None
    later: dt.timedelta = dt.timedelta()
    week: dt.date = MONDAY

    role: ClassVar[Role] = "time"

    def apply(self, data: Purchases) -> Purchases:
        """Return the purchases with their times so written."""
        time = pl.col("time") + self.later if self.later else pl.col("time")
        time = time if self.period is None else rounded(time, self.period, self.week)
        return replace(data, records=data.records.with_columns(time))

    def __str__(self) -> str:
        by = "" if self.period is None else f" by {in_words(self.period)}"
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
    recurring = _recurring(mine, theirs)
    if recurring is not None:
        return recurring
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
    for name in _DOWN:
        down = rounded(pl.col("time"), name)
        if theirs.select((down == pl.col("time")).all()).item():
            rounded_down = mine.group_by(down).agg(pl.col("len").sum())
            common = _common(rounded_down, theirs)
            if common > best + _ROUNDING:
                best, period = common, name
    return period


def _recurring(mine: pl.DataFrame, theirs: pl.DataFrame) -> Clock | None:
    """Return what is left of times where the date is gone, None where it is not."""
    days = theirs.select(pl.col("time").dt.date()).to_series()
    first, last = days.min(), days.max()
    if not isinstance(first, dt.date) or not isinstance(last, dt.date) or (last - first).days >= _WEEK:
        return None
    there = int(mine.filter(pl.col("time").dt.date().is_between(first, last))["len"].sum())
    total = int(theirs["len"].sum())
    if total < _MANY or total <= _MORE * there:
        return None
    best, clock = _ALIKE, None
    for period in RECURRING:
        written = rounded(pl.col("time"), period, first)
        if theirs.select((written == pl.col("time")).all()).item():
            common = _common(mine.group_by(written).agg(pl.col("len").sum()), theirs)
            if common > best + _ROUNDING:
                best, clock = common, Clock(period, week=first)
    return clock


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
