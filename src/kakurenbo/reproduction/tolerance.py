"""How far ours may be from the print and still agree: declared beside every printed number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kakurenbo.reproduction.results import Spread

_ROUNDING = 1e-9  # what float64 may lose on the way


@dataclass(frozen=True, slots=True)
class Within:
    """Our mean lies within this distance of the print, in its unit or in % of it; 0 means equal."""

    size: float
    percent: bool = False

    def holds(self, printed: float, ours: Spread) -> bool:
        """Tell whether ours agrees."""
        allowed = self.size / 100 * abs(printed) if self.percent else self.size
        return abs(ours.mean - printed) <= allowed + _ROUNDING

    def __str__(self) -> str:
        if not self.size:
            return "equal"
        return f"± {self.size:g} %" if self.percent else f"± {self.size:g}"


@dataclass(frozen=True, slots=True)
class Between:
    """Our mean lies in a span: for numbers that the papers themselves print differently."""

    low: float
    high: float

    def holds(self, printed: float, ours: Spread) -> bool:  # noqa: ARG002 - the span stands for the print
        """Tell whether ours agrees."""
        return self.low <= ours.mean <= self.high

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


Tolerance = Within | Between
