"""Resolving: what is made of scores, with both tables whole at hand.

By name, every released name goes to the known person who matches it best; by person, every known person is
looked up among the names, and a name that several claim goes to the strongest claim, since a guess says one
person for each name; one to one, everybody is paired with somebody at once. Attacks only say how two people
match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.attacks.search import overlap
from kakurenbo.attacks.search.scores import Agreement, LookUp, Overlap, Pairwise, Points, of_rows
from kakurenbo.attacks.search.seek import UNBOUNDED, seek
from kakurenbo.attacks.search.targets import Places
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.guess import Guess
from kakurenbo.kernels.assignment import assign_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.attacks.search.scores import Score
    from kakurenbo.attacks.search.units import Fitted
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Nearest

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

TIES = 256  # of the names that fit a person equally well, so many are kept, drawn at random
_CLOSE = 1e-9


def named(attack: PurchasesAttack, how: Score, tables: Tables[Purchases], chance: Chance) -> Guess:
    """Return whom an attack names, by its reading; chance draws among equals."""
    reading = getattr(attack, "reading", "nearest")
    if reading == "target" or isinstance(how, LookUp):
        everybody = np.arange(len(tables.original.customers))
        return _settled(located(attack, how, tables, everybody), tables, chance)
    if isinstance(how, Overlap):
        view = overlap.seen(attack, how, tables)
        return (overlap.assigned if reading == "assignment" else overlap.named)(how, view, chance)
    if isinstance(how, Agreement):
        compared = _fitted(attack, tables).naming(attack.known_rows(tables))
        return compared.assigned(chance) if reading == "assignment" else compared.named(chance)
    known, released = attack.known(tables), tables.released
    if reading == "assignment":
        each = np.arange(len(released.customers)), np.arange(len(known.customers))
        paired = assign_by(how.matched(released, known), chance.stream("assignment"))
        return Guess.paired(released.customers, known.customers, each, paired)
    best = _nearest(how, released, known)
    return Guess.drawn(released.customers, known.customers, best.indptr, best.indices, chance)


def located(attack: PurchasesAttack, how: Score, tables: Tables[Purchases], targets: Ints) -> Places:
    """Return the names that each of these people of the original may have, and how well they fit."""
    if isinstance(how, LookUp):
        return _looked_up(attack, tables, targets)
    if isinstance(how, Agreement):
        return _fitted(attack, tables).looking_up(attack.known_rows(tables)).places(targets)
    if isinstance(how, Overlap):
        best = overlap.places(how, overlap.seen(attack, how, tables))
    else:
        best = _nearest(how, attack.known(tables), tables.released)
    best = of_rows(best, targets)
    return Places(best, best.score)


def _fitted(attack: PurchasesAttack, tables: Tables[Purchases]) -> Fitted:
    fitted: Fitted = attack.fit(tables)
    return fitted


def _nearest(how: Points | Pairwise, sought: Purchases, held: Purchases) -> Nearest:
    return how.nearest(how.of(sought), held) if isinstance(how, Points) else how.nearest(sought, held)


@dataclass(frozen=True)
class _Alone:
    """An attack that takes part in a search of its own."""

    attack: PurchasesAttack

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others: there are none."""
        return "", self.attack.about.name, ""


def _looked_up(attack: PurchasesAttack, tables: Tables[Purchases], targets: Ints) -> Places:
    """Look people up in a release that is held as it would be looked up in blocks of it."""
    member, released = _Alone(attack), tables.released
    blocks = InMemory(tables.original, 1), InMemory(released, 1)
    people = tables.original.customers.gather(targets)
    attack.known_rows(tables)  # refuses more points than anybody has
    found = seek(
        tables, None, blocks, [member], alike=None, people=people, ties=min(TIES, len(released.customers)),
        compare=False, work=UNBOUNDED,
    )  # fmt: skip
    return found.located(member, people, released.customers, tables.chance)


def _settled(places: Places, tables: Tables[Purchases], chance: Chance) -> Guess:
    """Settle rival claims on names; a name that nobody claims stays without a person.

    A person claims all names that fit equally well, and the more there are, the weaker each claim.
    """
    best, released = places.best, tables.released.customers
    count = np.diff(best.indptr)
    owner = np.repeat(np.arange(len(count)), count)
    weight = (places.strength / np.maximum(count, 1))[owner]
    strongest = np.zeros(len(released))
    np.maximum.at(strongest, best.indices, weight)
    keep = weight >= strongest[best.indices] * (1 - _CLOSE)
    whose, who = best.indices[keep], owner[keep]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(whose, minlength=len(released)))])
    guess = Guess.drawn(released, tables.original.customers, indptr, who[np.lexsort((who, whose))], chance)
    silent = np.diff(indptr) == 0
    return guess.without(released.filter(pl.Series(silent))) if silent.any() else guess
