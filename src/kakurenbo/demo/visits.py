"""Who comes to the made-up shop, when, and what they put into the basket.

A customer has an activity (how often), a habit (how much at a time) and a taste (a mixture over
departments). Each visit becomes a receipt; each line of it either repeats something the customer took on
an earlier day, or comes from a department chosen by taste and season. All customers are drawn together,
as arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.demo.draw import pick
from kakurenbo.demo.world import FIRST_DAY, LAST_DAY

if TYPE_CHECKING:
    from kakurenbo.demo.draw import Floats, Ints
    from kakurenbo.demo.stock import Stock
    from kakurenbo.demo.world import ShopWorld

_MINUTES_A_DAY = 24 * 60


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
