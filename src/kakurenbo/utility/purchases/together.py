"""Both tables in one code: the same number for the same person and for the same good, before and after.

Whole numbers are grouped and joined many times faster than texts, and measures do little else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases


def in_codes(
    original: Purchases, released: Purchases, secret: Pairing | None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the records of both tables with people and goods as whole numbers.

    A person's number is his place among the original's customers, and after the release's own place where
    nobody is followed; records of whom the secret does not name are left out.
    """
    goods = (
        pl.concat([original.goods, released.goods]).unique().sort().to_frame("name").with_row_index("code")
    )
    before = _coded(original, _places(original.customers, None), goods)
    if secret is None:
        return before, _coded(released, _places(released.customers, None), goods)
    people = original.customers.to_frame("original").with_row_index("code").join(secret.frame, on="original")
    known = people.select("code", name="released")
    return before, _coded(released, _places(released.customers, known), goods).drop_nulls("customer")


def _places(names: pl.Series, known: pl.DataFrame | None) -> pl.Series:
    """Return the code of every name: its place, or what is known of it."""
    if known is None:
        return pl.Series(np.arange(len(names), dtype=np.uint32))
    return names.to_frame("name").join(known, on="name", how="left", maintain_order="left")["code"]


def _coded(data: Purchases, people: pl.Series, goods: pl.DataFrame) -> pl.DataFrame:
    codes = {"customer": people, "goods": _places(data.goods, goods)}
    return data.records.with_columns(
        own.gather(data.records[role].to_physical()).alias(role) for role, own in codes.items()
    )
