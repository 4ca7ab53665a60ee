"""Players made of the catalogue: each hides by one of its methods and seeks by one of its attacks.

They let an organiser see a whole contest before anybody signs in, and they are the level that human teams
have to beat. A bot holds what every team holds, the contest's data and what others published, and sends what
every team sends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.contest.bots.uploads import Upload
    from kakurenbo.contest.rules import Rules

Files = Mapping[str, bytes]


class Bot(Protocol):
    """A player."""

    @property
    def name(self) -> str:
        """What its team is called."""

    def hide(self, data: Path, seed: int | None) -> Sequence[Upload]:
        """Return the releases that it submits one after the other, made of the contest's data."""

    def hide_again(self, data: Path, seed: int | None) -> Upload | None:
        """Return what it submits when none of them was valid."""

    def seek(self, data: Path, published: Files, seed: int | None) -> Upload:
        """Return its guess about what another team published."""


def bots_of(rules: Rules, teams: int) -> list[tuple[str, Bot]]:
    """Return so many players for a contest, each with the name of its team.

    Where there are more teams than bots, the later ones do what the earlier ones do, by other draws.
    """
    bots = _bots(rules)
    return [(_numbered(bots[place % len(bots)].name, place // len(bots)), bots[place % len(bots)])
            for place in range(teams)]  # fmt: skip


def _numbered(name: str, again: int) -> str:
    return name if not again else f"{name} ({again + 1})"


def _bots(rules: Rules) -> Sequence[Bot]:
    if rules.format == "pws2017":
        from kakurenbo.contest.bots import long_term  # noqa: PLC0415 - loads much

        return long_term.BOTS
    from kakurenbo.contest.bots import catalogue  # noqa: PLC0415 - the same

    return catalogue.bots_of(rules)
