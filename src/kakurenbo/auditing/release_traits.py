"""What a release shows of how it was made: how well its dummies are told, and how its names change.

People found is one half of what padding is worth. The other is whether the dummies themselves hold: a release
in which they can be told is the original again to whoever reads it, also where nobody is named. Names that
change hide a history as far as they cannot be linked to each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.lifetimes import life_of
from kakurenbo.attacks.purchases.linked_names import lived
from kakurenbo.attacks.purchases.renamed import chains
from kakurenbo.auditing.learning.membership import told_apart
from kakurenbo.auditing.results import Dummies, Names
from kakurenbo.data.table import ByKind
from kakurenbo.risk.linked import Linked, linked, links

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
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


def _naming(_: Purchases, tables: Tables[Purchases], secret: Owners | None) -> Names | None:
    life = life_of(tables)
    if life is None:
        return None
    chain = chains(tables, life)
    worth = Linked(links(chain), None, None)
    if secret is not None:
        worth = linked(chain, lived(tables.released, life.unit), _whose(tables, secret))
    return Names(life.unit, life.names, life.people, worth.links, worth.right, worth.found)


def _whose(tables: Tables[Purchases], secret: Owners) -> NDArray[np.int64]:
    """Return the person of every released name, -1 for a name of nobody or of several."""
    people = tables.original.customers.cast(pl.String)
    numbers = pl.DataFrame({"original": people, "number": np.arange(len(people))})
    rows = secret.frame.filter(pl.len().over("released") == 1).join(numbers, on="original", how="inner")
    names = tables.released.customers.cast(pl.String).to_frame("released")
    whose = names.join(rows, on="released", how="left", maintain_order="left")["number"]
    return whose.fill_null(-1).to_numpy().astype(np.int64)


# How names change in a release; None where they do not, as in microdata, where a row is a person.
naming: ByKind[Any] = ByKind(purchases=_naming, microdata=lambda *_: None)
