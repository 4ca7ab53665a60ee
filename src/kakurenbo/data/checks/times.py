"""Dates and times at the door: find the one pattern that fits, and keep it for the release.

Days and months (2010-12 is its first day), months by name, Japanese dates and the serial numbers of
spreadsheets are known. Where times name a zone, the clock that is written counts, since shops keep local
hours; one zone for all is written again, and of several none.

A pattern is never guessed where two readings are possible: 3/4/2011 alone is refused with the advice to say
which. Once chosen, the pattern must fit every row, so 30 February is an error with its row and not a missing
value. Years have four digits, 0001 to 9999: 99 is read only by a declared pattern that says so (%y).
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cache

import polars as pl

from kakurenbo.data.checks.columns import refuse_rows
from kakurenbo.data.checks.ids import trimmed
from kakurenbo.errors import InputError, ParameterError

_DATES = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d.%m.%Y", "%d-%m-%Y", "%m/%d/%Y", "%d/%m/%Y",
    "%d-%b-%y", "%d-%b-%Y", "%d %b %Y", "%b %d, %Y", "%Y年%m月%d日",
)  # fmt: skip
_CLOCKS = (
    "", " %H:%M", " %H:%M:%S", "T%H:%M:%S", "T%H:%M", " %H:%M:%S%.f", "T%H:%M:%S%.f",
    " %I:%M %p", " %I:%M:%S %p", " %H時%M分", " %H時%M分%S秒", "%H時%M分",
)  # fmt: skip
_MONTHS = ("%Y-%m", "%Y/%m", "%Y.%m", "%Y年%m月")
PATTERNS = (*(date + clock for clock in _CLOCKS for date in _DATES), *_MONTHS)
SERIAL = "serial"  # days since the end of 1899, as spreadsheets count them
_DAY_0 = dt.datetime(1899, 12, 30)
_SERIALS = (20_000, 80_000)  # the years 1954 to 2119
_SERIAL = r"^[2-7][0-9]{4}(?:\.[0-9]+)?$"
_ZONE = r"(?:Z|[+-][0-9]{2}:?[0-9]{2})$"
_A_DAY = 86_400_000_000  # microseconds
_SAMPLE = 2000
_LAST_YEAR = 9999
_LETTERED = {"%y": "[0-9]{2}", "%b": "[A-Za-z]{3}", "%p": "[AaPp][Mm]"}
_TENS = {
    "%m": "01",
    "%d": "0-3",
    "%H": "0-2",
    "%I": "01",
    "%M": "0-5",
    "%S": "0-5",
}  # first digits of the numbers that have two


def as_times(values: pl.Series, *, column: str, pattern: str | None = None) -> tuple[pl.Series, str | None]:
    """Return the values as Datetime, and the strftime pattern that writes them back (None if typed)."""
    return in_zone(values, column=column, pattern=pattern)[:2]


def in_zone(
    values: pl.Series, *, column: str, pattern: str | None = None, zoned: bool = False
) -> tuple[pl.Series, str | None, str | None]:
    """Return the values as Datetime, the pattern that writes them back, and the zone that it ends in.

    Args:
        values: dates, times, numbers of days or text.
        column: its name in messages.
        pattern: how text is written, where that is known.
        zoned: whether every text names a zone after what the pattern reads.
    """
    if values.dtype == pl.Datetime:
        values = values.dt.replace_time_zone(None)
    if values.dtype in (pl.Datetime, pl.Date, pl.Null):  # a Datetime equals its class, but hashes apart
        years = values.cast(pl.Datetime("us"), strict=False).dt.year()
        message = "A date is before the year 1 or after 9999; mend it, or leave the role time out."
        refuse_rows(values.is_not_null() & ~_exists(years), message, code="not-date", column=column)
        return values.cast(pl.Datetime("us")), "%Y-%m-%d" if values.dtype == pl.Date else None, None
    if values.dtype.is_numeric():
        return _from_serials(values, column), None, None
    if values.dtype != pl.String:
        raise InputError(
            f"Expected dates, but the column holds {values.dtype.base_type()}.",
            code="not-date",
            column=column,
        )
    text = trimmed(values)
    if pattern in {None, SERIAL} and text.str.contains(_SERIAL).all() and text.null_count() < len(text):
        return _from_serials(text.cast(pl.Float64), column), SERIAL, None
    zone = None if pattern and not zoned else _zone(text)
    if zone is not None:
        text = text.str.replace(_ZONE, "")
    chosen = pattern or _fitting(text, column)
    times = _parse(text, chosen)
    refuse_rows(
        times.is_null() & text.is_not_null(),
        f"A value is not a date that exists, written like {_example(chosen)}; another form is declared "
        f"with time_format.",
        code="not-date",
        column=column,
        parameter="time_format",
    )
    return times, _writing(text, times, chosen) + (zone or ""), zone


def unread(values: pl.Series, pattern: str | None = None) -> pl.Series:
    """Return which texts are no date that exists, written as most of them are: for a list of all faults.

    Args:
        values: text, of which what is missing is not read either.
        pattern: how it must be written, as `in_zone` tells it, where that is known.
    """
    text = trimmed(values)
    if pattern == SERIAL:
        return ~text.str.contains(_SERIAL).fill_null(value=False)
    bare = None if pattern is None else unzoned(pattern).replace("%-", "%")
    if (pattern and pattern != unzoned(pattern)) or (bare is None and _zone(text) is not None):
        text = text.str.replace(_ZONE, "")
    chosen = bare or next(iter(_best(text.drop_nulls().head(_SAMPLE).unique())), PATTERNS[0])
    return _parse(text, chosen).is_null()


def unzoned(pattern: str) -> str:
    """Return a pattern without the zone at its end."""
    return re.sub(_ZONE, "", pattern)


def written(times: pl.Expr, pattern: str) -> pl.Expr:
    """Return times as text of a pattern."""
    if pattern != SERIAL:
        return times.dt.strftime(pattern)
    days = (times - _DAY_0).dt.total_microseconds() / _A_DAY
    return days.round(6).cast(pl.String).str.strip_suffix(".0")


def _zone(text: pl.Series) -> str | None:
    """Return the zone that all times name; empty where they name several, None where any names none."""
    there = text.drop_nulls()
    if not len(there) or not there.str.contains(r"[0-9]:[0-9]{2}.*" + _ZONE).all():
        return None
    zones = there.str.extract(f"({_ZONE})").unique()
    return str(zones[0]) if len(zones) == 1 else ""


def _from_serials(values: pl.Series, column: str) -> pl.Series:
    """Return the times that spreadsheets count in days."""
    days = values.cast(pl.Float64)
    if values.dtype.is_integer() and days.is_between(1e7, 1e8).all():
        return _parse(values.cast(pl.String), "%Y%m%d")
    low, high = _SERIALS
    message = "A value is not a date, nor a number of days as spreadsheets count them; name another column."
    refuse_rows(~days.is_between(low, high), message, code="not-date", column=column)
    seconds = (days * 86_400).round(0).cast(pl.Int64) * 1_000_000
    return seconds.cast(pl.Duration("us")) + pl.Series([_DAY_0], dtype=pl.Datetime("us"))


def _parse(text: pl.Series, pattern: str) -> pl.Series:
    """Return the times that are written so, null for the others."""
    shaped = text.to_frame("t").select(pl.when(pl.col("t").str.contains(_shape(pattern))).then("t"))["t"]
    if pattern in _MONTHS:
        shaped, pattern = shaped + "|1", pattern + "|%d"
    try:
        if "%H" in pattern or "%I" in pattern:
            times = shaped.str.to_datetime(pattern, strict=False, time_unit="us")
        else:
            times = shaped.str.to_date(pattern, strict=False).cast(pl.Datetime("us"))
    except pl.exceptions.PolarsError:
        raise ParameterError(
            "The time_format is no whole one: it needs a date, and hours come with minutes (%Y-%m-%d %H:%M).",
            code="parameter",
            parameter="time_format",
        ) from None
    return times.to_frame("t").select(pl.when(_exists(times.dt.year())).then("t"))["t"]


def _exists(years: pl.Series) -> pl.Series:
    return years.is_between(1, _LAST_YEAR).fill_null(value=False)


@cache
def _shape(pattern: str) -> str:
    """Return the regular expression of what a pattern may read: a year is four digits, no sign, no blanks.

    The parser alone takes 99 for the year 99, -2011 for one before Christ, and second 60 for the next minute.
    Where two numbers stand side by side both have all their digits, or nobody knows where one ends.
    """
    pieces = [piece for piece in re.split(r"(%\.f|%-?[A-Za-z])", pattern) if piece]
    return "^" + "".join(_piece(pieces, place) for place in range(len(pieces))) + "$"


def _piece(pieces: list[str], place: int) -> str:
    piece = pieces[place]
    if piece == "%Y":
        return "[0-9]{4}"
    if piece in _LETTERED:
        return _LETTERED[piece]
    if piece == "%.f":
        return r"(\.[0-9]{1,9})?"
    if piece in _TENS:
        beside = {*pieces[max(place - 1, 0) : place], *pieces[place + 1 : place + 2]}
        return f"[{_TENS[piece]}]{'' if beside & {'%Y', *_TENS} else '?'}[0-9]"
    return ".+?" if piece.startswith("%") else re.sub(r"\\?\s+", r"\\s+", re.escape(piece))


def _fitting(text: pl.Series, column: str) -> str:
    """Return the pattern that fits the most values, refusing where two fit equally well."""
    values = text.drop_nulls()
    sample = values.head(_SAMPLE).unique()
    if not len(sample):
        return PATTERNS[0]
    best = _best(sample)
    if len(best) > 1 and len(values) > _SAMPLE:
        best = _best(values.unique(), best)
    if not best:
        raise InputError(
            "The column does not look like dates; name another, or declare their form with time_format.",
            code="not-date",
            row=1,
            column=column,
            parameter="time_format",
        )
    first = _parse(sample, best[0])
    best = (best[0], *(other for other in best[1:] if not _parse(sample, other).equals(first)))
    if len(best) > 1:
        forms = " or ".join(_example(pattern) for pattern in best)
        raise InputError(
            f"The dates can be read in more than one way ({forms}); say which with time_format.",
            code="not-date",
            column=column,
            parameter="time_format",
        )
    return best[0]


def _best(values: pl.Series, patterns: tuple[str, ...] = PATTERNS) -> tuple[str, ...]:
    shaped = (p for p in _likely(values, patterns) if values.str.contains(_shape(p)).any())
    fits = {pattern: len(values) - _parse(values, pattern).null_count() for pattern in shaped}
    most = max(fits.values(), default=0)
    return tuple(pattern for pattern, fit in fits.items() if fit == most) if most else ()


def _likely(values: pl.Series, patterns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the patterns that fit a value once all its digits are 0, which every number of a shape may be.

    Few forms are left then, and most of the patterns go without a look at the values.
    """
    forms = values.str.replace_all("[0-9]", "0").unique().to_list()
    return tuple(p for p in patterns if any(map(re.compile(_shape(p)).search, forms)))


def _writing(text: pl.Series, times: pl.Series, pattern: str) -> str:
    """Return the strftime pattern, zero-padded or not, that writes the times back as they stood."""
    text, times = text.head(_SAMPLE), times.head(_SAMPLE)
    bare_date = pattern.replace("%m", "%-m").replace("%d", "%-d")
    candidates = (pattern, bare_date, _bare_clock(bare_date), _bare_clock(pattern))
    for candidate in candidates:
        if times.dt.strftime(candidate).equals(text, null_equal=True):
            return candidate
    return pattern


def _bare_clock(pattern: str) -> str:
    return pattern.replace("%H", "%-H").replace("%I", "%-I")


def _example(pattern: str) -> str:
    """Return the pattern in letters a person reads: YYYY/MM/DD hh:mm."""
    letters = {"%Y": "YYYY", "%m": "MM", "%d": "DD", "%H": "hh", "%M": "mm", "%S": "ss", "%.f": ".fff",
               "%b": "Mon", "%y": "YY", "%I": "hh", "%p": "AM"}  # fmt: skip
    for sign, word in letters.items():
        pattern = pattern.replace(sign, word)
    return pattern
