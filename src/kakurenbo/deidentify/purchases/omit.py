"""Omit: leave out what the partner does not need.

A column that is not there gives nobody away. Prices and quantities single people out and many analyses do
without them; receipts say what was bought together; without times only what somebody buys is left. The
cheapest way to hold a seeker, and the only one whose price everybody understands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field, field_validator

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed
from kakurenbo.deidentify.base import Method
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.chance import Chance

_NEVER = {"customer", "goods"}
_LEAST_FIRST = ("price", "quantity", "receipt", "time")  # what analysts miss least comes first


class Omit(Method[Purchases]):
    """Leave columns out: receipts, times, prices, quantities, or columns of the master.

    Columns are named by role (`receipt`, `time`, `price`, `quantity`), those of the master by their name. The
    rest of every record stays as it is, and the release is written without them. A file without a header
    tells columns by their place: there an omitted one stays, empty. Customers and goods cannot be left out:
    without either there are no purchases.
    """

    about: ClassVar = MethodAbout(
        name="omit", kind="purchases", reach="person",
        source="common practice", promises=("omits",), slot="columns",
        knobs=tuple(Knob(role, ("keep", "omit"), needs=(role,)) for role in _LEAST_FIRST),
        example={"columns": ("price", "quantity")},
    )  # fmt: skip
    keeps: ClassVar = True

    columns: tuple[str, ...] = Field(
        min_length=1, description="what to leave out: receipt, time, price, quantity, columns of the master"
    )

    @field_validator("columns")
    @classmethod
    def _known(cls, columns: tuple[str, ...]) -> tuple[str, ...]:
        if not _NEVER.isdisjoint(columns):
            raise ValueError("purchases cannot do without customers and goods")
        return tuple(dict.fromkeys(columns))

    @classmethod
    def tuned(cls, values: Mapping[str, Any], people: int) -> dict[str, Any]:  # noqa: ARG003 - as all
        """Every role is kept or left out; where all are kept, there is nothing to do."""
        columns = [role for role, choice in values.items() if choice == "omit"]
        return {"columns": columns} if columns else {}

    @property
    def hides(self) -> frozenset[str]:
        """The columns."""
        return frozenset(self.columns)

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:  # noqa: ARG002 - nothing is drawn
        """Return the purchases without the columns."""
        there = {*data.roles, *([] if data.master is None else data.master.columns)}
        missing = [name for name in self.columns if name not in there]
        if missing:
            raise InputError(
                f"There is no column {missing[0]} to leave out. Roles are {', '.join(_LEAST_FIRST)}; other "
                "columns are those of the master.", code="column-missing", parameter="columns",
            )  # fmt: skip
        return Changed(data.without(self.columns))
