"""Equal sets: how many people in a release have exactly the same goods.

A person who shares his goods set with s - 1 others cannot be told from them by goods alone: the promise of
Methods 1 and 2 and of `compact`. Sets are compared by hashing each row, never pair by pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Measure

if TYPE_CHECKING:
    from kakurenbo.data.pairing import Pairing


def group_sizes(purchases: Purchases) -> list[int]:
    """Return the sizes of the groups of customers with equal goods sets, ascending."""
    return sorted(np.bincount(purchases.baskets().groups).tolist())


class SmallestGroup(Measure[Purchases]):
    """The fewest people who share one goods set in the release: the k of k-anonymity on goods sets."""

    about: ClassVar = MeasureAbout(
        name="smallest-group", kind="purchases", source="k-anonymity on goods sets", kept="risk",
        unit="people", better="higher",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the size of the smallest group."""
        return group_sizes(released)[0]


class MeanGroup(Measure[Purchases]):
    """The mean size of the groups of people who share one goods set in the release."""

    about: ClassVar = MeasureAbout(
        name="mean-group", kind="purchases", source="k-anonymity on goods sets", kept="risk", unit="people",
        better="higher",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return people / groups."""
        sizes = group_sizes(released)
        return sum(sizes) / len(sizes)
