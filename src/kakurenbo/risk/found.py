"""Re-identification: how many people an attacker's guess names rightly.

Reid = |{j : Q_j = P_j}| / n (000, definition 4). Where the guess had ties, the expected number over them is
counted. Beside it stand the 95 % interval and the chance level: what naming anybody at random would give.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kakurenbo.data.guess import Guess
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    import polars as pl

    from kakurenbo.data.pairing import Pairing


@dataclass(frozen=True, eq=False)
class Reidentification:
    """What a guess is worth.

    Attributes:
        rate: the share of released people named rightly, expected over ties, with its 95 % interval.
        hits: their number, a fraction where ties were averaged.
        people: released people.
        chance: the rate of naming originals at random.
        abstained: released people for whom no original was named.
        by_person: (released, chance): each person's probability to be found. Secret, like the pairing.
    """

    rate: Rate
    hits: float
    people: int
    chance: float
    abstained: int
    by_person: pl.DataFrame = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers under the JSON keys of `kakurenbo score`."""
        return {
            "rate": self.rate.value, "low": self.rate.low, "high": self.rate.high, "hits": self.hits,
            "people": self.people, "chance": self.chance, "abstained": self.abstained,
        }  # fmt: skip


def reidentification(secret: Pairing, guess: Pairing) -> Reidentification:
    """Compare a guess with the secret.

    Args:
        secret: the pairing P of the release.
        guess: the attacker's Q over the same released people; ties are averaged where it kept them.
    """
    by_person, people = guess.expected(secret.as_secret()), len(secret)
    hits = math.fsum(by_person["chance"])
    originals = guess.anyone if isinstance(guess, Guess) else people
    return Reidentification(
        Rate.estimated(hits, people), hits, people, 1 / originals, guess.abstained, by_person
    )
