"""What held the tables of an audit, and whom it sought where it did not seek everybody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

ENGINES: Final = {"memory": "in memory", "blocks": "in blocks on disk", "spark": "in blocks on a cluster"}
SAMPLED: Final = {
    "targets": "people who were sought",
    "costliest": "people sought by the costliest attackers",
    "candidates": "people sought among those who look most like them",
    "agreement": "people from whom it was learnt how telling it is that records or visits agree",
    "links": "names that were linked with earlier releases",
    "inference": "people of whom it was asked what is learnt",
    "receipts": "people of whom it was asked which receipts are theirs",
    "control": "people outside the release",
    "exposure": "names of which it was asked how unique they are",
    "nearness": "names of which the nearest original was looked for",
    "utility": "people on whom it was measured what is kept",
    "validation": "people on whom the attackers were tried",
}


@dataclass(frozen=True)
class Targets:
    """The people drawn, who were sought among all.

    Attributes:
        drawn: how many were.
        people: of how many.
        compared: how many of them, the first, were sought by those whose comparisons take longest, such as
            likeness of whole histories: fewer, where all would take too long. Every finding tells its own.
        candidates: how many of them were sought, by who needs to see everybody at once, among those alone
            who look most like them; 0 where nobody was.
        among: how many released names that were.
    """

    drawn: int
    people: int
    compared: int
    candidates: int = 0
    among: int = 0

    def __str__(self) -> str:
        """Return who was sought, in words."""
        said = f"{self.drawn:,} people, drawn from {self.people:,}, were sought among all."
        if self.compared < self.drawn:
            said += f" The costliest attackers sought {self.compared:,} of them."
        if self.candidates:
            said += (
                f" Attackers who must see everybody at once sought {self.candidates:,} of them among the "
                f"{self.among:,} names that look most like them, which errs mostly on the high side."
            )
        return f"{said} Intervals say what that costs."


@dataclass(frozen=True)
class Sampled:
    """Something that was worked out on some of all.

    Attributes:
        what: which it is, a key of `SAMPLED`.
        count: on how many people or names.
        of: of how many.
    """

    what: str
    count: int
    of: int

    def __str__(self) -> str:
        """Return it in words."""
        return f"{SAMPLED.get(self.what, self.what)}, {self.count:,} of {self.of:,}"


@dataclass(frozen=True)
class Engine:
    """What held the tables, and what was worked out on some of the people or names in them.

    Attributes:
        name: the engine.
        sampled: what was not worked out on all; nothing where all of it was.
    """

    name: Literal["memory", "blocks", "spark"]
    sampled: tuple[Sampled, ...] = ()

    @property
    def held(self) -> str:
        """Say what held the tables."""
        return f"The tables were held {ENGINES[self.name]}."

    def __str__(self) -> str:
        """Return both in words."""
        if not self.sampled:
            return f"{self.held} Everything was worked out on all of them."
        return f"{self.held} Worked out on some: {'; '.join(map(str, self.sampled))}."
