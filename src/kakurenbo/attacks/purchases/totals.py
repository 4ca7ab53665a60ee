"""Totals: who bought as much, in as many records?

The attacker knows two numbers of everybody - how many records, and what was spent in all - and names the
nearest. No good and no date is needed: a bank statement will do. Releases that keep every record keep both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Values
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.search.scores import Points
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases


class TotalsAttack(PurchasesAttack):
    """Knows how many records everybody has and what they spent in all, and names the nearest by ratio."""

    about: ClassVar = AttackAbout(
        name="totals", kind="purchases", source="ours", promises=("finds-copies",),
        needs=("price", "quantity"), because="nobody else has as many records and spent as much",
        stands=(Stand(rung="totals", story="Names who has as many records and spent as much"),),
    )  # fmt: skip

    def compares(self, data: Purchases) -> Values:  # noqa: ARG002 - the same of all
        """Return the number of records and the amount, as far as rounding lets it be told."""
        amount = (pl.col("price") * pl.col("quantity")).sort().sum().round_sig_figs(9)
        return Values((pl.len().alias("records"), amount.alias("amount")))

    def score(self, shown: frozenset[str]) -> Points:  # noqa: ARG002 - the same of all
        """Compare (log records, log amount)."""
        return Points(_totals)


def _totals(data: Purchases) -> NDArray[np.float64]:
    table = (
        data.records.group_by("customer")
        .agg(records=pl.len(), amount=(pl.col("price") * pl.col("quantity")).sort().sum())
        .sort("customer")
    )
    totals: NDArray[np.float64] = np.log(table.drop("customer").to_numpy().astype(np.float64))
    if not np.isfinite(totals).all():
        raise InputError("What somebody spent in all is too large or too small a number.", code="limit")
    return totals
