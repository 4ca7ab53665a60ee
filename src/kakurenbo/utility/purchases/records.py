"""Records gained, lost and altered: the plainest cost of a release (000, definition 2).

Three things, and each record is counted as one of them. A person's records before, in the words of the
release, are matched with his released ones: first whole (good, time, price and quantity), then by the good
alone. What matched whole was kept, what matched by its good alone was **altered**, and what is left over was
**deleted** before and **added** after. So coarsening a column alters nothing, noise alters every record it
touches, and a good exchanged for another is one record deleted and one added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

import polars as pl

from kakurenbo.about import MeasureAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.measure import Measure
from kakurenbo.utility.purchases.counted import InPasses
from kakurenbo.utility.purchases.together import in_codes

if TYPE_CHECKING:
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Secret
    from kakurenbo.data.pairing import Pairing

_IDENTITY = ("customer", "goods", "time", "price", "quantity")


class Matched(NamedTuple):
    """How many records were altered, added and deleted."""

    altered: int
    added: int
    deleted: int


def _common(before: pl.DataFrame, after: pl.DataFrame, columns: list[str]) -> int:
    """Return how many records two tables have in common in these columns, each matched once."""
    counts = [table.group_by(columns).agg(n=pl.len().cast(pl.Int64)) for table in (before, after)]
    both = counts[0].join(counts[1], on=columns, nulls_equal=True)
    return int(both.select(pl.min_horizontal("n", "n_right").sum()).item())


def matched(original: Purchases, released: Purchases, secret: Pairing | None) -> Matched:
    """Match everybody's records before, in the words of the release, with his released ones."""
    before, after = in_codes(original, released, secret)
    columns = [name for name in _IDENTITY if name in before.columns and name in after.columns]
    whole, by_good = _common(before, after, columns), _common(before, after, ["customer", "goods"])
    return Matched(by_good - whole, len(after) - by_good, len(before) - by_good)


class DeltaM(InPasses):
    """The difference in the number of records, |m' - m| (Delta_m of 000, definition 2)."""

    about: ClassVar = MeasureAbout(
        name="delta-m", kind="purchases", source="000 definition 2", kept="cost",
        promises=("best-on-copy",), unit="records", serves=("papers",),
    )  # fmt: skip

    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> float:  # noqa: ARG002
        """Return |m' - m|."""
        return abs(released.whole.counts["records"] - original.whole.counts["records"])


class RecordsAdded(Measure[Purchases]):
    """Records of the release of a good that the same person did not buy so often: dummies."""

    about: ClassVar = MeasureAbout(
        name="records-added", kind="purchases", source="ours", kept="cost", promises=("best-on-copy",),
        unit="records", secret=True, serves=("papers",), words="released",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Count released records without a partner in the original, followed through the pairing."""
        return matched(original, released, secret).added


class RecordsDeleted(Measure[Purchases]):
    """Records of the original of a good that the same person is not released with so often."""

    about: ClassVar = MeasureAbout(
        name="records-deleted", kind="purchases", source="ours", kept="cost", promises=("best-on-copy",),
        unit="records", secret=True, serves=("papers",), words="released",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Count original records without a partner in the release, followed through the pairing."""
        return matched(original, released, secret).deleted


class RecordsAltered(Measure[Purchases]):
    """Records of a good that the person bought, released at another time, price or quantity than he did."""

    about: ClassVar = MeasureAbout(
        name="records-altered", kind="purchases", source="ours", kept="cost", promises=("best-on-copy",),
        unit="records", secret=True, serves=("papers",), words="released",
    )  # fmt: skip

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Count records whose partner in the original agrees in the good alone."""
        return matched(original, released, secret).altered
