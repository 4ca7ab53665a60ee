"""How exposed released people are, whoever asks: how near to any original, how unique, among how many equals.

How many have the same goods is counted of everybody. Where some people were drawn, their points are asked of
everybody in the release, and the first of their names are compared with everybody in the original: a sample
among itself would look emptier than the release is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from kakurenbo.data.blocks import InMemory
from kakurenbo.risk.exposure.nearness import GoodsSets, equals, groups_of, near_anybody, rows_apart
from kakurenbo.risk.exposure.tally import Shelf, Tally
from kakurenbo.risk.exposure.unicity import Asked, drawn_points, unicity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.auditing.input import AuditInput
    from kakurenbo.auditing.vocabulary import Spoken
    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data
    from kakurenbo.progress import Progress
    from kakurenbo.risk.exposure.nearness import Groups, Nearness
    from kakurenbo.risk.exposure.unicity import Unicity

    Exposure = tuple[Nearness, tuple[Unicity, ...], Groups, Mapping[str, str]]

NAMES = 1000  # that are compared with everybody, where some people were drawn


def exposure(given: AuditInput[Data], spoken: Spoken[Data], chance: Chance, progress: Progress) -> Exposure:
    """Return how near released people are to any original, how unique, how many equal; and fingerprints."""
    progress.step("measuring distances", 0)
    original, released = cast("Any", spoken.original), cast("Any", given.released)
    if given.blocks is None:
        unique = tuple(unicity(released, chance.stream("points")))
        return rows_apart(original, released), unique, equals(released), given.fingerprints
    before, after = given.blocks
    groups, unique = among_all(after, released, chance, progress.part(0.0, 0.5))
    steps = progress.part(0.5, 1.0)
    if given.complete:
        near = near_anybody(InMemory(original, 1), released, progress=steps)
    else:
        order = chance.order("near", released.customers)[:NAMES]
        names = released.of(released.customers.gather(np.sort(order)))
        near = near_anybody(before, names, alike=cast("Any", spoken.alike), progress=steps)
    return near, unique, groups, given.fingerprints


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
    rng = chance.stream("points")
    if len(sample.customers) == released.whole.counts["customers"]:
        return equals(sample), tuple(unicity(sample, rng))
    shelf = Shelf.of(released.whole.goods)
    asked = tuple(Asked.of(drawn, shelf) for drawn in drawn_points(sample, rng))
    work = _Ask(GoodsSets(shelf), asked)
    tallies, told = zip(*released.map(work, progress=progress, doing="groups of equals"), strict=True)
    unique = (
        row for one, parts in zip(asked, zip(*told, strict=True), strict=True) for row in one.unicity(parts)
    )
    return groups_of("goods set", Tally.sum(tallies).people), tuple(unique)
