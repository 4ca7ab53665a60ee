"""Who comes to the made-up shop, when, what they put into the basket, and what the tills make of it.

A customer has an activity (how often), a habit (how much at a time) and a taste (a mixture over
departments). Each visit becomes a receipt; each line of it either repeats something the customer took on
an earlier day, or comes from a department chosen by taste and season. All customers are drawn together,
as arrays. The tills then put the receipts into the order of time, and price and quantity on the lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from kakurenbo.demo.draw import pick
from kakurenbo.demo.world import FIRST_DAY, LAST_DAY

if TYPE_CHECKING:
    from kakurenbo.demo.draw import Floats, Ints
    from kakurenbo.demo.stock import Stock
    from kakurenbo.demo.world import ShopWorld

FIRST_RECEIPT: Final = 500_001
_MINUTES_A_DAY: Final = 24 * 60
_MINUTES_IN_DECEMBER: Final = 31 * _MINUTES_A_DAY


@dataclass(frozen=True, slots=True)
class Visits:
    """Receipts, ordered by customer and then by time.

    Attributes:
        customer: Whose receipt it is, numbered from 0.
        minute: When it was printed, in minutes from the first day's midnight.
        month: The month of that time, January is 0.
        lines: How many lines it has.
    """

    customer: Ints
    minute: Ints
    month: Ints
    lines: Ints


def make_visits(rng: np.random.Generator, world: ShopWorld, customers: int) -> Visits:
    """Draw everybody's visits: at least one a customer, at least one line each."""
    extra = rng.poisson((world.receipts_mean - 1) * _spread(rng, world.activity_spread, customers))
    customer = np.repeat(np.arange(customers), 1 + extra)
    habit = np.exp(world.habit_spread * rng.standard_normal(customers))
    size = habit[customer] * np.exp(world.mood_spread * rng.standard_normal(len(customer)))
    further = max(0.0, customers * world.lines_mean / len(customer) - 1)
    lines = 1 + rng.poisson(further * size / size.mean())
    minute, month = _times(rng, world, len(customer))
    order = np.lexsort((minute, customer))
    return Visits(customer, minute[order], month[order], lines)


def fill_baskets(
    rng: np.random.Generator, world: ShopWorld, stock: Stock, visits: Visits
) -> tuple[Ints, Ints]:
    """Draw the goods on every receipt; a good stands only once on a receipt.

    Returns:
        For each line the receipt it stands on (in the order of `visits`) and the good.
    """
    receipt = np.repeat(np.arange(len(visits.lines)), visits.lines)
    weights = _tastes(rng, world, stock, int(visits.customer[-1]) + 1)[visits.customer]
    weights *= stock.season[visits.month]
    goods = stock.take(rng, pick(rng, weights, receipt))
    goods = goods[_origins(rng, world.repeat, visits, receipt)]
    key = np.sort(receipt * len(stock.codes) + goods)
    return np.divmod(key[np.diff(key, prepend=-1) > 0], len(stock.codes))


def _spread(rng: np.random.Generator, spread: float, size: int) -> Floats:
    """Return log-normal factors whose mean is exactly 1: only how sales divide is drawn, not their sum."""
    factors = np.exp(spread * rng.standard_normal(size))
    return np.asarray(factors / factors.mean(), dtype=np.float64)


def _tastes(rng: np.random.Generator, world: ShopWorld, stock: Stock, customers: int) -> Floats:
    """Return each customer's Dirichlet mixture over departments, with a little of everybody's."""
    shape = np.broadcast_to(world.taste * stock.popularity, (customers, len(stock.popularity)))
    taste = rng.standard_gamma(shape)
    taste *= (1 - world.stroll) / np.maximum(taste.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    taste += world.stroll * stock.popularity
    return taste


def _times(rng: np.random.Generator, world: ShopWorld, size: int) -> tuple[Ints, Ints]:
    """Draw opening days by month and weekday, and minutes by the day's rush; return minute and month."""
    days = np.datetime64(FIRST_DAY, "D") + np.arange((LAST_DAY - FIRST_DAY).days + 1)
    month = days.astype("datetime64[M]").astype(np.int64) % 12
    weekday = (days.astype(np.int64) + 3) % 7
    share = np.asarray(world.month_shares)[month] * np.asarray(world.weekday_shares)[weekday]
    day = pick(rng, share[None, :], np.zeros(size, dtype=np.int64))
    open_minutes = 60 * (world.closing - world.opening)
    clock = 60 * world.opening + (open_minutes * rng.beta(*world.rush, size)).astype(np.int64)
    return day * _MINUTES_A_DAY + clock, month[day]


def _origins(rng: np.random.Generator, repeat: float, visits: Visits, receipt: Ints) -> Ints:
    """Return for every line the line whose good it carries: its own, or one it repeats.

    A repeating line points at any line of the customer's earlier receipts, which may point back itself: what
    was taken often is taken more often. Pointers are followed all at once, twice as far each round.
    """
    ends = np.cumsum(visits.lines)
    starts = ends - visits.lines
    first_receipt = np.searchsorted(visits.customer, visits.customer)
    first = starts[first_receipt]
    own = np.arange(len(receipt))
    before = (starts - first)[receipt]
    earlier = first[receipt] + (rng.random(len(receipt)) * before).astype(np.int64)
    origin = np.where((before > 0) & (rng.random(len(receipt)) < repeat), earlier, own)
    while not np.array_equal(further := origin[origin], origin):
        origin = further
    return origin


def ring_up(
    rng: np.random.Generator,
    world: ShopWorld,
    stock: Stock,
    visits: Visits,
    lines: tuple[Ints, Ints],
    *,
    first: int = FIRST_RECEIPT,
) -> pl.DataFrame:
    """Return the lines as the tills printed them: by time, receipts numbered in that order.

    Args:
        rng: The run's generator.
        world: The shop's numbers.
        stock: Its goods.
        visits: Its receipts.
        lines: For each line its receipt, ascending, and its good.
        first: The number of the first receipt.

    Returns:
        Columns customer (still a number from 0), receipt, time, goods, price and quantity.
    """
    receipt, good = lines
    printed = np.argsort(visits.minute, kind="stable")
    number = np.empty_like(printed)
    number[printed] = np.arange(first, first + len(printed))
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
