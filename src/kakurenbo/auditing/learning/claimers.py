"""Who claims: every attacker who looks people up one by one believes something of them.

Where a search takes people to be is worked out once, for what is found there and for what is learnt: of the
first targets it is remembered which names fit equally well, or some of them, drawn, where they are many. The
release is searched as it is, and once more without whatever looks like a dummy. Where several places fit
equally well any of them is believed, or, cautious, only what all of them agree on, so that a group of equals
is not read as protection.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.view import Sight, View, through, visible
from kakurenbo.attacks.search.seek import row_of
from kakurenbo.auditing.dropping import DROPS, Left
from kakurenbo.auditing.panel.members import knows_everything
from kakurenbo.auditing.search import search
from kakurenbo.errors import KakurenboError
from kakurenbo.risk.learnt.claims import learnt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack, Supposed
    from kakurenbo.attacks.purchases.receipts import Asked
    from kakurenbo.attacks.purchases.view import Part
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.search import Search
    from kakurenbo.data.belief import Belief, Matrix
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.learnt.claims import Learnt

    Bits = NDArray[np.uint64]
    Ints = NDArray[np.int64]

# What is learnt of a person: goods, and their months; by who knows all goods, the rest of the records.
_GRAINS: tuple[tuple[Part, ...], ...] = (("goods",), ("goods", "month"))
_BEYOND_GOODS: tuple[tuple[Part, ...], ...] = (("goods", "day"), ("goods", "quantity"))
GOODS, METHOD = "goods", "goods+method"


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
    """An attacker who has looked: at which tables, what was dropped, and where these targets may be."""

    tables: Tables[Purchases]
    attacker: Attacker
    drops: str
    targets: Ints
    supposed: Supposed

    def claims(self) -> Iterator[tuple[Claim, Claimed]]:
        """Yield what is learnt of the targets, at each grain and in each way."""
        grains = _BEYOND_GOODS if self.attacker.knowledge == GOODS else _GRAINS
        for grain in (grain for grain in grains if visible(grain, self.tables.shown)):
            seen = _seen(self.tables, grain)
            known, truth = self._of(seen)
            belief = self.supposed.over(seen)
            for cautious in (False, True) if _ties(belief) else (False,):
                made = learnt(known, truth, belief.cautious() if cautious else belief)
                claim = Claim(self.attacker, self.drops, cautious, grain)
                yield claim, Claimed(made, belief.strength, known, truth)

    def _of(self, seen: View) -> tuple[Matrix, Matrix]:
        """Return what is known of these targets, and everything: the same for all who know as much."""
        attack, knowledge = cast("PurchasesAttack", self.attacker.attack), self.attacker.knowledge
        targets, grain, who = self.targets, seen.blocks[0].sight, self.targets.tobytes()
        return (
            self.tables.once(
                ("known of", knowledge, grain, who),
                lambda: _known(self.tables, attack, seen, knowledge)[targets],
            ),
            self.tables.once(("truth of", grain, who), lambda: seen.mine[targets]),
        )


def supposing(
    found: Search[Purchases], members: Sequence[Attacker], people: pl.Series
) -> Iterator[Supposing]:
    """Yield where every attacker takes these people to be, with and without what looks like a dummy.

    Args:
        found: a search of the release, in which these attackers took part.
        members: who believes something.
        people: of whom it is asked, some of the first targets.
    """
    yield from _supposing(found, members, people)
    for again in _without_dummies(found, members, people):
        yield from _supposing(again, members, people)


def _supposing(
    found: Search[Purchases], members: Sequence[Attacker], people: pl.Series
) -> Iterator[Supposing]:
    """Yield where those take people to be who went through the release, or are set on the pool."""
    beside, places, drops = found.beside, found.matches.places, found.drops
    targets = np.sort(row_of(people, beside.original.customers))
    asked, names = beside.original.customers.gather(targets), beside.released.customers
    for attacker in members:
        if attacker.key in places and found.matches.by_person(attacker):
            supposed = found.matches.located(attacker, asked, names, found.tables.chance)
            yield Supposing(beside, attacker, drops, targets, supposed)
    if found.receipts is not None:
        yield from _owning(found.receipts, members, people, drops)
        members = [who for who in members if who.key not in found.receipts.of]
    pool = found.pool
    if pool.targets:
        others = [who for who in members if pool.complete or knows_everything(who)]
        others = [who for who in others if who.key not in places or not found.matches.by_person(who)]
        inside = pool.tables.original.customers
        here = people.filter(people.is_in(inside.cast(pl.String).implode()))
        yield from _in_pool(pool.tables, others, drops, np.sort(row_of(here, inside)))


def _owning(
    receipts: Asked, members: Sequence[Attacker], people: pl.Series, drops: str
) -> Iterator[Supposing]:
    """Yield which receipts those take to be of these people who asked block by block."""
    inside = receipts.tables.original.customers
    here = people.filter(people.is_in(receipts.people.cast(pl.String).implode()))
    targets = np.sort(row_of(here, inside))
    for attacker in members:
        owned = receipts.of.get(attacker.key)
        if owned is not None:
            yield Supposing(receipts.tables, attacker, drops, targets, replace(owned, targets=targets))


def _in_pool(
    tables: Tables[Purchases], members: Sequence[Attacker], drops: str, targets: Ints
) -> Iterator[Supposing]:
    """Yield where those take targets to be who must see everybody at once."""
    for attacker in members:
        attack = cast("PurchasesAttack", attacker.attack)
        if (drops and not attack.strips) or not all(need in tables.shown for need in attack.needs):
            continue
        try:
            supposed = None if attack.idle(tables) else attack.located(tables, targets)
        except KakurenboError:  # such as nobody having so many records
            continue
        if supposed is not None:
            yield Supposing(tables, attacker, drops, targets, supposed)


def _without_dummies(
    found: Search[Purchases], members: Sequence[Attacker], people: pl.Series
) -> Iterator[Search[Purchases]]:
    """Yield a search of what is left of the release without what looks like a dummy, if anything does."""
    given, tables = found.given, found.tables
    able = [who for who in members if cast("PurchasesAttack", who.attack).strips]
    for drop, words in DROPS.items():
        left = Left.of(tables.released, drop, in_order=given.keeps_order)
        if left is not None:
            kept = given.keeping(left)
            again = search(kept, _stripped(tables, kept.released, left), able, people=people, compare=False)
            yield replace(again, drops=words)


def _stripped(tables: Tables[Purchases], left: Purchases, how: Left) -> Tables[Purchases]:
    """Return the tables with what is left of the release, and the views of them."""
    rows = how.kept(tables.released).arg_true().to_numpy().astype(np.int64)

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
