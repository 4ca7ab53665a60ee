"""Names that change: how long they live in a release, and how well they are linked to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.lifetimes import life_of
from kakurenbo.attacks.purchases.linked_names import lived
from kakurenbo.attacks.purchases.renamed import chains
from kakurenbo.auditing.results import Names
from kakurenbo.data.table import ByKind
from kakurenbo.risk.linked import Linked, linked, links

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.purchases import Purchases


def _purchases(_: Purchases, tables: Tables[Purchases], secret: Owners | None) -> Names | None:
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
naming: ByKind[Any] = ByKind(purchases=_purchases, microdata=lambda *_: None)
