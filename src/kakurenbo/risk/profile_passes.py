"""The profile of a table in blocks, in two passes: what adds up is counted, what is about pairs is sampled.

The first pass counts goods, their holders, people of equal goods and values of the master, and fetches the
records of a sample of people. In the second everybody meets some of the sample, which says how alike two
customers are, and the points of the sample are asked of everybody, which says who is unique. Memory grows
with a block, the sample, the goods, and eight bytes a person for each thing that is compared whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.sampling import Fetch, together
from kakurenbo.risk.exposure.asked import Asked, asked_of, nobody
from kakurenbo.risk.exposure.meetings import Meetings, Met
from kakurenbo.risk.exposure.tally import Shelf, Tally, value_bits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress
    from kakurenbo.risk.exposure.similarity import Similarity
    from kakurenbo.risk.exposure.unicity import Unicity

    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counted:
    """What adds up, of a block or of all.

    Attributes:
        sizes: how many people have 0, 1, 2, ... different goods.
        holders: how many people hold each good of the shelf.
        only: how many goods the last person counted as its holder has; of use where there is but one holder.
        sets: the tally of goods sets.
        values: the tally of every column of the master, and of all under an empty name.
        known: which goods of the shelf have each column of the table of goods.
    """

    sizes: Ints
    holders: Ints
    only: Ints
    sets: Tally
    values: Mapping[str, Tally]
    known: Mapping[str, NDArray[np.bool_]]

    @classmethod
    def sum(cls, parts: Iterable[Counted]) -> Counted:
        """Add up the parts."""
        sizes = holders = only = np.zeros(0, dtype=np.int64)
        sets: list[Tally] = []
        values: dict[str, list[Tally]] = {}
        known: dict[str, NDArray[np.bool_]] = {}
        for part in parts:
            sizes = np.add(*_even(sizes, part.sizes))
            holders = np.add(*_even(holders, part.holders))
            only = np.maximum(*_even(only, part.only))
            sets.append(part.sets)
            for name, tally in part.values.items():
                values.setdefault(name, []).append(tally)
            for name, goods in part.known.items():
                known[name] = known.get(name, False) | goods
        tallies = {name: Tally.sum(each) for name, each in values.items()}
        return cls(sizes, holders, only, Tally.sum(sets), tallies, known)

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.sizes.sum())

    @property
    def goods_per_customer(self) -> float:
        """The mean number of different goods."""
        return int(self.sizes @ np.arange(len(self.sizes))) / self.people

    def quantile(self, share: float) -> float:
        """Return the quantile of the numbers of goods, between two neighbours by their distance."""
        below = np.cumsum(self.sizes)
        place = share * (self.people - 1)
        low, high = (int(np.searchsorted(below, at, side="right")) for at in (int(place), math.ceil(place)))
        return float(np.quantile([low, high], place - int(place)))

    @property
    def mean_intersection(self) -> float | None:
        """The mean number of goods that two people share, exactly."""
        if self.people < 2:
            return None
        pairs = sum(math.comb(count, 2) for count in self.holders.tolist())
        return pairs / math.comb(self.people, 2)

    @property
    def alone_by_a_good(self) -> float:
        """The mean share of a person's goods that nobody else holds, exactly."""
        return math.fsum((1 / self.only[self.holders == 1]).tolist()) / self.people


def _even(one: Ints, other: Ints) -> Iterator[Ints]:
    """Yield both with zeros behind the shorter."""
    width = max(len(one), len(other))
    return (np.pad(each, (0, width - len(each))) for each in (one, other))


@dataclass(frozen=True, eq=False)
class _Count:
    """The first pass: count a block, and fetch what it has of the sample."""

    shelf: Shelf
    fetch: Fetch

    def __call__(self, block: Purchases) -> tuple[Counted, Purchases | None]:
        baskets = block.baskets()
        places, buyers = self.shelf.places(block.goods), baskets.buyers
        holders, only = (np.zeros(len(self.shelf.goods), dtype=np.int64) for _ in range(2))
        holders[places] = buyers
        of = np.zeros(len(buyers), dtype=np.int64)
        of[baskets.matrix.indices] = np.repeat(baskets.sizes, baskets.sizes)
        only[places] = np.where(buyers == 1, of, 0)
        counted = Counted(
            np.bincount(baskets.sizes), holders, only, Tally.of(self.shelf.sets(baskets)),
            _values(block), _known(block, self.shelf),
        )  # fmt: skip
        return counted, self.fetch(block)


def _values(block: Purchases) -> dict[str, Tally]:
    people = block.attributes
    made = {column.name: Tally.of(value_bits([column])) for column in people}
    return made | ({"": Tally.of(value_bits(people))} if people.width > 1 else {})


def _known(block: Purchases, shelf: Shelf) -> dict[str, NDArray[np.bool_]]:
    if block.goods_table is None:
        return {}
    sold = block.goods_table.filter(pl.col("goods").is_in(block.goods.implode()))
    places, made = shelf.places(sold["goods"]), {}
    for column in sold.drop("goods"):
        made[column.name] = np.zeros(len(shelf.goods), dtype=np.bool_)
        made[column.name][places] = column.is_not_null().to_numpy()
    return made


@dataclass(frozen=True, eq=False)
class _Ask:
    """The second pass: everybody in a block meets some of the sample and is asked for its points."""

    meetings: Meetings
    asked: tuple[Asked, ...]

    def __call__(self, block: Purchases) -> tuple[Met, tuple[NDArray[np.uint8], ...]]:
        return self.meetings(block), tuple(asked.others(block) for asked in self.asked)


@dataclass(frozen=True, eq=False)
class Scanned:
    """What two passes found.

    Attributes:
        counted: what adds up, exactly.
        sample: the people drawn, with all their records.
        similarity: how alike two customers are, by the pairs met.
        unicity: who is unique, by the points of the sample.
    """

    counted: Counted
    sample: Purchases
    similarity: Similarity
    unicity: tuple[Unicity, ...]


def scan(blocks: Blocks, people: int, chance: Chance, steps: Progress) -> Scanned:
    """Go through the blocks twice.

    Args:
        blocks: the table; of two people at least.
        people: how many to sample, two at least.
        chance: of the run.
        steps: told how far it is.
    """
    shelf = Shelf.of(blocks.whole.goods)
    first = _Count(shelf, Fetch.of_drawn(blocks, people, chance))
    counted, fetched = _first(blocks.map(first, progress=steps.part(0, 0.4), doing="counting"))
    sample = together(blocks, fetched, people, chance)
    twins = counted.sets.alone < counted.people
    meetings = Meetings.of(sample, shelf, chance, counted.people, twins=twins)
    asked = tuple(asked_of(sample, shelf, chance.stream("points")))
    met, others = [], [nobody(one) for one in asked]
    second = _Ask(meetings, asked)
    for part, told in blocks.map(second, progress=steps.part(0.4, 1), doing="similarity and unicity"):
        met.append(part)
        others = [sofar | more for sofar, more in zip(others, told, strict=True)]
    alone = {"good": counted.alone_by_a_good}
    return Scanned(
        counted, sample, meetings.similarity(met),
        tuple(
            row
            for one, told in zip(asked, others, strict=True)
            for row in one.unicity(told, first=alone.get(one.knowledge))
        ),
    )  # fmt: skip


def _first(
    parts: Iterable[tuple[Counted, Purchases | None]],
) -> tuple[Counted, list[Purchases | None]]:
    fetched: list[Purchases | None] = []

    def counts() -> Iterator[Counted]:
        for counted, part in parts:
            fetched.append(part)
            yield counted

    return Counted.sum(counts()), fetched
