"""Trees of goods: learnt from who buys what together, read off the codes, or off columns of the goods table.

However a tree comes about, it is a `Hierarchy` with a word for every node, which can be written to a file,
edited and used again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.data.hierarchy import VALUE, Hierarchy
from kakurenbo.errors import InputError
from kakurenbo.kernels.taxonomy import described, points_of, tree_levels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

    Labels = NDArray[np.int64]

ALL = "all goods"
PEOPLE = 50_000  # whose baskets are looked at, of more
_WORDS_OF_A_NAME = 3
_OFTEN = 0.1  # share of a node's goods that have a word which may name it


@dataclass(frozen=True, eq=False)
class Shopping:
    """What a tree is learnt from.

    Attributes:
        goods: all of them, sorted.
        baskets: people x goods, 1 where bought; of some of the people, where there are many.
        sold: records of every good.
        texts: what is said of every good.
    """

    goods: pl.Series
    baskets: sparse.csr_array[Any]
    sold: Labels
    texts: list[str]

    @classmethod
    def of(cls, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Shopping:
        """Gather it from all blocks: above `PEOPLE` customers the baskets of about so many, drawn by id."""
        whole = blocks.whole
        share = min(1.0, PEOPLE / whole.counts["customers"])
        work = _Shopping(chance, share)
        parts = list(blocks.map(work, progress=progress, doing="learning which goods are alike"))
        sold = pl.concat([part.sold for part in parts]).group_by("goods").agg(pl.col("len").sum())
        told = whole.goods.to_frame("goods").join(sold, on="goods", how="left", maintain_order="left")
        pairs = pl.concat([part.pairs for part in parts])
        rows = pairs["customer"].cast(pl.Enum(pairs["customer"].unique().sort())).to_physical().to_numpy()
        columns = pairs["goods"].cast(pl.Enum(whole.goods)).to_physical().to_numpy()
        ones = np.ones(len(rows), dtype=np.int64)
        shape = (int(rows.max(initial=0)) + 1, len(whole.goods))
        baskets = sparse.coo_array((ones, (rows, columns)), shape=shape).tocsr()
        baskets.sort_indices()
        texts = _texts(whole.goods, next((part.table for part in parts if part.table is not None), None))
        return cls(whole.goods, baskets, told["len"].fill_null(0).to_numpy().astype(np.int64), texts)


@dataclass(frozen=True, eq=False)
class _Gathered:
    """What a block gives: records of its goods, (customer, goods) of those drawn, and the goods table."""

    sold: pl.DataFrame
    pairs: pl.DataFrame
    table: pl.DataFrame | None


@dataclass(frozen=True, eq=False)
class _Shopping:
    """The pass that gathers it."""

    chance: Chance
    share: float

    def __call__(self, data: Purchases) -> _Gathered:
        held = data.records.select("customer", "goods")
        sold = held.group_by("goods").len().with_columns(pl.col("goods").cast(pl.String))
        if self.share < 1:
            drawn = pl.Series(self.chance.uniform("people of the tree", data.customers) < self.share)
            held = held.filter(drawn.gather(held["customer"].to_physical()))
        return _Gathered(sold, held.unique().cast(pl.String), data.goods_table)


def learnt(shopping: Shopping, rng: np.random.Generator) -> Hierarchy:
    """Return a tree of goods that the same people buy and that are described alike.

    A node is named by the words that mark its goods off from the others, and the number of its goods; where
    there are no descriptions, by its best-selling good.
    """
    words, vocabulary = described(shopping.texts)
    levels = tree_levels(points_of(shopping.baskets, words, rng), rng)
    names = _Names(shopping.goods.to_list(), shopping.sold, words, vocabulary)
    columns = [pl.Series(f"level {place}", names.of(level)) for place, level in enumerate(levels.T, 1)]
    return Hierarchy(pl.DataFrame([shopping.goods.alias(VALUE), *columns]))


def by_characters(goods: pl.Series) -> Hierarchy:
    """Return the tree of the first characters of the codes; `22*` is what begins with 22."""
    longest = max(int(goods.str.len_chars().max() or 1) - 1, 1)  # type: ignore[arg-type]
    columns = (
        (goods.str.head(size) + "*").alias(f"{size} character{'s' * (size > 1)}")
        for size in range(longest, 0, -1)
    )
    return Hierarchy(pl.DataFrame([goods.alias(VALUE), *columns]))


def by_columns(goods: pl.Series, table: pl.DataFrame | None, columns: Sequence[str]) -> Hierarchy:
    """Return the tree that columns of the goods table make, the finest first."""
    missing = [name for name in columns if table is None or name not in table.columns]
    if table is None or missing:
        raise InputError(
            "Goods are to be generalised by columns that the table of goods does not have.",
            code="column-missing", column=missing[0],
        )  # fmt: skip
    named = goods.to_frame("goods")
    told = named.join(table.select("goods", *columns), on="goods", how="left", maintain_order="left")
    return Hierarchy(told.rename({"goods": VALUE}))


def _texts(goods: pl.Series, table: pl.DataFrame | None) -> list[str]:
    """Return what the goods table says of every good, in one text each."""
    if table is None or table.width < 2:
        return [""] * len(goods)
    text = pl.concat_str(pl.exclude("goods").cast(pl.String), separator=" ", ignore_nulls=True)
    told = table.select("goods", text=text)
    named = goods.to_frame("goods")
    return named.join(told, on="goods", how="left", maintain_order="left")["text"].fill_null("").to_list()


class _Names:
    """Names for sets of goods, each name for one set alone."""

    def __init__(
        self, goods: list[str], sold: Labels, words: sparse.csr_array[Any], vocabulary: list[str]
    ) -> None:
        self._goods = goods
        self._sold = sold
        self._words = words
        self._vocabulary = vocabulary
        self._common = np.bincount(words.indices, minlength=words.shape[1]) / len(goods)
        self._given: dict[tuple[int, int], str] = {}
        self._taken = {*goods, ALL}

    def of(self, labels: Labels) -> list[str]:
        """Return the name of each good's node, given the nodes of one level of a tree."""
        order = np.lexsort((-self._sold, labels))
        starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
        first, sizes = order[starts], np.diff(np.append(starts, len(order)))
        rows = self._counted(labels)
        names = [
            self._name(int(good), int(size), rows, place)
            for place, (good, size) in enumerate(zip(first, sizes, strict=True))
        ]
        return [names[label] for label in labels]

    def _counted(self, labels: Labels) -> sparse.csr_array[Any]:
        """Return nodes x words: how many goods of a node have the word."""
        goods = np.arange(len(labels))
        nodes = sparse.csr_array((np.ones(len(goods)), (labels, goods)))
        counts = sparse.csr_array(nodes @ self._words)
        counts.sort_indices()
        return counts

    def _name(self, best: int, size: int, rows: sparse.csr_array[Any], node: int) -> str:
        """Return the name of a node, whose best-selling good and size no other set of goods shares."""
        if (best, size) not in self._given:
            self._given[best, size] = self._new_name(best, size, rows, node)
        return self._given[best, size]

    def _new_name(self, best: int, size: int, rows: sparse.csr_array[Any], node: int) -> str:
        if size == 1:
            return self._goods[best]
        if size == len(self._goods):
            return ALL
        span = slice(rows.indptr[node], rows.indptr[node + 1])
        share, word = rows.data[span] / size, rows.indices[span]
        telling = np.where(share >= _OFTEN, share * np.log(share / self._common[word]), 0.0)
        best_words = [place for place in np.argsort(-telling, kind="stable") if telling[place] > 0]
        told = " ".join(self._vocabulary[word[place]] for place in best_words[:_WORDS_OF_A_NAME])
        name = f"{told} ({size} goods)" if told else f"{self._goods[best]} and {size - 1} like it"
        name = name if name not in self._taken else f"{name}, as {self._goods[best]}"
        self._taken.add(name)
        return name
