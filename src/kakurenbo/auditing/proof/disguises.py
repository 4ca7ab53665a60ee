"""The disguises that attackers are meant to see through, put on a made-up shop: do they?

A copy proves that an attacker reads what is there, not that he reads what was changed. Who says that he sees
through a disguise is tried on it in every audit: on people who never were, of whom much can be found, so that
what he misses is his own fault and not that of a small or poor table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.about import DISGUISES
from kakurenbo.attacks.base import Practice, Tables
from kakurenbo.auditing.proof.distinct import attainable
from kakurenbo.auditing.proof.transformations import fresh_codes
from kakurenbo.catalogue import build
from kakurenbo.chance import Chance
from kakurenbo.data.release import Release
from kakurenbo.demo import shop
from kakurenbo.mappings import common_vocabulary
from kakurenbo.plan import Plan, Step
from kakurenbo.risk.found import reidentification

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kakurenbo.about import Disguise
    from kakurenbo.attacks.base import Attack
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.purchases import Purchases

_PEOPLE = 40
_SEED = 1
_FAR = 60  # days

Through = tuple[tuple[str, float, float], ...]


def seen_through(attacker: Attacker) -> Through:
    """Return (disguise, share found, share that could be found without it) for each that he is meant for.

    What is seen is the same in all his readings, and tried in the first. The shop never changes, so neither
    does the answer while this program runs.
    """
    if attacker.reading != attacker.stand.readings[0]:
        return ()
    practised = attacker.stand.practised
    return tuple(_tried(attacker.attack, disguise, practised) for disguise in attacker.stand.through)


def forget() -> None:
    """Forget what was tried: whoever changes an attacker while the program runs has him tried again."""
    _tried.cache_clear()
    _through.cache_clear()


@cache
def _tried(attack: Attack[Any], disguise: Disguise, practised: bool) -> tuple[str, float, float]:
    tables = _through(disguise)
    if practised:
        tables.practice = _practice(disguise)
    guess = attack.answer(attack.look(tables), tables.chance)
    found = reidentification(_disguised(disguise).pairing, guess).persons_rate.value
    return DISGUISES[disguise], found, _attainable(attack) or 1.0  # here a bet is won


@cache
def _through(disguise: Disguise) -> Tables[Purchases]:
    people, released = _people(), _disguised(disguise).data
    known = common_vocabulary(people, released).original
    return Tables(known, released, Chance(_SEED), people)


@cache
def _attainable(attack: Attack[Any]) -> float:
    """Return the share that could be found in a plain copy of the shop."""
    return attainable(attack, Tables(_people(), _people(), Chance(_SEED)))


@cache
def _practice(disguise: Disguise) -> Practice[Purchases]:
    """Return other people who never were, in the same disguise."""
    others = shop(2 * _PEOPLE, seed=_SEED + 1)
    released = _DISGUISED[disguise](others)
    return Practice(Tables(others, released.data, Chance(_SEED)), released.pairing)


@cache
def _people() -> Purchases:
    return shop(_PEOPLE, seed=_SEED)


@cache
def _disguised(disguise: Disguise) -> Release[Purchases]:
    return _DISGUISED[disguise](_people())


def _by(*steps: tuple[str, Mapping[str, Any]]) -> Callable[[Purchases], Release[Purchases]]:
    """Return what carries out a plan."""
    method = build(Plan("purchases", tuple(Step(name, parameters) for name, parameters in steps)))
    return lambda data: method.release(data, seed=_SEED)


_REPLACED = ("alter", {"share": 1.0})
_NOISED = ("noise", {"quantity_spread": 0.3, "price_spread": 0.3})


def _shifted(data: Purchases) -> Release[Purchases]:
    """Replace every good, and move each person's clock by days of his own."""
    released = _by(_REPLACED)(data)
    people = released.data.customers
    days = pl.DataFrame({
        "customer": people, "days": Chance(_SEED).below("clock", people, 2 * _FAR) - _FAR
    })  # fmt: skip
    later = pl.col("time") + pl.duration(days=pl.col("days"))
    records = released.data.under(None).join(days, on="customer").with_columns(time=later).drop("days")
    return _with(released, records)


def _numbered(data: Purchases) -> Release[Purchases]:
    """Replace every good, number receipts as they came, and round times down to years."""
    released = _by(_REPLACED)(data)
    number = pl.struct("time", "receipt").rank("dense").cast(pl.String)
    year = pl.col("time").dt.truncate("1y")
    return _with(released, released.data.under(None).with_columns(receipt=number).with_columns(time=year))


def _recoded(data: Purchases) -> Release[Purchases]:
    """Delete a fifth of the records, blur numbers, and give every good another code."""
    made = _by(("delete", {"share": 0.2}), _NOISED)(data)
    return replace(made, data=fresh_codes().apply(made.data, Chance(_SEED)))


def _with(released: Release[Purchases], records: pl.DataFrame) -> Release[Purchases]:
    data = released.data.with_records(records, master=released.data.master)
    return Release(data, released.pairing)


_DISGUISED: Mapping[Disguise, Callable[[Purchases], Release[Purchases]]] = {
    "noised": _by(_NOISED),
    "replaced": _by(_REPLACED),
    "blurred": _by(_REPLACED, _NOISED, ("coarsen", {"times": "month", "price_bands": 3})),
    "shifted": _shifted,
    "numbered": _numbered,
    "recoded": _recoded,
    "rotated": _by(("rotate", {"by": "month"})),
    "padded": _by(("compact", {"min_size": 4, "dummies": "donor"})),
}
