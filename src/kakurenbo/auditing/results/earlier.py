"""Earlier releases that the attacker holds beside the one under audit."""

from __future__ import annotations

from dataclasses import dataclass, field

from kakurenbo.document import LATER


@dataclass(frozen=True)
class Earlier:
    """An earlier release, and how its names were linked with those of the release under audit.

    Attributes:
        fingerprint: the SHA-256 of its content.
        names: how many names it has.
        linked: how many names of the release under audit were linked with one of its.
        rightly: how many of these are the same person's, where its secret was given to judge that.
        asked: of how many names that is told, where it is not of all: of those of people who were sought.
    """

    fingerprint: str
    names: int
    linked: int
    rightly: int | None = None
    asked: int | None = field(default=None, metadata=LATER)
