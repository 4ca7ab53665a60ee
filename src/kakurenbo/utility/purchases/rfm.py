"""U3-RFM of PWS Cup 2016: does the release still show who bought lately, often and for much?

A **reconstruction**: R = days from a customer's last purchase to the last day of the original, F = distinct
receipts (days where either table shows no receipts), M = sum of price times quantity. Each is ranked into
ten classes by the deciles of the original, and U3 = sum over the 1000 cells of |h - h'| / (2n), n the
original's customers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.theory import histogram_distance
from kakurenbo.utility.purchases.counted import InPasses
from kakurenbo.utility.purchases.visits import comparable_baskets

if TYPE_CHECKING:
    import datetime as dt

    from numpy.typing import NDArray

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Secret
    from kakurenbo.data.purchases import Purchases

CLASSES = 10


def rfm(purchases: Purchases, last: dt.datetime, *, receipts: bool) -> NDArray[np.float64]:
    """Return customers x (recency in days, frequency, monetary value).

    Args:
        purchases: whose.
        last: what recency is counted from.
        receipts: whether frequency counts receipts, or days.
    """
    visits = pl.col("receipt") if receipts else pl.col("time").dt.date()
    table = (
        purchases.records.group_by("customer")
        .agg(
            recency=(pl.lit(last).dt.date() - pl.col("time").max().dt.date())
            .dt.total_days()
            .cast(pl.Float64),
            frequency=visits.n_unique().cast(pl.Float64),
            monetary=(pl.col("price") * pl.col("quantity")).sort().sum(),
        )
        .sort("customer")
    )
    return table.drop("customer").to_numpy()


def deciles(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the nine inner decile bounds of each column."""
    bounds: NDArray[np.float64] = np.quantile(values, np.arange(1, CLASSES) / CLASSES, axis=0)
    return bounds


def histogram(values: NDArray[np.float64], bounds: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the number of customers in each of the 1000 cells."""
    ranks = [np.searchsorted(bounds[:, i], values[:, i], side="right") for i in range(3)]
    cells = (ranks[0] * CLASSES + ranks[1]) * CLASSES + ranks[2]
    return np.bincount(cells, minlength=CLASSES**3)


def latest(purchases: Purchases) -> dt.datetime:
    """Return the time of the last purchase."""
    last: dt.datetime = purchases.records["time"].max()  # type: ignore[assignment] # a time column
    return last


@dataclass(frozen=True)
class Rfm:
    """What `rfm` tells of a table."""

    last: dt.datetime
    receipts: bool

    def __call__(self, data: Purchases) -> NDArray[np.float64]:
        """Return customers x (recency, frequency, value)."""
        return rfm(data, self.last, receipts=self.receipts)


@dataclass(frozen=True, eq=False)
class Classes:
    """Counts the people of a table in the 1000 cells."""

    table: Rfm
    bounds: NDArray[np.float64]

    def __call__(self, data: Purchases) -> NDArray[np.int64]:
        """Return the counts."""
        return histogram(self.table(data), self.bounds)


class U3(InPasses):
    """U3-RFM: distance between the histograms of recency, frequency and value ranks (a reconstruction)."""

    about: ClassVar = MeasureAbout(
        name="u3-rfm", kind="purchases", source="PWS Cup 2016, reconstructed", kept="share",
        promises=("best-on-copy",), needs=("time", "price", "quantity"), serves=("papers",),
    )  # fmt: skip

    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> float:  # noqa: ARG002
        """Return sum |h - h'| / (2n), the deciles fixed on the original; 1 at most, where names are many.

        Three numbers of everybody are kept.
        """
        receipts = comparable_baskets(original.whole, released.whole) == "receipts"
        table = Rfm(max(original.map(latest)), receipts=receipts)
        before = np.vstack(list(original.map(table)))
        bounds = deciles(before)
        after = reduce(add, released.map(Classes(table, bounds)))
        return min(1.0, histogram_distance(histogram(before, bounds), after))
