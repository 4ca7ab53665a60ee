"""How well dummies are told from what was really bought: needs the pairing, so an audit counts it.

People found is one half of what padding is worth. The other is whether the dummies themselves hold: a release
in which they can be told is the original again to whoever reads it, also where nobody is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.auditing.learning.membership import told_apart
from kakurenbo.auditing.results import Dummies

if TYPE_CHECKING:
    from kakurenbo.auditing.panel.outcomes import PanelRun
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.purchases import Purchases


def dummies_told(ran: PanelRun[Any], owners: Owners) -> Dummies | None:
    """Return how well dummies are told by who tells them best; None where nobody weighs, or none are."""
    weighers = {outcome.attacker.name: outcome.attacker.attack for outcome in ran.outcomes}
    told = (
        _told(name, doubts, ran.tables.original, owners)
        for name, attack in weighers.items()
        if (doubts := attack.doubts(ran.tables)) is not None
    )
    return max(filter(None, told), key=lambda one: one.auc, default=None)


def _told(attack: str, doubts: pl.DataFrame, original: Purchases, owners: Owners) -> Dummies | None:
    """Set what looks real beside what is: a good under a name is real where an owner of it has the good."""
    held = original.under(None).select(original="customer", goods="goods").unique()
    bought = owners.frame.select("released", "original").join(held, on="original")
    marked = doubts.join(
        bought.select("released", "goods", bought=True).unique(), on=["released", "goods"], how="left"
    ).with_columns(pl.col("bought").fill_null(value=False))
    real, false = (marked.filter(pl.col("bought") == bought)["real"].to_numpy() for bought in (True, False))
    if not (len(real) and len(false)):
        return None
    return Dummies(told_apart(real, false)[0], attack, len(real) / len(marked))
