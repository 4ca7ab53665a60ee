"""Proofs made before: whoever audits several releases of one table has its attackers proved once.

A proof speaks of the original, an attacker and the seed, and of no release. So it is kept beside the very
table it was made on, as long as that table lives, by all else it depends on: the seed, whether attackers
practised, and the attacker: his class, parameters, reading and what he is meant to see through. A table is
never changed in place; attackers are code and can be, and whoever does so says `forget`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Hashable

    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.results import Proved
    from kakurenbo.data.table import Table

    Proofs = dict[Hashable, Proved | None]

MOST = 8  # seeds of which proofs are kept, table by table: one drawn anew is never asked for again

_made: WeakKeyDictionary[Any, dict[tuple[int, bool], Proofs]] = WeakKeyDictionary()


def identity(attacker: Attacker) -> Hashable:
    """Return who an attacker is: a class of the same name is another."""
    return type(attacker.attack), attacker.key, attacker.reading, attacker.stand.through


def proofs(original: Table, seed: int, *, practised: bool) -> Proofs:
    """Return the proofs made so far, by who was tried: none for him who could not attack. To be added to."""
    seeds = _made.setdefault(original, {})
    if (seed, practised) not in seeds:
        while len(seeds) >= MOST:
            del seeds[next(iter(seeds))]
        seeds[seed, practised] = {}
    return seeds[seed, practised]


def forget() -> None:
    """Forget all proofs: whoever changes an attacker while the program runs has him proved again."""
    _made.clear()
