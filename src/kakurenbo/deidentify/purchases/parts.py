"""Groups among any number of people, cut into parts of look-alikes, each solved as a table of its own.

A search for groups looks at all people at once, up to a limit; beyond it they are cut into parts, in memory
as in blocks, so that both release the same. Three passes do it: what goods tell and a sample of people,
everyone's signature (see `kernels.parts`), and the blocks put together anew by part. A part draws by its
first person, so nothing depends on the order of people or on the engine. Each part keeps what the method
promises, and so do all of them together; a number of clusters that was asked for is shared among them by
their size. What is usual in a table, such as the price of a dummy, is what is usual in the part.

What it costs beside the whole, in records and in time, is printed by `python -m bench parts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.data.groups import group_codes, groups
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.fitted import Fitted
from kakurenbo.kernels import parts as kernel
from kakurenbo.kernels.clusters import check_clusters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.deidentify.purchases.clustered import ClusterMethod
    from kakurenbo.progress import Progress

    Ints = NDArray[np.int64]

LIMIT = 20_000  # people who are grouped at once
PEOPLE = 2_000  # in a part, about
GROUPS = 50  # of the smallest size that find room in a part at least
EFFORT = 400  # proposals a person in a part
_SAMPLE = 4_000


def fitted(method: ClusterMethod, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:
    """Return a method that groups people, with all who may share a group in one block."""
    check_clusters(blocks.whole.counts["customers"], **method.model_dump(include={"clusters", "min_size"}))
    if blocks.whole.counts["customers"] <= LIMIT:
        there = pl.concat(list(blocks.map(_people, progress=progress, doing="looking who is there")))
        everybody = pl.DataFrame({"customer": there, "part": np.zeros(len(there), dtype=np.int64)})
        return Fitted(blocks.regrouped(everybody), Together(method, chance))
    known = _Known.of(method, blocks, chance, progress)
    people, part, clusters = known.parts(method, blocks, progress)
    work = InPart(method, chance, clusters)
    return Fitted(blocks.regrouped(people.with_columns(part=part)), work, known.facts)


def changed_in_parts(data: Purchases, made: Fitted) -> Changed[Purchases]:
    """Return a table in memory as its parts were changed."""
    parts = list(made.blocks.map(made.work))
    facts = parts[0].facts
    for part in parts[1:]:
        facts = facts.beside(part.facts)
    masters = [part.data.master for part in parts if part.data.master is not None]
    records = pl.concat([part.data.under(None) for part in parts])
    whole = data.with_records(records, master=pl.concat(masters) if masters else None)
    return Changed(whole, facts.then(made.facts))


@dataclass(frozen=True, eq=False)
class Together:
    """The work where all people are in one block."""

    method: ClusterMethod
    chance: Chance

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        """Return them changed."""
        return self.method.together(data, self.chance)


@dataclass(frozen=True, eq=False)
class InPart:
    """The work on a part.

    Attributes:
        method: as asked for of all people.
        chance: of the run; a part draws apart from the others, by its first person.
        clusters: of every part, by its first person; empty where no number was asked for.
    """

    method: ClusterMethod
    chance: Chance
    clusters: Mapping[str, int]

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        """Return the part changed."""
        first = data.customers[0]
        method = self.method.for_part(self.clusters.get(first))
        return method.together(data, self.chance.under("part", first))


@dataclass(frozen=True, eq=False)
class _Known:
    """What a first pass finds: how telling goods are, in what people differ, who cannot be grouped.

    Attributes:
        goods: all goods of those who can, sorted.
        weights: of each.
        directions: goods x directions.
        facts: of those who are left out.
    """

    goods: pl.Series
    weights: NDArray[np.float64]
    directions: NDArray[np.float64]
    facts: Facts

    @classmethod
    def of(cls, method: ClusterMethod, blocks: Blocks, chance: Chance, progress: Progress | None) -> _Known:
        share = _SAMPLE / blocks.whole.counts["customers"]
        seen = list(
            blocks.map(_Look(method, chance, share), progress=progress, doing="seeing what goods tell")
        )
        people = sum(one.people for one in seen)
        method.refuse(np.zeros(people, dtype=np.int64))
        bought = (
            pl.concat([one.bought for one in seen])
            .group_by("goods")
            .agg(pl.col("buyers").sum())
            .sort("goods")
        )
        goods, weights = bought["goods"], kernel.telling(bought["buyers"].to_numpy(), people)
        sample = pl.concat([one.sample for one in seen]).sort("customer", "goods")
        left_out = sum(one.left_out for one in seen)
        extras = {"left_out": left_out} if left_out else {}
        facts = Facts(deleted=sum(one.deleted for one in seen), extras=extras)
        return cls(goods, weights, kernel.directions(_matrix(sample, goods), weights), facts)

    def parts(
        self, method: ClusterMethod, blocks: Blocks, progress: Progress | None
    ) -> tuple[pl.DataFrame, Ints, dict[str, int]]:
        """Return the people by id, the part of each, and the clusters of every part by its first person."""
        work = _Signed(method, self.goods, self.weights, self.directions)
        signed = list(blocks.map(work, progress=progress, doing="seeing who is like whom"))
        people, points = pl.concat([one[0] for one in signed]), np.concatenate([one[1] for one in signed])
        order = people["customer"].arg_sort().to_numpy()
        people, points = people[order], points[order]
        cells = group_codes([people], method.cells)[0]
        method.refuse(cells)
        asked = method.model_dump(include={"clusters", "min_size"})
        part, clusters = _cut(points, cells, **asked)
        firsts = people["customer"].gather(np.unique(part, return_index=True)[1])
        shared = dict(zip(firsts, clusters, strict=True)) if asked.get("clusters") else {}
        return people.select("customer"), part, shared


def _cut(
    points: NDArray[np.int16], cells: Ints, clusters: int | None = None, min_size: int = 1
) -> tuple[Ints, list[int]]:
    """Return the part of everybody, and how many clusters each part has.

    A part is a piece of a large cell, or it is small cells, in their order, as long as there is room.
    """
    part, shares, room = np.empty(len(cells), dtype=np.int64), list[int](), 0
    order, ends = np.argsort(cells, kind="stable"), np.cumsum(np.bincount(cells))
    for rows in np.split(order, ends[:-1]):
        sizes, groups_each = shared(len(rows), min_size, clusters)
        if len(sizes) == 1 and len(rows) <= room:
            part[rows] = len(shares) - 1
            room -= len(rows)
            continue
        part[rows] = len(shares) + kernel.cut(points[rows], sizes)
        shares += groups_each
        room = _largest(min_size) - len(rows) if len(sizes) == 1 else 0
    return part, shares


def shared(people: int, min_size: int = 1, clusters: int | None = None) -> tuple[list[int], list[int]]:
    """Return the people of every part, and its clusters: about as many in each, room for all its clusters."""
    every = clusters or max(people // min_size, 1)
    count = min(-(-people // _largest(min_size)), every)
    ends = np.arange(count + 1) * every // count
    return np.diff(ends * people // every).tolist(), np.diff(ends).tolist()


def _largest(min_size: int) -> int:
    return max(PEOPLE, GROUPS * min_size)


@dataclass(frozen=True)
class _Seen:
    people: int
    bought: pl.DataFrame
    sample: pl.DataFrame
    left_out: int
    deleted: int


@dataclass(frozen=True, eq=False)
class _Look:
    """Counts the buyers of goods, and who cannot be grouped; keeps the goods of a sample of people."""

    method: ClusterMethod
    chance: Chance
    share: float

    def __call__(self, data: Purchases) -> _Seen:
        able = self.method.able(data)
        pairs = _pairs(data, able)
        drawn = able & (self.chance.uniform("sample", data.customers) < self.share)
        sampled = data.customers.filter(pl.Series(drawn))
        return _Seen(
            int(able.sum()), pairs.group_by("goods").agg(buyers=pl.len().cast(pl.Int64)),
            pairs.filter(pl.col("customer").is_in(sampled.implode())), int((~able).sum()),
            int(data.records_each[~able].sum()),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Signed:
    """Finds the signature of everybody who can be grouped, and his cell."""

    method: ClusterMethod
    goods: pl.Series
    weights: NDArray[np.float64]
    directions: NDArray[np.float64]

    def __call__(self, data: Purchases) -> tuple[pl.DataFrame, NDArray[np.int16]]:
        able = self.method.able(data)
        people = data.customers.to_frame("customer")
        if self.method.cells:
            groups(data, self.method.cells)  # refuses columns that are not there
            people = people.hstack(data.attributes.select(self.method.cells))
        matrix = _matrix(_pairs(data, able), self.goods)
        return people.filter(pl.Series(able)), kernel.signatures(matrix, self.weights, self.directions)


def _people(data: Purchases) -> pl.Series:
    return data.customers


def _pairs(data: Purchases, able: NDArray[np.bool_]) -> pl.DataFrame:
    """Return who bought what, each once, of those who can be grouped."""
    there = pl.Series(able).gather(data.records["customer"].to_physical())
    pairs = data.records.select("customer", "goods").filter(there).unique()
    return pairs.sort("customer", "goods").with_columns(pl.all().cast(pl.String))


def _matrix(pairs: pl.DataFrame, goods: pl.Series) -> sparse.csr_array:
    """Return people x goods, 1 where bought, people in the order of their ids."""
    rows = pairs["customer"].rle_id().to_numpy().astype(np.int64)
    columns = pairs["goods"].cast(pl.Enum(goods)).to_physical().to_numpy()
    shape = (int(rows.max(initial=-1)) + 1, len(goods))
    return sparse.csr_array((np.ones(len(rows)), (rows, columns.astype(np.int64))), shape=shape)
