"""Who attacks in an audit: every attack of the catalogue, wherever it says that it stands.

On each rung of the ladder there are several, since no one is the strongest everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kakurenbo.attacks.ladder import up_to
from kakurenbo.catalogue import entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kakurenbo.about import Stand
    from kakurenbo.attacks.base import Attack
    from kakurenbo.data.table import Table

PLAIN, TARGET = "nearest", "target"
_HOW = {
    PLAIN: "{}.",
    "assignment": "{}, pairing everybody with somebody at once.",
    TARGET: "{}, looking each known person up in the release.",
}


@dataclass(frozen=True)
class Attacker:
    """One who tries: an attack with its parameters, where he stands, and how he reads what he sees."""

    attack: Attack[Any]
    stand: Stand
    reading: str = PLAIN

    @property
    def name(self) -> str:
        """The attack's name in the catalogue."""
        return self.attack.about.name

    @property
    def called(self) -> str:
        """The attack with the way it stands there and how it reads, such as `visits by gaps (nearest)`."""
        return f"{' '.join(filter(None, (self.name, self.stand.way)))} ({self.reading})"

    @property
    def knowledge(self) -> str:
        """The rung he stands on."""
        return self.stand.rung

    @property
    def story(self) -> str:
        """What he knows and does, in a sentence."""
        return _HOW[self.reading].format(self.stand.story)

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells him from the others: the rung, the attack and its parameters."""
        return self.knowledge, self.name, self.attack.model_dump_json()


def attackers(data: Table, knowledge: str | None = None) -> tuple[Attacker, ...]:
    """Return who attacks this data with this knowledge or less, rung by rung; columns may yet be missing."""
    everybody = [
        attacker for entry in entries("attack", data.kind) for attacker in _standing(entry.what, data)
    ]
    rungs = up_to(knowledge, data.kind)
    return tuple(who for rung in rungs for who in everybody if who.knowledge == rung.name)


def naming(members: Iterable[Attacker]) -> tuple[Attacker, ...]:
    """Return those who name people, and so count for what is found."""
    return tuple(who for who in members if who.stand.names)


def learning(members: Iterable[Attacker]) -> tuple[Attacker, ...]:
    """Return those who believe something of people, and so count for what is learnt."""
    return tuple(who for who in members if who.stand.learns)


def knows_everything(attacker: Attacker) -> bool:
    """Tell whether an attacker knows all of the records that the attack goes by."""
    attack: Any = attacker.attack
    parts = getattr(attack, "points", None), getattr(attack, "whole", None)
    return getattr(attack, "share", 1) == 1 and parts == (None, None)


def _standing(what: type[Attack[Any]], data: Table) -> Iterator[Attacker]:
    for stand in what.stands(data):
        for reading in stand.readings:
            read = {} if reading == PLAIN else {"reading": reading}
            yield Attacker(what(**stand.parameters, **read), stand, reading)
