"""Detail lost by generalising: the normalised certainty penalty, of goods and of times.

Measures that compare in the words of a release do not see how coarse these are; this one sees nothing else. A
released word that stands for g of the original's G goods costs (g - 1) / (G - 1) of each record it stands in:
0 where every good keeps a word of its own, 1 where all share one. Times likewise: a month that stands for all
the moments in it; a column that is left out is lost whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.measure import Detailed
from kakurenbo.utility.purchases.both_words import InBothWords

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases


def penalty(values: pl.Series, words: pl.Series) -> float:
    """Return the mean over records of (values that share their word - 1) / (all values - 1)."""
    records = pl.DataFrame({"value": values, "word": words})
    number = records["value"].n_unique()
    if number == 1:
        return 0.0
    by_word = records.group_by("word").agg(records=pl.len(), leaves=pl.col("value").n_unique())
    lost = (by_word["records"] * (by_word["leaves"].cast(pl.Int64) - 1)).sum()
    return float(lost) / (len(values) * (number - 1))


class Detail(InBothWords):
    """The share of detail lost by coarser words: mean over goods and times of the certainty penalty."""

    about: ClassVar = MeasureAbout(
        name="detail", kind="purchases", source="Xu et al. 2006, normalised certainty penalty", kept="share",
        promises=("best-on-copy",), serves=("customers", "baskets", "trends"),
        says="{value:.0%} of the detail of goods and times lost",
    )  # fmt: skip

    def lost(self, original: Purchases, words: Purchases, released: Purchases) -> Detailed:
        """Return the mean penalty of goods and, where the original shows them, of times."""
        lost = {"goods": penalty(original.records["goods"], words.records["goods"])}
        if "time" in original.roles:
            shown = "time" in released.roles
            lost["time"] = penalty(original.records["time"], words.records["time"]) if shown else 1.0
        return Detailed(sum(lost.values()) / len(lost), lost)
