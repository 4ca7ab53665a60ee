"""Quasi-identifiers to generalise: how a column is cut, how wide a group lies in it, how it is written.

Numbers and dates have an order, and a group of them is a range. Categories are a set, unless a hierarchy says
what they are called in coarser words: then they are cut where its words part, the coarsest first, and a group
is written as the finest word that all of it share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.generalised.writing import generalised, is_category
from kakurenbo.data.groups import as_text, over
from kakurenbo.errors import InputError
from kakurenbo.kernels.groups import Column

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.hierarchy import Hierarchy

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_ALL = "*"


@dataclass(frozen=True, eq=False)
class Quasi:
    """A quasi-identifier.

    Attributes:
        column: its values.
        cut: as it is cut.
        words: of a hierarchy, each row's value and its names as text, the finest first; else nothing.
    """

    column: pl.Series
    cut: Column
    words: pl.DataFrame | None = None

    @classmethod
    def of(cls, column: pl.Series, tree: Hierarchy | None) -> Quasi:
        """Return a column, with the hierarchy of its values where there is one."""
        if tree is not None:
            return cls._in_words(column, tree)
        if is_category(column):
            places = (column.cast(pl.String).rank("dense") - 1).to_numpy().astype(np.float64)
            return cls(column, Column(places, nominal=True))
        return cls(column, Column(column.to_physical().to_numpy().astype(np.float64)))

    @classmethod
    def _in_words(cls, column: pl.Series, tree: Hierarchy) -> Quasi:
        text = as_text(column).alias("value")
        known = text.unique().to_frame().join(tree.frame, on="value", how="left")
        unknown = (~known["value"].is_in(tree.frame["value"].implode())).sum()
        if unknown:
            raise InputError(
                f"{unknown} values of the column are not in its hierarchy; add them there, or leave it out.",
                code="hierarchy", column=column.name,
            )  # fmt: skip
        first = pl.col("value").cast(pl.Float64) if column.dtype.is_numeric() else pl.col("value")
        by = [first.min().over(name) for name in reversed(tree.levels)]
        known = known.sort([*by, first])
        levels = tuple(known[name].rle_id().to_numpy().astype(np.int64) for name in tree.levels)
        places = known.select("value").with_row_index("place")
        place = text.to_frame().join(places, on="value", how="left", maintain_order="left")["place"]
        words = text.to_frame().join(known, on="value", how="left", maintain_order="left")
        return cls(column, Column(place.to_numpy().astype(np.float64), True, levels), words)

    def width(self, rows: Ints, group: Ints) -> Floats:
        """Return how wide the group of each of these rows lies: 0 for one value, 1 for all there are."""
        values, distinct = self.cut.values[rows], len(np.unique(self.cut.values))
        low, high = _ends(values, group)
        if self.cut.levels:
            under, parted = np.full(len(low), distinct), np.ones(len(low), dtype=bool)
            for numbers in reversed((np.arange(distinct), *self.cut.levels)):
                parted = numbers[low.astype(np.int64)] != numbers[high.astype(np.int64)]
                size = np.bincount(numbers)[numbers[low.astype(np.int64)]]
                under = np.where(parted, under, size)
            made = (under - 1) / max(distinct - 1, 1)
        elif self.cut.nominal:
            pairs = np.unique(np.column_stack([group, values.astype(np.int64)]), axis=0)
            made = (np.bincount(pairs[:, 0]) - 1) / max(distinct - 1, 1)
        else:
            whole = float(np.ptp(self.cut.values / 2)) or 1.0
            made = (high / 2 - low / 2) / whole
        wide: Floats = made[group]
        return wide

    def written(self, rows: Ints, group: Ints) -> pl.Series:
        """Return for each of these rows the text of its group: a word, a range or a set."""
        column = self.column.gather(rows)
        if self.words is None:
            return generalised(column, group)
        words = self.words[rows]
        shared = [pl.when(pl.col(name).n_unique() == 1).then(pl.col(name).first()) for name in words.columns]
        made = words.select(over(pl.coalesce(*shared, pl.lit(_ALL)), group)).to_series().alias(column.name)
        return column if (made == words["value"]).all() else made

    def typical(self, rows: Ints, group: Ints) -> pl.Series:
        """Return for each row its group's most frequent category, or median, a value that occurs."""
        values = pl.col(self.column.name)
        frequent, middle = values.mode().sort().first(), values.sort().get((pl.len() - 1) // 2)
        made = frequent if is_category(self.column) else middle
        return self.column.gather(rows).to_frame().select(over(made, group)).to_series()


def _ends(values: Floats, group: Ints) -> tuple[Floats, Floats]:
    """Return the least and the greatest value of every group."""
    order = np.lexsort((values, group))
    start = np.searchsorted(group[order], np.arange(int(group.max()) + 1))
    end = np.append(start[1:], len(values)) - 1
    return values[order][start], values[order][end]
