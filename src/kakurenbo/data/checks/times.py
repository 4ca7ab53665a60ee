"""Dates and times at the door: find the one pattern that fits, and keep it for the release.

A pattern is never guessed where two readings are possible: 3/4/2011 alone is refused with the advice to say
which. Once chosen, the pattern must fit every row, so 30 February is an error with its row and not a missing
value. Years have four digits, 0001 to 9999: 99 is read only by a declared pattern that says so (%y).
"""

from __future__ import annotations

import re
from functools import cache

import polars as pl

from kakurenbo.data.checks.columns import refuse_rows
from kakurenbo.data.checks.ids import trimmed
from kakurenbo.errors import InputError, ParameterError

_DATES = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d.%m.%Y", "%d-%m-%Y", "%m/%d/%Y", "%d/%m/%Y")
_CLOCKS = ("", " %H:%M", " %H:%M:%S", "T%H:%M:%S", "T%H:%M", " %H:%M:%S%.f", "T%H:%M:%S%.f")
PATTERNS = tuple(date + clock for clock in _CLOCKS for date in _DATES)
_SAMPLE = 2000
_LAST_YEAR = 9999
_TENS = {
    "%m": "01",
    "%d": "0-3",
    "%H": "0-2",
    "%M": "0-5",
    "%S": "0-5",
}  # first digits of the numbers that have two


def as_times(values: pl.Series, *, column: str, pattern: str | None = None) -> tuple[pl.Series, str | None]:
    """Return the values as Datetime, and the strftime pattern that writes them back (None if typed)."""
    if values.dtype == pl.Datetime:
        values = values.dt.replace_time_zone(None)
    if values.dtype in (pl.Datetime, pl.Date, pl.Null):  # a Datetime equals its class, but hashes apart
        years = values.cast(pl.Datetime("us"), strict=False).dt.year()
        message = "A date is before the year 1 or after 9999; mend it, or leave the role time out."
        refuse_rows(values.is_not_null() & ~_exists(years), message, code="not-date", column=column)
        return values.cast(pl.Datetime("us")), "%Y-%m-%d" if values.dtype == pl.Date else None
    if values.dtype != pl.String:
        raise InputError(
            f"Expected dates, but the column holds {values.dtype.base_type()}.",
            code="not-date",
            column=column,
        )
    text = trimmed(values)
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
    return times, _writing(text, times, chosen)


def written(times: pl.Expr, pattern: str) -> pl.Expr:
    """Return times as text of a pattern."""
    return times.dt.strftime(pattern)


def _parse(text: pl.Series, pattern: str) -> pl.Series:
    """Return the times that are written so, null for the others."""
    shaped = text.to_frame("t").select(pl.when(pl.col("t").str.contains(_shape(pattern))).then("t"))["t"]
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
    fits = {pattern: len(values) - _parse(values, pattern).null_count() for pattern in patterns}
    most = max(fits.values())
    return tuple(pattern for pattern, fit in fits.items() if fit == most) if most else ()


def _writing(text: pl.Series, times: pl.Series, pattern: str) -> str:
    """Return the strftime pattern, zero-padded or not, that writes the times back as they stood."""
    text, times = text.head(_SAMPLE), times.head(_SAMPLE)
    bare_date = pattern.replace("%m", "%-m").replace("%d", "%-d")
    candidates = (pattern, bare_date, bare_date.replace("%H", "%-H"), pattern.replace("%H", "%-H"))
    for candidate in candidates:
        if times.dt.strftime(candidate).equals(text, null_equal=True):
            return candidate
    return pattern


def _example(pattern: str) -> str:
    """Return the pattern in letters a person reads: YYYY/MM/DD hh:mm."""
    letters = {"%Y": "YYYY", "%m": "MM", "%d": "DD", "%H": "hh", "%M": "mm", "%S": "ss", "%.f": ".fff"}
    for sign, word in letters.items():
        pattern = pattern.replace(sign, word)
    return pattern
