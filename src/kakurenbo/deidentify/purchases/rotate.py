"""Rotate: a new name for everybody every month, so that no name holds a whole history.

Contests and panels hand out purchases so (PWS Cup 2017: a pseudonym a customer and month). What a name gives
away ends with its period: who recognises January learns nothing of June, unless he links the two names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import Method
from kakurenbo.mappings import EVERY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.chance import Chance

_NAME = "\0name"  # a name that no column has


class Rotate(Method[Purchases]):
    """A new pseudonym every week, month, quarter or year, or for every receipt; the records stay as they are.

    A person has as many names as he has periods with purchases, and the secret says whose each is: many
    names, one person. Found is counted both ways, names and persons, and the larger share decides. Periods
    are those of the times as they are when names are given: after times were rounded to quarters, a month is
    a quarter.

    What it protects: who finds a name learns what was bought in its period and no more. Sums over all
    customers stay true, and so does everything within a period.

    What it does not do: a name is as easy to recognise as the purchases under it, and one is enough for a
    person to be found. Names are linked to each other by what people keep buying, and the attack `renamed`
    does it. The released columns of a master stand with every name of a person and link them: keep few.
    Whoever analyses single customers over longer than a period cannot.
    """

    about: ClassVar = MethodAbout(
        name="rotate", kind="purchases", reach="person",
        source="PWS Cup 2017", promises=("keeps-records", "rotates"),
        slot="names", knobs=(
            Knob("by", ("year", "quarter", "month"), needs=("time",)),
            Knob("receipts", ("apart", "together"), needs=("receipt",)),
        ),
        example={"by": "month"},
    )  # fmt: skip

    by: Literal["week", "month", "quarter", "year", "receipt"] = Field(
        description="how long a name lives: a week from Monday on, a month, quarter or year of the calendar, "
        "or one receipt"
    )

    @classmethod
    def tuned(cls, values: Mapping[str, Any], people: int) -> dict[str, Any]:  # noqa: ARG003 - as all
        """Receipts apart have a name each; together they have that of their period, where there are times."""
        apart = "by" not in values or values.get("receipts") == "apart"
        return {"by": "receipt" if apart else values["by"]}

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:  # noqa: ARG002 - names come later
        """Return the purchases with every customer split into one for each of his periods or receipts."""
        role = "receipt" if self.by == "receipt" else "time"
        self.require(data, role)
        records = data.under(None).with_columns(_name(self._part).alias(_NAME))
        names = records.select(_NAME, "customer").unique().sort(_NAME)
        split = records.with_columns(customer=_NAME).drop(_NAME)
        facts = Facts(extras={"names": names.height, "persons": names["customer"].n_unique()})
        changed = data.with_records(split, master=_for_every_name(data.master, names))
        return Changed(changed, facts, Pairing(names[_NAME], names["customer"]))

    @property
    def _part(self) -> pl.Expr:
        """What a name stands for of a person, as text."""
        if self.by == "receipt":
            return pl.col("receipt")
        return pl.col("time").dt.truncate(EVERY[self.by]).dt.to_string("iso")


def _name(part: pl.Expr) -> pl.Expr:
    """Return what tells a customer's part from all others; the length says where his id ends."""
    customer = pl.col("customer")
    return pl.concat_str(customer.str.len_bytes(), customer, part, separator="\0")


def _for_every_name(master: pl.DataFrame | None, names: pl.DataFrame) -> pl.DataFrame | None:
    """Return the master with a customer's row under each of his names."""
    if master is None:
        return None
    rows = names.join(master, on="customer").with_columns(customer=_NAME).drop(_NAME)
    return rows.select(master.columns).sort("customer")
