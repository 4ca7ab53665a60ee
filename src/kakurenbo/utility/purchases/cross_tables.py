"""U1-cMAE and U2-cMAE of PWS Cup 2016: what groups of customers spend, before and after.

The rule paper of the contest is not to be had, so these are **reconstructions**: customers are grouped by
attributes of the master (sex and nationality in the contest), each group's value is summed, and the two
tables are compared cell by cell. U1 groups the release by its own master, U2 by the original master through
the pairing, so that only U2 sees people swapped between groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import MeasureAbout
from kakurenbo.data.checks import columns
from kakurenbo.data.groups import comparable
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import InputError
from kakurenbo.measure import Measure
from kakurenbo.theory import relative_error

if TYPE_CHECKING:
    from kakurenbo.data.pairing import Pairing

_VALUES = {
    # sorted first: equal groups must have equal sums, to the last bit
    "amount": (pl.col("price") * pl.col("quantity")).sort().sum(),
    "price": pl.col("price").sort().mean(),
    "records": pl.len().cast(pl.Float64),
}


class CrossTable(Measure[Purchases]):
    """Shared by U1 and U2: the mean relative error of the cells of two cross tabulations."""

    by: tuple[str, ...] = Field(
        (), description="columns of the master to group by; none given means all that both have"
    )
    cell: Literal["amount", "price", "records"] = Field(
        "amount",
        description="what a cell holds: sum of price times quantity, mean price, or number of records",
    )
    normaliser: Literal["cell", "total"] = Field(
        "cell",
        description="errors relative to each cell's mean, 2|a-b|/(a+b), or to the total, sum|a-b|/sum a",
    )

    def _table(self, records: pl.DataFrame, master: pl.DataFrame | None, by: list[str]) -> pl.DataFrame:
        if master is None:
            raise AssertionError("a master was checked for")
        columns.require(by, master.columns)
        cells = master.select("customer", pl.col(by).name.prefix("\0"))  # apart from the records' own names
        keys = cells.columns[1:]
        return records.join(cells, on="customer").group_by(keys).agg(value=_VALUES[self.cell])

    def _columns(self, original: Purchases, released: Purchases) -> list[str]:
        """Return the columns to group by: those named, else those that both masters have."""
        there = released.attributes.columns
        by = list(self.by) or [name for name in original.attributes.columns if name in there]
        if not by:
            raise InputError("The two masters have no column in common to group by.", code="roles")
        return by

    def _error(self, before: pl.DataFrame, after: pl.DataFrame) -> float:
        by = [name for name in before.columns if name != "value"]
        before, after = comparable([before, after], by)
        cells = before.join(
            after, on=by, how="full", coalesce=True, nulls_equal=True, suffix="_after"
        ).fill_null(0.0)
        a, b = cells["value"].to_numpy(), cells["value_after"].to_numpy()
        if not np.isfinite([a, b]).all():
            raise InputError("The amounts are too large to be added up.", code="limit")
        if self.normaliser == "cell":
            return relative_error(a, b)
        return float(np.abs(a - b).sum() / a.sum())


class U1(CrossTable):
    """U1-cMAE: spending by groups of customers, each table grouped by its own master (a reconstruction)."""

    about: ClassVar = MeasureAbout(
        name="u1-cmae", kind="purchases", source="PWS Cup 2016, reconstructed", kept="share",
        promises=("best-on-copy",), needs=("price", "quantity", "master"), serves=("papers",),
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the error between the two cross tabulations."""
        by = self._columns(original, released)
        before = self._table(original.under(None), original.master, by)
        return self._error(before, self._table(released.under(None), released.master, by))


class U2(CrossTable):
    """U2-cMAE: spending by groups of customers, followed through the pairing (a reconstruction)."""

    about: ClassVar = MeasureAbout(
        name="u2-cmae", kind="purchases", source="PWS Cup 2016, reconstructed", kept="share",
        promises=("best-on-copy",), needs=("price", "quantity", "master"), secret=True,
        serves=("papers",),
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Return the error between the two cross tabulations."""
        by = self._columns(original, released)
        before = self._table(original.under(None), original.master, by)
        return self._error(before, self._table(released.under(secret), original.master, by))
