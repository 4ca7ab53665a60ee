"""A rate never walks alone: every share comes with its 95 % interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

_Z95 = 1.959963984540054  # the normal quantile of 0.975


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
    def estimated(cls, hits: float, trials: int) -> Rate:
        """Return hits / trials with the Wilson interval.

        (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n), with z = 1.96. Hits may be a fraction: the
        expected number over ties. Trials spread evenly over people vary less than independent ones, so for
        them the interval is on the wide side.
        """
        share = hits / trials
        shrink = 1 + _Z95**2 / trials
        middle = (share + _Z95**2 / (2 * trials)) / shrink
        half = _Z95 * math.sqrt(share * (1 - share) / trials + _Z95**2 / (4 * trials**2)) / shrink
        return cls(share, min(max(middle - half, 0.0), share), max(min(middle + half, 1.0), share))
