"""Traces counted over blocks: which of them k people share, and who has these.

A first pass counts the people and the records of every trace. What fewer than k people have is rare whatever
goes with it, so only the others are gathered, by a second pass: a number of four bytes for every trace of
every person. Both passes add up over blocks, and people are whole in a block, so nothing depends on how many
there are.

Memory: some 30 bytes a trace in the first pass, some 30 a person and shared trace for the gathered, kernel
included. Where that would be more than a machine has, it is refused: above `MOST_TRACES` and `MOST_HELD`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.errors import ParameterError
from kakurenbo.kernels.suppression import rare_combinations, suppress

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

MOST_TRACES = 100_000_000  # 3 GiB
MOST_HELD = 100_000_000  # 3 GiB
_HELP = "Make times coarser or generalise the goods first."


@dataclass(frozen=True, eq=False)
class Shared:
    """The traces that at least k people have.

    Attributes:
        goods: what goods are called in the blocks, sorted.
        numbers: (good, its place in `goods`; time where the table shows it; trace, their number).
        people: how many have each.
        records: and on how many records.
        rare: how many traces fewer people have.
    """

    goods: pl.Series
    numbers: pl.DataFrame
    people: Ints
    records: Ints
    rare: int

    @classmethod
    def counted(cls, blocks: Blocks, goods: pl.Series, k: int, progress: Progress | None = None) -> Shared:
        """Count the traces of all blocks, whose goods are among these, sorted ones."""
        counts = blocks.map(_Count(goods), progress=progress, doing="counting what is rare")
        counted = _added_up(counts)
        keys = counted.drop("people", "records").columns
        shared = counted.filter(pl.col("people") >= k).sort(keys, nulls_last=True)
        numbers = shared.select(*keys, trace=pl.int_range(pl.len(), dtype=pl.Int32))
        people, records = (shared[name].to_numpy().astype(np.int64) for name in ("people", "records"))
        return cls(goods, numbers, people, records, counted.height - shared.height)

    def cells(self, data: Purchases) -> Ints:
        """Return who has what, as one ascending number, for every record of a block; -1 where it is rare."""
        keys = _keys(data, self.goods)
        found = keys.join(self.numbers, on=keys.columns, how="left", nulls_equal=True, maintain_order="left")
        trace = found["trace"].fill_null(-1).to_numpy().astype(np.int64)
        who = data.records["customer"].to_physical().to_numpy().astype(np.int64)
        return np.where(trace < 0, -1, who * len(self.people) + trace)


@dataclass(frozen=True, eq=False)
class Kept:
    """Which traces of whom stay.

    Attributes:
        shared: those that can stay.
        entries: of every block, by its first person: which of what its people have of them, person by person
            and trace by trace; None where all of them stay.
    """

    shared: Shared
    entries: Mapping[str, Bools] | None

    @property
    def anything(self) -> bool:
        """Whether anything is left."""
        if self.entries is None:
            return len(self.shared.people) > 0
        return any(kept.any() for kept in self.entries.values())

    def records(self, data: Purchases) -> Bools:
        """Return which records of a block stay."""
        cells = self.shared.cells(data)
        stays = cells >= 0
        if self.entries is not None:
            own = cells[stays]
            stays[stays] = self.entries[data.customers[0]][np.searchsorted(np.unique(own), own)]
        return stays


@dataclass(frozen=True, eq=False)
class Gathered:
    """Who has which of the shared traces, in all blocks.

    Attributes:
        shared: the traces.
        firsts: the first person of every block.
        ends: where the entries of every block end.
        held: people x traces, people in the order of the blocks.
    """

    shared: Shared
    firsts: list[str]
    ends: Ints
    held: sparse.csr_array[np.int8]

    @classmethod
    def of(cls, blocks: Blocks, shared: Shared, progress: Progress | None = None) -> Gathered:
        """Gather what people have, unless it is too much."""
        size = int(shared.people.sum())
        if size > MOST_HELD:
            raise ParameterError(
                f"Suppress: people have {size:,} shared traces, and combinations of them are looked at "
                f"together up to {MOST_HELD:,}. {_HELP}",
                code="parameter",
                parameter="m",
            )
        firsts, counts, traces = [], [], np.empty(size, dtype=np.int32)
        ends, end = [], 0
        for first, each, own in blocks.map(
            _Have(shared), progress=progress, doing="gathering what is shared"
        ):
            traces[end : end + len(own)] = own
            end += len(own)
            firsts.append(first)
            counts.append(each)
            ends.append(end)
        indptr = np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int32)
        ones, shape = np.ones(size, dtype=np.int8), (len(indptr) - 1, len(shared.people))
        held = sparse.csr_array((ones, traces, indptr), shape=shape)
        return cls(shared, firsts, np.array(ends, dtype=np.int64), held)

    def rare(self, k: int, m: int) -> int:
        """Return how many combinations of these traces are rare."""
        return rare_combinations(self.held, k, m)

    def kept(self, k: int, m: int) -> Kept:
        """Return what may stay, by block."""
        kept = suppress(self.held, k, m, records=self.shared.records)
        return Kept(self.shared, dict(zip(self.firsts, np.split(kept, self.ends[:-1]), strict=True)))


@dataclass(frozen=True, eq=False)
class _Count:
    """Counts the people and the records of every trace of a block."""

    goods: pl.Series

    def __call__(self, data: Purchases) -> pl.DataFrame:
        keys = _keys(data, self.goods)
        who = data.records["customer"].to_physical().alias("who")
        each = keys.with_columns(who).group_by(pl.all()).agg(records=pl.len())
        return each.group_by(keys.columns).agg(people=pl.len(), records=pl.col("records").sum())


@dataclass(frozen=True, eq=False)
class _Have:
    """Returns the first person, how many shared traces everybody has, and which."""

    shared: Shared

    def __call__(self, data: Purchases) -> tuple[str, Ints, NDArray[np.int32]]:
        cells, count = self.shared.cells(data), max(len(self.shared.people), 1)
        held = np.unique(cells[cells >= 0])
        each = np.bincount(held // count, minlength=len(data.customers))
        return data.customers[0], each, (held % count).astype(np.int32)


def _keys(data: Purchases, goods: pl.Series) -> pl.DataFrame:
    """Return the good of every record, by its place among these, and its time where there is one."""
    places = goods.search_sorted(data.goods).cast(pl.UInt32)
    good = places.gather(data.records["goods"].to_physical()).alias("good")
    return pl.DataFrame([good, *([data.records["time"]] if "time" in data.roles else [])])


def _added_up(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return the counts of all blocks together; they are added whenever as many came as there were."""
    held: list[pl.DataFrame] = []
    for part in parts:
        held.append(part)
        if sum(each.height for each in held[1:]) > held[0].height:
            held = [_sums(held)]
    return _sums(held)


def _sums(parts: list[pl.DataFrame]) -> pl.DataFrame:
    joined = pl.concat(parts)
    keys = joined.drop("people", "records").columns
    made = joined.group_by(keys).agg(pl.col("people", "records").sum())
    if made.height > MOST_TRACES:
        said = f"the table shows more than {MOST_TRACES:,} different traces"
        raise ParameterError(f"Suppress: {said}. {_HELP}", code="parameter", parameter="k")
    return made
