"""Microaggregate: everybody gets the mean of a small group of people like him."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from pydantic import Field

from kakurenbo.data.groups import over
from kakurenbo.deidentify.base import ChangedMicrodata, MicrodataMethod
from kakurenbo.deidentify.microdata.base import changed, chosen, enough_rows, in_fixed_order
from kakurenbo.errors import InputError
from kakurenbo.kernels.mdav import mdav

if TYPE_CHECKING:
    import numpy as np

    from kakurenbo.data.microdata import Microdata


class Microaggregate(MicrodataMethod):
    """Replace the sensitive attributes by the mean of k people with similar ones (MDAV).

    Values are k-anonymous among themselves and means are kept, but quasi-identifiers stay: an attacker who
    knows those still finds the person, only with blurred amounts. Time grows with the square of the rows.
    """

    k: int = Field(ge=1, description="fewest people with the same values")
    s: tuple[str, ...] = Field((), description="sensitive attributes aggregated; none given means all")

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:  # noqa: ARG002
        """Return the microdata with aggregated numbers."""
        enough_rows(microdata, self.k, type(self).__name__)
        data = in_fixed_order(microdata)
        names = chosen(self.s, data.sa)
        if not names:
            raise InputError("Aggregating needs a sensitive attribute, which the data lacks.", code="roles")
        group = mdav(data.records.select(names).to_numpy(), self.k)
        facts = {"deleted": 0, "groups": int(group.max()) + 1}
        return ChangedMicrodata(changed(data, over(pl.col(names).mean(), group)), facts)
