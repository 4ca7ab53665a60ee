"""Consensus: what most of a group bought all of them have, what few bought none.

Padding gives everybody whatever anybody of his group bought, and nearly all of that serves one person's odd
purchase. The papers name adding and deleting together as a way still to go: here each group decides good by
good, and pays the fewer records. The promise is that of Method 2, equal goods sets in groups of at least
min_size, at about a quarter of its edits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.baskets import Baskets
from kakurenbo.deidentify.purchases.clustered import Compacting, PaddingMethod
from kakurenbo.deidentify.purchases.padding import make_alike
from kakurenbo.kernels.compact import consensus

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Changed


class Consensus(PaddingMethod, Compacting):
    """Ours: the promise of Method 2 with the fewest edits: a group is given a good, or it is taken from all.

    A good that n of a group of s bought, on r records, costs min(s - n, r): dummies for those without it, or
    all records of those with it, whichever are fewer (of equals nothing true is lost). Groups are searched as
    `compact` does, by exactly this cost; each keeps at least the one good that costs least.

    The price: rare purchases are gone, and with them most of what tells one person's history from another's.
    Where a true record is `worth` more than a dummy, fewer are deleted and more added, up to `compact`, which
    deletes nothing: on TC400 in 50 clusters a worth of 2 costs an eighth more edits and loses a third fewer
    records.
    What it does not do: the records left are true, with their days and quantities, so who knows these of a
    person may find him as with all padding. By default dummies are in the paper's format: for comparison, not
    for release.
    """

    about: ClassVar = MethodAbout(
        name="consensus", kind="purchases", reach="group", source="ours", promises=("equal-sets", "min-size"),
        slot="groups", example={"min_size": 1},
        knobs=(Knob.of_size("min_size"), Knob("worth", (1, 2, 4)), Knob("dummies", ("paper", "donor"))),
    )  # fmt: skip

    worth: int = Field(
        1, ge=1, le=1000, description="dummies that a true record is worth; 1 means the fewest edits"
    )

    def together(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Group the customers and edit each to the goods that his group agrees on."""
        labels = self.labels(data, chance)
        goods = agreed_goods(data, labels, self.worth)
        return make_alike(data, labels, goods, chance if self.dummies == "donor" else None)

    def baskets(self, purchases: Purchases) -> Baskets:
        """Return what customers are grouped by: the records of each good, which deleting it costs."""
        return Baskets.of(purchases, "records")

    def group(self, baskets: Baskets, rng: np.random.Generator) -> NDArray[np.int64]:
        """Search for the grouping with the fewest edits."""
        prices = baskets.matrix * self.worth
        return consensus(prices, self.min_size, self.clusters, rng=rng, effort=self.effort)


def agreed_goods(purchases: Purchases, labels: NDArray[np.int64], worth: int = 1) -> pl.DataFrame:
    """Return the (cluster, goods) that cost no more to give to all than to take from all, one at least.

    Args:
        purchases: the data.
        labels: the cluster of every customer, in the order of `purchases.customers`.
        worth: dummies that a true record is worth.
    """
    clusters = pl.DataFrame({"customer": purchases.customers, "cluster": labels})
    clusters = clusters.with_columns(size=pl.len().cast(pl.Int64).over("cluster"))
    saved = worth * pl.len() + pl.col("customer").n_unique() - pl.col("size").first()
    offered = (
        purchases.under(None).join(clusters, on="customer").group_by("cluster", "goods").agg(saved=saved)
    )
    ranked = offered.sort("cluster", "saved", "goods", descending=[False, True, False])
    dearest_to_lose = pl.int_range(pl.len()).over("cluster") == 0
    return ranked.filter((pl.col("saved") >= 0) | dearest_to_lose).select("cluster", "goods")
