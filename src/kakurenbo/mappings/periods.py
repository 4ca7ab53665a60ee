"""Coarser times: the period that a time lies in, or the part of a week that comes round again.

Rounding down keeps the date: a time becomes the first moment of its day, week, month, quarter, season
(meteorological: they begin on 1 March, June, September and December) or year. What is left where the date is
gone - the weekday, the hour, or both - is a time too, written in one **reference week**: Monday 22 January
2001 and the six days after it (an hour alone on that Monday). No day of it can be taken for a month, however
a file writes its dates.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Literal, get_args

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable

Span = Literal["day", "week", "month", "quarter", "year"]
Recurring = Literal["weekday-hour", "weekday", "hour"]
Period = Literal["day", "week", "month", "quarter", "season", "year", "weekday-hour", "weekday", "hour"]

EVERY: dict[Span, str] = {"day": "1d", "week": "1w", "month": "1mo", "quarter": "1q", "year": "1y"}
RECURRING: tuple[Recurring, ...] = get_args(Recurring)
MONDAY = dt.date(2001, 1, 22)  # of the reference week
_FIRST = dt.datetime(1, 1, 1)  # the winter of year 1 began before there were years
_EPOCH = dt.date(1970, 1, 1)
_WEEK = 7
_HOUR = 3_600_000_000  # microseconds
WORDS: dict[Period, str] = {
    "weekday-hour": "weekday and hour alone",
    "weekday": "weekday alone",
    "hour": "hour of the day alone",
}


def rounded(time: pl.Expr, period: Period, week: dt.date = MONDAY) -> pl.Expr:
    """Return times in the words of a period.

    Args:
        time: any times.
        period: what is left of them.
        week: the first day of the reference week, for what comes round again.
    """
    return _WRITTEN[period](time, week)


def in_words(period: Period) -> str:
    """Return a period as people say it."""
    return WORDS.get(period, period)


def _down(every: str) -> Callable[[pl.Expr, dt.date], pl.Expr]:
    return lambda time, _: time.dt.truncate(every)


def _season(time: pl.Expr, _: dt.date) -> pl.Expr:
    """A season is the quarter of the time a month later."""
    first = time.dt.offset_by("1mo").dt.truncate("1q").dt.offset_by("-1mo")
    return first.clip(lower_bound=pl.lit(_FIRST))


def _weekday(time: pl.Expr, week: dt.date) -> pl.Expr:
    return _hours_after(week, _days(time, week) * 24)


def _hour(time: pl.Expr, week: dt.date) -> pl.Expr:
    return _hours_after(week, time.dt.hour().cast(pl.Int64))


def _weekday_and_hour(time: pl.Expr, week: dt.date) -> pl.Expr:
    return _hours_after(week, _days(time, week) * 24 + time.dt.hour().cast(pl.Int64))


def _days(time: pl.Expr, week: dt.date) -> pl.Expr:
    """Return how many days after the first of a week the weekday of a time comes."""
    return (time.dt.weekday().cast(pl.Int64) - week.isoweekday()) % _WEEK


def _hours_after(day: dt.date, hours: pl.Expr) -> pl.Expr:
    first = (day - _EPOCH).days * 24
    return ((hours + first) * _HOUR).cast(pl.Datetime("us"))


_WRITTEN: dict[Period, Callable[[pl.Expr, dt.date], pl.Expr]] = {
    **{span: _down(every) for span, every in EVERY.items()},
    "season": _season,
    "weekday-hour": _weekday_and_hour,
    "weekday": _weekday,
    "hour": _hour,
}
