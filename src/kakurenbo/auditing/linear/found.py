"""Found: what the places of targets say of who was found, in the terms of a panel.

A person who is looked up is found with a chance of one in all places that fit him equally well, if his own
name is among them; a name that is compared, likewise. Who has nothing in common with anybody may be anybody.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.scans import LookUp
from kakurenbo.auditing.panel.panel import Outcome
from kakurenbo.auditing.results import Finding
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.auditing.linear.sample import Sample
    from kakurenbo.auditing.linear.seek import Sought
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.data.owners import Owners
    from kakurenbo.kernels.scan import Ties

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of the secret about the targets: which target and which name each is about.

    Attributes:
        person: the number of the target of every row, -1 where he is none.
        name: the number of the name.
        frame: the rows, (released, original).
    """

    person: Ints
    name: Ints
    frame: pl.DataFrame

    @classmethod
    def of(cls, owners: Owners, people: pl.Series, names: pl.Series) -> Rows:
        """Return the rows of owners about people and names that are numbered as they stand here."""
        frame = owners.owned.frame
        sides = []
        for column, ids in (("original", people), ("released", names)):
            numbers = pl.DataFrame({column: ids.cast(pl.String), "number": np.arange(len(ids))})
            joined = frame.join(numbers, on=column, how="left", maintain_order="left")
            sides.append(joined["number"].fill_null(-1).to_numpy().astype(np.int64))
        return cls(sides[0], sides[1], frame)

    def chance(self, places: Ties, *, looked_up: bool, others: int) -> Floats:
        """Return the chance of every row to be named; not a number where nobody asked.

        Args:
            places: of the people, where they were looked up, else of the names.
            looked_up: which it is.
            others: how many there are on the other side.
        """
        number = self.person if looked_up else self.name
        asked = (number >= 0) & (number < len(places.ties))
        at = number[asked]
        each = np.bincount(at, minlength=len(places.ties))
        found = np.where(places.ties > 0, places.own / np.maximum(places.ties, 1), each / others)
        made = np.full(len(number), np.nan)
        made[asked] = (found / np.maximum(each, 1))[at]
        return made


def outcomes(
    sought: Sought, sample: Sample, owners: Owners, members: Iterable[Attacker], seconds: float
) -> Iterator[Outcome]:
    """Yield what everybody achieved who went through the tables."""
    rows = Rows.of(owners, sought.people, sought.names)
    for who in members:
        places = sought.places.get(who.key)
        if places is None:
            continue
        how = cast("PurchasesAttack", who.attack).scan(sample.original.shown & sample.released.shown)
        looked_up = isinstance(how, LookUp)
        others = sample.names if looked_up else sample.people
        chance = rows.chance(places, looked_up=looked_up, others=others)
        yield Outcome(
            who,
            finding(who, rows.frame, chance, 1 / others, exclusive=looked_up, seconds=seconds),
            chance,
        )


def finding(
    who: Attacker,
    frame: pl.DataFrame,
    chance: Floats,
    luck: float,
    *,
    exclusive: bool,
    seconds: float,
    said: str = "",
) -> Finding:
    """Return what an attacker achieved with the rows that he was asked about.

    Args:
        who: the attacker.
        frame: the rows, (released, original).
        chance: of every row, not a number where he was not asked.
        luck: the chance of naming rightly at random.
        exclusive: whether he gives a person one of his names at most.
        seconds: what it took.
        said: what else is to be told of how he went about it.
    """
    rows = frame.with_columns(chance=pl.Series(chance)).filter(pl.col("chance").is_not_nan())
    names, persons = rows["released"].n_unique(), rows["original"].n_unique()
    hits = math.fsum(rows["chance"])
    found = pl.col("chance").sum() if exclusive else 1 - (1 - pl.col("chance")).sort().product()
    of_persons = math.fsum(rows.group_by("original").agg(found.alias("chance"))["chance"])
    several = names != persons or rows.height != names
    rate, persons_rate = (
        Rate.estimated(min(max(number, 0.0), trials), trials)
        for number, trials in ((hits, names), (of_persons, persons))
    )
    return Finding(
        attack=who.name, reading=who.reading, knowledge=who.knowledge, story=who.story + said,
        parameters=who.attack.model_dump(mode="json"), rate=rate, chance=luck, people=names, abstained=0,
        persons=persons, persons_rate=persons_rate, persons_chance=luck if several else None, proven=True,
        seconds=seconds, betrays=who.stand.betrays, beyond=who.stand.beyond, papers=who.stand.papers,
    )  # fmt: skip
