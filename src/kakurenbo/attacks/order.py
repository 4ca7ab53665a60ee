"""Order: were new names given out in the order of the old ones, or was the table left in its order?

The attacker knows the list of people and nothing about any of them. He bets that somebody was careless:
pseudonyms counted up along the sorted ids, or ids replaced and the rows left where they were. On a release
whose names are drawn at random and whose rows are sorted by their own content he finds one in n.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.attacks.microdata.base import MicrodataAttack
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.data.crowds import CrowdGuess
from kakurenbo.data.guess import Guess

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases

    Ints = NDArray[np.int64]

By = Annotated[
    Literal["names", "text", "rows"],
    Field(
        description="compare the order of the sorted ids (2 before 10), or with the old ids sorted as text "
        "(10 before 2), or the order in which people come in the table"
    ),
]
_NEW: dict[By, By] = {"names": "names", "text": "names", "rows": "rows"}  # how the new names are sorted
_DIGITS = re.compile(r"([0-9]+)")


class OrderAttack(PurchasesAttack):
    """Knows the customers' ids alone, and bets that the new ones follow their order or that of the rows.

    Who stands at the same place on both sides is the same person; where the sides differ in number, the
    places are stretched. Share and points change nothing: he needs none of anybody's records.
    """

    by: By = "names"

    def observe(self, original: Purchases, rng: np.random.Generator) -> Purchases:
        """Return the original with its rows in order: what is known of the records is never looked at."""
        super().observe(original, rng)
        return original

    def link(self, known: Purchases, released: Purchases, rng: np.random.Generator) -> Guess:
        """Name who stands at the same place."""
        mine, theirs = (
            _ordered(data.records["customer"].cast(pl.String).unique(maintain_order=True), by)
            for data, by in ((known, self.by), (released, _NEW[self.by]))
        )
        one_each = np.arange(len(theirs) + 1)
        return Guess.drawn(theirs, mine, one_each, stretched(len(theirs), len(mine)), rng)


class OrderMicrodata(MicrodataAttack):
    """Knows the list of ids alone, and bets that the new ones follow their order or that of the rows.

    Who stands at the same place on both sides is the same person; where the sides differ in number, the
    places are stretched, and as a one-to-one assignment those left over abstain. Without an id column the
    row number is the id, and both orders are one.
    """

    by: By = "names"

    def link(self, original: Microdata, released: Microdata, rng: np.random.Generator) -> CrowdGuess:  # noqa: ARG002 - nothing is left to chance
        """Name who stands at the same place."""
        mine, theirs = _ordered(original.ids, self.by), _ordered(released.ids, _NEW[self.by])
        named = stretched(len(theirs), len(mine))
        if self.reading == "assignment" and len(theirs) > len(mine):
            named = np.full(len(theirs), -1, dtype=np.int64)
            named[stretched(len(mine), len(theirs))] = np.arange(len(mine))
        return CrowdGuess.certain(theirs, mine, named)


def stretched(places: int, onto: int) -> Ints:
    """Return round(j (m - 1) / (n - 1)) for each of n places j: where it stands among m."""
    steps = max(places - 1, 1)
    return (2 * np.arange(places) * (onto - 1) + steps) // (2 * steps)


def _ordered(people: pl.Series, by: By) -> pl.Series:
    """Return the people in the order they come in, or by name."""
    if by == "rows":
        return people
    if by == "text":
        return people.cast(pl.String).sort()
    return pl.Series(people.name, sorted(people.to_list(), key=natural), dtype=pl.String)


def natural(name: str) -> tuple[list[tuple[int, str]], str]:
    """Return the key that sorts names as people do: C2 before C10, whatever stands around the numbers."""
    parts = _DIGITS.split(name)
    numbers = [part.lstrip("0") if place % 2 else part for place, part in enumerate(parts)]
    return [(len(part) if place % 2 else 0, part) for place, part in enumerate(numbers)], name
