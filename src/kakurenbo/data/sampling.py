"""Some people out of many: who is drawn, and everything that stands of them in data and release.

What is said of a million people can be measured on ten thousand, if these are drawn by chance. Everybody has
a random number of his own, by seed and id, and the people with the lowest numbers are drawn: the same ones in
any order, in blocks of any size and on a cluster, and a larger draw holds the smaller. Their records are
fetched in one pass over the data and one over the release, as two small tables that everything written for
tables can work on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.checks.ids import stacked
from kakurenbo.data.checks.policy import Dropped
from kakurenbo.data.owners import Owners
from kakurenbo.errors import InputError
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases

TARGETS = 10_000
_PURPOSE = "targets"
_EVERYBODY = 2**64  # what nobody's number reaches
_DEVIATIONS = 10  # beyond which a draw is never short


def drawn(people: pl.Series, wanted: int | None, chance: Chance) -> pl.Series:
    """Return so many of these distinct ids, drawn by chance and sorted; all of them for None."""
    if wanted is None or wanted >= len(people):
        return people.cast(pl.String).sort()
    numbers = chance.numbers(_PURPOSE, people)
    lowest = np.argpartition(numbers, wanted)[:wanted]
    return people.cast(pl.String).gather(lowest).sort()


def draw(
    blocks: Blocks, wanted: int | None, chance: Chance, *, progress: Progress | None = None
) -> pl.Series:
    """Return the ids of so many customers, drawn as `drawn` does, by a pass over the blocks."""
    low = Low.of(blocks, wanted, chance)
    parts = blocks.map(low, progress=progress, doing="drawing people")
    return drawn(pl.concat(list(parts)), wanted, chance)


def fetched(blocks: Blocks, people: pl.Series, *, progress: Progress | None = None) -> Purchases:
    """Return all that the blocks hold of these customers, as a table of its own; one pass."""
    work = Fetch.of_named(people)
    return together(blocks, blocks.map(work, progress=progress, doing="fetching records"))


def draw_and_fetch(
    blocks: Blocks, wanted: int | None, chance: Chance, *, progress: Progress | None = None
) -> Purchases:
    """Return all that the blocks hold of so many customers, those whom `draw` draws; one pass."""
    work = Fetch.of_drawn(blocks, wanted, chance)
    return together(blocks, blocks.map(work, progress=progress, doing="fetching records"), wanted, chance)


@dataclass(frozen=True, eq=False)
class Sample:
    """Some people, as they stand in the data and in its release.

    Attributes:
        original: all records of those drawn.
        released: all records under their names, and a share of the fakes like theirs.
        owners: whose the names are; None where that is not known and names were drawn apart.
        people: how many were drawn.
        everybody: out of how many.
    """

    original: Purchases
    released: Purchases
    owners: Owners | None
    people: int
    everybody: int

    @property
    def complete(self) -> bool:
        """Whether everybody was drawn."""
        return self.people == self.everybody


def sample(
    original: Blocks,
    released: Blocks,
    secret: Owners | Pairing | None,
    wanted: int | None,
    chance: Chance,
    *,
    people: pl.Series | None = None,
    progress: Progress | None = None,
) -> Sample:
    """Draw people and fetch what stands of them on both sides: one pass over each.

    Args:
        original: the data before.
        released: the data after.
        secret: who is who in the release; without it as large a share of the names is drawn as of the people.
        wanted: how many to draw, None for everybody.
        chance: of the run.
        people: whom to take instead, where they have been drawn already.
        progress: told how far it is.
    """
    everybody = original.whole.counts["customers"]
    steps = progress or Progress()
    if people is None:
        before = draw_and_fetch(original, wanted, chance, progress=steps.part(0, 0.5))
    else:
        before = fetched(original, people, progress=steps.part(0, 0.5))
    share = len(before.customers) / everybody
    if secret is None:
        count = max(round(share * released.whole.counts["customers"]), 1)
        owners, after = None, draw_and_fetch(released, count, chance, progress=steps.part(0.5, 1))
    else:
        owners = owners_among(secret, before.customers, share, chance)
        after = fetched(released, owners.names, progress=steps.part(0.5, 1))
    return Sample(before, after, owners, len(before.customers), everybody)


def parts_of(some: Sample, count: int, chance: Chance, *, only: bool = False) -> Iterator[Sample]:
    """Yield the sample without each of so many parts of its people and fakes, drawn by chance.

    Or `only` each of these parts.
    """
    owners = some.owners
    there, names = some.original.customers, some.released.customers
    group = _dealt(there, count, chance)
    apart = _dealt(names, count, chance)
    for part in range(count):
        people = there.filter(pl.Series((group == part) == only))
        kept, theirs = names.filter(pl.Series((apart == part) == only)), None
        if owners is not None:
            rows = owners.frame.filter(
                pl.col("original").is_in(people.implode())
                | (pl.col("original").is_null() & pl.col("released").is_in(kept.implode()))
            )
            theirs = Owners(rows["released"], rows["original"])
            kept = theirs.names
        before, after = _part(some.original, people), _part(some.released, kept)
        before = replace(before, hierarchies=some.original.hierarchies)
        after = replace(after, hierarchies=some.released.hierarchies)
        yield Sample(before, after, theirs, len(people), some.everybody)


def _dealt(people: pl.Series, count: int, chance: Chance) -> NDArray[np.int64]:
    """Return the part of each person, all parts of the same size but for one person."""
    part = np.empty(len(people), dtype=np.int64)
    part[chance.order("parts", people)] = np.arange(len(people)) % count
    return part


def jackknife(without: Sequence[float]) -> float:
    """Return half of the 95 % interval of a number, from what it is without each part of the people."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to load

    count, values = len(without), np.asarray(without, dtype=np.float64)
    variance = (count - 1) / count * float(((values - values.mean()) ** 2).sum())
    return float(stdtrit(count - 1, 0.975)) * math.sqrt(variance)


