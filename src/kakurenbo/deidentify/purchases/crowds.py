"""Crowds beyond memory: what a cut needs to know of purchases, gathered block by block.

A person is whole in his block, so the greatest share that anybody has in a kind of goods in a period is the
greatest of the blocks' greatest. What passes between them has a row for a kind and a period.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.errors import ParameterError
from kakurenbo.kernels.taxonomy import Bought, Counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

    Codes = NDArray[np.int64]
    Peaks = tuple[int, Codes, Codes]

_MOST = 1 << 28  # numbers that are kept of all kinds, periods and ways to cut: 2 GiB


@dataclass(frozen=True, eq=False)
class CountedInBlocks(Counted):
    """Purchases in blocks, counted in passes; `beside` other work, what needs no tree is counted unseen."""

    blocks: Blocks
    progress: Progress | None = None
    beside: bool = False

    @cached_property
    def people(self) -> int:  # type: ignore[override]
        """How many people there are."""
        return int(self.blocks.whole.counts["customers"])

    @cached_property
    def _counts(self) -> tuple[Codes, Codes, Codes, pl.Series]:
        """Records, sums of shares and greatest shares of every good, and the periods."""
        goods, alone = self.blocks.whole.goods, len(self.blocks) == 1
        records, sums = np.zeros(len(goods), dtype=np.int64), np.zeros(len(goods), dtype=np.int64)
        times, tops = [pl.Series("time", [0], dtype=pl.Int64)], _Greatest(len(goods), 1)
        work = _Counting(goods, self.people, alone)
        steps = self.progress.unseen() if self.progress and self.beside else self.progress
        for made in self.blocks.map(work, progress=steps, doing="counting goods"):
            records += made.records
            sums += made.sums
            times.append(made.times)
            tops.add(made.tops)
        return records, sums, tops.sum()[:, 0], pl.concat(times[1:] or times).unique().sort()

    def beforehand(self) -> None:
        """Count what needs no tree, such as while the tree is being learnt."""
        _ = self._counts

    @property
    def records(self) -> NDArray[np.float64]:  # type: ignore[override]
        """Of every good."""
        return self._counts[0].astype(np.float64)

    @property
    def sums(self) -> Codes:  # type: ignore[override]
        """Of the shares of every good."""
        return self._counts[1]

    @property
    def tops(self) -> Codes:
        """Of every good, the sum over periods of the greatest share of one person."""
        return self._counts[2]

    def peaks(self, parents: Codes, stays: Codes, ways: int) -> Codes:
        """Return nodes x ways: the sums over periods of the greatest share of one person."""
        goods, times, alone = self.blocks.whole.goods, self._counts[3], len(self.blocks) == 1
        if not alone:
            _require_few(len(times), len(parents) * ways)
        work = _Peaks(goods, times, self.people, parents, stays, ways, alone)
        greatest = _Greatest(len(parents), ways)
        for part in self.blocks.map(work, progress=self.progress, doing="looking for who stands out"):
            greatest.add(part)
        return greatest.sum()


class _Greatest:
    """The greatest shares so far, nodes x ways of every period."""

    def __init__(self, nodes: int, ways: int) -> None:
        self._shape = nodes, ways
        self._of: dict[int, Codes] = {}

    def add(self, part: Iterable[Peaks]) -> None:
        """Take the greatest shares of a block."""
        for period, nodes, peaks in part:
            held = self._of.setdefault(period, np.zeros(self._shape, dtype=np.int64))
            held[nodes] = np.maximum(held[nodes], peaks)
            _require_few(len(self._of), held.size)

    def sum(self) -> Codes:
        """Return the sums over all periods."""
        return sum(self._of.values(), np.zeros(self._shape, dtype=np.int64))


def _require_few(times: int, each: int) -> None:
    """Refuse more periods than can be held, where each takes so many numbers."""
    if times > 1 and times * each > _MOST:
        raise ParameterError(
            f"Generalize: there are at least {times:,} different times, too many for a crowd beyond memory. "
            "Coarsen times first, such as to months.", code="parameter", parameter="crowd",
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Count:
    """What is counted of a block; of an only one the greatest shares of all periods are added up."""

    records: Codes
    sums: Codes
    tops: list[Peaks]
    times: pl.Series


@dataclass(frozen=True, eq=False)
class _Counting:
    """The pass that counts records and shares of goods, and gathers the times there are."""

    goods: pl.Series
    people: int
    alone: bool

    def __call__(self, data: Purchases) -> _Count:
        times = _times(data)
        there = times.unique().sort()
        if not self.alone:
            _require_few(len(there), len(self.goods))
        periods = there.search_sorted(times).to_numpy().astype(np.int64)
        bought = _bought(data, self.goods, periods, self.people)
        if self.alone:
            tops = [(0, np.arange(len(self.goods)), bought.tops[:, None])]
        else:
            tops = [(int(there[at]), goods, shares) for at, goods, shares in bought.tops_by_period()]
        return _Count(bought.records.astype(np.int64), bought.sums, tops, there)


@dataclass(frozen=True, eq=False)
class _Peaks:
    """The pass that looks for the greatest shares; of an only block all periods are added up at once."""

    goods: pl.Series
    times: pl.Series
    people: int
    parents: Codes
    stays: Codes
    ways: int
    alone: bool

    def __call__(self, data: Purchases) -> list[Peaks]:
        periods = self.times.search_sorted(_times(data)).to_numpy().astype(np.int64)
        bought = _bought(data, self.goods, periods, self.people)
        if self.alone:
            made = bought.peaks(self.parents, self.stays, self.ways)
            return [(0, np.arange(len(made)), made)]
        return list(bought.peaks_by_period(self.parents, self.stays, self.ways))


def _times(data: Purchases) -> pl.Series:
    """Return the time of every record as a whole number, 0 where there are none."""
    if "time" not in data.roles:
        return pl.zeros(len(data), dtype=pl.Int64, eager=True).alias("time")
    return data.records["time"].to_physical().cast(pl.Int64).alias("time")


def _bought(data: Purchases, goods: pl.Series, periods: Codes, people: int) -> Bought:
    places = goods.search_sorted(data.goods).to_numpy().astype(np.int64)
    who, what = (data.records[role].to_physical().to_numpy() for role in ("customer", "goods"))
    return Bought.of(who.astype(np.int64), places[what], periods, everybody=people, all_goods=len(goods))
