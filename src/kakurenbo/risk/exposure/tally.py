"""Tallies: what adds up over the blocks of a table, such as how many people have equal content.

Nobody's content is carried from block to block, only 64 bits of it: every good has random bits by its name,
and a set of goods has the sum of theirs. Two different contents get the same bits with a chance of 2^-64, so
among a million people all are told apart but for one chance in thirty million, among fifty million but for
one in fifteen thousand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.chance import Chance
from kakurenbo.data.groups import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from kakurenbo.data.baskets import Baskets
    from kakurenbo.data.purchases import Purchases

    Bits = NDArray[np.uint64]
    Ints = NDArray[np.int64]

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


def _value_bits(columns: Iterable[pl.Series]) -> Bits:
    """Return the bits of everybody's values in these columns, without those who have none at all."""
    texts = [as_text(column) for column in columns]
    made = np.zeros(len(texts[0]), dtype=np.uint64)
    there = np.zeros(len(texts[0]), dtype=np.bool_)
    for text in texts:
        given = text.is_not_null().to_numpy()
        own = np.where(given, _SAME.numbers("content", text.fill_null("")), np.uint64(0))
        made, there = made * _NEXT + own, there | given
    return made[there]


@dataclass(frozen=True, eq=False)
class Counts:
    """What adds up, of a block or of all.

    Attributes:
        sizes: how many people have 0, 1, 2, ... different goods.
        holders: how many people hold each good of the shelf.
        only: how many goods the last person counted as its holder has; of use where there is but one holder.
        sets: the tally of goods sets.
        values: the tally of every column of the master, and of all under an empty name.
        known: which goods of the shelf have each column of the table of goods.
    """

    sizes: Ints
    holders: Ints
    only: Ints
    sets: Tally
    values: Mapping[str, Tally]
    known: Mapping[str, NDArray[np.bool_]]

    @classmethod
    def of(cls, block: Purchases, shelf: Shelf) -> Counts:
        """Count a block."""
        baskets = block.baskets()
        places, buyers = shelf.places(block.goods), baskets.buyers
        holders, only = (np.zeros(len(shelf.goods), dtype=np.int64) for _ in range(2))
        holders[places] = buyers
        of = np.zeros(len(buyers), dtype=np.int64)
        of[baskets.matrix.indices] = np.repeat(baskets.sizes, baskets.sizes)
        only[places] = np.where(buyers == 1, of, 0)
        return cls(
            np.bincount(baskets.sizes), holders, only, Tally.of(shelf.sets(baskets)),
            _values(block), _known(block, shelf),
        )  # fmt: skip

    @classmethod
    def sum(cls, parts: Iterable[Counts]) -> Counts:
        """Add up the parts."""
        sizes = holders = only = np.zeros(0, dtype=np.int64)
        sets: list[Tally] = []
        values: dict[str, list[Tally]] = {}
        known: dict[str, NDArray[np.bool_]] = {}
        for part in parts:
            sizes = np.add(*_even(sizes, part.sizes))
            holders = np.add(*_even(holders, part.holders))
            only = np.maximum(*_even(only, part.only))
            sets.append(part.sets)
            for name, tally in part.values.items():
                values.setdefault(name, []).append(tally)
            for name, goods in part.known.items():
                known[name] = known.get(name, False) | goods
        tallies = {name: Tally.sum(each) for name, each in values.items()}
        return cls(sizes, holders, only, Tally.sum(sets), tallies, known)

    @property
    def people(self) -> int:
        """How many people there are."""
        return int(self.sizes.sum())

    @property
    def goods_per_customer(self) -> float:
        """The mean number of different goods."""
        return int(self.sizes @ np.arange(len(self.sizes))) / self.people

    def quantile(self, share: float) -> float:
        """Return the quantile of the numbers of goods, between two neighbours by their distance."""
        below = np.cumsum(self.sizes)
        place = share * (self.people - 1)
        low, high = (int(np.searchsorted(below, at, side="right")) for at in (int(place), math.ceil(place)))
        return float(np.quantile([low, high], place - int(place)))

    @property
    def mean_intersection(self) -> float | None:
        """The mean number of goods that two people share, exactly."""
        if self.people < 2:
            return None
        pairs = sum(math.comb(count, 2) for count in self.holders.tolist())
        return pairs / math.comb(self.people, 2)

    @property
    def alone_by_a_good(self) -> float:
        """The mean share of a person's goods that nobody else holds, exactly."""
        return math.fsum((1 / self.only[self.holders == 1]).tolist()) / self.people


def _values(block: Purchases) -> dict[str, Tally]:
    people = block.attributes
    made = {column.name: Tally.of(_value_bits([column])) for column in people}
    return made | ({"": Tally.of(_value_bits(people))} if people.width > 1 else {})


def _known(block: Purchases, shelf: Shelf) -> dict[str, NDArray[np.bool_]]:
    if block.goods_table is None:
        return {}
    sold = block.goods_table.filter(pl.col("goods").is_in(block.goods.implode()))
    places, made = shelf.places(sold["goods"]), {}
    for column in sold.drop("goods"):
        made[column.name] = np.zeros(len(shelf.goods), dtype=np.bool_)
        made[column.name][places] = column.is_not_null().to_numpy()
    return made


def _even(one: Ints, other: Ints) -> Iterator[Ints]:
    """Yield both with zeros behind the shorter."""
    width = max(len(one), len(other))
    return (np.pad(each, (0, width - len(each))) for each in (one, other))
