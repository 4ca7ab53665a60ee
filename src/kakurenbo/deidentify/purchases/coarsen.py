"""Coarsen: say of every purchase less exactly when it was, what it cost and how much was bought.

Nothing is added, deleted or invented: every record stays its owner's, in words that more records share. What
is coarse alone hides nobody whose goods are rare; beside generalised goods it is most of what holds a seeker
who knows a few records, and the least that an analyst misses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.release import Changed
from kakurenbo.deidentify.base import OverTable
from kakurenbo.deidentify.fitted import Fitted
from kakurenbo.mappings.periods import Period, rounded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

_LEAST = {"price": 0.01, "quantity": 1}  # nothing is given away, and nobody buys no piece
_DECIMALS = {"price": 2, "quantity": 0}


class Coarsen(OverTable):
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
        name="coarsen", kind="purchases", reach="table", source="common practice", slot="coarse",
        knobs=(
            Knob("times", ("keep", "day", "week", "month", "quarter", "year"), needs=("time",)),
            Knob("price_bands", (0, 30, 10, 3), needs=("price",)),
            Knob("quantity_bands", (0, 10, 3, 1), needs=("quantity",)),
        ),
        example={"times": "month", "price_bands": 3},
    )  # fmt: skip
    keeps: ClassVar = True

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

    def fitted(self, blocks: Blocks, chance: Chance, progress: Progress | None = None) -> Fitted:  # noqa: ARG002
        """Count the values that are put in bands, and cut the bands."""
        if not self._banded:
            return Fitted(blocks, _Coarser(self, {}))
        counted: dict[str, list[pl.DataFrame]] = {}
        for part in blocks.map(_Counting(self), progress=progress, doing="counting values for bands"):
            for name, counts in part.items():
                counted.setdefault(name, []).append(counts)
        return Fitted(
            blocks, _Coarser(self, {name: self._bands(name, parts) for name, parts in counted.items()})
        )

    @property
    def _banded(self) -> dict[str, int]:
        """What is put in bands, and in how many."""
        bands = {name: getattr(self, f"{name}_bands") for name in ("price", "quantity", "amount")}
        return {name: count for name, count in bands.items() if count is not None}

    def _bands(self, name: str, counts: list[pl.DataFrame]) -> Bands:
        decimals = _DECIMALS["quantity" if name == "quantity" else "price"]
        return Bands.of(pl.concat(counts), self._banded[name], decimals)

    def refuse(self, data: Purchases) -> None:
        """Refuse purchases that do not show what is to be coarsened."""
        needed = {"time": self.times != "keep", "price": self._touches("price")}
        needed["quantity"] = self._touches("quantity") or self.amount_bands is not None
        self.require(data, *(role for role, wanted in needed.items() if wanted))

    def coarser(self, data: Purchases, bands: Mapping[str, Bands]) -> pl.DataFrame:
        """Return the records with coarser times and numbers."""
        records = data.records
        made = [self._number(records[role], bands) for role in ("price", "quantity") if self._touches(role)]
        if self.amount_bands is not None:
            made.append(_priced(records, made, bands["amount"]))
        if self.times != "keep":
            records = records.with_columns(rounded(pl.col("time"), self.times))
        return records.with_columns(made)

    def _touches(self, role: str) -> bool:
        return any(getattr(self, f"{role}_{way}") is not None for way in ("bands", "unit", "digits"))

    def _number(self, column: pl.Series, bands: Mapping[str, Bands]) -> pl.Series:
        """Return a role's numbers in bands or rounded."""
        role = column.name
        unit, digits = getattr(self, f"{role}_unit"), getattr(self, f"{role}_digits")
        if role in bands:
            made = bands[role].of_each(column)
        elif digits is not None:
            made = column.cast(pl.Float64).round_sig_figs(digits)
        else:
            made = (column / unit).round(0, mode="half_to_even") * unit
        made = made.round(_DECIMALS[role])  # 100,000 to one digit is 99,999.99999999999
        return made.clip(lower_bound=_LEAST[role]).cast(column.dtype).alias(role)


@dataclass(frozen=True, eq=False)
class Bands:
    """Bands of numbers, each with the median that stands for it.

    Attributes:
        cuts: where bands begin, but the first.
        medians: of the bands.
    """

    cuts: NDArray[np.float64]
    medians: NDArray[np.float64]

    @classmethod
    def of(cls, counts: pl.DataFrame, bands: int, decimals: int) -> Bands:
        """Return bands of about equal count.

        Args:
            counts: (value, len): how often values occur; one may stand in several rows.
            bands: how many.
            decimals: of the medians.
        """
        table = counts.group_by("value").agg(pl.col("len").sum()).sort("value")
        values, times = table["value"].to_numpy(), table["len"].to_numpy().astype(np.int64)
        cuts = np.unique(_between(values, np.cumsum(times), np.arange(1, bands) / bands))
        band = np.searchsorted(cuts, values, side="right")
        held = (band == place for place in range(len(cuts) + 1))
        half = np.array([0.5])
        medians = [
            _between(values[inside], np.cumsum(times[inside]), half)[0] if inside.any() else np.nan
            for inside in held
        ]
        return cls(cuts, pl.Series(medians, dtype=pl.Float64).round(decimals).to_numpy())

    def of_each(self, numbers: pl.Series) -> pl.Series:
        """Return each number as the median of its band."""
        band = np.searchsorted(self.cuts, numbers.to_numpy(), side="right")
        return pl.Series(numbers.name, self.medians[band])


def _between(values: NDArray[Any], ends: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[Any]:
    """Return quantiles, between two numbers in proportion; ends say how many are at most each value."""
    place = (ends[-1] - 1) * shares
    below = np.floor(place).astype(np.int64)
    low = values[np.searchsorted(ends, below, side="right")]
    high = values[np.searchsorted(ends, np.minimum(below + 1, ends[-1] - 1), side="right")]
    part, step = place - below, high - low
    made: NDArray[Any] = np.where(part >= 0.5, high - step * (1 - part), low + step * part)
    return made


@dataclass(frozen=True, eq=False)
class _Counting:
    """The pass that counts what is put in bands."""

    method: Coarsen

    def __call__(self, data: Purchases) -> dict[str, pl.DataFrame]:
        self.method.refuse(data)
        return {name: _values(data.records, name).value_counts(name="len") for name in self.method._banded}  # noqa: SLF001


@dataclass(frozen=True, eq=False)
class _Coarser:
    """A block in the words of the method, its bands known."""

    method: Coarsen
    bands: Mapping[str, Bands]
    keeps: ClassVar = True

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        self.method.refuse(data)
        return Changed(data.with_records(self.method.coarser(data, self.bands), master=data.master))


def _values(records: pl.DataFrame, name: str) -> pl.Series:
    """Return the numbers that are put in bands: those of a role, or what every record comes to."""
    if name == "amount":
        return (records["price"] * records["quantity"]).round(2).alias("value")
    return records[name].alias("value")


def _priced(records: pl.DataFrame, made: list[pl.Series], bands: Bands) -> pl.Series:
    """Return the prices at which every record, as it is released, comes to the median of its band."""
    released = records.with_columns(made)["quantity"]
    amounts = bands.of_each(_values(records, "amount"))
    price = (amounts / released).round(_DECIMALS["price"])
    return price.clip(lower_bound=_LEAST["price"]).alias("price")
