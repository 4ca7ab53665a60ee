"""Permutations of people with which 004's cheats declare somebody else's record to be one's own.

Person i is declared to be record p(i). At a fixed point, p(i) = i, the declaration is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Permutation = NDArray[np.int64]


def shift(order: Permutation) -> Permutation:
    """Return p with everybody the next one in this order, the last one the first; nobody stays (n > 1).

    In the order 1 to n it is p(i) = (i mod n) + 1; in a random one a random cycle through all people.
    """
    p = np.empty(len(order), dtype=np.int64)
    p[order] = np.roll(order, -1)
    return p


def within(groups: NDArray[np.int64], draws: NDArray[np.uint64] | NDArray[np.float64]) -> Permutation:
    """Return a random permutation inside each group of equal labels (one group: a plain shuffle).

    Args:
        groups: the group of every person.
        draws: a random number for each.
    """
    p = np.empty(len(groups), dtype=np.int64)
    p[np.argsort(groups, kind="stable")] = np.lexsort((draws, groups))
    return p
