"""Before and after, as numbers to draw: what an analyst would look at first."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.auditing.results import Compared, Dots
from kakurenbo.data.table import ByKind
from kakurenbo.utility.microdata.contest import correlations
from kakurenbo.utility.purchases.co_purchase import closeness
from kakurenbo.utility.purchases.goods import buyers, top_goods
from kakurenbo.utility.purchases.retention import cohorts
from kakurenbo.utility.purchases.rfm import CLASSES, deciles, rfm
from kakurenbo.utility.purchases.sales import sales
from kakurenbo.utility.purchases.segments import SEGMENTS, segmented, sizes
from kakurenbo.utility.purchases.visits import comparable_baskets

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases

_GOODS = 200
_PAIRS = 500
_SOLD = 10
_BINS = 12


def _of_purchases(
    original: Purchases, released: Purchases, plain: Purchases | None = None
) -> Iterator[Compared | Dots]:
    """Yield pictures of the original in the words of a release; sums and segments are of its own values."""
    own = original if plain is None else plain
    wanted = {"time", "price", "quantity"}
    if wanted <= original.shown & released.shown:
        yield from _rfm(original, released)
    amounts = own.records.select(role for role in ("price", "quantity") if role in own.roles)
    yield from _sales(replace(original, records=original.records.with_columns(amounts)), released)
    if "time" in original.shown & released.shown:
        yield from _retention(original, released)
        yield _segments(own, released)
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


def _sales(original: Purchases, released: Purchases) -> Iterator[Compared]:
    """Yield sales by month and by category."""
    counted, cells = sales(original, released)
    both = pl.col("before", "after").sum()
    if "month" in cells.columns and cells["month"].n_unique() > 1:
        months = cells.group_by("month").agg(both).sort("month")
        yield Compared(
            "sales-month", f"Sales by month: {counted}", "month", counted,
            tuple(months["month"].dt.strftime("%y-%m").to_list()),
            tuple(months["before"].to_list()), tuple(months["after"].to_list()), form="line",
        )  # fmt: skip
    goods = cells.group_by("goods").agg(both).sort("before", "goods", descending=[True, False]).head(_SOLD)
    yield Compared(
        "sales-category", f"Sales of the {goods.height} best-selling categories: {counted}", "category",
        counted, tuple(goods["goods"].to_list()), tuple(goods["before"].to_list()),
        tuple(goods["after"].to_list()),
    )  # fmt: skip


def _retention(original: Purchases, released: Purchases) -> Iterator[Compared]:
    """Yield the share of people who come again, by periods since they first came."""
    before, after, periods = cohorts(original, released)
    if len(periods) < 2:
        return
    shares = [cells.sum(axis=0) / np.maximum(_waiting(cells), 1.0) for cells in (before, after)]
    yield Compared(
        "retention", "Retention: people who come again", "months since the first, or periods as released",
        "share of people", tuple(str(since) for since in range(1, len(periods))),
        tuple(shares[0][1:].tolist()), tuple(shares[1][1:].tolist()), form="line",
    )  # fmt: skip


def _waiting(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how many people came first so early that each number of periods has passed since."""
    waiting: NDArray[np.float64] = np.cumsum(cells[:, 0])[::-1]
    return waiting


def _segments(original: Purchases, released: Purchases) -> Compared:
    before, after = (sizes(people) for people in segmented(original, released))
    return Compared(
        "rfm-segments", "RFM segments: people by recency, frequency and value", "segment", "share of people",
        SEGMENTS, tuple(before.tolist()), tuple(after.tolist()),
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


def _of_microdata(
    original: Microdata,
    released: Microdata,
    plain: Microdata | None = None,  # noqa: ARG001 - the sensitive attributes have no coarser words
) -> Iterator[Compared | Dots]:
    numbers = tuple(name for name in original.numbers if name in released.numbers)
    for name in original.sa:
        columns = original.records[name], released.records[name]
        if name in numbers:
            yield _attribute(columns[0].to_numpy(), columns[1].to_numpy(), name)
        else:
            yield _category(*columns, name)
    if len(numbers) > 1:
        pairs = np.triu_indices(len(numbers), 1)
        before, after = (correlations(data, numbers)[pairs] for data in (original, released))
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


def _category(before: pl.Series, after: pl.Series, name: str) -> Compared:
    """Return how many people have each of the most frequent values, and all the others together."""
    counts = [Counter(column.cast(pl.String).to_list()) for column in (before, after)]
    common = sorted(counts[0], key=lambda value: (-counts[0][value], value))[: _BINS - 1]
    shown = [[float(count[value]) for value in common] for count in counts]
    rest = [float(count.total() - sum(part)) for count, part in zip(counts, shown, strict=True)]
    labels = (*common, "all others") if any(rest) else tuple(common)
    before_, after_ = (
        (*part, other) if any(rest) else tuple(part) for part, other in zip(shown, rest, strict=True)
    )
    return Compared(f"attribute-{name}", f"{name}: people by value", name, "people", labels, before_, after_)


# Before and after, as far as this data allows.
figures: ByKind[Iterator[Compared | Dots]] = ByKind(purchases=_of_purchases, microdata=_of_microdata)
