"""Chance within the group: the attacker finds the group and then can only guess.

Where s people are released with one and the same goods set, goods cannot tell them apart. This attacker
takes the s known people whose goods fit that set best and names one of them at random: 000's "random
re-identification", and the floor that no goods-set attack on such a release should be below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import AttackAbout
from kakurenbo.attacks.base import Traces
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.data.guess import Guess
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic
from kakurenbo.kernels.nearest import top

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.chance import Chance
    from kakurenbo.data.baskets import Baskets
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix


class ChanceAttack(PurchasesAttack):
    """Knows what everybody bought, finds the s people who fit a set that s share, and names any of them."""

    about: ClassVar = AttackAbout(
        name="chance", kind="purchases", source="000 table 8, random Reid", promises=("finds-copies",),
        absent="it is the floor of the attacks on goods sets, and none of them is below it",
    )  # fmt: skip
    point: ClassVar[tuple[Role, ...]] = ("customer", "goods")

    def compares(self, data: Purchases) -> Traces:  # noqa: ARG002 - the same of all
        """Return the goods."""
        return Traces((("goods",),), "set", "presence")

    def rerank(self, tables: Tables[Purchases], chance: Chance) -> Guess:
        """Draw among the best fitting known people, as many as share the released set."""
        known, released = self.known(tables), tables.released
        goods = pl.concat([known.goods, released.goods]).unique().sort()
        mine, theirs = known.baskets().over(goods), released.baskets().over(goods)
        candidates = _candidates(theirs, mine)
        indptr = np.concatenate([[0], np.cumsum([len(row) for row in candidates])])
        return Guess.drawn(theirs.customers, mine.customers, indptr, np.concatenate(candidates), chance)


def _candidates(released: Baskets, known: Baskets) -> list[NDArray[np.int64]]:
    """Return for every released row the known rows that fit its set best, as many as share that set."""
    group = released.groups
    size = np.bincount(group)
    example = np.unique(group, return_index=True)[1]
    fitting: list[NDArray[np.int64]] = [np.empty(0, np.int64)] * len(size)
    for count in np.unique(size):
        same = np.flatnonzero(size == count)
        rows = _best(released.matrix[example[same]], known, int(count))
        for number, row in zip(same, rows, strict=True):
            fitting[number] = row
    return [fitting[number] for number in group]


def _best(sets: Matrix, known: Baskets, count: int) -> list[NDArray[np.int64]]:
    """Return the `count` best fitting known rows of each set, and who fits as well as the last of them."""
    asked = min(2 * count, len(known.customers))
    while True:
        best = top(sets, known.matrix, asked, "containment")
        last = best.indices[:, min(count, asked) - 1]
        equal = (best.score == best.score[:, [min(count, asked) - 1]]) & (
            known.sizes[best.indices] == known.sizes[last][:, None]
        )
        keep = (best.indices >= 0) & (equal | (np.arange(asked) < count))
        if asked == len(known.customers) or not keep[:, -1].any():
            return [row[kept] for row, kept in zip(best.indices, keep, strict=True)]
        asked = min(2 * asked, len(known.customers))
