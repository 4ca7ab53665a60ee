"""A rate never walks alone: every share comes with its 95 % interval."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95 % interval; `exact` means that it was counted over all cases, not estimated."""

    value: float
    low: float
    high: float
    exact: bool = False

    @classmethod
    def known(cls, value: float) -> Rate:
        """Return a share that was counted completely: its interval is itself."""
        return cls(value, value, value, exact=True)

    @classmethod
    def estimated(cls, hits: int, trials: int) -> Rate:
        """Return hits / trials with the Wilson interval.

        Trials spread evenly over people vary less than independent ones, so for them the interval is on the
        wide side.
        """
        from scipy.stats import binomtest  # noqa: PLC0415 - slow to load, needed rarely

        interval = binomtest(hits, trials).proportion_ci(method="wilson")
        return cls(hits / trials, float(interval.low), float(interval.high))
