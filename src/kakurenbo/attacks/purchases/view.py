"""A view: what the attacker knows and what was released, as two matrices over the same columns.

Every linking attack looks at some parts of a record - the good, the good and the day, the receipt - and asks
who has which. A `Sight` says which parts and how they count; seen through it, two tables become people x
keys, where a key is one combination of the parts. Several attacks share a sight, so an audit makes each view
once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.attacks.base import PERIODS
from kakurenbo.data.groups import column_codes, combined, comparable, group_codes
from kakurenbo.data.hierarchy import known_trees
from kakurenbo.errors import InputError
from kakurenbo.kernels.scan import spread

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix

Part = Literal["goods", "month", "day", "time", "price", "quantity", "receipt", "master"]
Counting = Literal["set", "records", "pieces"]

ROLE_OF: dict[Part, str] = {part: PERIODS.get(part, part) for part in get_args(Part)}
_MASTER = "\0master"  # where what the master says of a record's customer is put, as text
PART_VALUES: dict[Part, pl.Expr] = {
    "goods": pl.col("goods"),
    "month": pl.col("time").dt.month_start().dt.date(),
    "day": pl.col("time").dt.date(),
    "time": pl.col("time"),
    "price": pl.col("price"),
    "quantity": pl.col("quantity"),
    "receipt": pl.col("receipt"),
    "master": pl.col(_MASTER),
}


_SAID: dict[Part, str] = {
    "goods": "{}", "month": "in {:%Y-%m}", "day": "on {:%Y-%m-%d}", "time": "at {:%Y-%m-%d %H:%M}",
    "price": "for {}", "quantity": "{} pieces", "receipt": "receipt {}", "master": "master row {}",
}  # fmt: skip


class Sight(NamedTuple):
    """Which parts of a record are looked at, and how they count: once, once a record, or by pieces."""

    parts: tuple[Part, ...] = ("goods",)
    counting: Counting = "set"


@dataclass(frozen=True, eq=False)
class Keys:
    """What the columns of one sight stand for: key c is what `first[c]` shows, a row of either table.

    Attributes:
        sight: what was looked at.
        tables: the records of the known and of the released.
        mine: the key of every known record.
        theirs: the key of every released record.
        first: a row of each key, counted through both tables.
    """

    sight: Sight
    tables: tuple[pl.DataFrame, pl.DataFrame]
    mine: NDArray[np.int32]
    theirs: NDArray[np.int32]
    first: NDArray[np.int32]

    def word(self, key: int) -> str:
        """Return a key as people read it, such as `22423 on 2011-05-02`."""
        row, known = int(self.first[key]), self.tables[0].height
        table = self.tables[0][row] if row < known else self.tables[1][row - known]
        values = table.select(**{part: PART_VALUES[part] for part in self.sight.parts}).row(0)
        return " ".join(
            _SAID[part].format(value) for part, value in zip(self.sight.parts, values, strict=True)
        )


@dataclass(frozen=True, eq=False)
class View:
    """Known and released people over the same keys.

    Attributes:
        mine: known people x keys.
        theirs: released people x keys.
        originals: the known people.
        released: the released people.
        blocks: what the columns stand for, one block after the other.
        trust: how much every key counts beside its rarity; None where that is the same of all.
    """

    mine: Matrix
    theirs: Matrix
    originals: pl.Series
    released: pl.Series
    blocks: tuple[Keys, ...]
    trust: NDArray[np.float64] | None = None

    @cached_property
    def rarity(self) -> NDArray[np.float64]:
        """ln(n / |D_k|) + 1 for every key, |D_k| its holders among the known (1 for a key not known)."""
        holders = np.bincount(self.mine.indices, minlength=self.mine.shape[1])
        weights: NDArray[np.float64] = np.log(self.mine.shape[0] / np.maximum(holders, 1)) + 1
        return weights if self.trust is None else weights * self.trust

    def word(self, key: int) -> str:
        """Return a column's key in words."""
        for block in self.blocks:
            if key < len(block.first):
                return block.word(key)
            key -= len(block.first)
        raise IndexError(key)

    def knowing(self, known: Purchases, rows: NDArray[np.int64]) -> View:
        """Return the same view for one who knows only these records; `known` are they, as purchases."""
        (block,) = self.blocks
        mine = _people_by_keys(known, block.mine[rows], len(block.first), block.sight.counting)
        return replace(self, mine=mine, originals=known.customers)

    def keeping(self, rows: NDArray[np.int64], left: Purchases) -> View:
        """Return the same view of these rows of the release alone; `left` are they, as purchases."""
        (block,) = self.blocks
        theirs = block.theirs[rows]
        kept = replace(block, theirs=theirs)
        return replace(
            self, theirs=_people_by_keys(left, theirs, self.theirs.shape[1], block.sight.counting),
            released=left.customers, blocks=(kept,),
        )  # fmt: skip

    def as_set(self) -> View:
        """Return a view that counts records as one in which every key counts once."""
        (block,) = self.blocks
        once = replace(block, sight=block.sight._replace(counting="set"))
        return replace(self, mine=_once(self.mine), theirs=_once(self.theirs), blocks=(once,))

    def mine_of(self, original: Purchases, rows: NDArray[np.int64]) -> Matrix:
        """Return all known people x keys over these rows of the original's records alone."""
        (block,) = self.blocks
        people = original.records["customer"].to_physical().to_numpy()[rows].astype(np.int32)
        return _counted(people, block.mine[rows], self.mine.shape, block.sight.counting)


