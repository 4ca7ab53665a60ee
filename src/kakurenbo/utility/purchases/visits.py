"""Visits and baskets: the same kind of them on both sides, or there is nothing to compare.

A release may leave receipts out. Its lines are then put together by customer and released time, or by
customer alone, and the original's must be too: receipts on one side and months on the other would look as if
people had stopped coming, or as if nothing were bought together any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from kakurenbo.utility.purchases.counted import Shows

Baskets = Literal["receipts", "customers"]
COLUMN: Final[dict[Baskets, str]] = {"receipts": "receipt", "customers": "customer"}


def comparable_baskets(original: Shows, released: Shows) -> Baskets:
    """Return what both tables can be read by: receipts where both show them, else customers."""
    return "receipts" if "receipt" in original.shown & released.shown else "customers"


def visit_columns(original: Shows, released: Shows) -> list[str]:
    """Return the columns that make a visit in both tables: the receipt, else customer and time."""
    common = original.shown & released.shown
    if "receipt" in common:
        return ["customer", "receipt"]
    if "time" in common:
        return ["customer", "time"]
    raise InputError(
        "Visits are told apart by receipts or times, and one of the two tables shows neither of them.",
        code="roles",
    )
