"""Microaggregate: everybody gets the mean of a small group of people like him."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import polars as pl
from pydantic import Field

from kakurenbo.about import Knob, MethodAbout
from kakurenbo.data.groups import over
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import Method
from kakurenbo.kernels.groups import mdav

if TYPE_CHECKING:
    from kakurenbo.chance import Chance


class Microaggregate(Method[Microdata]):
    """Replace the sensitive attributes that are numbers by the mean of k people with similar ones (MDAV).

    Values are k-anonymous among themselves and means are kept, but quasi-identifiers stay: an attacker who
    knows those still finds the person, only with blurred amounts. Time grows with the square of the rows.
    """

    about: ClassVar = MethodAbout(
        name="microaggregate", kind="microdata", source="MDAV, Domingo-Ferrer and Mateo-Sanz 2002",
        promises=("keeps-qi", "keeps-means"), needs=("numbers",), slot="values", knobs=(Knob.of_size("k"),),
        example={"k": 2},
    )  # fmt: skip

    k: int = Field(ge=1, description="fewest people with the same values")
    s: tuple[str, ...] = Field((), description="sensitive attributes aggregated; none given means all")

    def change(self, data: Microdata, chance: Chance) -> Changed[Microdata]:  # noqa: ARG002
        """Return the microdata with aggregated numbers."""
        self.require_rows(data, self.k)
        self.require(data)
        data = data.by_content()
        names = data.numbers_among(self.s)
        group = mdav(data.records.select(names).to_numpy(), self.k)
        return Changed(data.with_columns(over(pl.col(names).mean(), group)), Facts.of_groups(group))
