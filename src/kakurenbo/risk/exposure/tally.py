"""Tallies: how many people have equal content, when they stand in many blocks.

Nobody's content is carried from block to block, only 64 bits of it: every good has random bits by its name,
and a set of goods has the sum of theirs. Two different contents get the same bits with a chance of 2^-64, so
among a million people all are told apart but for one chance in thirty million, among fifty million but for
one in fifteen thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.chance import Chance
from kakurenbo.data.groups import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from kakurenbo.data.baskets import Baskets
    from kakurenbo.data.purchases import Purchases

    Bits = NDArray[np.uint64]

_SAME = Chance(0)  # for everybody and for ever: it tells contents apart, and hides nothing
_NEXT = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Tally:
    """The bits of every content, ascending, and how many people have it."""

    bits: Bits
    people: NDArray[np.int64]

    @classmethod
    def of(cls, bits: Bits) -> Tally:
        """Count everybody's bits."""
        return cls(*_counted(bits, np.ones(len(bits), dtype=np.int64)))

    @classmethod
    def sum(cls, parts: Iterable[Tally]) -> Tally:
        """Return the tally of the people of all parts."""
        all_of = list(parts)
        return cls(
            *_counted(
                np.concatenate([part.bits for part in all_of]),
                np.concatenate([part.people for part in all_of]),
            )
        )

    @property
    def alone(self) -> int:
        """How many have a content that nobody else has."""
        return int((self.people == 1).sum())


def _counted(bits: Bits, people: NDArray[np.int64]) -> tuple[Bits, NDArray[np.int64]]:
    different, place = np.unique(bits, return_inverse=True)
    counts = np.zeros(len(different), dtype=np.int64)
    np.add.at(counts, place, people)
    return different, counts


@dataclass(frozen=True, eq=False)
class Shelf:
    """All goods of a table in blocks, each with its place and its bits, whichever block it is met in."""

    goods: pl.Series
    bits: Bits

    @classmethod
    def of(cls, goods: pl.Series) -> Shelf:
        """Give every good its bits."""
        return cls(goods, _SAME.numbers("content", goods))

    def places(self, goods: pl.Series) -> NDArray[np.int64]:
        """Return the place of each of these goods on the shelf."""
        return goods.cast(pl.Enum(self.goods)).to_physical().to_numpy().astype(np.int64)

    def sets(self, baskets: Baskets) -> Bits:
        """Return the bits of everybody's set of goods."""
        mine = self.bits[self.places(baskets.goods)][baskets.matrix.indices]
        sums: Bits = np.add.reduceat(mine, baskets.matrix.indptr[:-1])
        return sums

    def points(self, block: Purchases, parts: Mapping[str, pl.Expr]) -> Bits:
        """Return the bits of every record's good together with these parts of the record."""
        codes = block.records.select(pl.col("goods").to_physical(), **parts)
        made: Bits = self.bits[self.places(block.goods)][codes["goods"].to_numpy()]
        for name in parts:
            made = made * _NEXT + codes[name].to_numpy().astype(np.uint64)
        return made


def value_bits(columns: Iterable[pl.Series]) -> Bits:
    """Return the bits of everybody's values in these columns, without those who have none at all."""
    texts = [as_text(column) for column in columns]
    made = np.zeros(len(texts[0]), dtype=np.uint64)
    there = np.zeros(len(texts[0]), dtype=np.bool_)
    for text in texts:
        given = text.is_not_null().to_numpy()
        own = np.where(given, _SAME.numbers("content", text.fill_null("")), np.uint64(0))
        made, there = made * _NEXT + own, there | given
    return made[there]
