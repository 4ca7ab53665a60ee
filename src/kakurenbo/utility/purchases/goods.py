"""Which goods sell: do the best sellers and the popularity of goods survive the release?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import polars as pl
from pydantic import Field

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Measure

if TYPE_CHECKING:
    from kakurenbo.data.pairing import Pairing


def buyers(purchases: Purchases) -> pl.DataFrame:
    """Return (goods, buyers): how many distinct customers bought each good."""
    baskets = purchases.baskets()
    return pl.DataFrame({"goods": baskets.goods, "buyers": baskets.buyers})


def top_goods(purchases: Purchases, count: int) -> set[str]:
    """Return the goods with the most buyers; ties go to the larger id, as in PWS Cup 2017."""
    ranked = buyers(purchases).sort("buyers", "goods", descending=True)
    return set(ranked["goods"].head(count))


class TopGoods(Measure[Purchases]):
    """The share of the best-selling goods (by distinct buyers) that the release no longer shows as such."""

    about: ClassVar = MeasureAbout(
        name="top-goods", kind="purchases", source="PWS Cup 2017 E3", kept="share",
        promises=("best-on-copy",), serves=("trends", "papers"), words="released",
        says="{value:.0%} of the best sellers lost",
    )  # fmt: skip

    count: int = Field(100, ge=1, description="how many goods count as best sellers")

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the share of the original's best sellers that are none in the release."""
        before = top_goods(original, self.count)
        return len(before - top_goods(released, self.count)) / len(before)


class Popularity(Measure[Purchases]):
    """How far the goods' shares of all buyers moved: total variation, 0 equal, 1 nothing in common."""

    about: ClassVar = MeasureAbout(
        name="popularity", kind="purchases", source="ours", kept="share", promises=("best-on-copy",),
        serves=("trends", "papers"), words="released", says="popularity of goods off by {value:.0%}",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return half the sum of |p_g - p'_g|, with p_g a good's share of the (customer, good) pairs."""
        both = (
            buyers(original)
            .join(buyers(released), on="goods", how="full", coalesce=True, suffix="_after")
            .fill_null(0)
            .select(
                p=pl.col("buyers") / pl.col("buyers").sum(),
                q=pl.col("buyers_after") / pl.col("buyers_after").sum(),
            )
        )
        return float((both["p"] - both["q"]).abs().sum() / 2)
