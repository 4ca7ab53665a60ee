"""RFM segments: is a customer still who he was to marketing?

R = time since the last purchase, F = visits, M = money spent, each in fifths of the table's own people, as
whoever gets a release would make them. R and the mean of F and M put everybody into one of ten segments, from
champions to hibernating, by the grid that textbooks share; where amounts are not shown, R and F do.

`rfm-segments` asks whether the segments are as large as they were; `rfm-person`, whether a person is still in
his own. After `deal` every third person is, though the segments look alright. Both compare with the original
as it is: a recency known by the month only is one of the things a release costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Detailed, Measure
from kakurenbo.utility.purchases.together import in_codes
from kakurenbo.utility.purchases.visits import visit_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing

SEGMENTS: Final = (
    "champions", "loyal", "potential loyalists", "new", "promising", "need attention", "about to sleep",
    "at risk", "cannot lose", "hibernating",
)  # fmt: skip
_FIFTHS = (0.2, 0.4, 0.6, 0.8)
# A row for each fifth of recency, longest ago first; a column for each of frequency and value, least first.
_GRID: Final = np.array([
    [9, 9, 7, 7, 8],
    [9, 9, 7, 7, 8],
    [6, 6, 5, 1, 1],
    [4, 2, 2, 1, 1],
    [3, 2, 2, 0, 0],
])  # fmt: skip


def _fifths(values: pl.Series) -> NDArray[np.int64]:
    """Return the fifth of everybody, 0 to 4; who are equal share theirs, the lowest of them."""
    numbers = values.to_numpy().astype(np.float64)
    return np.searchsorted(np.quantile(numbers, _FIFTHS), numbers, side="left")


def segmented(original: Purchases, released: Purchases, secret: Pairing | None) -> list[pl.DataFrame]:
    """Return (customer, recency, frequency, money, segment) before and after: fifths, and a place.

    Money is missing where either table shows no amounts.
    """
    common, visit = original.shown & released.shown, visit_columns(original, released)
    amounts = {"price", "quantity"} <= common
    return [_segments(records, visit, amounts=amounts) for records in in_codes(original, released, secret)]


def _segments(records: pl.DataFrame, visit: list[str], *, amounts: bool) -> pl.DataFrame:
    own = [name for name in visit if name != "customer"]
    # sorted first: equal people must have equal sums, to the last bit
    money = [(pl.col("price") * pl.col("quantity")).sort().sum().alias("money")] if amounts else []
    people = (
        records.group_by("customer")
        .agg(
            pl.col("time").max().dt.epoch("us").alias("recency"),
            pl.col(own).n_unique().alias("frequency"),
            *money,
        )
        .sort("customer")
    )
    fifths = {name: _fifths(people[name]) for name in people.columns[1:]}
    worth = (fifths["frequency"] + fifths["money"] + 1) // 2 if amounts else fifths["frequency"]
    return pl.DataFrame(
        {"customer": people["customer"], **fifths, "segment": _GRID[fifths["recency"], worth]}
    )


class RfmPerson(Measure[Purchases]):
    """The share of people who stay in their RFM segment, followed through the pairing; who is gone leaves."""

    about: ClassVar = MeasureAbout(
        name="rfm-person", kind="purchases", source="ours, after Hughes 1994", kept="similarity",
        promises=("best-on-copy",), needs=("time",), unit="of people", better="higher", secret=True,
        serves=("customers",), says="{value:.0%} of people in their own RFM segment",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> Detailed:
        """Return the share of the original's people whose segment is the same after."""
        before, after = segmented(original, released, secret)
        both = before.join(after, on="customer", suffix="_after")
        same = {
            name: int((both[name] == both[f"{name}_after"]).sum()) / before.height
            for name in before.columns[1:]
        }
        share = same.pop("segment")
        return Detailed(share, {f"same fifth of {name}": value for name, value in same.items()})


class RfmSegments(Measure[Purchases]):
    """How far the sizes of the RFM segments moved: total variation, 0 equal, 1 nothing in common."""

    about: ClassVar = MeasureAbout(
        name="rfm-segments", kind="purchases", source="ours, after Hughes 1994", kept="share",
        promises=("best-on-copy",), needs=("time",), serves=("customers",),
        says="sizes of RFM segments off by {value:.0%}",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return half the sum of |p - p'| over segments."""
        before, after = (sizes(people) for people in segmented(original, released, None))
        return float(np.abs(before - after).sum() / 2)


def sizes(people: pl.DataFrame) -> NDArray[np.float64]:
    """Return the share of people in every segment."""
    counts = np.bincount(people["segment"].to_numpy(), minlength=len(SEGMENTS))
    return counts / people.height
