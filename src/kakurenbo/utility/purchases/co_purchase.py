"""Bought together: does the release still show which goods go into one basket?

Recommendations rest on this. Two goods are as close as the cosine of the receipts that hold them, or of the
customers where either table shows no receipts; the distance adds up how much every closeness moved, relative
to all closeness there was. It is the form of PWS Cup 2017's ItemCF measures, on binary baskets and on the
original's best sellers only, because the tail says little and costs much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Detailed, Measure
from kakurenbo.utility.purchases.goods import top_goods
from kakurenbo.utility.purchases.visits import COLUMN, Baskets, comparable_baskets

if TYPE_CHECKING:
    from kakurenbo.data.pairing import Pairing


def closeness(purchases: Purchases, goods: pl.Series, baskets: Baskets) -> sparse.csr_array[np.float64]:
    """Return goods x goods with the cosine of the baskets that hold them, the diagonal empty."""
    basket = COLUMN[baskets]
    cells = (
        purchases.under(None)
        .select(basket, "goods")
        .filter(pl.col("goods").is_in(goods.implode()))
        .unique()
        .with_columns(pl.col(basket).rank("dense") - 1, pl.col("goods").cast(pl.Enum(goods)).to_physical())
    )
    rows, columns = cells[basket].to_numpy().astype(np.int64), cells["goods"].to_numpy()
    shape = (int(rows.max(initial=-1)) + 1, len(goods))
    held = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=shape).tocsr()
    norms = np.sqrt(np.asarray(held.sum(axis=0)).ravel())
    scaled = held @ sparse.diags_array(1 / np.maximum(norms, 1e-300))
    close = sparse.csr_array(scaled.T @ scaled)
    return sparse.csr_array(close - sparse.diags_array(close.diagonal()))


class CoPurchase(Measure[Purchases]):
    """How far the closeness of goods bought together moved, over all closeness there was, 1 at most."""

    about: ClassVar = MeasureAbout(
        name="co-purchase", kind="purchases", source="ours, after PWS Cup 2017 E1", kept="share",
        promises=("best-on-copy",), serves=("baskets", "papers"), words="released",
        says="what is bought together off by {value:.0%}",
    )  # fmt: skip

    count: int = Field(500, ge=2, description="how many best-selling goods are compared")

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> Detailed:  # noqa: ARG002
        """Return min(1, sum |W - W'| / sum W) over pairs of the original's best sellers."""
        baskets = comparable_baskets(original, released)
        goods = pl.Series(sorted(top_goods(original, self.count)))
        before, after = (closeness(data, goods, baskets) for data in (original, released))
        total = float(before.sum())
        moved = float(np.abs((before - after).data).sum())
        share = min(1.0, moved / total) if total else float(moved > 0)
        return Detailed(share, {f"{baskets} compared": original.counts[baskets]})
