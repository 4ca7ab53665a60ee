"""Sales: does the release still say what was sold of what, and when?

What planning and buying look at first: money by month and category, or records where prices or quantities are
not shown. Categories and months are the release's own words, and coarser where it is; prices and quantities
are the original's, because a sum over rounded prices is wrong however it was rounded. `balanced` moves the
monthly sales of Online Retail by half, and nothing else told so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.measure import Detailed
from kakurenbo.utility.purchases.counted import UNIT, Counted, added, in_units

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.utility.purchases.counted import Shows


@dataclass(frozen=True)
class Sold:
    """Counts what was sold, by good and by month where times are shown: money, else records."""

    money: bool
    month: bool

    @classmethod
    def of(cls, original: Shows, released: Shows) -> Sold:
        """Count by what both tables show."""
        common = original.shown & released.shown
        return cls({"price", "quantity"} <= common, "time" in common)

    def __call__(self, data: Purchases) -> pl.DataFrame:
        """Return the keys, and `money` or `n`."""
        records = data.records
        keys = [pl.col("time").dt.truncate("1mo").alias("month")] if self.month else []
        keys.append(pl.col("goods").cast(pl.String))
        if not self.money:
            return records.group_by(keys).agg(n=pl.len().cast(pl.Int64))
        amounts = in_units(records["price"] * records["quantity"])
        return records.with_columns(money=amounts).group_by(keys).agg(pl.col("money").sum())


def sales(original: Purchases, released: Purchases) -> tuple[str, pl.DataFrame]:
    """Return what is counted, money or records, and (month, goods, before, after).

    The month is missing where either table shows no time.
    """
    sold = Sold.of(original, released)
    return _beside(added([sold(original)]), added([sold(released)]))


def _beside(before: pl.DataFrame, after: pl.DataFrame) -> tuple[str, pl.DataFrame]:
    """Return what is counted, and both counts beside each other."""
    *keys, counted = before.columns
    both = before.join(after, on=keys, how="full", coalesce=True, suffix="_after").fill_null(0).sort(keys)
    unit = UNIT if counted == "money" else 1.0
    sides = ((counted, "before"), (f"{counted}_after", "after"))
    cells = both.select(*keys, *((pl.col(of).cast(pl.Float64) * unit).alias(name) for of, name in sides))
    return "money" if counted == "money" else "records", cells


def _error(cells: pl.DataFrame) -> float:
    """Return sum |a - b| / sum a."""
    before, after = (cells[name].to_numpy() for name in ("before", "after"))
    return float(np.abs(before - after).sum() / before.sum())


class Sales(Counted):
    """How far sales by month and category moved, relative to all sales: money, or records without prices."""

    about: ClassVar = MeasureAbout(
        name="sales", kind="purchases", source="ours: what planning looks at", kept="share",
        promises=("best-on-copy",), unit="of sales", serves=("trends",), words="released",
        own=("price", "quantity"), says="sales by month and category off by {value:.0%}",
    )  # fmt: skip

    def counting(self, original: Shows, released: Shows) -> Sold:
        """Count money or records, by month where both show times."""
        return Sold.of(original, released)

    def compared(self, before: pl.DataFrame, after: pl.DataFrame) -> Detailed:
        """Return sum |a - b| / sum a over months and categories, and over each of the two alone."""
        counted, cells = _beside(before, after)
        detail = {
            f"{counted} by {name}": _error(
                cells.group_by(key, maintain_order=True).agg(pl.col("before", "after").sum())
            )
            for key, name in (("month", "month"), ("goods", "category"))
            if key in cells.columns
        }
        return Detailed(_error(cells), detail)
