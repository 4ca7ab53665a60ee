"""The simple ways of 000 table 5, as building blocks: delete, alter, blur numbers.

Each changes records on its own, so each can be chained with the others. None of them alone holds a realistic
attacker; an experiment shows how far each goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.checks.values import LARGEST_PRICE
from kakurenbo.data.purchases import Purchases, turns
from kakurenbo.data.release import Facts
from kakurenbo.deidentify.base import Changed, Method
from kakurenbo.errors import InputError, ParameterError

if TYPE_CHECKING:
    from kakurenbo.chance import Chance


def _chosen(records: pl.DataFrame, share: float, chance: Chance) -> pl.Series:
    """Return a mask of round(share * count) records chosen at random."""
    drawn = chance.uniform("chosen record", records["customer"], turns(records))
    mask = np.zeros(len(drawn), dtype=bool)
    mask[np.argsort(drawn, kind="stable")[: round(share * len(drawn))]] = True
    return pl.Series(mask)


class Delete(Method[Purchases]):
    """Delete a random share of all records; a customer who loses all of them is not released."""

    about: ClassVar = MethodAbout(
        name="delete", kind="purchases", source="000 table 5", promises=("deletes-only",), slot="records",
        knobs=(Knob("share", low=0.02, high=0.5),), example={"share": 0.0},
    )  # fmt: skip

    share: float = Field(ge=0, lt=1, description="share of the records to delete")

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases without the deleted records."""
        records = data.by_content()
        kept = records.filter(~_chosen(records, self.share, chance))
        if not kept.height:
            raise InputError("Nothing is left after deleting.", code="file-empty")
        facts = Facts(deleted=records.height - kept.height)
        return Changed(data.with_records(kept, master=data.master), facts)


class Alter(Method[Purchases]):
    """Replace the good of a random share of the records by one drawn by popularity, at that good's price."""

    about: ClassVar = MethodAbout(
        name="alter", kind="purchases", source="000 table 5", example={"share": 0.3},
        untuned="goods that nobody bought mislead whoever analyses the release",
    )  # fmt: skip

    share: float = Field(ge=0, le=1, description="share of the records to alter")

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases with some goods replaced; a record may by chance draw its own good again."""
        records = data.by_content()
        mask = _chosen(records, self.share, chance)
        drawn = chance.below("other good", records["customer"], records.height, turns(records))
        donors = records.select(pl.col("^(goods|price)$"))[drawn]
        altered = records.with_columns(
            pl.when(mask).then(donor).otherwise(records[donor.name]).alias(donor.name) for donor in donors
        )
        facts = Facts(altered=int(mask.sum()))
        return Changed(data.with_records(altered, master=data.master), facts)


class Noise(Method[Purchases]):
    """Multiply quantities and prices by log-normal noise; quantities stay whole and at least 1."""

    about: ClassVar = MethodAbout(
        name="noise", kind="purchases", source="common practice", slot="numbers",
        knobs=tuple(Knob(f"{role}_spread", low=0.05, needs=(role,)) for role in ("quantity", "price")),
        example={"quantity_spread": 0.5, "price_spread": 0.5},
    )  # fmt: skip

    quantity_spread: float = Field(0.0, ge=0, le=3, description="noise on quantities (sigma of the log)")
    price_spread: float = Field(0.0, ge=0, le=3, description="noise on prices (sigma of the log)")

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the purchases with blurred numbers, prices in cents."""
        records = data.by_content()
        if self.quantity_spread:
            self.require(data, "quantity")
            pieces = records["quantity"] * _factors("quantity", records, self.quantity_spread, chance)
            records = records.with_columns(quantity=pieces.round(0).clip(lower_bound=1))
        if self.price_spread:
            self.require(data, "price")
            price = records["price"] * _factors("price", records, self.price_spread, chance)
            if (price > LARGEST_PRICE).any():
                raise ParameterError("Noise: this spread leaves the range of prices.", code="parameter")
            records = records.with_columns(price=price.round(2).clip(lower_bound=0.01))
        return Changed(data.with_records(records, master=data.master))


def _factors(purpose: str, records: pl.DataFrame, spread: float, chance: Chance) -> pl.Series:
    """Return a log-normal factor for each record."""
    return pl.Series(np.exp(spread * chance.normal(purpose, records["customer"], turns(records))))
