"""Category mix: is a customer's basket still made of the same parts?

What is recommended to somebody rests on what share of his purchases each category has. The shares are those
of the release's own words, so a release that keeps whole histories in coarser words keeps the mix; what the
coarser words cost is said by `detail`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Measure
from kakurenbo.utility.purchases.together import in_codes

if TYPE_CHECKING:
    from kakurenbo.data.pairing import Pairing


class CategoryMix(Measure[Purchases]):
    """How far a person's shares of categories moved: mean total variation; who is gone counts 1."""

    about: ClassVar = MeasureAbout(
        name="category-mix", kind="purchases", source="ours", kept="share", promises=("best-on-copy",),
        secret=True, serves=("customers",), words="released",
        says="everybody's mix of categories off by {value:.0%}",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Return the mean over the original's people of 1 - sum of the smaller shares."""
        before, after = map(_shares, in_codes(original, released, secret))
        common = before.join(after, on=["customer", "goods"])
        # over one denominator, so that equal mixes have exactly 1 in common
        smaller = pl.min_horizontal(pl.col("n") * pl.col("all_right"), pl.col("n_right") * pl.col("all"))
        kept = common.group_by("customer").agg(
            share=smaller.sum() / (pl.col("all").first() * pl.col("all_right").first())
        )
        return 1.0 - float(kept["share"].sort().sum()) / len(original.customers)


def _shares(records: pl.DataFrame) -> pl.DataFrame:
    """Return (customer, goods, n, all): how many records of a good somebody has, and of all goods."""
    counts = records.group_by("customer", "goods").agg(n=pl.len().cast(pl.Int64))
    return counts.with_columns(all=pl.col("n").sum().over("customer"))
