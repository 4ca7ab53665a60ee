"""Sort: who stands in the same place when everybody is lined up by the sum of their amounts?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.attacks.microdata.base import MicrodataAttack, Scaling, SomeSa, chosen, first_sa, numbers
from kakurenbo.data.crowds import CrowdGuess, Links
from kakurenbo.kernels.euclid import assign_in_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata


class IdentifySort(MicrodataAttack):
    """E3 identify-sort: ranks both tables by the sum of the sensitive attributes and matches equal ranks.

    Needs no quasi-identifier, so changing those does not help against him. He is led astray by deleted rows,
    which shift all ranks; as a one-to-one assignment he is not.
    """

    s: SomeSa = ()
    scaling: Scaling = "none"

    def link(self, original: Microdata, released: Microdata, rng: np.random.Generator) -> CrowdGuess:
        """Match equal ranks; where sums tie, every order of them is equally likely."""
        first_sa(self.s, original, released)
        a, b = numbers(original, released, chosen(self.s, original, released, "sa"), self.scaling)
        mine, theirs = a.sum(axis=1), b.sum(axis=1)
        group, their_sizes = _groups(theirs)
        my_group, my_sizes = _groups(mine)
        if self.reading == "assignment":
            one, other = np.zeros(len(theirs), dtype=np.int64), np.zeros(len(mine), dtype=np.int64)
            paired = assign_in_groups(theirs[:, None], one, mine[:, None], other, rng)
            return CrowdGuess.paired(released.ids, original.ids, (group, my_group), paired)
        links = _equal_ranks(their_sizes, my_sizes)
        return CrowdGuess.among(released.ids, original.ids, (group, my_group), links, rng)


def _groups(sums: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the group of equal sums that each row is in, ascending, and the groups' sizes."""
    _, group, sizes = np.unique(sums, return_inverse=True, return_counts=True)
    return group.astype(np.int64), sizes.astype(np.int64)


def _equal_ranks(theirs: NDArray[np.int64], mine: NDArray[np.int64]) -> Links:
    """Link groups that share ranks: chance = shared ranks / (size of the one x size of the other)."""
    cuts = np.unique(np.concatenate([[0], np.cumsum(theirs), np.cumsum(mine)]))
    cuts = cuts[cuts <= min(theirs.sum(), mine.sum())]
    start, shared = cuts[:-1], np.diff(cuts)
    one = np.searchsorted(np.cumsum(theirs), start, side="right")
    other = np.searchsorted(np.cumsum(mine), start, side="right")
    return Links(one, other, shared / (theirs[one] * mine[other]))
