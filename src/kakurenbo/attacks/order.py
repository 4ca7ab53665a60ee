"""Order: were new names given out in the order of the old ones, or was the table left in its order?

The attacker knows the list of people and nothing about any of them. He bets that somebody was careless:
pseudonyms counted up along the sorted ids, or ids replaced and the rows left where they were. On a release
whose names are drawn at random and whose rows are sorted by their own content he finds one in n.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Places
from kakurenbo.attacks.microdata.base import MicrodataAttack
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.data.guess import Guess

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.about import Kind
    from kakurenbo.attacks.base import Tables
    from kakurenbo.chance import Chance
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


def _about(kind: Kind, by_rows: str) -> AttackAbout:
    return AttackAbout(
        name="order", kind=kind, source="common practice", promises=("reads-order",),
        because="the new name or the place in the table follows the old", stands=tuple(_stands(by_rows)),
    )  # fmt: skip


def _stands(by_rows: str) -> Iterator[Stand]:
    sorted_alike = "The new names are sorted like the old ids"
    for by, story, betrays in (
        ("names", "Sorts old ids and new names, and pairs equal places", sorted_alike),
        ("text", "Does the same with the old ids sorted as text", sorted_alike),
        ("rows", by_rows, "The people stand in the same order as in the original"),
    ):
        yield Stand(rung="order", story=story, parameters={"by": by}, betrays=betrays)


class OrderAttack(PurchasesAttack):
    """Knows the customers' ids alone, and bets that the new ones follow their order or that of the rows.

    Who stands at the same place on both sides is the same person; where the sides differ in number, the
    places are stretched. Share and points change nothing: he needs none of anybody's records.
    """

    about: ClassVar = _about("purchases", "Pairs customers by where they first appear")

    by: By = "names"

    @property
    def by_rows(self) -> bool:
        """Whether he goes by the order of rows."""
        return self.by == "rows"

    def compares(self, data: Purchases) -> Places:  # noqa: ARG002 - the same of all
        """Return the order he looks at."""
        return Places(self.by)

    def rerank(self, tables: Tables[Purchases], chance: Chance) -> Guess:  # noqa: ARG002 - nothing is drawn
        """Name who stands at the same place."""
        self.known_rows(tables)  # refuses more points than anybody has
        mine, theirs = (
            _ordered(data.records["customer"].cast(pl.String).unique(maintain_order=True), by)
            for data, by in ((tables.original, self.by), (tables.released, _NEW[self.by]))
        )
        return Guess.certain(theirs, mine, stretched(len(theirs), len(mine)))


class OrderMicrodata(MicrodataAttack):
    """Knows the list of ids alone, and bets that the new ones follow their order or that of the rows.

    Who stands at the same place on both sides is the same person; where the sides differ in number, the
    places are stretched, and as a one-to-one assignment those left over abstain. Without an id column the
    row number is the id, and both orders are one.
    """

    about: ClassVar = _about("microdata", "Pairs the rows of both tables as they stand")

    by: By = "names"

    def compares(self, data: Microdata) -> Places:  # noqa: ARG002 - the same of all
        """Return the order he looks at."""
        return Places(self.by)

    def rerank(self, tables: Tables[Microdata], chance: Chance) -> Guess:  # noqa: ARG002 - nothing is drawn
        """Name who stands at the same place."""
        mine, theirs = _ordered(tables.original.ids, self.by), _ordered(tables.released.ids, _NEW[self.by])
        named = stretched(len(theirs), len(mine))
        if self.reading == "assignment" and len(theirs) > len(mine):
            named = np.full(len(theirs), -1, dtype=np.int64)
            named[stretched(len(mine), len(theirs))] = np.arange(len(mine))
        return Guess.certain(theirs, mine, named)


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
