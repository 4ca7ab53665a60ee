"""Times, numbers and texts as pages show them."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any, Final

from jinja2 import pass_context
from markupsafe import Markup, escape

from kakurenbo.report import words

if TYPE_CHECKING:
    from jinja2.runtime import Context


def moment(value: dt.datetime | None) -> str | Markup:
    """Return a time to the minute, in UTC, that programs can read too."""
    return _time(value, "%Y-%m-%d %H:%M UTC")


def exactly(value: dt.datetime | None) -> str | Markup:
    """Return a time to the microsecond, in UTC, as receipts need it."""
    return _time(value, "%Y-%m-%d %H:%M:%S.%f UTC")


def day(value: dt.datetime | None) -> str | Markup:
    """Return the day of a time, in UTC."""
    return _time(value, "%Y-%m-%d")


def _time(value: dt.datetime | None, form: str) -> str | Markup:
    if value is None:
        return "-"
    utc = value.astimezone(dt.UTC)
    return Markup('<time datetime="{}">{}</time>').format(_machine(utc), utc.strftime(form))


def _machine(utc: dt.datetime) -> str:
    return utc.isoformat(timespec="seconds").replace("+00:00", "Z")


@pass_context
def countdown(context: Context, value: dt.datetime | None) -> str | Markup:
    """Return how long it is until a time; a script goes on counting."""
    if value is None:
        return "-"
    t, left = context["t"], value - context["now"]
    units = {"d": t("{n} d"), "h": t("{n} h"), "m": t("{n} min"), "s": t("{n} s"), "over": t("now")}
    attributes = Markup(" ").join(Markup('data-{}="{}"').format(name, text) for name, text in units.items())
    return Markup('<time data-countdown datetime="{}" {}>{}</time>').format(
        _machine(value.astimezone(dt.UTC)), attributes, remaining(left, units)
    )


def remaining(left: dt.timedelta, units: dict[str, str]) -> str:
    """Return a stretch of time in its two largest units."""
    seconds = int(left.total_seconds())
    if seconds <= 0:
        return units["over"]
    sizes = {"d": seconds // 86400, "h": seconds // 3600 % 24, "m": seconds // 60 % 60, "s": seconds % 60}
    names = list(sizes)
    first = next(place for place, name in enumerate(names) if sizes[name])
    return " ".join(units[name].replace("{n}", str(sizes[name])) for name in names[first : first + 2])


def decimals(value: float | None, digits: int = 4) -> str:
    """Return a number with so many digits after the point."""
    return "-" if value is None else f"{value:.{digits}f}"


def percent(value: float | None) -> str:
    """Return a share as per cent."""
    return "-" if value is None else words.percent(value)


def filesize(value: int) -> str:
    """Return bytes as people say them."""
    size, unit = float(value), 0
    while size >= 1000 and unit < 3:
        size, unit = size / 1000, unit + 1
    return f"{size:.0f}\u00a0B" if unit == 0 else f"{size:.1f}\u00a0{('', 'kB', 'MB', 'GB')[unit]}"


def paragraphs(text: str) -> Markup:
    """Return somebody's text as paragraphs; whatever stands in it stays text."""
    parts = re.split(r"\n\s*\n", text.strip())
    return Markup("\n").join(
        Markup("<p>{}</p>").format(Markup("<br>").join(escape(line) for line in part.split("\n")))
        for part in parts
        if part
    )


ALL: Final[dict[str, Any]] = {
    "moment": moment,
    "exactly": exactly,
    "day": day,
    "countdown": countdown,
    "number": words.number,
    "percent": percent,
    "decimals": decimals,
    "filesize": filesize,
    "paragraphs": paragraphs,
}
