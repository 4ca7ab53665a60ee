"""Sales: does the release still say what was sold of what, and when?

What planning and buying look at first: money by month and category, or records where prices or quantities are
not shown. Categories and months are the release's own words, and coarser where it is; prices and quantities
are the original's, because a sum over rounded prices is wrong however it was rounded. `balanced` moves the
monthly sales of Online Retail by half, and nothing else told so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Detailed, Measure

if TYPE_CHECKING:
    from kakurenbo.data.pairing import Pairing


def sales(original: Purchases, released: Purchases) -> tuple[str, pl.DataFrame]:
    """Return what is counted, money or records, and (month, goods, before, after).

    The month is missing where either table shows no time.
    """
    common = original.shown & released.shown
    money = {"price", "quantity"} <= common
    # sorted first: equal cells must have equal sums, to the last bit
    amount = (
        (pl.col("price") * pl.col("quantity")).sort().sum() if money else pl.len().cast(pl.Float64)
    ).alias("amount")
    month = [pl.col("time").dt.truncate("1mo").alias("month")] if "time" in common else []
    keys = ["month", "goods"] if month else ["goods"]
    before, after = (
        data.records.with_columns(pl.col("goods").cast(pl.String), *month).group_by(keys).agg(amount)
        for data in (original, released)
    )
    both = before.join(after, on=keys, how="full", coalesce=True).fill_null(0.0).sort(keys)
    return "money" if money else "records", both.rename({"amount": "before", "amount_right": "after"})


def _error(cells: pl.DataFrame) -> float:
    """Return sum |a - b| / sum a."""
    before, after = (cells[name].to_numpy() for name in ("before", "after"))
    return float(np.abs(before - after).sum() / before.sum())


class Sales(Measure[Purchases]):
    """How far sales by month and category moved, relative to all sales: money, or records without prices."""

    about: ClassVar = MeasureAbout(
        name="sales", kind="purchases", source="ours: what planning looks at", kept="share",
        promises=("best-on-copy",), unit="of sales", serves=("trends",), words="released",
        own=("price", "quantity"), says="sales by month and category off by {value:.0%}",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> Detailed:  # noqa: ARG002
        """Return sum |a - b| / sum a over months and categories, and over each of the two alone."""
        counted, cells = sales(original, released)
        detail = {
            f"{counted} by {name}": _error(
                cells.group_by(key, maintain_order=True).agg(pl.col("before", "after").sum())
            )
            for key, name in (("month", "month"), ("goods", "category"))
            if key in cells.columns
        }
        return Detailed(_error(cells), detail)
