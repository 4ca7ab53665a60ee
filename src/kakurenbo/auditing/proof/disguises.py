"""The disguises that attackers are meant to see through, put on a made-up shop: do they?

A copy proves that an attacker reads what is there, not that he reads what was changed. Who says that he sees
through a disguise is tried on it in every audit: on people who never were, of whom much can be found, so that
what he misses is his own fault and not that of a small or poor table.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from kakurenbo.about import DISGUISES
from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.distinct import attainable
from kakurenbo.catalogue import build
from kakurenbo.chance import Chance
from kakurenbo.demo import shop
from kakurenbo.plan import Plan, Step
from kakurenbo.risk.found import reidentification

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kakurenbo.about import Disguise
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release

_PEOPLE = 100
_SEED = 1


def seen_through(attacker: Attacker) -> tuple[tuple[str, float, float], ...]:
    """Return (disguise, share found, share that could be found without it) for each that he is meant for."""
    return tuple(_tried(attacker, disguise) for disguise in attacker.stand.through)


def _tried(attacker: Attacker, disguise: Disguise) -> tuple[str, float, float]:
    people, released = _people(), _disguised(disguise)
    plain = Tables(people, controls.copy(people).data, Chance(_SEED))
    guess = attacker.attack.guess(people, released.data, seed=_SEED)
    found = reidentification(released.pairing, guess).rate.value
    return DISGUISES[disguise], found, attainable(attacker.attack, plain)


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


_DISGUISED: Mapping[Disguise, Callable[[Purchases], Release[Purchases]]] = {
    "blurred": _by(
        ("alter", {"share": 1.0}),
        ("noise", {"quantity_spread": 0.3, "price_spread": 0.3}),
        ("coarsen", {"times": "month", "price_bands": 3}),
    ),
    "padded": _by(("compact", {"min_size": 4, "dummies": "donor"})),
}
