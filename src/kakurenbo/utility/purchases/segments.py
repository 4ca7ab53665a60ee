"""RFM segments: is a customer still who he was to marketing?

R = time since the last purchase, F = visits, M = money spent, each in fifths of the table's own people, as
whoever gets a release would make them. R and the mean of F and M put everybody into one of ten segments, from
champions to hibernating, by the grid that textbooks share; where amounts are not shown, R and F do.

`rfm-segments` asks whether the segments are as large as they were; `rfm-person`, whether a person is still in
his own. After `deal` every third person is, though the segments look alright. Both compare with the original
as it is: a recency known by the month only is one of the things a release costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Detailed, Measure
from kakurenbo.utility.purchases.counted import InPasses
from kakurenbo.utility.purchases.together import in_codes, owners
from kakurenbo.utility.purchases.visits import visit_columns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Secret
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.utility.purchases.counted import Shows

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


def segmented(original: Purchases, released: Purchases) -> list[pl.DataFrame]:
    """Return (customer, recency, frequency, money, segment) before and after: fifths, and a place.

    Money is missing where either table shows no amounts.
    """
    people = People.of(original, released)
    return [_segments(people.of_records(records)) for records in in_codes(original, released, None)]


@dataclass(frozen=True)
class People:
    """What segments are made of: when everybody came last, how often, and what he spent."""

    visit: str
    amounts: bool

    @classmethod
    def of(cls, original: Shows, released: Shows) -> People:
        """Tell what both tables show."""
        amounts = {"price", "quantity"} <= original.shown & released.shown
        return cls(visit_columns(original, released)[-1], amounts)

    def __call__(self, data: Purchases) -> pl.DataFrame:
        """Return (customer, recency, frequency, money) of a block, the customers as places in it."""
        return self.of_records(data.records).with_columns(pl.col("customer").to_physical())

    def of_records(self, records: pl.DataFrame) -> pl.DataFrame:
        """Return (customer, recency, frequency, money)."""
        # sorted first: equal people must have equal sums, to the last bit
        money = (pl.col("price") * pl.col("quantity")).sort().sum().alias("money")
        return (
            records.group_by("customer")
            .agg(
                pl.col("time").max().dt.epoch("us").alias("recency"),
                pl.col(self.visit).n_unique().alias("frequency"),
                *([money] if self.amounts else []),
            )
            .sort("customer")
        )


def _segments(people: pl.DataFrame) -> pl.DataFrame:
    """Return everybody's fifths, and his segment."""
    fifths = {name: _fifths(people[name]) for name in people.columns[1:]}
    worth = (fifths["frequency"] + fifths["money"] + 1) // 2 if "money" in fifths else fifths["frequency"]
    return pl.DataFrame(
        {"customer": people["customer"], **fifths, "segment": _GRID[fifths["recency"], worth]}
    )


class RfmPerson(Measure[Purchases]):
    """The share of people who stay in their RFM segment, followed through the pairing; who is gone leaves."""

    about: ClassVar = MeasureAbout(
        name="rfm-person", kind="purchases", source="ours, after Hughes 1994", kept="similarity",
        promises=("best-on-copy",), needs=("time",), unit="of people", better="higher", secret=True,
        serves=("customers",), names=True, says="{value:.0%} of people in their own RFM segment",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> Detailed:
        """Return the share of people whose segment is the same after; of several names, their mean."""
        before, after = segmented(original, released)
        behind = owners(original, released, secret) if secret is not None else after["customer"]
        names = after.with_columns(customer=behind.gather(after["customer"]))
        both = before.join(names, on="customer", suffix="_after")
        kinds = before.columns[1:]
        people = both.group_by("customer").agg(
            (pl.col(name) == pl.col(f"{name}_after")).mean().alias(name) for name in kinds
        )
        same = {name: float(people[name].sum()) / before.height for name in kinds}
        share = same.pop("segment")
        return Detailed(share, {f"same fifth of {name}": value for name, value in same.items()})


class RfmSegments(InPasses):
    """How far the sizes of the RFM segments moved: total variation, 0 equal, 1 nothing in common."""

    about: ClassVar = MeasureAbout(
        name="rfm-segments", kind="purchases", source="ours, after Hughes 1994", kept="share",
        promises=("best-on-copy",), needs=("time",), serves=("customers",),
        says="sizes of RFM segments off by {value:.0%}",
    )  # fmt: skip

    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> float:  # noqa: ARG002
        """Return half the sum of |p - p'| over segments; three numbers of everybody are kept."""
        people = People.of(original.whole, released.whole)
        before, after = (_segments(pl.concat(list(side.map(people)))) for side in (original, released))
        return float(np.abs(sizes(before) - sizes(after)).sum() / 2)


def sizes(people: pl.DataFrame) -> NDArray[np.float64]:
    """Return the share of people in every segment."""
    counts = np.bincount(people["segment"].to_numpy(), minlength=len(SEGMENTS))
    return counts / people.height
