"""Coarsen: say of every purchase less exactly when it was, what it cost and how much was bought.

Nothing is added, deleted or invented: every record stays its owner's, in words that more records share. What
is coarse alone hides nobody whose goods are rare; beside generalised goods it is most of what holds a seeker
who knows a few records, and the least that an analyst misses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.deidentify.base import Changed, Method
from kakurenbo.mappings.periods import Period, rounded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.chance import Chance

_LEAST = {"price": 0.01, "quantity": 1}  # nothing is given away, and nobody buys no piece
_DECIMALS = {"price": 2, "quantity": 0}


class Coarsen(Method[Purchases]):
    """Round times down, and put prices, quantities or amounts in bands or round them: less to match on.

    Times become the first moment of their day, week (from Monday), month, quarter, season (meteorological: it
    begins on 1 March, June, September or December) or year. Or the date goes altogether and the weekday, the
    hour or both are left: they are written in one reference week, Monday 22 to Sunday 28 January 2001, an
    hour alone on its Monday. So a release keeps the form of its original, and a reader who sees that week
    knows that the date was taken away.

    Bands hold about equally many records, fewer where many records have one value, and a value becomes the
    median of its band. Rounding goes to multiples of a unit, or to significant digits; halves to even.
    Quantities stay whole and at least 1, prices in cents and at least one. An amount is what a record comes
    to, price times quantity. Nobody writes it down, so its bands show in the price: it is set so that price
    times quantity, as released, is the median of the record's band, as near as cents allow.
    """

    about: ClassVar = MethodAbout(
        name="coarsen", kind="purchases", source="common practice", slot="coarse",
        knobs=(
            Knob("times", ("keep", "day", "week", "month", "quarter", "year"), needs=("time",)),
            Knob("price_bands", (0, 30, 10, 3), needs=("price",)),
            Knob("quantity_bands", (0, 10, 3, 1), needs=("quantity",)),
        ),
        example={"times": "month", "price_bands": 3},
    )  # fmt: skip

    times: Period | Literal["keep"] = Field(
        "keep", description="what is left of times: a period, or what comes round again"
    )
    price_bands: int | None = Field(
        None, ge=1, description="number of price bands of equal count; a price becomes its band's median"
    )
    price_unit: float | None = Field(
        None, ge=0.01, le=1e6, description="round prices to multiples of this, such as 0.5 or 10"
    )
    price_digits: int | None = Field(
        None, ge=1, le=6, description="round prices to so many significant digits"
    )
    quantity_bands: int | None = Field(
        None, ge=1, description="number of bands of quantities; a quantity becomes its band's median"
    )
    quantity_unit: int | None = Field(
        None, ge=1, le=10**6, description="round quantities to multiples of this; small ones become 1"
    )
    quantity_digits: int | None = Field(
        None, ge=1, le=6, description="round quantities to so many significant digits"
    )
    amount_bands: int | None = Field(
        None, ge=1, description="number of bands of price times quantity; the price is set to the median's"
    )

    @model_validator(mode="after")
    def _one_way_for_each(self) -> Coarsen:
        for role in ("price", "quantity"):
            ways = [f"{role}_{way}" for way in ("bands", "unit", "digits")]
            ways += ["amount_bands"] if role == "price" else []
            given = [way for way in ways if getattr(self, way) is not None]
            if len(given) > 1:
                raise ValueError(f"{given[0]} and {given[1]} both change the {role}; choose one")
        return self

    @classmethod
    def tuned(cls, values: Mapping[str, Any], people: int) -> dict[str, Any]:  # noqa: ARG003 - as all
        """No bands means that numbers are kept as they are."""
        return {name: value or None for name, value in values.items()}

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:  # noqa: ARG002 - nothing is drawn
        """Return the purchases with coarser times and numbers."""
        needed = {"time": self.times != "keep", "price": self._touches("price")}
        needed["quantity"] = self._touches("quantity") or self.amount_bands is not None
        self.require(data, *(role for role, wanted in needed.items() if wanted))
        records = data.under(None)
        made = [self._number(records, role) for role in ("price", "quantity") if self._touches(role)]
        if self.amount_bands is not None:
            made.append(_priced(records, made, self.amount_bands))
        if self.times != "keep":
            records = records.with_columns(rounded(pl.col("time"), self.times))
        records = records.with_columns(made)
        return Changed(data.with_records(records, master=data.master))

    def _touches(self, role: str) -> bool:
        return any(getattr(self, f"{role}_{way}") is not None for way in ("bands", "unit", "digits"))

    def _number(self, records: pl.DataFrame, role: str) -> pl.Series:
        """Return a role's numbers in bands or rounded."""
        column, bands = records[role], getattr(self, f"{role}_bands")
        unit, digits = getattr(self, f"{role}_unit"), getattr(self, f"{role}_digits")
        if bands is not None:
            made = in_bands(column, bands, _DECIMALS[role])
        elif digits is not None:
            made = column.cast(pl.Float64).round_sig_figs(digits)
        else:
            made = (column / unit).round(0, mode="half_to_even") * unit
        made = made.round(_DECIMALS[role])  # 100,000 to one digit is 99,999.99999999999
        return made.clip(lower_bound=_LEAST[role]).cast(column.dtype).alias(role)


def in_bands(numbers: pl.Series, bands: int, decimals: int) -> pl.Series:
    """Return each number as the median of its band, the bands of about equal count."""
    values = numbers.to_numpy()
    cuts = np.unique(np.quantile(values, np.arange(1, bands) / bands))
    table = pl.DataFrame({"value": numbers, "band": np.searchsorted(cuts, values, side="right")})
    median = pl.col("value").median().over("band").round(decimals)
    return table.select(median).to_series().alias(numbers.name)


def _priced(records: pl.DataFrame, made: list[pl.Series], bands: int) -> pl.Series:
    """Return the prices at which every record, as it is released, comes to the median of its band."""
    released = records.with_columns(made)["quantity"]
    amounts = in_bands((records["price"] * records["quantity"]).round(2), bands, _DECIMALS["price"])
    price = (amounts / released).round(_DECIMALS["price"])
    return price.clip(lower_bound=_LEAST["price"]).alias("price")
