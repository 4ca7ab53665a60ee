"""Bought together: does the release still show which goods go into one basket?

Recommendations rest on this. Two goods are as close as the cosine of the receipts that hold them, or of the
customers where either table shows no receipts; the distance adds up how much every closeness moved, relative
to all closeness there was. It is the form of PWS Cup 2017's ItemCF measures, on binary baskets and on the
original's best sellers only, because the tail says little and costs much.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import MeasureAbout
from kakurenbo.measure import Detailed
from kakurenbo.utility.purchases.counted import InPasses, added
from kakurenbo.utility.purchases.goods import best_sellers, bought
from kakurenbo.utility.purchases.visits import COLUMN, Baskets, comparable_baskets

if TYPE_CHECKING:
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Secret
    from kakurenbo.data.purchases import Purchases


@dataclass(frozen=True, eq=False)
class Together:
    """Counts the baskets that hold two goods, and on the diagonal those that hold one.

    Attributes:
        goods: which are looked at, sorted.
        baskets: what counts as one.
    """

    goods: pl.Series
    baskets: Baskets

    def __call__(self, data: Purchases) -> sparse.csr_array[np.int64]:
        """Return goods x goods."""
        basket = COLUMN[self.baskets]
        cells = (
            data.under(None)
            .select(basket, "goods")
            .filter(pl.col("goods").is_in(self.goods.implode()))
            .unique()
            .with_columns(
                pl.col(basket).rank("dense") - 1, pl.col("goods").cast(pl.Enum(self.goods)).to_physical()
            )
        )
        rows, columns = cells[basket].to_numpy().astype(np.int64), cells["goods"].to_numpy()
        shape = (int(rows.max(initial=-1)) + 1, len(self.goods))
        held = sparse.coo_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=shape).tocsr()
        return sparse.csr_array(held.T @ held)


def closeness(purchases: Purchases, goods: pl.Series, baskets: Baskets) -> sparse.csr_array[np.float64]:
    """Return goods x goods with the cosine of the baskets that hold them, the diagonal empty."""
    return _cosines(Together(goods, baskets)(purchases))


def _cosines(together: sparse.csr_array[np.int64]) -> sparse.csr_array[np.float64]:
    """Return the cosines of counted goods: both / sqrt(one x other)."""
    each, cells = together.diagonal().astype(np.float64), sparse.coo_array(together)
    apart = cells.row != cells.col
    rows, columns = cells.row[apart], cells.col[apart]
    close = cells.data[apart] / np.sqrt(each[rows] * each[columns])
    return sparse.csr_array((close, (rows, columns)), shape=together.shape)


class CoPurchase(InPasses):
    """How far the closeness of goods bought together moved, over all closeness there was, 1 at most."""

    about: ClassVar = MeasureAbout(
        name="co-purchase", kind="purchases", source="ours, after PWS Cup 2017 E1", kept="share",
        promises=("best-on-copy",), serves=("baskets", "papers"), words="released",
        says="what is bought together off by {value:.0%}",
    )  # fmt: skip

    count: int = Field(500, ge=2, description="how many best-selling goods are compared")

    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> Detailed:  # noqa: ARG002
        """Return min(1, sum |W - W'| / sum W) over pairs of the original's best sellers.

        One pass tells the best sellers, the next their pairs.
        """
        goods = best_sellers(added(original.map(bought)), self.count)
        together = Together(pl.Series(sorted(goods)), comparable_baskets(original.whole, released.whole))
        before, after = (reduce(add, side.map(together)) for side in (original, released))
        compared = original.whole.counts[together.baskets]
        return Detailed(_moved(before, after), {f"{together.baskets} compared": compared})


def _moved(before: sparse.csr_array[np.int64], after: sparse.csr_array[np.int64]) -> float:
    """Return min(1, sum |W - W'| / sum W) of the cosines of counted pairs."""
    close, close_after = _cosines(before), _cosines(after)
    total = float(close.sum())
    moved = float(np.abs((close - close_after).data).sum())
    return min(1.0, moved / total) if total else float(moved > 0)
