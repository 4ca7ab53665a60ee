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

from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.purchases.donors import from_donors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases

    Labels = NDArray[np.int64]


def pad(purchases: Purchases, labels: Labels, donors: Chance | None = None) -> Changed[Purchases]:
    """Return the purchases padded to equal goods sets within each cluster.

    Args:
        purchases: the data.
        labels: the cluster of every customer, in the order of `purchases.customers`.
        donors: the chance that draws donors for the dummies; without it they have the paper's format.
    """
    clusters = pl.DataFrame({"customer": purchases.customers, "cluster": labels})
    offered = purchases.under(None).join(clusters, on="customer").select("cluster", "goods").unique()
    return make_alike(purchases, labels, offered, donors)


def make_alike(
    purchases: Purchases, labels: Labels, goods: pl.DataFrame, donors: Chance | None = None
) -> Changed[Purchases]:
    """Return the purchases with the same goods for all of a cluster.

    Whoever lacks one of them gets a dummy, and records of other goods are deleted. Dummies are dressed before
    that, so that everybody still has a moment to put them at.

    Args:
        purchases: the data.
        labels: the cluster of every customer, in the order of `purchases.customers`.
        goods: (cluster, goods) that its customers shall have; somebody in the cluster has them.
        donors: as for `pad`.
    """
    records = purchases.under(None)
    clusters = pl.DataFrame({"customer": purchases.customers, "cluster": labels})
    wanted = clusters.join(goods, on="cluster").select("customer", "goods")
    dummies = wanted.join(records, on=["customer", "goods"], how="anti").sort("customer", "goods")
    if donors is None:
        dummies = _in_the_papers_format(dummies, records)
    else:
        dummies = from_donors(dummies, records, clusters, donors)
    kept = records.join(wanted, on=["customer", "goods"], how="semi")
    alike = pl.concat([kept, dummies.select(records.columns)])
    facts = Facts.of_groups(labels, added=dummies.height, deleted=records.height - kept.height)
    return Changed(purchases.with_records(alike, master=purchases.master), facts)


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
