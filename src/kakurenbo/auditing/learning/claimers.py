"""Who claims: every attacker who looks people up one by one believes something of them.

Each is set on the release as it is, and on what is left when whatever looks like a dummy is dropped. Where
several places fit equally well he believes any of them, or, cautious, only what all of them agree on, so that
a group of equals is not read as protection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases.strip import StripAttack
from kakurenbo.attacks.purchases.view import Sight, view, visible
from kakurenbo.errors import KakurenboError
from kakurenbo.risk.learnt.claims import learnt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.attacks.purchases.view import Part, View
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.chance import Chance
    from kakurenbo.data.belief import Belief, Matrix
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.learnt.claims import Learnt

# What is learnt of a person: goods, and their months; by who knows all goods, the rest of the records.
_GRAINS: tuple[tuple[Part, ...], ...] = (("goods",), ("goods", "month"))
_BEYOND_GOODS: tuple[tuple[Part, ...], ...] = (("goods", "day"), ("goods", "quantity"))
_DROPS: dict[Literal["last-receipt", "appended"], str] = {
    "last-receipt": "without the last receipt's look-alikes",
    "appended": "without appended rows",
}


@dataclass(frozen=True)
class Claim:
    """One way to learn: who claims, what he drops before, how careful he is, and what is looked at.

    Attributes:
        attacker: who claims, and what he knows.
        drops: what of the release he takes for dummies, in words; nothing where it is empty.
        cautious: whether he claims only what all places agree on.
        grain: the parts of a record that are learnt.
    """

    attacker: Attacker
    drops: str
    cautious: bool
    grain: tuple[Part, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """What tells this way from all others."""
        return self.attacker.key, self.drops, self.cautious, self.grain

    @property
    def name(self) -> str:
        """The attacker's name and his way, in a few words."""
        ways = [self.drops] if self.drops else []
        ways += ["cautious"] if self.cautious else []
        return ", ".join([self.attacker.name, *ways])


@dataclass(frozen=True, eq=False)
class Claimed:
    """What came of it.

    Attributes:
        learnt: of every target.
        strength: how well each target is matched, where that is known.
        known: targets x keys, what was known before.
        truth: targets x keys, everything.
    """

    learnt: Learnt
    strength: NDArray[np.float64] | None
    known: Matrix
    truth: Matrix


def claims(
    original: Purchases,
    released: Purchases,
    attackers: Sequence[Attacker],
    targets: NDArray[np.int64],
    chance: Chance,
) -> Iterator[tuple[Claim, Claimed]]:
    """Yield what every attacker learns of these targets of the original, in each of his ways."""
    for drops, taken in _taken(released):
        tables = Tables(original, taken, chance)
        for attacker in attackers:
            yield from _learnt(tables, attacker, drops, targets)


def _taken(released: Purchases) -> Iterator[tuple[str, Purchases]]:
    """Yield the release, and what is left of it without what looks like a dummy, where anything does."""
    yield "", released
    for drop, words in _DROPS.items():
        strip = StripAttack(drop=drop)
        if all(role in released.shown for role in strip.needs):
            left = strip.takes(released)
            if len(left) < len(released):
                yield words, left


def _learnt(
    tables: Tables[Purchases], attacker: Attacker, drops: str, targets: NDArray[np.int64]
) -> Iterator[tuple[Claim, Claimed]]:
    attack = cast("PurchasesAttack", attacker.attack)
    if not all(need in tables.shown for need in attack.needs):
        return
    grains = _BEYOND_GOODS if attacker.knowledge == "goods" else _GRAINS
    for grain in (grain for grain in grains if visible(grain, tables.shown)):
        seen = _seen(tables, grain)
        try:
            belief = attack.believes(tables, seen)
        except KakurenboError:  # such as nobody having so many records
            return
        if belief is None:
            return
        known, truth = _known(tables, attack, seen, attacker.knowledge)[targets], seen.mine[targets]
        about = belief.about(targets)
        for cautious in (False, True) if _ties(about) else (False,):
            made = learnt(known, truth, about.cautious() if cautious else about)
            yield Claim(attacker, drops, cautious, grain), Claimed(made, about.strength, known, truth)


def _seen(tables: Tables[Purchases], grain: tuple[Part, ...]) -> View:
    sight = Sight(grain, "set")
    return tables.once(("view", "", sight), lambda: view(tables.original, tables.released, sight))


def _known(tables: Tables[Purchases], attack: PurchasesAttack, seen: View, knowledge: str) -> Matrix:
    rows = np.empty(0, np.int64) if knowledge == "goods" else attack.known_rows(tables)
    return seen.mine if rows is None else seen.mine_of(tables.original, rows)


def _ties(belief: Belief) -> bool:
    return bool((np.diff(belief.indptr) > 1).any())
