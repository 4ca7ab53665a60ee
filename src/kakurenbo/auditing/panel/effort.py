"""Effort: how long may be sought, and where seeking on can still raise a rate.

A panel takes its time, and whoever waits may say how much of it there is. Then nobody is asked any more on a
rung where nearly everybody is found already, the quick ways go before the slow ones, and whoever was not
reached is named: what he did not try, he has not shown to be safe.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Finding

_FOUND = 0.99  # of the people; more is hardly to be gained
LATE = "the time was over"


@dataclass(eq=False)
class Effort:
    """The time there is, and the best rate of every rung so far; without minutes nobody is hurried.

    Attributes:
        minutes: that there are; None for as long as it takes.
        began: since when, on the clock of `time.perf_counter`.
    """

    minutes: float | None = None
    began: float = field(default_factory=time.perf_counter)
    _best: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.minutes is not None and not self.minutes > 0:
            raise ParameterError("The minutes must be more than 0.", code="parameter", parameter="minutes")

    @property
    def hurried(self) -> bool:
        """Whether there is an end."""
        return self.minutes is not None

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return self.minutes is not None and time.perf_counter() - self.began >= 60 * self.minutes

    def saw(self, finding: Finding) -> None:
        """Keep the best rate of a rung."""
        best = self._best.get(finding.knowledge, 0.0)
        self._best[finding.knowledge] = max(best, finding.rate.value)

    def spared(self, knowledge: str) -> str:
        """Return why nobody else of a rung is asked; nothing where he is."""
        if self.over:
            return LATE
        if self.hurried and self._best.get(knowledge, 0.0) >= _FOUND:
            return "others who know as much find nearly everybody already"
        return ""
