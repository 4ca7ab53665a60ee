"""The made-up shop's tills: they put receipts into the order of time, and price and quantity on lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from kakurenbo.demo.world import FIRST_DAY

if TYPE_CHECKING:
    from kakurenbo.demo.draw import Floats, Ints
    from kakurenbo.demo.stock import Stock
    from kakurenbo.demo.visits import Visits
    from kakurenbo.demo.world import ShopWorld

_FIRST_RECEIPT: Final = 500_001
_MINUTES_IN_DECEMBER: Final = 31 * 24 * 60


def ring_up(
    rng: np.random.Generator, world: ShopWorld, stock: Stock, visits: Visits, lines: tuple[Ints, Ints]
) -> pl.DataFrame:
    """Return the lines as the tills printed them: by time, receipts numbered in that order.

    Args:
        rng: The run's generator.
        world: The shop's numbers.
        stock: Its goods.
        visits: Its receipts.
        lines: For each line its receipt, ascending, and its good.

    Returns:
        Columns customer (still a number from 0), receipt, time, goods, price and quantity.
    """
    receipt, good = lines
    printed = np.argsort(visits.minute, kind="stable")
    number = np.empty_like(printed)
    number[printed] = np.arange(_FIRST_RECEIPT, _FIRST_RECEIPT + len(printed))
    order = _printing_order(receipt, printed)
    receipt, good = receipt[order], good[order]
    quantity = _quantities(rng, world, stock.pack[good])
    price = _prices(world, stock, good, quantity, visits.minute[receipt])
    start = np.datetime64(FIRST_DAY, "us")
    heads = pl.DataFrame(
        {
            "customer": visits.customer,
            "receipt": pl.Series(number).cast(pl.String),
            "time": start + visits.minute * np.timedelta64(60_000_000, "us"),
        }
    )
    goods = stock.codes.gather(good)
    return heads[receipt].with_columns(goods=goods, price=pl.Series(price), quantity=pl.Series(quantity))


def _printing_order(receipt: Ints, printed: Ints) -> Ints:
    """Return the order of lines in which whole receipts follow each other as printed."""
    lines = np.bincount(receipt, minlength=len(printed))
    starts = (np.cumsum(lines) - lines)[printed]
    lines = lines[printed]
    shift = starts - (np.cumsum(lines) - lines)
    order = np.repeat(shift, lines)
    order += np.arange(len(receipt))
    return order


def _quantities(rng: np.random.Generator, world: ShopWorld, pack: Ints) -> Ints:
    """Draw quantities: a few loose pieces, or a long-tailed number of packs."""
    packs = np.minimum((1 - rng.random(len(pack))) ** (-1 / world.bulk_tail), world.quantity_limit)
    quantity: Ints = np.minimum(packs.astype(np.int64) * pack, world.quantity_limit)
    loose = rng.random(len(pack)) < world.loose
    quantity[loose] = rng.geometric(world.few, int(loose.sum()))
    return quantity


def _prices(world: ShopWorld, stock: Stock, good: Ints, quantity: Ints, minute: Ints) -> Floats:
    """Return the list price of the day, less the rebate for many packs, in whole pence."""
    price = stock.price[good]
    price[stock.dearer[good] & (minute >= _MINUTES_IN_DECEMBER)] *= world.price_rise
    price[quantity >= np.maximum(world.rebate_packs * stock.pack[good], world.rebate_from)] *= world.rebate
    return np.asarray(np.round(np.maximum(price, 0.01), 2), dtype=np.float64)
