"""A rate never walks alone: every share comes with its 95 % interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.theory._checks import require

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

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
        return cls(share, *_wilson(share, trials, _Z95))

    @classmethod
    def clustered(cls, chances: ArrayLike, groups: ArrayLike) -> Rate:
        """Return the mean of people's chances with an interval for people who are found together or not.

        With G groups of m_g of the n people, and r_g = sum of (chance - mean) in group g, leaving each group
        out in turn (the jackknife) gives the variance (G-1)/G sum (r_g / (n - m_g))². How many times the
        variance mean (1 - mean) / n of independent people this is, but at least once, is the design effect d.
        The interval is Wilson's for n/d people, with the t quantile of n² / sum m_g² - 1 degrees of freedom:
        as many as groups, less one, where they are of one size. It is never narrower than that of `estimated`
        and, where everybody is a group, nearly the same. Where nobody or everybody is found, nothing shows
        how alike people of a group are, so each counts as one; of a single group nothing can be said but what
        `estimated` says.

        Args:
            chances: everybody's chance to be found, from 0 to 1.
            groups: a label for each of them, the same for those who may share their fate.
        """
        found = np.asarray(chances, dtype=np.float64)
        labels = np.unique(np.asarray(groups), return_inverse=True)[1]
        require(len(found) == len(labels) > 0, "a group for each of at least one person", len(labels))
        require(bool(((found >= 0) & (found <= 1)).all()), "chances from 0 to 1", "one beyond")
        size, people = np.bincount(labels), len(found)
        share = min(math.fsum(found) / people, 1.0)
        if len(size) == 1:
            return cls.estimated(share * people, people)
        even = people**2 / float((size**2).sum())
        effect, plain = people / even, share * (1 - share) / people
        if plain > 0:
            without = np.bincount(labels, found - share) / (people - size)
            effect = max(float((without**2).sum()) * (1 - 1 / len(size)) / plain, 1.0)
        return cls(share, *_wilson(share, people / effect, _quantile(even - 1)))

    @classmethod
    def widest(cls, chances: ArrayLike, labels: Iterable[ArrayLike]) -> Rate:
        """Return the mean of people's chances with the widest interval of all these ways to group them.

        Args:
            chances: as in `clustered`.
            labels: groups as in `clustered`, several times or not at all.
        """
        found = np.asarray(chances, dtype=np.float64)
        plain = cls.estimated(math.fsum(found), len(found))
        made = [plain, *(cls.clustered(found, groups) for groups in labels)]
        return max(made, key=lambda rate: rate.high - rate.low)


def _wilson(share: float, trials: float, z: float) -> tuple[float, float]:
    """Return both ends of the Wilson interval, never beyond the share itself."""
    shrink = 1 + z**2 / trials
    middle = (share + z**2 / (2 * trials)) / shrink
    half = z * math.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2)) / shrink
    return min(max(middle - half, 0.0), share), max(min(middle + half, 1.0), share)


def _quantile(freedom: float) -> float:
    """Return the t quantile of 0.975, with one degree of freedom at least."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to load

    return float(stdtrit(max(freedom, 1.0), 0.975))
