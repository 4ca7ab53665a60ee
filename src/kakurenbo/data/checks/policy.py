"""The declared policy for records that are no purchase: refuse them, or drop them with a count.

Real tables hold rows without a customer, cancellations (UCI Online Retail marks them by receipts `C` and
digits), returns with negative quantities, and prices of zero. Each either stops the reading with a clear
error (`refuse`) or is left out and counted (`drop`); it is never lost silently. A row with several faults is
counted once, under the first of the reasons below, so that kept + dropped = read. Rows without any content,
which the contests leave in place of deleted ones, are no records and are only counted.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

import polars as pl

from kakurenbo.errors import InputError

Policy = Literal["refuse", "drop"]
POLICIES: tuple[Policy, ...] = ("refuse", "drop")
CANCELLED = "C"


@dataclass(frozen=True, slots=True)
class Dropped:
    """How many rows were left out, by the first reason found in this order.

    `deleted` are rows that the PWS Cup's tables mark as deleted and that show nothing at all.
    """

    missing_id: int = 0
    cancellation: int = 0
    quantity_not_positive: int = 0
    price_not_positive: int = 0
    deleted: int = 0

    @property
    def total(self) -> int:
        """All rows left out."""
        return sum(self.as_dict().values())

    def as_dict(self) -> dict[str, int]:
        """Return reason -> count."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


_IDS = ("customer", "goods", "receipt")
_REFUSALS = {  # reason -> code and words
    "missing_id": (
        "missing-id",
        'have no customer, goods or receipt id (NA, null and the like are none, unless spelling="keep")',
    ),
    "cancellation": ("cancellation", "are cancellations"),
    "quantity_not_positive": ("not-positive", "have a quantity of zero or less"),
    "price_not_positive": ("not-positive", "have a price of zero or less"),
}


def _faults(frame: pl.DataFrame, cancelled: str) -> dict[str, pl.Expr]:
    """Return reason -> expression that is true where a row has that fault."""
    names = set(frame.columns)
    ids = [pl.col(name).is_null() for name in _IDS if name in names]
    faults = {"missing_id": pl.any_horizontal(ids)}
    if cancelled and "receipt" in names:
        prefix = pl.col("receipt").str.starts_with(cancelled)
        digits = pl.col("receipt").str.slice(len(cancelled)).str.contains(r"^[0-9]+$")
        faults["cancellation"] = (prefix & digits).fill_null(value=False)
    for name in ("quantity", "price"):
        if name in names:
            faults[f"{name}_not_positive"] = (pl.col(name) <= 0).fill_null(value=False)
    return faults


def apply(
    frame: pl.DataFrame, policy: Policy, *, cancelled: str, columns: dict[str, str]
) -> tuple[pl.DataFrame, Dropped]:
    """Return the frame (columns named by role) without faulty rows, and what was dropped.

    Under `refuse` the first reason with a faulty row raises, naming row and column; `columns` gives the
    name of each role's column for that message.
    """
    faults = _faults(frame, cancelled)
    flags = frame.lazy().select(**faults).collect()
    counts: dict[str, int] = {}
    bad = pl.repeat(value=False, n=frame.height, eager=True, dtype=pl.Boolean)
    for reason in faults:
        fresh = flags[reason] & ~bad
        counts[reason] = int(fresh.sum())
        if counts[reason] and policy == "refuse":
            raise _refusal(frame, reason, fresh, columns)
        bad |= fresh
    dropped = Dropped(**counts)
    return (frame.filter(~bad) if dropped.total else frame), dropped


def refuse(dropped: Dropped, read: int, columns: dict[str, str]) -> None:
    """Refuse rows that were counted where they lay, so that none of them can be named."""
    for reason, (code, words) in _REFUSALS.items():
        count = getattr(dropped, reason)
        if count:
            role = {"cancellation": "receipt", "missing_id": ""}.get(reason, reason.partition("_")[0])
            raise InputError(
                f'{count} of {read} rows {words}; mend them, or leave them out with policy="drop".',
                code=code,
                column=columns.get(role),
                parameter="policy",
            )


def _refusal(frame: pl.DataFrame, reason: str, rows: pl.Series, columns: dict[str, str]) -> InputError:
    first = int(rows.arg_true()[0])
    code, words = _REFUSALS[reason]
    if reason == "missing_id":
        role = next(name for name in _IDS if name in columns and frame[name][first] is None)
    else:
        role = {"cancellation": "receipt"}.get(reason, reason.partition("_")[0])
    return InputError(
        f'{int(rows.sum())} of {frame.height} rows {words}; mend them, or leave them out with policy="drop".',
        code=code,
        row=first + 1,
        column=columns.get(role, role),
        parameter="policy",
    )
