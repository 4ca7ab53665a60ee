"""Before and after, as numbers to draw: what an analyst would look at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.auditing.results import Compared, Dots
from kakurenbo.data.table import ByKind
from kakurenbo.utility.microdata.contest import correlations
from kakurenbo.utility.purchases.co_purchase import closeness
from kakurenbo.utility.purchases.goods import buyers, top_goods
from kakurenbo.utility.purchases.rfm import CLASSES, deciles, rfm
from kakurenbo.utility.purchases.visits import comparable_baskets

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases

_GOODS = 200
_PAIRS = 500
_BINS = 12


def _of_purchases(original: Purchases, released: Purchases) -> Iterator[Compared | Dots]:
    wanted = {"time", "price", "quantity"}
    if wanted <= original.shown & released.shown:
        yield from _rfm(original, released)
    yield _popularity(original, released)
    yield _bought_together(original, released)


def _rfm(original: Purchases, released: Purchases) -> Iterator[Compared]:
    """Yield customers by recency, frequency and value, in the original's deciles."""
    last: dt.datetime = original.records["time"].max()  # type: ignore[assignment] # a time column
    receipts = comparable_baskets(original, released) == "receipts"
    before, after = (rfm(data, last, receipts=receipts) for data in (original, released))
    bounds = deciles(before)
    axes = (
        ("recency", "days since the last purchase"),
        ("frequency", "receipts" if receipts else "days with a purchase"),
        ("monetary", "money spent"),
    )
    for column, (name, what) in enumerate(axes):
        ranks = [
            np.searchsorted(bounds[:, column], table[:, column], side="right") for table in (before, after)
        ]
        counts = [np.bincount(rank, minlength=CLASSES).astype(float) for rank in ranks]
        yield Compared(
            f"rfm-{name}", f"{name.capitalize()}: customers by {what}", f"decile of {what} in the original",
            "customers", tuple(str(i + 1) for i in range(CLASSES)),
            tuple(counts[0].tolist()), tuple(counts[1].tolist()),
            note="A release that keeps it has bars of equal height before and after.",
        )  # fmt: skip


def _popularity(original: Purchases, released: Purchases) -> Dots:
    table = (
        buyers(original)
        .join(buyers(released), on="goods", how="left", suffix="_after")
        .fill_null(0)
        .sort("buyers", "goods", descending=True)
        .head(_GOODS)
    )
    n, n_after = len(original.customers), len(released.customers)
    points = zip((table["buyers"] / n).to_list(), (table["buyers_after"] / n_after).to_list(), strict=True)
    return Dots(
        "popularity", f"Popularity of the {table.height} best-selling goods", "share of customers before",
        "share of customers after", tuple(points), note="One dot a good.",
    )  # fmt: skip


def _bought_together(original: Purchases, released: Purchases) -> Dots:
    goods = pl.Series(sorted(top_goods(original, _GOODS)))
    baskets = comparable_baskets(original, released)
    before, after = (closeness(data, goods, baskets).toarray() for data in (original, released))
    rows, columns = np.triu_indices(len(goods), 1)
    order = np.argsort(-before[rows, columns], kind="stable")[:_PAIRS]
    at = rows[order], columns[order]
    points = zip(before[at].tolist(), after[at].tolist(), strict=True)
    return Dots(
        "co-purchase", f"Bought together: the {len(order)} closest pairs of best sellers", "closeness before",
        "closeness after", tuple(points), note=f"One dot a pair of goods; close means of the same {baskets}.",
    )  # fmt: skip


def _of_microdata(original: Microdata, released: Microdata) -> Iterator[Compared | Dots]:
    for name in original.sa:
        yield _attribute(original.records[name].to_numpy(), released.records[name].to_numpy(), name)
    if len(original.sa) > 1:
        pairs = np.triu_indices(len(original.sa), 1)
        before, after = (correlations(data, original.sa)[pairs] for data in (original, released))
        yield Dots(
            "correlations", "Correlations between sensitive attributes", "before", "after",
            tuple(zip(before.tolist(), after.tolist(), strict=True)), note="One dot a pair of attributes.",
        )  # fmt: skip


def _attribute(before: NDArray[np.float64], after: NDArray[np.float64], name: str) -> Compared:
    cuts = np.unique(np.quantile(before, np.linspace(0, 1, _BINS + 1)[1:-1]))
    labels = [f"up to {cut:.6g}" for cut in cuts] + [f"above {cuts[-1]:.6g}"]
    counts = [
        np.bincount(np.searchsorted(cuts, x, side="left"), minlength=len(cuts) + 1) for x in (before, after)
    ]
    return Compared(
        f"attribute-{name}", f"{name}: people by value", name, "people", tuple(labels),
        tuple(counts[0].astype(float).tolist()), tuple(counts[1].astype(float).tolist()),
    )  # fmt: skip


# Before and after, as far as this data allows.
figures: ByKind[Iterator[Compared | Dots]] = ByKind(purchases=_of_purchases, microdata=_of_microdata)
