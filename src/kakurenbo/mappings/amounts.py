"""Amounts in bands: prices set so that price times quantity is what stands for a record's band.

No function of the price alone does that, so it does not show in how prices are spread. It shows in the
amounts of the release: they are few, and as many records lie below each as lie below a cut of the original's.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.mappings.bands import Bands, bands
from kakurenbo.mappings.numbers import Scale, number_mapping
from kakurenbo.mappings.spread import Spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.layout import Role
    from kakurenbo.data.purchases import Purchases

    Floats = NDArray[np.float64]

_MOST = 200  # bands of amounts that are looked for
_FITS = 0.9  # of the records, whose prices must then be the released ones
_BETTER = 0.02  # of the records, by which they must exceed what is explained without amounts
_CENT = 0.01
_HALF = 0.005001  # of a cent, and what a machine makes of it


@dataclass(frozen=True)
class Amounts:
    """How prices are written that follow amounts in bands.

    Attributes:
        bands: of the amounts.
        pieces: how the quantities are written that the amounts are divided by; None for as they are.
    """

    bands: Bands
    pieces: Scale | None = None

    role: ClassVar[Role] = "price"

    def of(self, data: Purchases) -> Floats:
        """Return the prices of all records, so written."""
        quantity = data.records["quantity"].to_numpy().astype(np.float64)
        shown = quantity if self.pieces is None else self.pieces.of(quantity)
        amounts = (data.records["price"] * data.records["quantity"]).round(2).to_numpy()
        written: Floats = np.maximum(np.round(self.bands.of(amounts) / shown, 2), _CENT)
        return written

    def apply(self, data: Purchases) -> Purchases:
        """Return the purchases with their prices so written; without quantities there are no amounts."""
        if "quantity" not in data.roles:
            return data
        return replace(data, records=data.records.with_columns(pl.Series("price", self.of(data))))

    def __str__(self) -> str:
        return f"prices by amounts {self.bands}"


def price_mapping(original: Purchases, released: Purchases) -> Scale | Amounts | None:
    """Return what explains the released prices best: a function of the price, or of the amount."""
    scale = number_mapping(original, released, "price")
    if not all({"price", "quantity"} <= set(data.roles) for data in (original, released)):
        return scale
    mine, theirs = (Spread.of(data, "price") for data in (original, released))
    plain = (mine if scale is None else mine.through(scale.of)).common(theirs)
    amounts = None if plain >= 1 - _BETTER else _amounts(original, released)
    if amounts is None:
        return scale
    common = Spread.counted(pl.Series("price", amounts.of(original))).common(theirs)
    return amounts if common >= max(_FITS, plain + _BETTER) else scale


def _amounts(original: Purchases, released: Purchases) -> Amounts | None:
    """Return the bands in which the released amounts lie, where there are few of them."""
    labels = _labels(released)
    if labels is None:
        return None
    shown = (released.records["price"] * released.records["quantity"]).to_numpy()
    after = np.searchsorted((labels[1:] + labels[:-1]) / 2, shown)
    amounts = (original.records["price"] * original.records["quantity"]).round(2)
    mine = Spread.counted(amounts.alias("amount"))
    theirs = Spread.counted(pl.Series("amount", labels[after]))
    pieces = number_mapping(original, released, "quantity")
    return next((Amounts(made, pieces) for made in bands(mine, theirs, len(released))), None)


def _labels(released: Purchases) -> Floats | None:
    """Return the amounts that a release shows, None where they are too many for bands.

    A price in cents tells an amount as near as a cent for every piece. So small quantities come first, and
    larger ones that agree narrow an amount further.
    """
    pairs = released.records.select("quantity", "price").unique().sort("quantity", "price")
    spans: list[tuple[float, float]] = []
    for quantity, price in pairs.filter(pl.col("price") > _CENT).iter_rows():
        low, high = quantity * (price - _HALF), quantity * (price + _HALF)
        place = bisect_left(spans, (low, -math.inf))
        near = next((at for at in (place, place - 1) if _meet(spans, at, low, high)), None)
        if near is None:
            spans.insert(place, (low, high))
        else:
            spans[near] = max(spans[near][0], low), min(spans[near][1], high)
        if len(spans) > _MOST:
            return None
    return np.unique([round((low + high) / 2, 2) for low, high in spans]) if spans else None


def _meet(spans: list[tuple[float, float]], place: int, low: float, high: float) -> bool:
    """Whether there is a span at this place that has something in common with another."""
    return 0 <= place < len(spans) and spans[place][0] <= high and low <= spans[place][1]
