"""What may be done to a made-up shop, and who is meant to see through it: does he?

A copy proves that an attacker reads what is there, not that he reads what was changed. Who says that he sees
through a disguise is tried on it, and who says that a change of some role does not concern him is tried on
that change: on people who never were, of whom much can be found, so that what he misses is his own fault and
not that of a small or poor table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import polars as pl

from kakurenbo.about import DISGUISES
from kakurenbo.attacks.base import Practice, Tables
from kakurenbo.auditing.panel.outcomes import achieved
from kakurenbo.auditing.proof.distinct import attainable
from kakurenbo.auditing.proof.transformations import fresh_codes
from kakurenbo.catalogue import build
from kakurenbo.chance import Chance
from kakurenbo.data.owners import Owners
from kakurenbo.data.release import Release
from kakurenbo.errors import KakurenboError
from kakurenbo.mappings import common_vocabulary
from kakurenbo.plan import Plan, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from kakurenbo.about import Disguise
    from kakurenbo.attacks.base import Attack
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.purchases import Purchases

_SEED = 1
_FAR = 60  # days

Through = tuple[str, float, float]
Made = TypeVar("Made")


def seen_through(
    members: Sequence[Attacker], people: Purchases, others: Purchases
) -> dict[tuple[str, str, str], tuple[Through, ...]]:
    """Return (disguise, share found, share that could be found without it) for each that they are meant for.

    What is seen is the same in all readings of an attacker, and tried in the first.

    Args:
        members: the attackers.
        people: who is disguised.
        others: on whom those practise who must.
    """
    stage = _Stage(people, others)
    meant = {who.key: who.stand.through if who.reading == who.stand.readings[0] else () for who in members}
    return {
        who.key: tuple(stage.tried(who.attack, way, who.stand.practised) for way in meant[who.key])
        for who in members
    }


class _Stage:
    """Some people in every disguise, each put on once."""

    def __init__(self, people: Purchases, others: Purchases) -> None:
        self._people, self._others = people, others
        self._made: dict[Hashable, Any] = {}

    def tried(self, attack: Attack[Any], disguise: Disguise, practised: bool) -> Through:
        """Return what an attacker finds through a disguise; here a bet is won."""
        tables = self._through(disguise)
        if practised:
            tables.practice = self._practice(disguise)
        try:
            found = achieved(attack, tables, Owners.of(self._disguised(disguise).pairing), tables.chance)
        except KakurenboError:  # whoever cannot look at it does not see through it
            return DISGUISES[disguise], 0.0, 1.0
        return DISGUISES[disguise], found.persons_rate.value, attainable(attack, self._plain) or 1.0

    @cached_property
    def _plain(self) -> Tables[Purchases]:
        return Tables(self._people, self._people, Chance(_SEED))

    def _disguised(self, disguise: Disguise) -> Release[Purchases]:
        return self._once(("released", disguise), lambda: _DISGUISED[disguise](self._people))

    def _through(self, disguise: Disguise) -> Tables[Purchases]:
        def made() -> Tables[Purchases]:
            released = self._disguised(disguise).data
            known = common_vocabulary(self._people, released).original
            return Tables(known, released, Chance(_SEED), self._people)

        return self._once(("tables", disguise), made)

    def _practice(self, disguise: Disguise) -> Practice[Purchases]:
        """Return other people who never were, in the same disguise."""

        def made() -> Practice[Purchases]:
            released = _DISGUISED[disguise](self._others)
            return Practice(Tables(self._others, released.data, Chance(_SEED)), released.pairing)

        return self._once(("practice", disguise), made)

    def _once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        if key not in self._made:
            self._made[key] = make()
        made: Made = self._made[key]
        return made


def _by(*steps: tuple[str, Mapping[str, Any]]) -> Callable[[Purchases], Release[Purchases]]:
    """Return what carries out a plan."""
    method = build(Plan("purchases", tuple(Step(name, parameters) for name, parameters in steps)))
    return lambda data: method.release(data, seed=_SEED)


_REPLACED = ("alter", {"share": 1.0})
_NOISED = ("noise", {"quantity_spread": 0.3, "price_spread": 0.3})


_ALTERED = _by(_REPLACED)
_THINNED = _by(("delete", {"share": 0.2}), _NOISED)


def _shifted(data: Purchases) -> Release[Purchases]:
    """Replace every good, and move each person's clock by days of his own."""
    released = _ALTERED(data)
    people = released.data.customers
    days = pl.DataFrame({
        "customer": people, "days": Chance(_SEED).below("clock", people, 2 * _FAR) - _FAR
    })  # fmt: skip
    later = pl.col("time") + pl.duration(days=pl.col("days"))
    records = released.data.under(None).join(days, on="customer").with_columns(time=later).drop("days")
    return _with(released, records)


def _numbered(data: Purchases) -> Release[Purchases]:
    """Replace every good, number receipts as they came, and round times down to years."""
    released = _ALTERED(data)
    number = pl.struct("time", "receipt").rank("dense").cast(pl.String)
    year = pl.col("time").dt.truncate("1y")
    return _with(released, released.data.under(None).with_columns(receipt=number).with_columns(time=year))


def _recoded(data: Purchases) -> Release[Purchases]:
    """Delete a fifth of the records, blur numbers, and give every good another code."""
    made = _THINNED(data)
    return replace(made, data=fresh_codes().apply(made.data, Chance(_SEED)))


def _with(released: Release[Purchases], records: pl.DataFrame) -> Release[Purchases]:
    data = released.data.with_records(records, master=released.data.master)
    return Release(data, released.pairing)


_DISGUISED: Mapping[Disguise, Callable[[Purchases], Release[Purchases]]] = {
    "noised": _by(_NOISED),
    "replaced": _ALTERED,
    "blurred": _by(_REPLACED, _NOISED, ("coarsen", {"times": "month", "price_bands": 3})),
    "shifted": _shifted,
    "numbered": _numbered,
    "recoded": _recoded,
    "rotated": _by(("rotate", {"by": "month"})),
    "padded": _by(("compact", {"min_size": 4, "dummies": "donor"})),
}