def visible(parts: Sequence[Part], shown: Collection[str]) -> bool:
    """Whether all the parts can be seen in tables that show this."""
    return all(ROLE_OF[part] in shown for part in parts)


def view(known: Purchases, released: Purchases, sight: Sight, plain: Purchases | None = None) -> View:
    """See two tables through one sight; `plain` is the known one in its own words, where it is in others."""
    for data in (known, released):
        for part in sight.parts:
            if ROLE_OF[part] not in data.shown:
                raise InputError(f"Looking at the {part} needs the role {ROLE_OF[part]}.", code="roles")
    records = known.records, released.records
    if "master" in sight.parts:
        records = with_master(known, released, known_trees(plain or known, released))
    parts = {part: PART_VALUES[part] for part in sight.parts}
    codes = group_codes([table.select(**parts) for table in records], sight.parts)
    return _seen(known, released, _keys(sight, records, codes))


def through(tables: Tables[Purchases], sight: Sight) -> View:
    """See two tables through one sight, once; what several sights have in common is numbered once."""

    def see() -> View:
        original, released = tables.original, tables.released
        if not visible(sight.parts, tables.shown):
            return view(original, released, sight, tables.plain)
        keys = replace(tables.once(("keys", sight.parts), lambda: _numbered(tables, sight)), sight=sight)
        if sight.counting == "pieces":
            return _seen(original, released, keys)
        by_records = replace(keys, sight=sight._replace(counting="records"))
        counted = tables.once(("counted", sight.parts), lambda: _seen(original, released, by_records))
        return counted if sight.counting == "records" else counted.as_set()

    return tables.once(("view", "", sight), see)


def _numbered(tables: Tables[Purchases], sight: Sight) -> Keys:
    """Number the keys of a sight from the numbers of its parts."""
    records = tables.original.records, tables.released.records
    if "master" in sight.parts:
        records = tables.once("with master", lambda: _with_masters(tables))
    columns = [tables.once(("part", part), partial(_part, records, part)) for part in sight.parts]
    rows = sum(table.height for table in records)
    return _keys(sight, records, np.split(combined(columns, rows), [records[0].height]))


def _with_masters(tables: Tables[Purchases]) -> tuple[pl.DataFrame, pl.DataFrame]:
    known, released = tables.original, tables.released
    return with_master(known, released, known_trees(tables.plain, released))


def _part(records: tuple[pl.DataFrame, pl.DataFrame], part: Part) -> tuple[NDArray[np.int32], int]:
    codes, count = column_codes([table.select(PART_VALUES[part]).to_series() for table in records])
    return codes.astype(np.int32), count


def _keys(
    sight: Sight, records: tuple[pl.DataFrame, pl.DataFrame], codes: Sequence[NDArray[np.int64]]
) -> Keys:
    mine, theirs = (side.astype(np.int32) for side in codes)
    both = np.concatenate([mine, theirs])
    first = np.empty(int(both.max(initial=-1)) + 1, dtype=np.int32)
    first[both[::-1]] = np.arange(len(both), dtype=np.int32)[::-1]
    return Keys(sight, records, mine, theirs, first)


def _seen(known: Purchases, released: Purchases, keys: Keys) -> View:
    count, counting = len(keys.first), keys.sight.counting
    return View(
        _people_by_keys(known, keys.mine, count, counting),
        _people_by_keys(released, keys.theirs, count, counting),
        known.customers,
        released.customers,
        (keys,),
    )


def people_of(data: Purchases) -> NDArray[np.int64]:
    """Return whose each record is, by number."""
    return data.records["customer"].to_physical().to_numpy().astype(np.int64)


