"""Generalize: goods become kinds of goods, as fine as the people who buy them allow.

Every person keeps the whole of his own history: visits, sums, rhythm, what kinds of things he buys. What is
taken away is the detail by which he would be known: a good that few buy is released under the name of its
kind, a good that many buy in its period may stay itself. Whoever compares must map up what he knows, so the
release carries the tree.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.hierarchy import VALUE, Hierarchy
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import Method
from kakurenbo.deidentify.purchases.kinds import Kinds
from kakurenbo.deidentify.purchases.taxonomy import by_characters, by_columns, learnt
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.kernels.taxonomy import Bought, cut_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.chance import Chance

# What a record loses by not being itself, and by a word that stands for all goods, in bits.
_FAVOUR = {"both": (2.0, 20.0), "kinds": (0.0, 150.0), "goods": (25.0, 0.0)}


class Generalize(Method[Purchases]):
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
        name="generalize", kind="purchases", reach="whole",
        because="its tree is learnt from all people at once",
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
        if self.columns:
            return by_columns(data, self.columns)
        given = data.hierarchies.get("goods") if self.by is None else None
        if given is not None and not _in_words_of(given, data.goods):
            return given
        return by_characters(data.goods) if self.by == "characters" else learnt(data, chance.stream("tree"))

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases in coarser words, with the tree that explains them."""
        tree = _of_these(self.tree(data, chance), data.goods)
        cut = self._at_level(tree) if self.crowd is None else self._for_crowd(data, tree, self.crowd)
        words = cut.frame[cut.levels[0]].alias("goods")
        records = data.under(None).with_columns(words.gather(data.records["goods"].to_physical()))
        changed = data.with_records(records, master=data.master)
        own = records["goods"] == data.records["goods"].cast(pl.String)
        facts = Facts(
            altered=int((~own).sum()),
            extras={"categories": len(changed.goods), "own_goods": int(own.sum())},
        )
        trees = {**data.hierarchies, "goods": _after(data, cut)}
        return Changed(replace(changed, hierarchies=trees), facts)

    def _at_level(self, tree: Hierarchy) -> Hierarchy:
        level, count = self.level or 1, len(tree.levels)
        if level > count:
            raise ParameterError(f"Generalize: the tree has only {count} levels.", code="parameter")
        of_codes = self.by == "characters" and not self.columns
        first = count - level if of_codes else level - 1
        return Hierarchy(tree.frame.select(VALUE, *tree.levels[first:]))

    def _for_crowd(self, data: Purchases, tree: Hierarchy, crowd: int) -> Hierarchy:
        kinds, (own, span) = Kinds.of(tree), _FAVOUR[self.favour]
        return kinds.cut(cut_for(_bought(data), kinds.forest, 1 / crowd, own=own, span=span))


def _bought(data: Purchases) -> Bought:
    records = data.records
    periods = np.zeros(records.height, dtype=np.int64)
    if "time" in data.roles:
        periods = records["time"].rank("dense").to_numpy().astype(np.int64) - 1
    people, goods = (records[role].to_physical().to_numpy() for role in ("customer", "goods"))
    return Bought.of(people.astype(np.int64), goods.astype(np.int64), periods)


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


def _after(data: Purchases, cut: Hierarchy) -> Hierarchy:
    """Return what the new words stand for, where the goods were words of a hierarchy before: its values."""
    before = data.hierarchies.get("goods")
    if before is None:
        return cut
    known = before.up_to(data.goods).drop_nulls().rename({"word": "before"})
    if not (known[VALUE] != known["before"]).any():
        return cut
    return Hierarchy(known.join(cut.frame.rename({VALUE: "before"}), on="before"))
