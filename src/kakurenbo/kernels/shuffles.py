"""Permutations of people with which 004's cheats declare somebody else's record to be one's own.

Person i is declared to be record p(i). At a fixed point, p(i) = i, the declaration is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Permutation = NDArray[np.int64]


def shift(n: int, rng: np.random.Generator | None = None) -> Permutation:
    """Return p(i) = (i mod n) + 1, counted from 1: everybody is his neighbour; nobody stays (n > 1).

    With a generator the people are first put into a random order: a random cycle through all of them.
    """
    order = np.arange(n) if rng is None else rng.permutation(n)
    p = np.empty(n, dtype=np.int64)
    p[order] = np.roll(order, -1)
    return p


def within(groups: NDArray[np.int64], rng: np.random.Generator) -> Permutation:
    """Return a random permutation inside each group of equal labels (one group: a plain shuffle).

    Args:
        groups: the group of every person.
        rng: the source of chance.
    """
    n = len(groups)
    places = np.argsort(groups, kind="stable")
    dealt = np.lexsort((rng.random(n), groups))
    p = np.empty(n, dtype=np.int64)
    p[places] = dealt
    return p
