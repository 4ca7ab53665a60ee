"""The made-up shop's shelves: goods in departments, with popularity, season, price and pack.

Read it as the buyer's desk. A long-tailed (Zipf-Mandelbrot) popularity is dealt out to departments at
random; each department has months in which it sells, one of them Christmas; each good has a list price
and a pack it usually leaves the shop in. Codes begin with the department and say nothing of popularity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.demo.draw import pick

if TYPE_CHECKING:
    from kakurenbo.demo.draw import Flags, Floats, Ints
    from kakurenbo.demo.world import ShopWorld


@dataclass(frozen=True, slots=True)
class Stock:
    """The catalogue; goods are numbered from 0 and lie department by department.

    Attributes:
        codes: A good's code, as printed on a receipt.
        shelf: Cumulative popularity over all goods, so that a department is one stretch of it.
        popularity: Share of each department in all sales.
        season: Factor on a department's sales, by month (12 x departments).
        price: List prices.
        dearer: Which goods become dearer in the new year.
        pack: Usual pack sizes.
    """

    codes: pl.Series
    shelf: Floats
    popularity: Floats
    season: Floats
    price: Floats
    dearer: Flags
    pack: Ints

    def take(self, rng: np.random.Generator, department: Ints) -> Ints:
        """Draw a good from each given department, by popularity."""
        ends = np.cumsum(self.popularity)
        starts = ends - self.popularity
        mark = rng.random(len(department))
        mark *= self.popularity[department]
        mark += starts[department]
        goods = np.searchsorted(self.shelf, mark, side="right")
        np.minimum(goods, len(self.shelf) - 1, out=goods)
        return goods


def make_stock(rng: np.random.Generator, world: ShopWorld, goods: int) -> Stock:
    """Fill the shelves with `goods` made-up goods."""
    weight = (np.arange(goods) + world.popularity_shift) ** -world.popularity_exponent
    weight = rng.permutation(weight / weight.sum())
    department = np.sort(rng.integers(0, world.departments, goods))
    price = world.price_median * np.exp(world.price_spread * rng.standard_normal(goods))
    sizes = np.asarray(world.pack_sizes, dtype=np.int64)
    shares = np.asarray([world.pack_shares])
    return Stock(
        codes=_codes(department),
        shelf=np.cumsum(weight),
        popularity=np.asarray(np.bincount(department, weight, world.departments), dtype=np.float64),
        season=_seasons(rng, world),
        price=np.maximum(np.round(price * 20), 1) / 20,
        dearer=rng.random(goods) < world.dearer,
        pack=sizes[pick(rng, shares, np.zeros(goods, dtype=np.int64))],
    )


def _codes(department: Ints) -> pl.Series:
    """Return codes of one width: two digits of department, then a running number within it."""
    starts = np.searchsorted(department, department)
    width = max(3, len(str(len(department))) - 1)
    frame = pl.DataFrame({"department": department + 10, "number": np.arange(len(department)) - starts})
    number = pl.col("number").cast(pl.String).str.zfill(width)
    return frame.select(codes=pl.col("department").cast(pl.String) + number)["codes"]


def _seasons(rng: np.random.Generator, world: ShopWorld) -> Floats:
    """Return a wave over the year for each department; the first is the Christmas department."""
    strength = world.season_spread * np.abs(rng.standard_normal(world.departments))
    peak = rng.uniform(0, 12, world.departments)
    strength[0], peak[0] = world.christmas, 10.0
    wave = np.cos((np.arange(12)[:, None] - peak) * (2 * np.pi / 12))
    return np.asarray(np.exp(strength * wave), dtype=np.float64)
