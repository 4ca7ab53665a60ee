"""Kinds of goods: a hierarchy as the tree that a cut is sought in, and the cut as a hierarchy again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.hierarchy import VALUE, Hierarchy
from kakurenbo.deidentify.purchases.taxonomy import ALL
from kakurenbo.errors import InputError
from kakurenbo.kernels.taxonomy import Forest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.kernels.taxonomy import Cut

    Codes = NDArray[np.int64]

RELEASED = "released"


@dataclass(frozen=True, eq=False)
class Kinds:
    """A tree of goods with a name for every node.

    Attributes:
        names: of the nodes; the goods come first, as the hierarchy has them.
        forest: the tree.
    """

    names: pl.Series
    forest: Forest

    @classmethod
    def of(cls, tree: Hierarchy) -> Kinds:
        """Return the tree of a hierarchy; where it has several highest words, with one above them."""
        goods = tree.frame[VALUE]
        levels = tree.frame.drop(VALUE).with_columns(pl.lit(ALL).alias(ALL))
        words = _words(tree)
        columns = (_coded(column, words, len(goods)) for column in levels)
        chains = np.column_stack([np.arange(len(goods)), *columns])
        names = pl.concat([goods, words.alias(VALUE)])
        fixed = goods.is_in(words.implode()).to_numpy()
        return cls(names, Forest(_parents(chains, len(names)), len(goods), fixed))

    def cut(self, cut: Cut) -> Hierarchy:
        """Return the hierarchy of a cut: the released word of each good, and above it the nodes of the tree.

        What is left of a node some of whose goods stay themselves is called other.
        """
        goods = self.names.head(self.forest.goods)
        lumped = np.bincount(cut.nodes[~cut.own], minlength=len(self.names))
        staying = np.bincount(cut.nodes[cut.own], minlength=len(self.names))
        own = cut.own | (lumped[cut.nodes] == 1)
        of_nodes = _others(self.names, staying > 0)
        plain = pl.Series(own)
        node = pl.Series(cut.nodes)
        released = goods.zip_with(plain, of_nodes.gather(node)).alias(RELEASED)
        columns = [self.names.gather(pl.Series(above)) for above in self._above(cut.nodes)]
        kept = [released]
        for column in columns:
            if not column.equals(kept[-1]):
                kept.append(column.alias(f"level {len(kept)}"))
        return Hierarchy(pl.DataFrame([goods.alias(VALUE), *kept]))

    def _above(self, nodes: Codes) -> list[Codes]:
        """Return the ancestors of nodes by their distance from the root, the farthest first."""
        depths, parents = self.forest.depths, self.forest.parents
        made = [nodes]
        for depth in range(int(depths[nodes].max()), 0, -1):
            last = made[-1]
            made.append(np.where(depths[last] == depth, parents[last], last))
        return made


def _words(tree: Hierarchy) -> pl.Series:
    """Return the words that stand for more than the good of their name, and one for all, sorted."""
    levels = (tree.frame.select(VALUE, word=pl.col(name)) for name in tree.levels)
    own = (pl.col(VALUE) == pl.col("word")).any()
    told = pl.concat(levels).group_by("word").agg(goods=pl.col(VALUE).n_unique(), own=own)
    if told.filter(~pl.col("own"))["word"].is_in(tree.frame[VALUE].implode()).any():
        raise InputError(
            "A word of the hierarchy is the code of a good that does not stand under it.", code="hierarchy"
        )
    words = told.filter((pl.col("goods") > 1) | ~pl.col("own"))["word"]
    return pl.concat([words, pl.Series("word", [ALL])]).unique().sort()


def _coded(column: pl.Series, words: pl.Series, goods: int) -> Codes:
    """Return the node of every good at a level: the word's, or the good where the word is it alone."""
    places = column.cast(pl.Enum(words), strict=False).to_physical().cast(pl.Int64) + goods
    return places.zip_with(places.is_not_null(), pl.int_range(goods, eager=True)).to_numpy()


def _parents(chains: Codes, count: int) -> Codes:
    """Return the parent of every node, given the nodes above each good in order."""
    parents = np.full(count, -1, dtype=np.int64)
    for fine, coarse in zip(chains.T, chains.T[1:], strict=False):
        steps = np.unique(np.column_stack([fine, coarse])[fine != coarse], axis=0)
        known = parents[steps[:, 0]]
        if ((known >= 0) & (known != steps[:, 1])).any() or (np.diff(steps[:, 0]) == 0).any():
            raise InputError("A word of the hierarchy stands under two others.", code="hierarchy")
        parents[steps[:, 0]] = steps[:, 1]
    up = parents
    for _ in range(chains.shape[1]):
        up = np.where(up >= 0, parents[up], -1)
    if (up >= 0).any():
        raise InputError("A word of the hierarchy stands under itself.", code="hierarchy")
    return parents


def _others(names: pl.Series, divided: NDArray[np.bool_]) -> pl.Series:
    """Return the names of nodes, those of which some goods stay themselves as others."""
    taken, made = set(names), names.to_list()
    for node in np.flatnonzero(divided):
        while made[node] in taken:
            made[node] = f"other {made[node]}"
        taken.add(made[node])
    return pl.Series(made, dtype=pl.String)
