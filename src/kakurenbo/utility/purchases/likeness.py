"""Is a customer's released basket still like his own?

The mean Jaccard of I(u) and I(u') through the pairing. On releases of Methods 1 and 2 this is what 000
table 8 prints under "Jaccard Reid" (0.17 at c = 50): a similarity, not the rate of the Jaccard attack.
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


class Likeness(Measure[Purchases]):
    """The mean Jaccard of a customer's goods before and after, followed through the pairing."""

    about: ClassVar = MeasureAbout(
        name="likeness", kind="purchases", source="000 table 8, Jaccard Reid", kept="similarity",
        promises=("best-on-copy",), unit="Jaccard", better="higher", secret=True, serves=("papers",),
        words="released",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Return the mean over the customers of the original; one who is gone counts 0."""
        tables = in_codes(original, released, secret)
        before, after = (table.select("customer", "goods").unique() for table in tables)
        common = before.join(after, on=["customer", "goods"]).group_by("customer").agg(common=pl.len())
        sizes = before.group_by("customer").agg(a=pl.len())
        sizes = sizes.join(after.group_by("customer").agg(b=pl.len()), on="customer", how="left")
        table = sizes.join(common, on="customer", how="left").fill_null(0).sort("customer")
        jaccard = table.select(pl.col("common") / (pl.col("a") + pl.col("b") - pl.col("common")))["common"]
        return float(jaccard.to_numpy().mean())
