"""How large a visit is: the distribution of lines on a receipt.

Padding swells one receipt a person to a thousand lines, dealing records leaves crumbs. The two distributions
are compared by how many lines would have to be moved to make one of the other (Wasserstein), over the mean
before. Without receipts, a visit is what a customer buys at one released time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.measure import Detailed
from kakurenbo.utility.purchases.counted import Counted
from kakurenbo.utility.purchases.visits import visit_columns

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.utility.purchases.counted import Shows


@dataclass(frozen=True)
class Lines:
    """Counts the visits of every number of lines: (lines, n)."""

    visit: tuple[str, ...]

    def __call__(self, data: Purchases) -> pl.DataFrame:
        """Return the counts."""
        visits = data.records.group_by(self.visit).agg(lines=pl.len().cast(pl.Int64))
        return visits.group_by("lines").agg(n=pl.len().cast(pl.Int64))


def moved(before: pl.DataFrame, after: pl.DataFrame) -> float:
    """Return the Wasserstein distance of two counts of whole numbers: the area between their shares."""
    top = max(int(table["lines"].max()) for table in (before, after)) + 1  # type: ignore[arg-type] # a number
    counts = (
        np.bincount(table["lines"].to_numpy(), weights=table["n"].to_numpy(), minlength=top)
        for table in (before, after)
    )
    shares = [np.cumsum(count) / count.sum() for count in counts]
    return float(np.abs(shares[0] - shares[1]).sum())


def _mean(counts: pl.DataFrame) -> float:
    """Return the mean number of lines of a visit."""
    return int((counts["lines"] * counts["n"]).sum()) / int(counts["n"].sum())


class BasketSize(Counted):
    """How far the number of lines of a visit moved, over the mean number before."""

    about: ClassVar = MeasureAbout(
        name="basket-size", kind="purchases", source="ours", kept="share", promises=("best-on-copy",),
        unit="of the mean", serves=("baskets", "trends"), words="released",
        says="{d[lines after]:.1f} lines a visit ({d[lines before]:.1f} in truth)",
    )  # fmt: skip

    def counting(self, original: Shows, released: Shows) -> Lines:
        """Count visits by their lines."""
        return Lines(tuple(visit_columns(original, released)))

    def compared(self, before: pl.DataFrame, after: pl.DataFrame) -> Detailed:
        """Return the Wasserstein distance of lines a visit over their mean before."""
        mean = _mean(before)
        return Detailed(moved(before, after) / mean, {"lines before": mean, "lines after": _mean(after)})
