"""Who comes back: the share of people with more than one visit, and retention by cohort.

The first figures asked of any shop. Two in three customers of Online Retail come back (0.656); `deal` in
groups of 15 lets it look like nine in ten, and a campaign would be planned on that. A **cohort** is all who
came first in one month; its retention is the share of them who come again one, two and more months later.
Months are quarters or years where the release shows no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.errors import InputError
from kakurenbo.measure import Detailed
from kakurenbo.utility.purchases.counted import Counted
from kakurenbo.utility.purchases.visits import visit_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases
    from kakurenbo.utility.purchases.counted import Counting, Shows

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Visits:
    """Counts the people of every number of visits; the key is called what tells visits apart."""

    visit: tuple[str, ...]

    def __call__(self, data: Purchases) -> pl.DataFrame:
        """Return (receipts or times, n)."""
        key = "receipts" if "receipt" in self.visit else "times"
        visits = data.records.select(self.visit).unique().group_by("customer").agg(pl.len().alias(key))
        return visits.group_by(pl.col(key).cast(pl.Int64)).agg(n=pl.len().cast(pl.Int64))


def repeat_rate(visits: pl.DataFrame) -> float:
    """Return the share of people with more than one visit."""
    return int(visits.filter(visits.to_series(0) > 1)["n"].sum()) / int(visits["n"].sum())


def came(data: Purchases) -> pl.DataFrame:
    """Count the people of every first month in every month: (first, month, n)."""
    months = data.records.select("customer", month=pl.col("time").dt.truncate("1mo")).unique()
    months = months.with_columns(first=pl.col("month").min().over("customer"))
    return months.group_by("first", "month").agg(n=pl.len().cast(pl.Int64))


def cohorts(original: Purchases, released: Purchases) -> tuple[Floats, Floats, list[str]]:
    """Return first period x periods since with the people who came then, before and after, and the periods.

    Periods are the months in which either table has purchases, in the words that both use. Column 0 holds the
    cohorts themselves.
    """
    return _placed(came(original), came(released))


def _placed(before: pl.DataFrame, after: pl.DataFrame) -> tuple[Floats, Floats, list[str]]:
    """Return the cohorts of counted people, and the periods."""
    periods = pl.concat([before["month"], after["month"]]).unique().sort()
    return _cells(before, periods), _cells(after, periods), periods.dt.strftime("%Y-%m").to_list()


def _cells(counts: pl.DataFrame, periods: pl.Series) -> Floats:
    first, month = (periods.search_sorted(counts[name]).to_numpy() for name in ("first", "month"))
    cells = np.zeros((len(periods), len(periods)))
    cells[first, month - first] = counts["n"].to_numpy()
    return cells


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


class RepeatRate(Counted):
    """How far the share of people with more than one visit moved; without receipts a time is a visit."""

    about: ClassVar = MeasureAbout(
        name="repeat-rate", kind="purchases", source="ours: the first figure asked of a shop", kept="points",
        promises=("best-on-copy",), unit="points", serves=("customers",), words="released",
        says="a repeat rate of {d[repeat rate after]:.1%} ({d[repeat rate before]:.1%} in the original, "
        "counted alike)",
    )  # fmt: skip

    def counting(self, original: Shows, released: Shows) -> Visits:
        """Count people by their visits."""
        return Visits(tuple(visit_columns(original, released)))

    def compared(self, before: pl.DataFrame, after: pl.DataFrame) -> Detailed:
        """Return 100 |r - r'|."""
        rates, key = [repeat_rate(visits) for visits in (before, after)], before.columns[0]
        visits = float((before[key] * before["n"]).sum())
        detail = {"repeat rate before": rates[0], "repeat rate after": rates[1], f"{key} compared": visits}
        return Detailed(100 * abs(rates[0] - rates[1]), detail)


class Cohorts(Counted):
    """How far retention by cohort moved: mean over first months and months since, weighted by people."""

    about: ClassVar = MeasureAbout(
        name="cohorts", kind="purchases", source="ours: cohort analysis", kept="points",
        promises=("best-on-copy",), needs=("time",), unit="points", serves=("customers",), words="released",
        says="retention by cohort within {value:.1f} points",
    )  # fmt: skip

    def counting(self, original: Shows, released: Shows) -> Counting:  # noqa: ARG002 - times were asked for
        """Count people by their first month and every later one."""
        return came

    def compared(self, before: pl.DataFrame, after: pl.DataFrame) -> Detailed:
        """Return 100 times the weighted mean of |retention - retention'| over all periods after the first."""
        cells, cells_after, _ = _placed(before, after)
        weights = possible(cells)
        if not weights.sum():
            raise InputError(
                "Nobody can come back: all purchases lie in one period, or all people came in the last.",
                code="unmeasurable",
            )
        kept = [float(np.average(retention(table), weights=weights)) for table in (cells, cells_after)]
        error = float(np.average(np.abs(retention(cells) - retention(cells_after)), weights=weights))
        return Detailed(100 * error, {"retention before": kept[0], "retention after": kept[1]})
