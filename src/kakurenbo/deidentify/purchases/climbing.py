"""Climbing a hierarchy of goods: branches take one name where the detail within is not worth its records.

All goods of a branch climb together, level by level from the finest, so that a word never stands for a part
of what it says. What is paid is counted in records: a deleted one is 1, and one whose good became one of g
among n is (g - 1) / (n - 1), the normalised certainty penalty (Xu and others, 2006).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from kakurenbo.data.hierarchy import VALUE, Hierarchy


@dataclass(frozen=True, eq=False)
class Words:
    """What goods are called on their way up a hierarchy.

    Attributes:
        tree: the hierarchy.
        names: (value, shown, word): what every value of the tree was called, and is called by now.
    """

    tree: Hierarchy
    names: pl.DataFrame

    @classmethod
    def of(cls, tree: Hierarchy, goods: pl.Series) -> Words:
        """Return the words that goods begin with: their own."""
        return cls(tree, tree.up_to(goods.cast(pl.String)).drop_nulls().with_columns(shown="word"))

    def written(self, goods: pl.Expr) -> pl.Expr:
        """Return a column of goods as they are called by now."""
        names = self.names.select("shown", "word").unique()
        return goods.replace(names["shown"], names["word"])

    def cost(self, records: pl.DataFrame) -> float:
        """Return what is paid for (word, records, lost): deleted records and the detail of the others."""
        return float(self._priced(records)["paid"].sum())

    def up(self, level: int, records: pl.DataFrame, *, always: bool) -> Words:
        """Return the words after branches took their name of a level.

        Args:
            level: of the tree, 1 the finest.
            records: (word, records, lost): of every word, all and those that would be deleted.
            always: wherever something would be deleted; else only where that costs more than the detail.
        """
        branches = self._branches(level)
        held = branches.select("word", "branch").unique().join(self._priced(records), on="word")
        held = held.group_by("branch").agg(pl.col("records", "lost", "paid").sum())
        together = held.select("records", word="branch", lost=pl.lit(0), rare="lost", apart="paid")
        dear = (pl.col("rare") > 0) & (pl.lit(always) | (pl.col("apart") > pl.col("paid")))
        climbing = self._priced(together).filter(dear)["word"]
        climbs = pl.col("branch").is_in(climbing.implode())
        word = pl.when(climbs).then("branch").otherwise("word")
        return replace(self, names=branches.select(VALUE, "shown", word=word))

    def _branches(self, level: int) -> pl.DataFrame:
        """Return the names with the branch of each at a level: itself where it stands there or above."""
        above = self.tree.frame.select(VALUE, above=pl.concat_list(self.tree.frame.columns[level:]))
        named = self.names.join(above, on=VALUE)
        climbed = pl.col("above").list.contains(pl.col("word"))
        branch = pl.when(climbed).then("word").otherwise(pl.col("above").list.first())
        return named.with_columns(branch=branch).drop("above")

    def _priced(self, records: pl.DataFrame) -> pl.DataFrame:
        """Return (word, records, lost) with what each word costs; a word outside the tree has no penalty."""
        below = self.tree.below.group_by("word").agg(values=pl.len())
        penalty = (pl.col("values").fill_null(1) - 1) / max(self.tree.frame.height - 1, 1)
        paid = pl.col("lost") + penalty * (pl.col("records") - pl.col("lost"))
        return records.join(below, on="word", how="left").with_columns(paid=paid).drop("values")


def by_characters(goods: pl.Series) -> Hierarchy:
    """Return the hierarchy of codes that are cut by one character more at every level."""
    values = goods.cast(pl.String)
    longest = values.str.len_chars().max()
    lengths = range(max(int(longest) - 1, 1), 0, -1)  # type: ignore[arg-type]
    levels = [values.str.slice(0, length).alias(f"{length} characters") for length in lengths]
    return Hierarchy(pl.DataFrame([values.alias(VALUE), *levels]))
