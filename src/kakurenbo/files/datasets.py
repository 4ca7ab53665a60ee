"""Known datasets, rebuilt by their published rules and refused when the published counts do not come out.

The data itself is not part of this project: fetch UCI Online Retail (Chen, 2015; CC BY 4.0), pass its path.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from kakurenbo.data.checks import columns, ids
from kakurenbo.data.layout import Column, Layout
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import InputError
from kakurenbo.files import tables
from kakurenbo.files.known import ONLINE_RETAIL, PWS_CUP

_VAGUE_COUNTRIES = ("Unspecified", "European Community")
_TC400 = {"customers": 400, "records": 38087, "receipts": 1763, "goods": 2781}


def online_retail(path: str | Path, *, encoding: str | None = None) -> Purchases:
    """Read UCI Online Retail with the filter the papers used: 4,333 customers.

    Rows without a customer, cancellations, and quantities or prices of zero or less are dropped with a
    count; so are, first of all, rows of the countries "Unspecified" and "European Community", because the
    contests' cross tabulations need a nation. The master holds each customer's country (the most frequent
    one; eight customers have two), and releases keep it, as the contests' did.
    """
    roles: dict[str, Any] = {role: names[0] for role, names in ONLINE_RETAIL.roles.items()}
    table = tables.open_any(Path(path), encoding=encoding)
    wanted = [*roles.values(), "Country"]
    columns.require(wanted, table.names)
    frame = table.load(wanted).filter(~pl.col("Country").is_in(_VAGUE_COUNTRIES))
    shop = Purchases.from_frame(frame, **roles, policy="drop")
    master = _countries(frame, roles["customer"]).filter(pl.col("customer").is_in(shop.customers.implode()))
    layout = replace(shop.layout, format=table.format)
    return replace(shop, master=master, keep_master=("Country",), layout=layout)


def tc400(path: str | Path, *, encoding: str | None = None) -> Purchases:
    """Rebuild the table of PWS Cup 2016 from UCI Online Retail: the 400 smallest customer ids of the filter.

    The counts must be those 000 prints in table 3, or the file is not the one that was published.
    """
    shop = online_retail(path, encoding=encoding)
    chosen = shop.customers.sort().head(400)
    keep = pl.col("customer").cast(pl.String).is_in(chosen.implode())
    small = shop.with_records(
        shop.records.filter(keep), master=None if shop.master is None else shop.master.filter(keep)
    )
    counts = {
        "customers": len(small.customers), "records": len(small),
        "receipts": small.receipts, "goods": len(small.goods),
    }  # fmt: skip
    if counts != _TC400:
        raise InputError(
            f"The file is not UCI Online Retail as published: expected {_TC400}, but got {counts}.",
            code="counts",
        )
    return replace(small, layout=_contest_layout())


def _countries(frame: pl.DataFrame, customer: str) -> pl.DataFrame:
    """Return one row a customer with the country of most of the records (ties: the first by name)."""
    key = ids.as_text(frame[customer], column=customer).alias("customer")
    return (
        frame.select(key, "Country")
        .drop_nulls()
        .group_by("customer", "Country")
        .len()
        .sort("customer", "len", "Country", descending=[False, True, False])
        .unique("customer", keep="first", maintain_order=True)
        .select("customer", "Country")
    )


def _contest_layout() -> Layout:
    roles = {name: role for role, names in PWS_CUP.roles.items() for name in names}
    patterns = {"3": "%Y/%-m/%-d", "4": "%-H:%M"}
    return Layout(
        tuple(Column(name, roles[name], patterns.get(name)) for name in sorted(roles)), header=PWS_CUP.header
    )
