"""Suppress: delete what is rare, until every few traces of a person are shared by k people.

Who knows m things that somebody bought, and when, must find at least k people who have all of them: that is
k^m-anonymity (Terrovitis, Mamoulis and Kalnis, 2008), k-anonymity for histories of which nobody knows more
than a few records. A trace is a good, or a category, as the table shows it, with the time as the table shows
it; where there is no time, the good alone. So it is a last step, after goods were generalised and times made
coarse: what is left rare then goes.

It takes passes over blocks that count traces, and for combinations one that gathers those of every person
which k people share (see `traces`, which tells the memory it takes, and from what size on it refuses). What
may stay is found for all people at once and goes back to the blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import OverTable
from kakurenbo.deidentify.fitted import Fitted, Through
from kakurenbo.deidentify.purchases.climbing import Words, by_characters
from kakurenbo.deidentify.purchases.traces import Gathered, Kept, Shared
from kakurenbo.errors import InputError, ParameterError

if TYPE_CHECKING:
    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress


class Suppress(OverTable):
    """Delete as few records as can be found, so that every m traces of one person are those of at least k.

    What a person has of a trace is deleted as a whole. Traces are given back from none, those of most people
    first, each to the largest set of its holders that keeps the promise; see `kernels.suppression`. Whoever
    has nothing left is not released.

    Goods may also be generalised first, as the authors of k^m-anonymity do. They climb their hierarchy, all
    goods of a branch together: wherever something of the branch would be deleted (`generalize`), or only
    where that costs more than the detail (`cheaper`). A deleted record costs 1; one whose good became one
    of g costs (g - 1) / (all goods - 1), the normalised certainty penalty. The hierarchy is the one that the
    data carries, else goods are cut to ever fewer characters. What no climbing mends is deleted.

    What it does not do: who knows more than m traces, or quantities, prices and receipts, may find fewer than
    k; and k people who share m traces may all have bought the same besides.
    """

    about: ClassVar = MethodAbout(
        name="suppress", kind="purchases", reach="table",
        source="Terrovitis, Mamoulis and Kalnis 2008",
        promises=("km-anonymous",), slot="rare",
        knobs=(Knob("k", low=2, high=20, whole=True, log=True), Knob("m", (2, 1))), example={"k": 1},
    )  # fmt: skip

    k: int = Field(ge=1, description="fewest people who share a combination of traces")
    m: int = Field(2, ge=1, le=3, description="most traces in a combination: how many an attacker may know")
    first: Literal["suppress", "generalize", "cheaper"] = Field(
        "suppress",
        description="what to try first: delete, generalise goods wherever something would be deleted, or "
        "generalise them where that costs less",
    )

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:  # noqa: ARG002
        """Count what is rare, and find what may stay: nothing is drawn."""
        whole = blocks.whole
        if self.k > whole.counts["customers"]:
            said = f"k is {self.k}, but there are only {whole.counts['customers']} customers"
            raise ParameterError(f"Suppress: {said}.", code="parameter", parameter="k")
        rare, kept = self._solved(blocks, whole.goods, progress)
        words = None
        if rare and self.first != "suppress":
            words, kept = self._generalised(blocks, progress)
        if not kept.anything:
            raise InputError(
                "Nothing is left: no trace is shared by k people. Make times coarser, generalise the goods "
                "or ask for a smaller k.",
                code="file-empty",
            )
        return Fitted(blocks, _Suppressed(kept, words), Facts(extras={"mended": rare}))

    def _solved(self, blocks: Blocks, goods: pl.Series, progress: Progress | None) -> tuple[int, Kept]:
        """Return how many combinations are rare, those of rare traces aside, and what may stay."""
        shared = Shared.counted(blocks, goods, self.k, progress)
        if self.m == 1 or not len(shared.people):
            return shared.rare, Kept(shared, None)
        gathered = Gathered.of(blocks, shared, progress)
        return shared.rare + gathered.rare(self.k, self.m), gathered.kept(self.k, self.m)

    def _generalised(self, blocks: Blocks, progress: Progress | None) -> tuple[Words, Kept]:
        """Return what goods are called when they climbed as far as is asked for, or as pays."""
        whole = blocks.whole
        words = Words.of(whole.hierarchies.get("goods") or by_characters(whole.goods), whole.goods)
        always, ways = self.first == "generalize", list[tuple[float, Words, Kept]]()
        for level in range(1, len(words.tree.levels) + 2):
            seen = Through(blocks, _Worded(words))
            names = whole.goods.to_frame("goods").select(words.written(pl.col("goods")))["goods"]
            kept = self._solved(seen, names.unique().sort(), progress)[1]
            lost = pl.concat(list(seen.map(_Lost(kept), progress=progress, doing="weighing what is lost")))
            records = lost.group_by("word").agg(pl.all().sum()).sort("word")
            ways.append((words.cost(records), words, kept))
            if level <= len(words.tree.levels):
                words = words.up(level, records, always=always)
        _, words, kept = ways[-1] if always else min(ways, key=lambda way: way[0])
        return words, kept


@dataclass(frozen=True, eq=False)
class _Suppressed:
    """A block without what is rare.

    Attributes:
        kept: what stays.
        words: what goods are called by then, where they climbed.
    """

    kept: Kept
    words: Words | None

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        worded = Changed(data) if self.words is None else _Worded(self.words)(data)
        records = worded.data.records.filter(pl.Series(self.kept.records(worded.data)))
        made = worded.data.with_records(records, master=data.master)
        extras = {"left_out": len(data.customers) - len(made.customers)}
        return Changed(made, worded.facts.then(Facts(deleted=len(data) - len(made), extras=extras)))


@dataclass(frozen=True, eq=False)
class _Worded:
    """A block with its goods in other words, and what those stand for."""

    words: Words

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        before = data.under(None)
        records = before.with_columns(self.words.written(pl.col("goods")))
        altered = int((before["goods"] != records["goods"]).sum())
        worded = data.with_records(records, master=data.master)
        trees = {**data.hierarchies, "goods": self.words.tree}
        return Changed(replace(worded, hierarchies=trees), Facts(altered=altered))


@dataclass(frozen=True, eq=False)
class _Lost:
    """Counts (word, records, lost): the records of every good of a block, and how many would be deleted."""

    kept: Kept

    def __call__(self, data: Purchases) -> pl.DataFrame:
        lost = pl.Series(~self.kept.records(data))
        records = data.records.select(word=pl.col("goods").cast(pl.String), lost=lost)
        return records.group_by("word").agg(
            records=pl.len().cast(pl.Int64), lost=pl.col("lost").sum().cast(pl.Int64)
        )