def of_targets(
    people: NDArray[np.int64], rows: NDArray[np.int64] | None, targets: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the known rows of these people, person by person, and which target each row belongs to."""
    number = np.full(int(people.max(initial=-1)) + 1, -1)
    number[targets] = np.arange(len(targets))
    known = np.arange(len(people)) if rows is None else rows
    known = known[number[people[known]] >= 0]
    known = known[np.argsort(number[people[known]], kind="stable")]
    return known, number[people[known]]


def grains_shown(grains: Sequence[Sequence[Part]], shown: Collection[str]) -> tuple[tuple[Part, ...], ...]:
    """Return the grains to be seen in tables that show this; of the last, whatever can be seen of it."""
    *plain, last = grains
    sharpest = tuple(part for part in last if visible((part,), shown))
    return tuple(dict.fromkeys([*(tuple(grain) for grain in plain if visible(grain, shown)), sharpest]))


def grain_views(tables: Tables[Purchases], grains: Sequence[Sequence[Part]]) -> tuple[View, ...]:
    """See two tables by records through each of these grains that both show."""
    sights = [Sight(parts, "records") for parts in grains_shown(grains, tables.shown)]
    return tuple(through(tables, sight) for sight in sights)


def with_master(
    known: Purchases, released: Purchases, trees: Mapping[str, Hierarchy]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return both records with what the columns common to both masters say of each one's customer."""
    masters = [data.master for data in (known, released) if data.master is not None]
    names = sorted(set.intersection(*(set(master.columns) for master in masters)) - {"customer"})
    if not names:
        raise InputError("The two masters have no column in common.", code="roles")
    for name in names:
        if name in trees:
            words = masters[1][name].cast(pl.String)
            masters = [_lifted(master, name, trees[name], words) for master in masters]
    masters = comparable(masters, names)
    said = pl.concat_str(pl.col(names).cast(pl.String).fill_null("(missing)"), separator=", ").alias(_MASTER)
    tables = [
        data.records.with_columns(
            pl.DataFrame({"customer": data.customers})
            .join(master.select("customer", said), on="customer", how="left", maintain_order="left")[_MASTER]
            .gather(data.records["customer"].to_physical())
        )
        for data, master in zip((known, released), masters, strict=True)
    ]
    return tables[0], tables[1]


def _lifted(master: pl.DataFrame, name: str, tree: Hierarchy, words: pl.Series) -> pl.DataFrame:
    """Return a master with a column in the coarsest of a release's words: finer ones may be those as well."""
    tops = tree.lifted(words.drop_nulls().unique())
    mixed = tops.filter(pl.col("part") != pl.col("word"))
    if not words.is_in(mixed["part"].implode()).any():
        return master
    return master.with_columns(pl.col(name).cast(pl.String).replace(mixed["part"], mixed["word"]))


def by_rarity(matrix: Matrix, seen: View) -> Matrix:
    """Return who has which key, each counted by its rarity among the known (TF-IDF on sets)."""
    return sparse.csr_array((seen.rarity[matrix.indices], matrix.indices, matrix.indptr), shape=matrix.shape)


def joined(views: Sequence[View], counts: Sequence[float] | None = None) -> View:
    """Return the views of the same people side by side as one; `counts` is how much each counts."""
    trust = None
    if counts is not None:
        trust = np.repeat(np.asarray(counts, dtype=np.float64), [view.mine.shape[1] for view in views])
    return View(
        sparse.csr_array(sparse.hstack([view.mine for view in views], format="csr")),
        sparse.csr_array(sparse.hstack([view.theirs for view in views], format="csr")),
        views[0].originals,
        views[0].released,
        tuple(block for view in views for block in view.blocks),
        trust,
    )


def _people_by_keys(data: Purchases, keys: NDArray[np.int32], count: int, counting: Counting) -> Matrix:
    people = data.records["customer"].to_physical().to_numpy().astype(np.int32)
    pieces = None
    if counting == "pieces" and "quantity" in data.roles:
        pieces = data.records["quantity"].to_numpy()
    return _counted(people, keys, (len(data.customers), count), counting, pieces)


def _counted(
    people: NDArray[np.int32],
    keys: NDArray[np.int32],
    shape: tuple[int, int],
    counting: Counting,
    pieces: NDArray[np.int64] | None = None,
) -> Matrix:
    if not (people[1:] >= people[:-1]).all():
        order = np.argsort(people, kind="stable")
        people, keys, pieces = people[order], keys[order], None if pieces is None else pieces[order]
    matrix = spread(people, keys, shape[1], shape[0], pieces).matrix
    if counting == "set":
        return _once(matrix)
    return matrix if pieces is not None else matrix.astype(np.int32)


def _once(matrix: Matrix) -> Matrix:
    """Return who has which key; where it stands is shared with the matrix, not copied."""
    return sparse.csr_array(
        (np.ones(matrix.nnz, dtype=np.int8), matrix.indices, matrix.indptr), shape=matrix.shape
    )
