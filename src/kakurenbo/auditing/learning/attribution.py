"""Attribution: how many released records are given to who bought them.

Whose a released record truly is needs no pairing where it stands in the original as it is and only one person
has it. Where records were dealt anew, that is what is left of a person to be found: his records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.attacks.purchases.likelihood import GRAINS
from kakurenbo.attacks.purchases.owners import Attributed
from kakurenbo.attacks.purchases.view import grain_views, people_of
from kakurenbo.auditing.results import Attribution

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.auditing.learning.claimers import Supposing
    from kakurenbo.data.purchases import Purchases


def attribution(made: Supposing) -> Attribution | None:
    """Return how many records an attacker gives to their owners, if he gives any to anybody."""
    if made.drops or not isinstance(made.supposed, Attributed):
        return None
    given, truth, share = made.supposed.owner, made.supposed.truth, made.supposed.told
    if truth is None:
        truth = made.tables.once("owners of records", lambda: _true_owners(made.tables))
        share = float((truth >= 0).mean())
    told = truth >= 0
    if not told.any():
        return None
    return Attribution(
        knowledge=made.attacker.knowledge, attack=made.attacker.name, way=made.attacker.stand.way,
        story=made.attacker.story, told=share, given=float((given[told] != -1).mean()),
        right=float((given[told] == truth[told]).mean()),
    )  # fmt: skip


def _true_owners(tables: Tables[Purchases]) -> NDArray[np.int64]:
    """Return who bought each released record, -1 where nobody or more than one in the original has it."""
    (seen,) = grain_views(tables, GRAINS[-1:])
    (block,) = seen.blocks
    people = people_of(tables.original)
    first, last = (np.full(len(block.first), start, dtype=np.int64) for start in (len(seen.originals), -1))
    np.minimum.at(first, block.mine, people)
    np.maximum.at(last, block.mine, people)
    return np.where(first == last, last, -1)[block.theirs]
