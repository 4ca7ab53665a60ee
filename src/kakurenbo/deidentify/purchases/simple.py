"""The simple ways of 000 table 5, as building blocks: delete, alter, blur numbers, coarsen.

Each changes records on its own, so each can be chained with the others. None of them alone holds a realistic
attacker; an experiment shows how far each goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.deidentify.base import ChangedPurchases, PurchasesMethod
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

_NO_RECORDS = {"dummies": 0, "deleted": 0}


def _in_fixed_order(purchases: Purchases) -> pl.DataFrame:
    """Return the records sorted by content, so that chance does not depend on the order they came in."""
    records = purchases.under(None)
    return records.sort(records.columns)


def _require(purchases: Purchases, role: Role) -> None:
    if role not in purchases.roles:
        raise InputError(f"Changing the {role} needs that role, which the data lacks.", code="roles")


def _chosen(count: int, share: float, rng: np.random.Generator) -> pl.Series:
    """Return a mask of round(share * count) records chosen at random."""
    mask = np.zeros(count, dtype=bool)
    mask[rng.permutation(count)[: round(share * count)]] = True
    return pl.Series(mask)


class Delete(PurchasesMethod):
    """Delete a random share of all records; a customer who loses all of them is not released."""

    share: float = Field(ge=0, lt=1, description="share of the records to delete")

    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:
        """Return the purchases without the deleted records."""
        records = _in_fixed_order(purchases)
        kept = records.filter(~_chosen(records.height, self.share, rng))
        if not kept.height:
            raise InputError("Nothing is left after deleting.", code="file-empty")
        facts = {"dummies": 0, "deleted": records.height - kept.height}
        return ChangedPurchases(purchases.with_records(kept, master=purchases.master), facts)


class Alter(PurchasesMethod):
    """Replace the good of a random share of the records by one drawn by popularity, at that good's price."""

    share: float = Field(ge=0, le=1, description="share of the records to alter")

    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:
        """Return the purchases with some goods replaced; a record may by chance draw its own good again."""
        records = _in_fixed_order(purchases)
        mask = _chosen(records.height, self.share, rng)
        donors = records.select(pl.col("^(goods|price)$"))[rng.integers(0, records.height, records.height)]
        altered = records.with_columns(
            pl.when(mask).then(donor).otherwise(records[donor.name]).alias(donor.name) for donor in donors
        )
        return ChangedPurchases(
            purchases.with_records(altered, master=purchases.master),
            {"dummies": 0, "deleted": 0, "altered": int(mask.sum())},
        )


class Noise(PurchasesMethod):
    """Multiply quantities and prices by log-normal noise; quantities stay whole and at least 1."""

    quantity_spread: float = Field(0.0, ge=0, le=3, description="noise on quantities (sigma of the log)")
    price_spread: float = Field(0.0, ge=0, le=3, description="noise on prices (sigma of the log)")

    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:
        """Return the purchases with blurred numbers, prices in cents."""
        records = _in_fixed_order(purchases)
        if self.quantity_spread:
            _require(purchases, "quantity")
            pieces = records["quantity"] * pl.Series(rng.lognormal(0.0, self.quantity_spread, records.height))
            records = records.with_columns(quantity=pieces.round(0).cast(pl.Int64).clip(lower_bound=1))
        if self.price_spread:
            _require(purchases, "price")
            price = records["price"] * pl.Series(rng.lognormal(0.0, self.price_spread, records.height))
            records = records.with_columns(price=price.round(2).clip(lower_bound=0.01))
        return ChangedPurchases(purchases.with_records(records, master=purchases.master), _NO_RECORDS)


class Coarsen(PurchasesMethod):
    """Round times down to the day, week or month, and prices to bands: fewer values, less to match on."""

    times: Literal["keep", "day", "week", "month"] = Field(
        "keep", description="what times are rounded down to"
    )
    price_bands: int | None = Field(
        None, ge=1, description="number of price bands of equal count; a price becomes its band's median"
    )

    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:  # noqa: ARG002
        """Return the purchases with coarser times and prices."""
        records = purchases.under(None)
        if self.times != "keep":
            _require(purchases, "time")
            every = {"day": "1d", "week": "1w", "month": "1mo"}[self.times]
            records = records.with_columns(pl.col("time").dt.truncate(every))
        if self.price_bands is not None:
            _require(purchases, "price")
            prices = records["price"].to_numpy()
            cuts = np.unique(np.quantile(prices, np.arange(1, self.price_bands) / self.price_bands))
            band = pl.Series("band", np.searchsorted(cuts, prices, side="right"))
            median = pl.col("price").median().over("band").round(2).clip(lower_bound=0.01)
            records = records.with_columns(band).with_columns(price=median).drop("band")
        return ChangedPurchases(purchases.with_records(records, master=purchases.master), _NO_RECORDS)
