"""Strip: dummies that can be told from real records are no dummies.

Whoever knows how a release is made knows how its dummies look. In the papers' format they sit on the
customer's last receipt, all with the same quantity; in a careless one they stand in a block at the end of the
file. This attacker drops what looks so, and goes on with what is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import polars as pl
from pydantic import Field

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.purchases.likeness import BOTH, LikenessAttack

if TYPE_CHECKING:
    from kakurenbo.attacks.base import Tables
    from kakurenbo.data.purchases import Purchases


class StripAttack(LikenessAttack):
    """Knows what everybody bought and how dummies are made: drops what looks like one, then compares goods.

    From everybody's last receipt the records of the quantity that is most frequent there; or the rows that
    come back to a receipt (a customer, where there are no receipts) after the table had gone on to another:
    dummies that were appended. Who would lose everything keeps it.
    """

    about: ClassVar = AttackAbout(
        name="strip", kind="purchases", source="ours, against 000 figure 5",
        stands=(
            Stand(
                rung="goods+method", readings=BOTH, beyond="goods",
                story="Drops what looks like a dummy on the last receipt, then compares goods",
                betrays="Dummies can be told from real records: they sit on the last receipt, all alike",
            ),
            Stand(
                rung="goods+method", parameters={"drop": "appended"}, beyond="goods",
                story="Drops rows that were appended to the table, then compares goods",
                betrays="Dummies can be told from real records: they were appended to the table",
            ),
        ),
    )  # fmt: skip

    drops: ClassVar[bool] = True

    drop: Literal["last-receipt", "appended"] = Field(
        "last-receipt", description="what is taken for a dummy: alike on the last receipt, or appended rows"
    )

    @property
    def needs(self) -> tuple[str, ...]:
        """What tells dummies on the last receipt: when it was, and how many pieces."""
        return ("time", "quantity") if self.drop == "last-receipt" else ()

    @property
    def by_rows(self) -> bool:
        """Whether he goes by the order of rows: appended ones come after all others."""
        return self.drop == "appended"

    def keeps(self, released: Purchases, pieces: float | None = None) -> pl.Series:
        """Mark the records that do not look like a dummy, and all records of who has no others.

        Args:
            released: the release, or a part of it.
            pieces: the quantity of dummies, where all of the release tells it; see `pieces_of`.
        """
        suspect = _appended(released) if self.drop == "appended" else _on_last_receipt(released, pieces)
        marked = released.records.select("customer", suspect=suspect)
        whole = pl.col("suspect").all().over("customer")
        return marked.select((~pl.col("suspect") | whole).alias("kept"))["kept"]

    @staticmethod
    def pieces_of(released: Purchases) -> float:
        """Return the quantity of what looks like a dummy on the last receipt."""
        return _most(released, _last(released))

    def prepare(self, tables: Tables[Purchases]) -> Tables[Purchases]:
        """Return the tables without what looks like a dummy in the release."""

        def left() -> Tables[Purchases]:
            released = tables.released
            kept = released.records.filter(self.keeps(released))
            return tables.with_release(released.with_records(kept, master=released.master))

        return tables.once(("without", self.drop), left)


def _on_last_receipt(released: Purchases, pieces: float | None) -> pl.Series:
    """Mark the records of the most frequent quantity among those of everybody's last receipt."""
    last = _last(released)
    alike: pl.Series = last & (
        released.records["quantity"] == (_most(released, last) if pieces is None else pieces)
    )
    return alike


def _last(released: Purchases) -> pl.Series:
    """Mark the records of everybody's last receipt."""
    at_last = pl.col("time") == pl.col("time").max().over("customer")
    last = released.records.with_columns(last=at_last)
    if "receipt" in released.roles:  # of several at the same time the highest
        there = pl.col("receipt").filter("last").max().over("customer")
        last = last.with_columns(last=pl.col("last") & pl.col("receipt").eq_missing(there))
    return last["last"]


def _most(released: Purchases, last: pl.Series) -> float:
    there = released.records.filter(last)
    counted = there.group_by("quantity").len().sort("len", "quantity", descending=[True, False])
    most: float = counted["quantity"][0]
    return most


def _appended(released: Purchases) -> pl.Series:
    """Mark the rows of a receipt or customer beyond its first unbroken run."""
    unit = ["customer", "receipt"] if "receipt" in released.roles else ["customer"]
    run = pl.struct(unit).rle_id()
    return released.records.select(run.alias("run"), *unit).select(
        pl.col("run") > pl.col("run").min().over(unit)
    )["run"]
