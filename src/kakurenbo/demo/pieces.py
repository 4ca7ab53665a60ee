"""A made-up shop of any size, written piece by piece.

Whoever wants to know how something grows needs a shop of a million customers, and need not hold it: customers
come in pieces of ten thousand, all from the same shelves, and each piece is in the file before the next one
is drawn. The rows of a piece stand in the order of time, so a customer's lie scattered over it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import polars as pl

from kakurenbo.demo.draw import at_least_one, generator
from kakurenbo.demo.shop import customer_ids, sold
from kakurenbo.demo.stock import make_stock
from kakurenbo.demo.visits import FIRST_RECEIPT
from kakurenbo.demo.world import ShopWorld
from kakurenbo.errors import WriteError
from kakurenbo.files.atomic import write_large
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

EVERYDAY: Final = ShopWorld(lines_mean=69.0)  # about 65 records a customer, as a supermarket's card sees
PIECE: Final = 10_000  # customers


def write_shop(
    path: str | Path,
    customers: int = 1_000_000,
    goods: int | None = None,
    *,
    seed: int | None = None,
    world: ShopWorld | None = None,
    progress: Progress | None = None,
) -> int:
    """Write a made-up shop of any size to a new Parquet file; memory does not grow with it.

    Its columns are those of `shop_frame`; its customers have about 65 records each.

    Args:
        path: The file; it appears when it is whole.
        customers: Number of customers; every one has at least one record.
        goods: Size of the catalogue; if not given, it grows with the customers as that of `shop_frame`.
        seed: Repeats a shop exactly; without it every call makes another.
        world: The shop's other numbers, if they are to differ.
        progress: Told how many customers are done.

    Returns:
        How many records were written.

    Raises:
        ParameterError: No customers or goods, a seed below 0, or a file that exists already.
        WriteError: The file could not be written.
    """
    world = world or EVERYDAY
    at_least_one("customers", customers)
    goods = world.goods(customers) if goods is None else goods
    at_least_one("goods", goods)
    pieces = _pieces(generator(seed), world, customers, goods, progress or Progress())
    first = next(pieces)
    records = [first.height]
    write_large(Path(path), partial(_write, first, pieces, records))
    return sum(records)


def _pieces(
    rng: np.random.Generator, world: ShopWorld, customers: int, goods: int, progress: Progress
) -> Iterator[pl.DataFrame]:
    """Yield the shop piece by piece; every piece has a generator of its own."""
    stock, receipt = make_stock(rng, world, goods), FIRST_RECEIPT
    for first in range(0, customers, PIECE):
        progress.step(f"making {customers:,} customers", first / customers)
        last = min(first + PIECE, customers)
        frame = sold(rng.spawn(1)[0], world, stock, last - first, receipt)
        receipt += frame["receipt"].n_unique()
        yield frame.with_columns(customer=customer_ids(customers, first, last).gather(frame["customer"]))


def _write(first: pl.DataFrame, others: Iterator[pl.DataFrame], records: list[int], path: Path) -> None:
    """Let polars write the pieces as they come, and count their records."""
    from polars.io.plugins import register_io_source  # noqa: PLC0415 - slow to load

    def pieces(*_: object) -> Iterator[pl.DataFrame]:
        yield first
        for piece in others:
            records.append(piece.height)
            yield piece

    try:
        register_io_source(pieces, schema=first.schema).sink_parquet(path)
    except pl.exceptions.ComputeError as error:
        raise WriteError(f"The shop could not be written: {error}.", code="write") from None
