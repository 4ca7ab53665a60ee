"""How exposed released people are among all of them, where some are asked about.

How many have the same goods is counted of everybody. Points of the people drawn are asked of everybody in the
release, and the first of their names are compared with everybody in the original: a sample among itself would
look emptier than the release is.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.errors import InputError
from kakurenbo.kernels.nearest import nearest
from kakurenbo.risk.exposure.nearness import GoodsSets, groups_of, of_distances
from kakurenbo.risk.exposure.tally import Shelf, Tally
from kakurenbo.risk.exposure.unicity import Asked, drawn_points

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress
    from kakurenbo.risk.exposure.nearness import Groups, Nearness
    from kakurenbo.risk.exposure.unicity import Unicity

    Floats = NDArray[np.float64]

NAMES = 1000  # that are compared with everybody


@dataclass(frozen=True, eq=False)
class _Ask:
    """Work: the goods sets of a block, and which points of the sample its people hold."""

    sets: GoodsSets
    asked: tuple[Asked, ...]

    def __call__(self, block: Purchases) -> tuple[Tally, tuple[NDArray[np.uint8], ...]]:
        return self.sets(block), tuple(asked.others(block) for asked in self.asked)


def among_all(
    released: Blocks, sample: Purchases, chance: Chance, progress: Progress
) -> tuple[Groups, tuple[Unicity, ...]]:
    """Return the groups of equals of a whole release, and how unique some of its people are in it.

    Args:
        released: everybody in it.
        sample: the people who are asked about, as they stand in it.
        chance: draws their points.
        progress: told how far it is.
    """
    shelf = Shelf.of(released.whole.goods)
    asked = tuple(Asked.of(drawn, shelf) for drawn in drawn_points(sample, chance.stream("points")))
    work = _Ask(GoodsSets(shelf), asked)
    tallies, told = zip(*released.map(work, progress=progress, doing="groups of equals"), strict=True)
    unique = (
        row for one, parts in zip(asked, zip(*told, strict=True), strict=True) for row in one.unicity(parts)
    )
    return groups_of("goods set", Tally.sum(tallies).people), tuple(unique)


@dataclass(frozen=True, eq=False)
class _Likest:
    """Work: how alike every name is to whoever of a block is most like it."""

    names: Purchases
    pieces: bool
    alike: Callable[[Purchases], Purchases]

    def __call__(self, block: Purchases) -> Floats:
        known = self.alike(block)
        goods = pl.concat([known.goods, self.names.goods]).unique().sort()
        mine, theirs = (data.baskets(quantity=self.pieces).over(goods).matrix for data in (known, self.names))
        return nearest(theirs, mine, "multiset" if self.pieces else "jaccard").score


def near_anybody(
    original: Blocks,
    names: Purchases,
    alike: Callable[[Purchases], Purchases],
    chance: Chance,
    progress: Progress,
) -> Nearness:
    """Return how far the first of some names are from the nearest person of a whole original.

    Args:
        original: everybody in it.
        names: of whom some are compared, as they stand in the release.
        alike: writes a block of the original in the words of the release.
        chance: draws them, where there are many.
        progress: told how far it is.
    """
    order = chance.order("near", names.customers)[:NAMES]
    some = names.of(names.customers.gather(np.sort(order)))
    if "quantity" in original.whole.roles and "quantity" in names.roles:
        with suppress(InputError):  # more pieces than can be counted
            return of_distances("multiset", _apart(original, _Likest(some, True, alike), progress))
    return of_distances("set", _apart(original, _Likest(some, False, alike), progress))


def _apart(original: Blocks, work: _Likest, progress: Progress) -> Floats:
    """Return the distance of every name from the nearest person of all blocks."""
    best: Floats | None = None
    for part in original.map(work, progress=progress, doing="measuring nearness"):
        best = part if best is None else np.maximum(best, part)
    return np.ones(len(work.names.customers)) if best is None else 1 - best
