"""Numbers, shares, times and parameters as people read them, the same in a terminal and in every format."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from kakurenbo.theory.rate import Rate


def number(value: float | str | None) -> str:
    """Return a number with the digits worth reading; text as it is, and a dash for nothing or no number."""
    if isinstance(value, str):
        return value
    if value is None or not math.isfinite(value):
        return "-"
    size = abs(value)
    if size >= 100 or value == round(value):
        return f"{value + 0.0:,.0f}"
    return f"{value:.4f}" if size < 10 else f"{value:.2f}"


def signed(value: float | None, digits: int | None = None) -> str:
    """Return a difference with its sign; one that rounds to nothing is 0."""
    if value is None:
        return "-"
    text = number(value) if digits is None else f"{value:.{digits}f}"
    if not text.strip("-0.,"):
        return "0"
    return text if text.startswith("-") else f"+{text}"


def percent(share: float) -> str:
    """Return a share, or a difference of two, as per cent, never rounded to none or all if it is neither."""
    value = 100 * share
    if value in {0, 100}:
        return f"{value + 0.0:.0f}\u00a0%"
    if value < 0:
        return f"-{percent(-share)}" if value <= -0.01 else ">\u00a0-0.01\u00a0%"
    if value < 0.01:
        return "<\u00a00.01\u00a0%"
    if 99.95 <= value < 100:
        return ">\u00a099.9\u00a0%"
    return f"{value:.2f}\u00a0%" if value < 1 else f"{value:.1f}\u00a0%"


def asked(share: float) -> str:
    """Return a limit as it was given."""
    return f"{100 * share:g}\u00a0%"


def interval(rate: Rate) -> str:
    """Return the 95 % interval, or that the rate was counted."""
    return "counted" if rate.exact else f"{percent(rate.low)} to {percent(rate.high)}"


def rated(rate: Rate) -> str:
    """Return a rate with its 95 % interval, if it has one."""
    return percent(rate.value) + ("" if rate.exact else f" ({interval(rate)})")


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def some(names: Sequence[str], most: int) -> str:
    """Return names, of many the first and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most + 1 else ""
    return ", ".join(names[:most] if more else names) + more


def listed(parameters: Mapping[str, Any]) -> str:
    """Return parameters as name = value; what was left open is left out."""
    pairs = [f"{name} = {_said(value)}" for name, value in parameters.items() if value is not None]
    return ", ".join(pairs) or "none"


def _said(value: Any) -> str:  # noqa: ANN401 - whatever a parameter may be
    return " + ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
