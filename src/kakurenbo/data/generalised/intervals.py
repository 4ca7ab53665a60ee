"""Intervals as people write them: `20-29`, `[20, 30)`, `>=65`, `2024-05`.

Every form becomes one closed interval of floats: an end that is left out moves to the next float, and dates
and clock times become seconds, so that "inside" is two comparisons.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from calendar import monthrange
from dataclasses import dataclass

_CLOCK = r"[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?"
_OFFSET = r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
_DATE = rf"[0-9]{{4}}-[0-9]{{2}}(?:-[0-9]{{2}}(?:[T ]{_CLOCK}{_OFFSET}?)?)?|{_CLOCK}"
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|inf)"
_END = rf"({_DATE}|{_NUMBER})"
_ONE = re.compile(_END)
_MORE = re.compile(rf"{_END}\s*\+")
_BOUND = re.compile(rf"(>=|≥|>|<=|≤|<)\s*{_END}")
_IS_DATE = re.compile(_DATE)
_LAST_YEAR = 9999
_DAY = 24 * 60 * 60
_TWO = re.compile(rf"([\[\](]?)\s*{_END}(\s*(?:\.\.|-|\u2013|,|;)\s*|\s+to\s+){_END}\s*([\]\[)]?)")


@dataclass(frozen=True)
class Interval:
    """Everything from `low` to `high`, both included: numbers, or seconds where `dates`."""

    low: float
    high: float
    dates: bool

    @property
    def years(self) -> Interval:
        """The same numbers read as years, in the seconds they last."""
        low, high = (min(max(end, 0), _LAST_YEAR + 1) for end in (self.low, self.high))
        return Interval(_new_year(math.ceil(low)), _before(_new_year(math.floor(high) + 1)), dates=True)


def interval(text: str) -> Interval | None:
    """Return the interval that a text stands for, or None for any other text."""
    if match := _ONE.fullmatch(text):
        return _period(match[1])
    if match := _MORE.fullmatch(text):
        return _bounded(">=", match[1])
    if match := _BOUND.fullmatch(text):
        return _bounded(match[1], match[2])
    if match := _TWO.fullmatch(text):
        return _range(*match.groups())
    return None


def _range(opening: str, low: str, between: str, high: str, closing: str) -> Interval | None:
    """Return a range; brackets stand on both sides or on none, and a comma needs them."""
    if bool(opening) != bool(closing) or (between.strip() in {",", ";"} and not opening):
        return None
    left = _bounded(">" if opening in {"(", "]"} else ">=", low)
    right = _bounded("<" if closing in {")", "["} else "<=", high)
    if left is None or right is None or left.dates != right.dates:
        return None
    return Interval(left.low, right.high, left.dates)


def _bounded(sign: str, text: str) -> Interval | None:
    end = _period(text)
    if end is None:
        return None
    if sign in {">", ">=", "≥"}:
        return Interval(math.nextafter(end.high, math.inf) if sign == ">" else end.low, math.inf, end.dates)
    return Interval(-math.inf, _before(end.low) if sign == "<" else end.high, end.dates)


def _period(text: str) -> Interval | None:
    """Return a number as it is, and a month, day or moment from its first to its last second."""
    if not _IS_DATE.fullmatch(text):
        return Interval(float(text), float(text), dates=False)
    try:
        start, days = _start_and_days(text)
    except ValueError:
        return None
    first = _seconds(start)
    return Interval(first, max(first, _before(first + days * _DAY)), dates=True)


def _start_and_days(text: str) -> tuple[dt.datetime, int]:
    """Return where a month, day or moment begins, and how many days it lasts."""
    if text[2] == ":":
        return dt.datetime.fromisoformat(f"1970-01-01 {text}"), 0
    if len(text) == len("2024-05"):
        start = dt.datetime.fromisoformat(f"{text}-01")
        return start, monthrange(start.year, start.month)[1]
    return dt.datetime.fromisoformat(text), int(len(text) == len("2024-05-17"))


def _new_year(year: int) -> float:
    if not 0 < year <= _LAST_YEAR:
        return math.copysign(math.inf, year - 1)
    return _seconds(dt.datetime(year, 1, 1))


def _seconds(moment: dt.datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp()


def _before(end: float) -> float:
    return math.nextafter(end, -math.inf)
