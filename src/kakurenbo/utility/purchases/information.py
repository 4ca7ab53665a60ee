"""How much a record still tells: the bits of its good and its day that coarser words take away.

The certainty penalty (`detail`) counts values and hardly minds a word for 500 of 3,700 goods, though an
analyst who gets fourteen words instead of the goods has lost most of what a record said. Shannon's measure
minds: a column that tells H bits a record, mapped to words that tell H', has lost 1 - H'/H of what it told
(the entropy measure of generalising; De Waal and Willenborg 1999, Gionis and Tassa 2009). Goods and days are
added up, and a column that is left out tells nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.measure import Detailed
from kakurenbo.utility.purchases.both_words import InBothWords

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases

_TOLD = {"goods": pl.col("goods"), "time": pl.col("time").dt.date()}


def bits(values: pl.Series) -> float:
    """Return Shannon's entropy of a column, in bits a record."""
    shares = np.sort(values.value_counts()["count"].to_numpy()) / len(values)  # equal columns, equal sums
    return float(-(shares * np.log2(shares)).sum()) + 0.0  # of one value 0, and never -0


class Information(InBothWords):
    """The share of what a record told of its good and its day, in bits, that the release no longer tells."""

    about: ClassVar = MeasureAbout(
        name="information", kind="purchases", source="De Waal and Willenborg 1999, entropy", kept="share",
        promises=("best-on-copy",), serves=("customers", "baskets", "trends"),
        says="{d[words]:,.0f} words for {d[goods]:,.0f} goods, {d[kept of goods]:.0%} of what the goods told",
        grain=True,
    )  # fmt: skip

    def lost(self, original: Purchases, words: Purchases, released: Purchases) -> Detailed:
        """Return the share lost, and what was kept of each column."""
        told, left = {}, {}
        for role in (role for role in _TOLD if role in original.roles):
            told[role] = bits(original.records.select(_TOLD[role]).to_series())
            shown = role in released.roles
            left[role] = bits(words.records.select(_TOLD[role]).to_series()) if shown else 0.0
        total = sum(told.values())
        detail = {"goods": float(len(original.goods)), "words": float(len(released.goods))}
        detail |= {f"kept of {role}": left[role] / told[role] for role in sorted(told) if told[role]}
        lost = max(0.0, 1 - sum(left.values()) / total) if total else 0.0
        return Detailed(lost, detail)
