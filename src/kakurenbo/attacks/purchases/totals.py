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
from kakurenbo.attacks.purchases.scans import Near
from kakurenbo.data.guess import Guess
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases

_CLOSE = 1e-9


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

    def scan(self, shown: frozenset[str]) -> Near:  # noqa: ARG002 - the same of all
        """Go through the original by the distance of both numbers."""
        return Near(self, _CLOSE)

    def located(self, data: Purchases) -> NDArray[np.float64]:
        """Return (log records, log amount) of everybody."""
        return _totals(data)

    def answer(self, seen: Tables[Purchases], chance: Chance) -> Guess:
        """Name the nearest in (log records, log amount), all ties kept."""
        from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to load

        known, released = self.known(seen), seen.released
        mine, theirs = _totals(known), _totals(released)
        tree = cKDTree(mine)
        distance, _ = tree.query(theirs)
        equals = tree.query_ball_point(theirs, np.asarray(distance) + _CLOSE, return_sorted=True)
        indptr = np.concatenate([[0], np.cumsum([len(row) for row in equals])])
        indices = np.fromiter((i for row in equals for i in row), dtype=np.int64, count=int(indptr[-1]))
        return Guess.drawn(released.customers, known.customers, indptr, indices, chance)


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
