"""A made-up shop: purchase histories of people who do not exist.

Whoever wants to try this library, teach with it or test at scale needs purchase data, and real purchase
data is just what must not be passed around. So here is a shop that never was. Every customer, good,
price and time is drawn at random; only the proportions resemble a real table (TC400, a year of an
English gift wholesaler): long-tailed popularity of goods, long-tailed baskets, personal tastes,
favourites bought again, and a rise before Christmas.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from kakurenbo.data.purchases import Purchases
from kakurenbo.demo.draw import at_least_one, generator, pick
from kakurenbo.demo.stock import make_stock
from kakurenbo.demo.visits import FIRST_RECEIPT, fill_baskets, make_visits, ring_up
from kakurenbo.demo.world import ShopWorld

if TYPE_CHECKING:
    from kakurenbo.demo.stock import Stock

_SEXES: Final = {"f": 0.86, "m": 0.14}
_DECADES: Final = {
    date(1930, 1, 1): 0.03,
    date(1940, 1, 1): 0.12,
    date(1950, 1, 1): 0.35,
    date(1960, 1, 1): 0.34,
    date(1970, 1, 1): 0.13,
    date(1980, 1, 1): 0.03,
}
_COUNTRIES: Final = {"United Kingdom": 0.91, "Germany": 0.03, "France": 0.02, "Others": 0.04}


def shop(customers: int = 400, *, seed: int | None = None) -> Purchases:
    """Return the made-up shop's transactions and master, ready to be de-identified.

    Releases keep the whole master, as the contests' did: sex, decade of birth and country.

    Args:
        customers: Number of customers; every one has at least one record.
        seed: Repeats a shop exactly; without it every call makes another.
    """
    return Purchases.from_frame(
        shop_frame(customers, seed=seed),
        customer="customer",
        goods="goods",
        receipt="receipt",
        time="time",
        price="price",
        quantity="quantity",
        master=shop_master(customers, seed=seed),
        keep_master=("sex", "birth", "country"),
    )


def shop_frame(
    customers: int = 400, goods: int | None = None, seed: int | None = None, world: ShopWorld | None = None
) -> pl.DataFrame:
    """Return made-up transactions, in the order the tills printed them.

    With the defaults they resemble TC400: 400 customers, about 38,000 records on about 1,760 receipts, about
    2,800 goods sold, 64 goods a customer, and a mean Jaccard similarity of 0.03 between two customers. More
    customers bring more rows (about 95 each) and leave those means as they are.

    Args:
        customers: Number of customers; every one has at least one record.
        goods: Size of the catalogue (some goods may find no buyer); if not given, it grows like the eighth
            root of the number of customers, from 2,950 at 400.
        seed: Repeats a shop exactly; without it every call makes another.
        world: The shop's other numbers, if they are to differ.

    Returns:
        Columns customer, receipt, time, goods, price and quantity.
    """
    world = world or ShopWorld()
    at_least_one("customers", customers)
    goods = world.goods(customers) if goods is None else goods
    at_least_one("goods", goods)
    rng = generator(seed)
    frame = sold(rng, world, make_stock(rng, world, goods), customers)
    return frame.with_columns(customer=customer_ids(customers).gather(frame["customer"]))


def sold(
    rng: np.random.Generator, world: ShopWorld, stock: Stock, customers: int, first: int = FIRST_RECEIPT
) -> pl.DataFrame:
    """Return what so many customers, numbered from 0, take from the shelves, on receipts from `first`."""
    visits = make_visits(rng, world, customers)
    return ring_up(rng, world, stock, visits, fill_baskets(rng, world, stock, visits), first=first)


def shop_master(customers: int = 400, seed: int | None = None) -> pl.DataFrame:
    """Return the made-up master: one row a customer of the `shop_frame` with as many customers.

    Args:
        customers: Number of customers, as given to `shop_frame`.
        seed: Repeats a master exactly; the customers' ids do not depend on it.

    Returns:
        Columns customer, sex (f or m), birth (the first day of the decade) and country.
    """
    at_least_one("customers", customers)
    rng = generator(seed).spawn(1)[0]
    return pl.DataFrame(
        {
            "customer": customer_ids(customers),
            "sex": _draw(rng, _SEXES, customers),
            "birth": _draw(rng, _DECADES, customers),
            "country": _draw(rng, _COUNTRIES, customers),
        }
    )


def _draw(
    rng: np.random.Generator, shares: dict[str, float] | dict[date, float], customers: int
) -> pl.Series:
    """Draw one level a customer by its share."""
    weights = np.asarray([list(shares.values())])
    return pl.Series(list(shares)).gather(pick(rng, weights, np.zeros(customers, dtype=np.int64)))


def customer_ids(customers: int, first: int = 0, last: int | None = None) -> pl.Series:
    """Return distinct ids of one width; they do not depend on the seed, and tell nothing.

    Of so many customers, those numbered from `first` to before `last`; all if it is not given.
    """
    base = 10 ** max(4, len(str(customers)))
    # The stride is prime and no factor of the 9 x base numbers of this width: no id comes twice.
    numbers = np.arange(first, customers if last is None else last)
    scattered = base + numbers * 7919 % (9 * base)
    return pl.Series("customer", scattered).cast(pl.String)
