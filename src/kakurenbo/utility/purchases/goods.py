"""Which goods sell: do the best sellers and the popularity of goods survive the release?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import polars as pl
from pydantic import Field

from kakurenbo.about import MeasureAbout
from kakurenbo.utility.purchases.counted import Counted

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.utility.purchases.counted import Counting, Shows


def buyers(purchases: Purchases) -> pl.DataFrame:
    """Return (goods, buyers): how many distinct customers bought each good."""
    baskets = purchases.baskets()
    return pl.DataFrame({"goods": baskets.goods, "buyers": baskets.buyers})


def top_goods(purchases: Purchases, count: int) -> set[str]:
    """Return the goods with the most buyers; ties go to the larger id, as in PWS Cup 2017."""
    return best_sellers(bought(purchases), count)


def bought(purchases: Purchases) -> pl.DataFrame:
    """Count the buyers of every good: (goods, n)."""
    return buyers(purchases).select(pl.col("goods").cast(pl.String), n=pl.col("buyers").cast(pl.Int64))


def best_sellers(counts: pl.DataFrame, count: int) -> set[str]:
    """Return the goods of which most are counted; ties go to the larger id."""
    return set(counts.sort("n", "goods", descending=True)["goods"].head(count))


class OfBuyers(Counted):
    """Shared by what follows from the number of buyers of every good."""

    def counting(self, original: Shows, released: Shows) -> Counting:  # noqa: ARG002 - goods are always shown
        """Count buyers."""
        return bought


class TopGoods(OfBuyers):
    """The share of the best-selling goods (by distinct buyers) that the release no longer shows as such."""

    about: ClassVar = MeasureAbout(
        name="top-goods", kind="purchases", source="PWS Cup 2017 E3", kept="share",
        promises=("best-on-copy",), serves=("trends", "papers"), words="released",
        says="{value:.0%} of the best sellers lost",
    )  # fmt: skip

    count: int = Field(100, ge=1, description="how many goods count as best sellers")

    def compared(self, before: pl.DataFrame, after: pl.DataFrame) -> float:
        """Return the share of the original's best sellers that are none in the release."""
        sold = best_sellers(before, self.count)
        return len(sold - best_sellers(after, self.count)) / len(sold)


class Popularity(OfBuyers):
    """How far the goods' shares of all buyers moved: total variation, 0 equal, 1 nothing in common."""

    about: ClassVar = MeasureAbout(
        name="popularity", kind="purchases", source="ours", kept="share", promises=("best-on-copy",),
        serves=("trends", "papers"), words="released", says="popularity of goods off by {value:.0%}",
    )  # fmt: skip

    def compared(self, before: pl.DataFrame, after: pl.DataFrame) -> float:
        """Return half the sum of |p_g - p'_g|, with p_g a good's share of the (customer, good) pairs."""
        both = (
            before.join(after, on="goods", how="full", coalesce=True, suffix="_after")
            .fill_null(0)
            .sort("goods")
            .select(p=pl.col("n") / pl.col("n").sum(), q=pl.col("n_after") / pl.col("n_after").sum())
        )
        return float((both["p"] - both["q"]).abs().sum() / 2)
