"""Linked names: how well names of a release are joined to each other, where people have several.

Who finds one name of a person learns through its links what stands under the others. A person with n names
has n - 1 pairs of them, one after the other; so has a chain of names that are taken for one person's. Counted
are the links that are right, and the pairs that are found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Linked:
    """What links are worth.

    Attributes:
        links: pairs of names, one after the other in a chain.
        right: the share of them that are one person's; None without links.
        found: the share of people's own pairs that stand in one chain; None without any.
    """

    links: int
    right: Rate | None
    found: Rate | None


def linked(chain: Ints, when: Ints, whose: Ints) -> Linked:
    """Compare chains with the truth.

    Args:
        chain: a number for every name, the same for names that are taken for one person's.
        when: when each name lives.
        whose: the person of every name; -1 for a name of nobody, or of several.
    """
    first, second = _in_turn(chain, when)
    mine, next_ = _in_turn(whose, when)
    told = whose[mine] >= 0
    right = int(((whose[first] == whose[second]) & (whose[first] >= 0)).sum())
    found = int((chain[mine] == chain[next_])[told].sum())
    pairs = int(told.sum())
    return Linked(
        len(first),
        Rate.estimated(right, len(first)) if len(first) else None,
        Rate.estimated(found, pairs) if pairs else None,
    )


def links(chain: Ints) -> int:
    """Return how many pairs of names, one after the other, chains join."""
    return len(chain) - len(np.unique(chain))


def _in_turn(label: Ints, when: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of names of the same label, one after the other."""
    order = np.lexsort((when, label))
    same = label[order][:-1] == label[order][1:]
    return order[:-1][same], order[1:][same]
