"""Who comes back: the share of people with more than one visit, and retention by cohort.

The first figures asked of any shop. Two in three customers of Online Retail come back (0.656); `deal` in
groups of 15 lets it look like nine in ten, and a campaign would be planned on that. A **cohort** is all who
came first in one month; its retention is the share of them who come again one, two and more months later.
Months are quarters or years where the release shows no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import InputError
from kakurenbo.measure import Detailed, Measure
from kakurenbo.utility.purchases.visits import visit_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing

    Floats = NDArray[np.float64]


def repeat_rate(purchases: Purchases, visit: list[str]) -> float:
    """Return the share of people with more than one visit."""
    visits = purchases.records.select(visit).unique().group_by("customer").len()
    return float((visits["len"] > 1).mean())  # type: ignore[arg-type] # a share


def cohorts(original: Purchases, released: Purchases) -> tuple[Floats, Floats, list[str]]:
    """Return first period x periods since with the people who came then, before and after, and the periods.

    Periods are the months in which either table has purchases, in the words that both use. Column 0 holds the
    cohorts themselves.
    """
    came = [
        data.records.select("customer", month=pl.col("time").dt.truncate("1mo")).unique()
        for data in (original, released)
    ]
    periods = pl.concat([table["month"] for table in came]).unique().sort()
    places = pl.DataFrame({"month": periods, "place": np.arange(len(periods))})
    tables = []
    for table in came:
        placed = table.join(places, on="month").with_columns(first=pl.col("place").min().over("customer"))
        since = (placed["place"] - placed["first"]).to_numpy()
        cells = np.zeros((len(periods), len(periods)))
        np.add.at(cells, (placed["first"].to_numpy(), since), 1.0)
        tables.append(cells)
    return tables[0], tables[1], periods.dt.strftime("%Y-%m").to_list()


def retention(cells: Floats) -> Floats:
    """Return the share of every cohort that came again, by periods since."""
    shares: Floats = cells / np.maximum(cells[:, :1], 1.0)
    return shares


def possible(cells: Floats) -> Floats:
    """Return what every cell weighs: the people of the cohort, where its period is not yet to come."""
    n = len(cells)
    since, first = np.arange(n)[None, :], np.arange(n)[:, None]
    weights: Floats = cells[:, :1] * ((since > 0) & (first + since < n))
    return weights


class RepeatRate(Measure[Purchases]):
    """How far the share of people with more than one visit moved; without receipts a time is a visit."""

    about: ClassVar = MeasureAbout(
        name="repeat-rate", kind="purchases", source="ours: the first figure asked of a shop", kept="points",
        promises=("best-on-copy",), unit="points", serves=("customers",), words="released",
        says="a repeat rate of {d[repeat rate after]:.1%} ({d[repeat rate before]:.1%} in truth)",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> Detailed:  # noqa: ARG002
        """Return 100 |r - r'|."""
        visit = visit_columns(original, released)
        before, after = (repeat_rate(data, visit) for data in (original, released))
        compared = "receipts" if "receipt" in visit else "times"
        visits = float(original.records.select(visit).n_unique())
        detail = {"repeat rate before": before, "repeat rate after": after, f"{compared} compared": visits}
        return Detailed(100 * abs(before - after), detail)


class Cohorts(Measure[Purchases]):
    """How far retention by cohort moved: mean over first months and months since, weighted by people."""

    about: ClassVar = MeasureAbout(
        name="cohorts", kind="purchases", source="ours: cohort analysis", kept="points",
        promises=("best-on-copy",), needs=("time",), unit="points", serves=("customers",), words="released",
        says="retention by cohort within {value:.1f} points",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> Detailed:  # noqa: ARG002
        """Return 100 times the weighted mean of |retention - retention'| over all periods after the first."""
        before, after, _ = cohorts(original, released)
        weights = possible(before)
        if not weights.sum():
            raise InputError(
                "Nobody can come back: all purchases lie in one period, or all people came in the last.",
                code="unmeasurable",
            )
        kept = [float(np.average(retention(cells), weights=weights)) for cells in (before, after)]
        error = float(np.average(np.abs(retention(before) - retention(after)), weights=weights))
        return Detailed(100 * error, {"retention before": kept[0], "retention after": kept[1]})
