"""Whole records: who is released with the very records I know?

Each record is a witness. The attacker matches records on the columns he knows - a good, the day, the
quantity - and counts for every released customer how many of each known person's records are there. Real
records left as they are give their owner away, however many dummies stand beside them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

import polars as pl
from pydantic import Field, field_validator

from kakurenbo.attacks.likeness import LikenessAttack
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from kakurenbo.data.guess import Guess
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels._nearest_rows import Similarity

Part = Literal["goods", "month", "day", "time", "price", "quantity"]
_PARTS: dict[Part, tuple[Role, pl.Expr]] = {
    "goods": ("goods", pl.col("goods").cast(pl.String)),
    "month": ("time", pl.col("time").dt.strftime("%Y-%m")),
    "day": ("time", pl.col("time").dt.strftime("%Y-%m-%d")),
    "time": ("time", pl.col("time").dt.strftime("%Y-%m-%dT%H:%M:%S")),
    "price": ("price", pl.col("price").cast(pl.String)),
    "quantity": ("quantity", pl.col("quantity").cast(pl.String)),
}


_COUNTING: dict[str, Similarity] = {"relative": "cosine", "contained": "containment", "plain": "votes"}


class RowsAttack(LikenessAttack):
    """Knows whole records, by default good, day and quantity, and counts how many of a person's are there."""

    quantity: ClassVar[bool] = True
    point: ClassVar[tuple[Role, ...]] = ()

    votes: Literal["relative", "contained", "plain"] = Field(
        "relative",
        description="how matches count: against the length of both lists (cosine), as the share of the known "
        "records that are there (right for releases that only add), or as they are",
    )

    columns: tuple[Part, ...] = Field(
        ("goods", "day", "quantity"),
        description="what is known of a record: goods, month, day, time, price, quantity",
    )

    @field_validator("columns")
    @classmethod
    def _some(cls, columns: tuple[Part, ...]) -> tuple[Part, ...]:
        if not columns or len(set(columns)) < len(columns):
            raise ValueError("name at least one column, and each only once")
        return columns

    def link(self, known: Purchases, released: Purchases, rng: np.random.Generator) -> Guess:
        """Count matching records between every released and every known person."""
        tables = [self._keyed(data) for data in (known, released)]
        keys = pl.concat([table.goods for table in tables]).unique().sort()
        mine, theirs = (table.baskets(quantity=True).over(keys) for table in tables)
        return self.compare(theirs, mine, rng)

    def scored_by(self) -> Similarity:
        """Return the similarity behind the way votes count."""
        return _COUNTING[self.votes]

    def _keyed(self, data: Purchases) -> Purchases:
        """Return purchases whose goods are the records' keys, one piece each."""
        for part in self.columns:
            if _PARTS[part][0] not in data.roles:
                raise InputError(f"RowsAttack by {part} needs the role {_PARTS[part][0]}.", code="roles")
        key = pl.concat_str([_PARTS[part][1] for part in self.columns], separator="\x1f")
        records = data.records.select("customer", goods=key)
        plain = replace(data, records=data.records.select("customer", "goods"), master=None)
        return plain.with_records(records)
