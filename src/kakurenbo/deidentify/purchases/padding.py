"""Padding: give every customer of a cluster the goods of all, so that goods cannot tell them apart.

Every u of cluster x gets the goods I(x) - I(u) as dummy records (000, algorithm 2). In the **paper's format**
(000 figure 5) a dummy repeats receipt and time of the customer's latest record, carries the good with its
price, and quantity 1. That is for reproducing the papers, not for release: dummies that all sit on the last
receipt with one piece each are told from real records at a glance. From **donors** they are copies of real
purchases, and hard to tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.release import Facts
from kakurenbo.deidentify.base import Changed
from kakurenbo.deidentify.purchases.donors import from_donors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases


def pad(purchases: Purchases, labels: NDArray[np.int64], donors: Chance | None = None) -> Changed[Purchases]:
    """Return the purchases padded to equal goods sets within each cluster.

    Args:
        purchases: the data.
        labels: the cluster of every customer, in the order of `purchases.customers`.
        donors: the chance that draws donors for the dummies; without it they have the paper's format.
    """
    records = purchases.under(None)
    clusters = pl.DataFrame({"customer": purchases.customers, "cluster": labels})
    dummies = _dummies(records, clusters)
    if donors is None:
        dummies = _in_the_papers_format(dummies, records)
    else:
        dummies = from_donors(dummies, records, clusters, donors)
    padded = pl.concat([records, dummies.select(records.columns)])
    facts = Facts.of_groups(labels, added=dummies.height)
    return Changed(purchases.with_records(padded, master=purchases.master), facts)


def _dummies(records: pl.DataFrame, clusters: pl.DataFrame) -> pl.DataFrame:
    """Return the missing (customer, goods) pairs: the cluster's goods that the customer does not have."""
    held = records.select("customer", "goods").unique()
    offered = held.join(clusters, on="customer").select("cluster", "goods").unique()
    wanted = clusters.join(offered, on="cluster").select("customer", "goods")
    return wanted.join(held, on=["customer", "goods"], how="anti").sort("customer", "goods")


def _in_the_papers_format(dummies: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """Return the dummies with receipt and time of the customer's latest record, usual price, one piece."""
    moment = [name for name in ("time", "receipt") if name in records.columns]
    if moment:
        latest = records.select("customer", *moment).sort("customer", *moment).unique("customer", keep="last")
        dummies = dummies.join(latest, on="customer")
    if "price" in records.columns:
        dummies = dummies.join(_usual_price(records), on="goods")
    if "quantity" in records.columns:
        dummies = dummies.with_columns(quantity=pl.lit(1, dtype=pl.Int64))
    return dummies


def _usual_price(records: pl.DataFrame) -> pl.DataFrame:
    """Return each good's most frequent price, the lowest of them in a tie."""
    counted = records.group_by("goods", "price").agg(times=pl.len())
    ranked = counted.sort("goods", "times", "price", descending=[False, True, False])
    return ranked.unique("goods", keep="first", maintain_order=True).select("goods", "price")
