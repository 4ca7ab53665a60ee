"""Who claims: every attacker who looks people up one by one believes something of them.

Each is set on the release as it is, and on what is left when whatever looks like a dummy is dropped. Where
several places fit equally well he believes any of them, or, cautious, only what all of them agree on, so that
a group of equals is not read as protection.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from kakurenbo.attacks.purchases.strip import StripAttack
from kakurenbo.attacks.purchases.view import Sight, View, through, visible
from kakurenbo.errors import KakurenboError
from kakurenbo.risk.learnt.claims import learnt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack, Supposed
    from kakurenbo.attacks.purchases.view import Part
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.belief import Belief, Matrix
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.learnt.claims import Learnt

# What is learnt of a person: goods, and their months; by who knows all goods, the rest of the records.
_GRAINS: tuple[tuple[Part, ...], ...] = (("goods",), ("goods", "month"))
_BEYOND_GOODS: tuple[tuple[Part, ...], ...] = (("goods", "day"), ("goods", "quantity"))
GOODS, METHOD = "goods", "goods+method"
DROPPED = 0.05  # of the records, at least, or dropping them changes next to nothing
DROPS: dict[Literal["last-receipt", "appended"], str] = {
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
    def same(self) -> tuple[Claim, ...]:
        """This way, and what it comes down to where no places are tied, or hardly anything is dropped."""
        drops, cautious = dict.fromkeys((self.drops, "")), dict.fromkeys((self.cautious, False))
        return tuple(replace(self, drops=drop, cautious=careful) for drop in drops for careful in cautious)

    @property
    def knowledge(self) -> str:
        """The rung he stands on: who knows all goods and drops dummies knows how they are made."""
        rung = self.attacker.knowledge
        return METHOD if rung == GOODS and self.drops else rung

    @property
    def way(self) -> str:
        """How he goes about it, in a few words; nothing where it is the plain way."""
        return ", ".join(filter(None, (self.attacker.stand.way, self.drops, "cautious" * self.cautious)))


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


@dataclass(frozen=True, eq=False)
class Supposing:
    """An attacker who has looked: at which tables, what he dropped, and where he takes people to be."""

    tables: Tables[Purchases]
    attacker: Attacker
    drops: str
    supposed: Supposed

    def claims(self, targets: NDArray[np.int64]) -> Iterator[tuple[Claim, Claimed]]:
        """Yield what he learns of these targets, at each grain and in each of his ways."""
        attack = cast("PurchasesAttack", self.attacker.attack)
        knowledge = self.attacker.knowledge
        grains = _BEYOND_GOODS if knowledge == GOODS else _GRAINS
        for grain in (grain for grain in grains if visible(grain, self.tables.shown)):
            seen = _seen(self.tables, grain)
            known, truth = self._of(targets, attack, seen)
            belief = self.supposed.over(seen)
            for cautious in (False, True) if _ties(belief) else (False,):
                made = learnt(known, truth, belief.cautious() if cautious else belief)
                claim = Claim(self.attacker, self.drops, cautious, grain)
                yield claim, Claimed(made, belief.strength, known, truth)

    def _of(self, targets: NDArray[np.int64], attack: PurchasesAttack, seen: View) -> tuple[Matrix, Matrix]:
        """Return what is known of these targets, and everything: the same for all who know as much."""
        knowledge, grain, who = self.attacker.knowledge, seen.blocks[0].sight, targets.tobytes()
        return (
            self.tables.once(
                ("known of", knowledge, grain, who),
                lambda: _known(self.tables, attack, seen, knowledge)[targets],
            ),
            self.tables.once(("truth of", grain, who), lambda: seen.mine[targets]),
        )


def supposing(
    tables: Tables[Purchases], attackers: Sequence[Attacker], targets: NDArray[np.int64]
) -> Iterator[Supposing]:
    """Yield where every attacker takes these targets of the original to be, whatever he drops before."""
    for drops, seen in _taken(tables):
        for attacker in attackers:
            attack = cast("PurchasesAttack", attacker.attack)
            if (drops and not attack.strips) or not all(need in seen.shown for need in attack.needs):
                continue
            try:
                supposed = None if attack.idle(seen) else attack.supposed(seen, targets)
            except KakurenboError:  # such as nobody having so many records
                continue
            if supposed is not None:
                yield Supposing(seen, attacker, drops, supposed)


def _taken(tables: Tables[Purchases]) -> Iterator[tuple[str, Tables[Purchases]]]:
    """Yield the tables, and with what is left of the release without what looks like a dummy, if anything."""
    yield "", tables
    for drop, words in DROPS.items():
        strip = StripAttack(drop=drop)
        if all(role in tables.released.shown for role in strip.needs):
            kept = strip.keeps(tables.released)
            if int(kept.sum()) <= (1 - DROPPED) * len(kept):
                yield words, _stripped(tables, kept)


def _stripped(tables: Tables[Purchases], kept: pl.Series) -> Tables[Purchases]:
    """Return the tables with these records of the release alone, and the views of them."""
    released = tables.released
    left = released.with_records(released.records.filter(kept), master=released.master)
    rows = kept.arg_true().to_numpy().astype(np.int64)

    def carry(key: object, made: object) -> View | None:
        match key, made:
            case ("view", "", Sight()), View():
                return made.keeping(rows, left)
        return None

    return tables.after(left, carry)


def _seen(tables: Tables[Purchases], grain: tuple[Part, ...]) -> View:
    return through(tables, Sight(grain, "set"))


def _known(tables: Tables[Purchases], attack: PurchasesAttack, seen: View, knowledge: str) -> Matrix:
    rows = np.empty(0, np.int64) if knowledge == GOODS else attack.told(tables)
    return seen.mine if rows is None else seen.mine_of(tables.original, rows)


def _ties(belief: Belief) -> bool:
    return bool((np.diff(belief.indptr) > 1).any())
