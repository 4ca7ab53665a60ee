"""Records gained and lost: the plainest cost of a release (000, definition 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Measure

if TYPE_CHECKING:
    from kakurenbo.data.pairing import Pairing

_IDENTITY = ("customer", "goods", "time", "price", "quantity")


def _unmatched(left: pl.DataFrame, right: pl.DataFrame) -> int:
    """Return how many records of the left table have no partner of their own in the right."""
    columns = [name for name in _IDENTITY if name in left.columns and name in right.columns]
    counts = [
        t.group_by(columns).agg(pl.len().cast(pl.Int64).alias(n)) for t, n in ((left, "l"), (right, "r"))
    ]
    both = counts[0].join(counts[1], on=columns, how="left", nulls_equal=True).fill_null(0)
    return int((both["l"] - both["r"]).clip(lower_bound=0).sum())


class DeltaM(Measure[Purchases]):
    """The difference in the number of records, |m' - m| (Delta_m of 000, definition 2)."""

    about: ClassVar = MeasureAbout(
        name="delta-m", kind="purchases", source="000 definition 2", kept="cost",
        promises=("best-on-copy",), unit="records",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return |m' - m|."""
        return abs(len(released) - len(original))


class RecordsAdded(Measure[Purchases]):
    """Records of the release that the same person does not have in the original: dummies and altered ones."""

    about: ClassVar = MeasureAbout(
        name="records-added", kind="purchases", source="ours", kept="cost", promises=("best-on-copy",),
        unit="records", secret=True,
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Count released records without a partner in the original, followed through the pairing."""
        return _unmatched(released.under(secret), original.under(None))


class RecordsDeleted(Measure[Purchases]):
    """Records of the original that the same person does not have in the release: deleted and altered ones."""

    about: ClassVar = MeasureAbout(
        name="records-deleted", kind="purchases", source="ours", kept="cost", promises=("best-on-copy",),
        unit="records", secret=True,
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Count original records without a partner in the release, followed through the pairing."""
        return _unmatched(original.under(None), released.under(secret))
