"""Whom an audit sought, where it did not seek everybody."""

from __future__ import annotations

from dataclasses import dataclass


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