def random_groups(each: Sequence[float]) -> float:
    """Return half of the 95 % interval of a number, from what it is of each of some equal groups."""
    from scipy.special import stdtrit  # noqa: PLC0415 - slow to load

    count = len(each)
    return float(stdtrit(count - 1, 0.975)) * float(np.std(each, ddof=1)) / math.sqrt(count)


def owners_among(secret: Owners | Pairing, people: pl.Series, share: float, chance: Chance) -> Owners:
    """Return the part of a secret that speaks of these people, and such a share of the fakes."""
    rows = Owners.of(secret).frame
    theirs = rows.filter(pl.col("original").is_in(people.implode()))
    if not theirs.height:
        raise InputError("Nobody of those drawn is in the release; draw more people.", code="unknown-id")
    fakes = rows.filter(pl.col("original").is_null())
    kept = drawn(fakes["released"], round(share * fakes.height), chance)
    both = pl.concat([theirs, fakes.filter(pl.col("released").is_in(kept.implode()))])
    return Owners(both["released"], both["original"])


def together(
    blocks: Blocks, parts: Iterable[Purchases | None], wanted: int | None = None, chance: Chance | None = None
) -> Purchases:
    """Return what `Fetch` brought from every block as one table, of no more people than wanted."""
    there = [part for part in parts if part is not None]
    if not there:
        raise InputError("Nobody of those drawn is in the table; draw more people.", code="unknown-id")
    records = stacked([part.records for part in there]).sort("customer", maintain_order=True)
    masters = [part.master for part in there if part.master is not None]
    made = there[0].with_records(records, master=pl.concat(masters).sort("customer") if masters else None)
    spoken = [part.goods_table for part in there if part.goods_table is not None]
    if spoken:
        made = replace(made, goods_table=pl.concat(spoken).unique("goods").sort("goods"))
    if chance is not None:
        made = _part(made, drawn(made.customers, wanted, chance))
    return replace(made, hierarchies=blocks.whole.hierarchies, source=blocks.whole.source)


def places(people: pl.Series, among: pl.Series) -> NDArray[np.int64]:
    """Return the place of each person among others, -1 where he is not."""
    place = people.cast(pl.Enum(among), strict=False).to_physical().cast(pl.Int64)
    return place.fill_null(-1).to_numpy()


def _part(block: Purchases, people: pl.Series) -> Purchases:
    """Return what a block holds of these of its people, without the hierarchies that all share."""
    master = block.master
    if master is not None:
        master = master.filter(pl.col("customer").is_in(people.implode()))
    if len(people) == len(block.customers):
        part = replace(block, master=master, dropped=Dropped(), source=None)
    else:
        inside = block.customers.is_in(people.implode())
        rows = inside.to_numpy()[block.records["customer"].to_physical().to_numpy()]
        part = block.with_records(block.records.filter(pl.Series(rows)), master=master)
    spoken = block.goods_table
    if spoken is not None:
        spoken = spoken.filter(pl.col("goods").is_in(part.goods.implode()))
    return replace(part, goods_table=spoken, hierarchies={})


@dataclass(frozen=True)
class Low:
    """Who has a number low enough that he may be drawn: the customers of a block, or any people."""

    chance: Chance
    below: int

    @classmethod
    def of(cls, blocks: Blocks, wanted: int | None, chance: Chance) -> Low:
        """Set the bound so that more people than wanted stay below, but not many more."""
        everybody = blocks.whole.counts["customers"]
        if wanted is None or wanted >= everybody:
            return cls(chance, _EVERYBODY)
        likely = wanted + _DEVIATIONS * (1 + math.isqrt(wanted))
        return cls(chance, min(_EVERYBODY * likely // everybody, _EVERYBODY))

    def __call__(self, block: Purchases) -> pl.Series:
        """Return those of a block."""
        everybody = self.below == _EVERYBODY
        return block.customers if everybody else block.customers.filter(self.among(block.customers))

    def among(self, people: pl.Series) -> pl.Series:
        """Tell which of these people they are."""
        return pl.Series(self.chance.numbers(_PURPOSE, people) <= np.uint64(self.below - 1))


@dataclass(frozen=True, eq=False)
class _Named:
    """The customers of a block who are among these people."""

    people: pl.Series

    def __call__(self, block: Purchases) -> pl.Series:
        return block.customers.filter(block.customers.is_in(self.people.implode()))


@dataclass(frozen=True, eq=False)
class Fetch:
    """What a block holds of some of its people, None where it has none of them."""

    whom: Low | _Named

    @classmethod
    def of_drawn(cls, blocks: Blocks, wanted: int | None, chance: Chance) -> Fetch:
        """Fetch all who may be among so many drawn; `together` leaves those who are."""
        return cls(Low.of(blocks, wanted, chance))

    @classmethod
    def of_named(cls, people: pl.Series) -> Fetch:
        """Fetch these people."""
        return cls(_Named(people.cast(pl.String)))

    def __call__(self, block: Purchases) -> Purchases | None:
        """Return the part of the block."""
        people = self.whom(block)
        return _part(block, people) if len(people) else None
