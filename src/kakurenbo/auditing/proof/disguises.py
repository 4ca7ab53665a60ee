"""The disguises that attackers are meant to see through, put on a made-up shop: do they?

A copy proves that an attacker reads what is there, not that he reads what was changed. Who says that he sees
through a disguise is tried on it in every audit: on people who never were, of whom much can be found, so that
what he misses is his own fault and not that of a small or poor table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.about import DISGUISES
from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.distinct import attainable
from kakurenbo.catalogue import build
from kakurenbo.chance import Chance
from kakurenbo.data.owners import Owners
from kakurenbo.demo import shop
from kakurenbo.plan import Plan, Step
from kakurenbo.risk.found import reidentification

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kakurenbo.about import Disguise
    from kakurenbo.attacks.base import Attack
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release

_PEOPLE = 100
_SEED = 1


class Shared:
    """What all who are tried in one proof have in common, each made once: the tables of every disguise."""

    def __init__(self) -> None:
        self._tables: dict[Disguise, Tables[Purchases]] = {}

    @cached_property
    def plain(self) -> Tables[Purchases]:
        """The people beside themselves as they are."""
        return Tables(_people(), controls.copy(_people()).data, Chance(_SEED))

    def tables(self, disguise: Disguise) -> Tables[Purchases]:
        """Return the people beside themselves in a disguise."""
        if disguise not in self._tables:
            self._tables[disguise] = Tables(_people(), _disguised(disguise).data, Chance(_SEED))
        return self._tables[disguise]


def seen_through(attacker: Attacker, shared: Shared) -> tuple[tuple[str, float, float], ...]:
    """Return (disguise, share found, share that could be found without it) for each that he is meant for."""
    return tuple(_tried(attacker.attack, disguise, shared) for disguise in attacker.stand.through)


def _tried(attack: Attack[Any], disguise: Disguise, shared: Shared) -> tuple[str, float, float]:
    """Try an attack on a disguise; where names change in it, the people are counted of whom one is found."""
    tables, secret = shared.tables(disguise), _disguised(disguise).pairing
    guess = attack.answer(attack.look(tables), tables.chance)
    found = reidentification(secret, guess).persons_rate.value
    return DISGUISES[disguise], found, attainable(attack, shared.plain)


@cache
def _people() -> Purchases:
    return shop(_PEOPLE, seed=_SEED)


@cache
def _disguised(disguise: Disguise) -> Release[Purchases] | Renamed:
    return _DISGUISED[disguise](_people())


def _by(*steps: tuple[str, Mapping[str, Any]]) -> Callable[[Purchases], Release[Purchases]]:
    """Return what carries out a plan."""
    method = build(Plan("purchases", tuple(Step(name, parameters) for name, parameters in steps)))
    return lambda data: method.release(data, seed=_SEED)


@dataclass(frozen=True, eq=False)
class Renamed:
    """Purchases under names that are not people, and whose each name is."""

    data: Purchases
    pairing: Owners


def _rotated(data: Purchases) -> Renamed:
    """Give everybody another name every month."""
    month = pl.concat_str("customer", pl.col("time").dt.strftime("%Y-%m"), separator="\0")
    records = data.under(None).with_columns(month=month)
    months = records.select("month", "customer").unique().sort("month")
    names = Chance(_SEED).tokens("pseudonym", months["month"], avoid=data.customers)
    renamed = records.with_columns(customer=pl.col("month").replace_strict(months["month"], names))
    return Renamed(data.with_records(renamed.drop("month")), Owners(names, months["customer"]))


_DISGUISED: Mapping[Disguise, Callable[[Purchases], Release[Purchases] | Renamed]] = {
    "blurred": _by(
        ("alter", {"share": 1.0}),
        ("noise", {"quantity_spread": 0.3, "price_spread": 0.3}),
        ("coarsen", {"times": "month", "price_bands": 3}),
    ),
    "rotated": _rotated,
}
