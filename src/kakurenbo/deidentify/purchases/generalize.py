"""Generalize: goods become kinds of goods, as fine as the people who buy them allow.

Every person keeps the whole of his own history: visits, sums, rhythm, what kinds of things he buys. What is
taken away is the detail by which he would be known: a good that few buy is released under the name of its
kind, a good that many buy in its period may stay itself. Whoever compares must map up what he knows, so the
release carries the tree.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.checks.ids import encode
from kakurenbo.data.hierarchy import VALUE, Hierarchy
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import OverTable
from kakurenbo.deidentify.fitted import Fitted
from kakurenbo.deidentify.purchases.crowds import CountedInBlocks
from kakurenbo.deidentify.purchases.kinds import Kinds
from kakurenbo.deidentify.purchases.taxonomy import Shopping, by_characters, by_columns, learnt
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.kernels.taxonomy import cut_for
from kakurenbo.threads import meanwhile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.taxonomy import Counted
    from kakurenbo.progress import Progress

# What a record loses by not being itself, and by a word that stands for all goods, in bits.
_FAVOUR = {"both": (2.0, 20.0), "kinds": (0.0, 150.0), "goods": (25.0, 0.0)}


class Generalize(OverTable):
    """Replace goods by kinds of goods, along a tree: at one level of it, or where the risk asks for it.

    With `crowd` the cut follows the risk. Take the best possible seeker who knows one record of everybody, as
    a word in its period: he finds one in `crowd` people. Among all cuts of the tree that hold him, the one is
    taken that keeps the most detail. The period is what the data shows at this step, so coarsen times first;
    where every record has a minute of its own, one word is all that is left.

    Who knew two records of each of 4,338 people found one in ten at a crowd of 65 and one in twenty at 100,
    by quarters a little less, without time a little more. A plain cut of the same crowd may hold better:
    this one spends all the risk it is given. Judge releases by an audit, not by their crowd.

    Prices and quantities are left as they are, and a price may tell the good: leave them out or put them in
    bands.
    """

    about: ClassVar = MethodAbout(
        name="generalize", kind="purchases", reach="table",
        source="ours", promises=("maps-up",), slot="goods",
        knobs=(
            Knob.of_size("crowd"), Knob("by", ("given", "characters")),
            Knob("favour", ("both", "kinds", "goods")),
        ),
        example={"crowd": 2},
    )  # fmt: skip

    crowd: int | None = Field(
        None,
        ge=1,
        description="who knows one record of everybody finds, at his best, one in so many people",
    )
    level: int | None = Field(
        None, ge=1,
        description="cut everywhere at this level of the tree instead: 1 is the finest; of codes, so many "
        "first characters",
    )  # fmt: skip
    by: Literal["learnt", "characters"] | None = Field(
        None,
        description="the tree: learnt from who buys what together and from descriptions, or the first "
        "characters of the codes; none given means the hierarchy of goods that the data was read with, and "
        "learnt where there is none",
    )
    columns: tuple[str, ...] = Field(
        (), description="columns of the goods table to take for the tree instead, the finest first"
    )
    favour: Literal["both", "kinds", "goods"] = Field(
        "both",
        description="which detail counts: kinds of goods that are fine throughout, popular goods that stay "
        "themselves, or something of both",
    )

    def model_post_init(self, _: object) -> None:
        """Refuse two cuts or none."""
        if (self.crowd is None) == (self.level is None):
            raise ParameterError("Generalize: give a crowd or a level, one of both.", code="parameter")

    @classmethod
    def tuned(cls, values: Mapping[str, Any], people: int) -> dict[str, Any]:  # noqa: ARG003 - as all
        """The tree that is given is taken by not naming another."""
        return {name: None if value == "given" else value for name, value in values.items()}

    def tree(self, data: Purchases, chance: Chance) -> Hierarchy:
        """Return the tree of goods, before any cut."""
        return self._tree(InMemory(data, 1), chance)

    def _tree(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Hierarchy:
        goods = blocks.whole.goods
        if self.columns:
            table: pl.DataFrame | None = next(blocks.map(_goods_table), None)
            return by_columns(goods, table, self.columns)
        given = blocks.whole.hierarchies.get("goods") if self.by is None else None
        if given is not None and not _in_words_of(given, goods):
            return given
        if self.by == "characters":
            return by_characters(goods)
        return learnt(Shopping.of(blocks, chance, progress), chance.stream("tree"))

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:
        """Make the tree and cut it; then every good has its word."""
        whole = blocks.whole
        beside = self.crowd is not None and len(blocks) > 1 and blocks.by_threads
        bought = CountedInBlocks(blocks, progress, beside)
        with meanwhile(bought.beforehand) if beside else nullcontext():
            tree = _of_these(self._tree(blocks, chance, progress), whole.goods)
        cut = self._at_level(tree) if self.crowd is None else self._for_crowd(bought, tree, self.crowd)
        explained = _after(whole.hierarchies.get("goods"), whole.goods, cut)
        words = cut.frame.select(VALUE, word=pl.col(cut.levels[0]))
        facts = Facts(extras={"categories": words["word"].n_unique()})
        return Fitted(blocks, _Worded(words, explained), facts)

    def _at_level(self, tree: Hierarchy) -> Hierarchy:
        level, count = self.level or 1, len(tree.levels)
        if level > count:
            raise ParameterError(f"Generalize: the tree has only {count} levels.", code="parameter")
        of_codes = self.by == "characters" and not self.columns
        first = count - level if of_codes else level - 1
        return Hierarchy(tree.frame.select(VALUE, *tree.levels[first:]))

    def _for_crowd(self, bought: Counted, tree: Hierarchy, crowd: int) -> Hierarchy:
        kinds, (own, span) = Kinds.of(tree), _FAVOUR[self.favour]
        return kinds.cut(cut_for(bought, kinds.forest, 1 / crowd, own=own, span=span))


@dataclass(frozen=True, eq=False)
class _Worded:
    """A block in coarser words.

    Attributes:
        words: (value, word): of every good its word, sorted by good.
        tree: what the words stand for.
    """

    words: pl.DataFrame
    tree: Hierarchy

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        codes = data.records["goods"].to_physical()
        words = self.words["word"].gather(self.words[VALUE].search_sorted(data.goods))
        records = data.records.with_columns(encode(words).gather(codes).alias("goods"))
        own = np.bincount(codes.to_numpy(), minlength=len(words))[(words == data.goods).to_numpy()].sum()
        changed = data.with_records(records, master=data.master)
        changed = replace(changed, hierarchies={**data.hierarchies, "goods": self.tree})
        return Changed(changed, Facts(altered=len(data) - int(own), extras={"own_goods": int(own)}))


def _goods_table(data: Purchases) -> pl.DataFrame | None:
    return data.goods_table


def _in_words_of(tree: Hierarchy, goods: pl.Series) -> bool:
    """Whether the goods stand in coarser words of a tree already, so that it is not theirs any more."""
    coarser = goods.filter(~goods.is_in(tree.frame[VALUE].implode()))
    return len(coarser) > 0 and bool(coarser.is_in(tree.words.implode()).all())


def _of_these(tree: Hierarchy, goods: pl.Series) -> Hierarchy:
    """Return the part of a tree that speaks of these goods; it must speak of all of them."""
    told = tree.frame.filter(pl.col(VALUE).is_in(goods.implode()))
    if told.height < len(goods):
        missing = len(goods) - told.height
        raise InputError(f"{missing} goods of the transactions are not in the hierarchy.", code="unknown-id")
    return Hierarchy(told)


def _after(before: Hierarchy | None, goods: pl.Series, cut: Hierarchy) -> Hierarchy:
    """Return what the new words stand for, where the goods were words of a hierarchy before: its values."""
    if before is None:
        return cut
    known = before.up_to(goods).drop_nulls().rename({"word": "before"})
    if not (known[VALUE] != known["before"]).any():
        return cut
    return Hierarchy(known.join(cut.frame.rename({VALUE: "before"}), on="before"))
