"""U1-cMAE and U2-cMAE of PWS Cup 2016: what groups of customers spend, before and after.

The rule paper of the contest is not to be had, so these are **reconstructions**: customers are grouped by
attributes of the master (sex and nationality in the contest), each group's value is summed, and the two
tables are compared cell by cell. U1 groups the release by its own master, U2 by the original master through
the pairing, so that only U2 sees people swapped between groups.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import MeasureAbout
from kakurenbo.data.checks import columns
from kakurenbo.data.groups import comparable
from kakurenbo.data.owners import Owners
from kakurenbo.errors import InputError
from kakurenbo.theory import relative_error
from kakurenbo.utility.purchases.counted import UNIT, InPasses, added, in_units

if TYPE_CHECKING:
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Secret
    from kakurenbo.data.purchases import Purchases

Cell = Literal["amount", "price", "records"]


@dataclass(frozen=True, eq=False)
class Cells:
    """Counts the records of every group of customers, and adds up their amounts or prices.

    Attributes:
        by: the columns of the master that make the groups.
        cell: what is added up.
        people: whose customers are in which group; None for the table's own master.
    """

    by: tuple[str, ...]
    cell: Cell
    people: pl.DataFrame | None = None

    def __call__(self, data: Purchases) -> pl.DataFrame:
        """Return the groups, `n` and `money`."""
        records, people = data.under(None), data.master if self.people is None else self.people
        if people is None:
            raise AssertionError("a master was checked for")
        columns.require(self.by, people.columns)
        groups = people.select("customer", pl.col(self.by).name.prefix("\0"))  # apart from the records' names
        prices = records["price"] * records["quantity"] if self.cell == "amount" else records["price"]
        cells = records.select("customer").with_columns(money=in_units(prices)).join(groups, on="customer")
        return cells.group_by(groups.columns[1:]).agg(
            pl.len().cast(pl.Int64).alias("n"), pl.col("money").sum()
        )


def _attributes(data: Purchases) -> list[str]:
    """Return what the master tells of people."""
    return data.attributes.columns


class CrossTable(InPasses):
    """Shared by U1 and U2: the mean relative error of the cells of two cross tabulations."""

    by: tuple[str, ...] = Field(
        (), description="columns of the master to group by; none given means all that both have"
    )
    cell: Cell = Field(
        "amount",
        description="what a cell holds: sum of price times quantity, mean price, or number of records",
    )
    normaliser: Literal["cell", "total"] = Field(
        "cell",
        description="errors relative to each cell's mean, 2|a-b|/(a+b), or to the total, sum|a-b|/sum a",
    )

    def _cells(self, original: Blocks, released: Blocks) -> Cells:
        """Return what is counted, by the columns named, else by those that both masters have."""
        before, after = (next(iter(side.map(_attributes))) for side in (original, released))
        by = self.by or tuple(name for name in before if name in after)
        if not by:
            raise InputError("The two masters have no column in common to group by.", code="roles")
        return Cells(by, self.cell)

    def _values(self, cells: pl.DataFrame) -> pl.DataFrame:
        """Return the groups with what their cells hold."""
        money = pl.col("money").cast(pl.Float64) * UNIT
        value = {"amount": money, "price": money / pl.col("n"), "records": pl.col("n").cast(pl.Float64)}
        return cells.select(pl.exclude("n", "money"), value=value[self.cell])

    def _error(self, before: pl.DataFrame, after: pl.DataFrame) -> float:
        before, after = self._values(before), self._values(after)
        by = [name for name in before.columns if name != "value"]
        before, after = comparable([before, after], by)
        cells = before.join(
            after, on=by, how="full", coalesce=True, nulls_equal=True, suffix="_after"
        ).with_columns(pl.col("value", "value_after").fill_null(0.0))
        cells = cells.sort(by)  # in any order of blocks the same sum
        a, b = cells["value"].to_numpy(), cells["value_after"].to_numpy()
        if self.normaliser == "cell":
            return relative_error(a, b)
        return float(np.abs(a - b).sum() / a.sum())


class U1(CrossTable):
    """U1-cMAE: spending by groups of customers, each table grouped by its own master (a reconstruction)."""

    about: ClassVar = MeasureAbout(
        name="u1-cmae", kind="purchases", source="PWS Cup 2016, reconstructed", kept="share",
        promises=("best-on-copy",), needs=("price", "quantity", "master"), serves=("papers",),
    )  # fmt: skip

    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> float:  # noqa: ARG002
        """Return the error between the two cross tabulations."""
        cells = self._cells(original, released)
        return self._error(added(original.map(cells)), added(released.map(cells)))


class U2(CrossTable):
    """U2-cMAE: spending by groups of customers, followed through the pairing (a reconstruction)."""

    about: ClassVar = MeasureAbout(
        name="u2-cmae", kind="purchases", source="PWS Cup 2016, reconstructed", kept="share",
        promises=("best-on-copy",), needs=("price", "quantity", "master"), secret=True,
        serves=("papers",),
    )  # fmt: skip

    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> float:
        """Return the error between the two cross tabulations; every name is told its owners' groups first."""
        if secret is None:
            raise AssertionError("a secret was asked for")
        cells = self._cells(original, released)
        owned = Owners.of(secret).owned.frame
        people = pl.concat(list(original.map(_Grouped(cells.by)))).join(
            owned, left_on="customer", right_on="original"
        )
        named = replace(cells, people=people.drop("customer").rename({"released": "customer"}))
        return self._error(added(original.map(cells)), added(released.map(named)))


@dataclass(frozen=True)
class _Grouped:
    """The groups of a block's people."""

    by: tuple[str, ...]

    def __call__(self, data: Purchases) -> pl.DataFrame:
        """Return (customer, columns of the master)."""
        if data.master is None:
            raise AssertionError("a master was checked for")
        return data.master.select(pl.col("customer").cast(pl.String), *self.by)
