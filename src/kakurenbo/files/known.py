"""Layouts that need no roles: UCI Online Retail (both editions), the PWS Cup's tables, and our demo's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kakurenbo.data.layout import Role

DELETED = "DEL"  # how PWS Cup 2017 marks a row that was taken away


@dataclass(frozen=True)
class Known:
    """A layout recognised by its columns: which column has which role, and whether a header names them.

    `goods_columns` are those that speak of the good, where they are there.
    """

    name: str
    roles: Mapping[Role, tuple[str, ...]]
    header: bool
    goods_columns: tuple[str, ...] = ()


ONLINE_RETAIL = Known(
    "UCI Online Retail",
    {"customer": ("CustomerID",), "goods": ("StockCode",), "receipt": ("InvoiceNo",),
     "time": ("InvoiceDate",), "price": ("UnitPrice",), "quantity": ("Quantity",)},
    header=True, goods_columns=("Description",),
)  # fmt: skip
ONLINE_RETAIL_II = Known(
    "UCI Online Retail II",
    {"customer": ("Customer ID",), "goods": ("StockCode",), "receipt": ("Invoice",),
     "time": ("InvoiceDate",), "price": ("Price",), "quantity": ("Quantity",)},
    header=True, goods_columns=("Description",),
)  # fmt: skip
OURS = Known(
    "columns named by their roles",
    {"customer": ("customer",), "goods": ("goods",), "receipt": ("receipt",), "time": ("time",),
     "price": ("price",), "quantity": ("quantity",)},
    header=True,
)  # fmt: skip
PWS_CUP = Known(
    "PWS Cup",
    {"customer": ("1",), "receipt": ("2",), "time": ("3", "4"), "goods": ("5",), "price": ("6",),
     "quantity": ("7",)},
    header=False,
)  # fmt: skip

_PWS_FIELDS = (r".+", r".*", r"\d{4}/\d{1,2}/\d{1,2}", r"\d{1,2}:\d{2}", r".+", r"[\d.]+", r"-?\d+")


def recognise(names: Sequence[str], head: Sequence[Sequence[str]] | None = None) -> Known | None:
    """Return the layout that these columns, or these first records of a text file, belong to."""
    if head is not None and _is_pws(head):
        return PWS_CUP
    for known in (ONLINE_RETAIL, ONLINE_RETAIL_II, OURS):
        if {name for columns in known.roles.values() for name in columns} <= set(names):
            return known
    return None


def _is_pws(head: Sequence[Sequence[str]]) -> bool:
    """A table of the contest has seven fields and no header; its first rows may all be deleted ones."""
    rows = [row for row in head if row[0] != DELETED]
    first = rows[0] if rows else ()
    if not rows and all(len(row) == len(_PWS_FIELDS) for row in head):
        return True
    return len(first) == len(_PWS_FIELDS) and all(
        re.fullmatch(pattern, field) for pattern, field in zip(_PWS_FIELDS, first, strict=True)
    )
