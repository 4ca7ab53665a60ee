"""Numbers as people read them, the same in a terminal and in a file."""

from __future__ import annotations

import math


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
