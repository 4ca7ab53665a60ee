"""What attackers achieved on a release: rates with the people behind them, and who could not attack.

A person who is looked up is found with a chance of one in all places that fit him equally well, if his own
name is among them; a name that is compared, likewise. Who has nothing in common with anybody may be anybody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, cast

import numpy as np
import polars as pl

from kakurenbo.auditing.panel.members import TARGET
from kakurenbo.auditing.results import Finding
from kakurenbo.data.table import Data
from kakurenbo.risk.found import from_chances, looked_up, reidentification

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Attack, Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.attacks.search.seek import Sought
    from kakurenbo.auditing.input import AuditInput
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.results import Skipped
    from kakurenbo.auditing.search import Search
    from kakurenbo.chance import Chance
    from kakurenbo.data.owners import Owners
    from kakurenbo.kernels.scan import Ties
    from kakurenbo.risk.found import Reidentification

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an attacker achieved, and with whom: the chance of every name to be given to its owner.

    The chances stand in the order of the owners' rows, fakes left out; not a number where nobody asked.
    """

    attacker: Attacker
    finding: Finding
    chance: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PanelRun(Generic[Data]):
    """A run of the panel.

    Attributes:
        outcomes: worst first.
        skipped: who could not attack, and why.
        tables: the tables that were attacked, or those of the people who were looked for among all.
        whole: whether they are whole.
        search: where people were taken to be; None where the time was over before.
    """

    outcomes: tuple[Outcome, ...]
    skipped: tuple[Skipped, ...]
    tables: Tables[Data]
    whole: bool = True
    search: Search[Data] | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings alone."""
        return tuple(outcome.finding for outcome in self.outcomes)


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
    given: AuditInput[Any], matches: Sought, members: Iterable[Attacker], seconds: float
) -> Iterator[Outcome]:
    """Yield what everybody achieved who went through the tables."""
    owners = cast("Owners", given.owners)
    rows = Rows.of(owners, matches.people, matches.names)
    for who in members:
        places = matches.places.get(who.key)
        if places is None:
            continue
        by_person = matches.by_person(who)
        others = given.names if by_person else given.people
        chance = rows.chance(places, looked_up=by_person, others=others)
        told = scored(rows.frame, chance, others=others, by_person=by_person)
        yield Outcome(who, finding(who, told, one_to_one=owners.one_to_one, seconds=seconds), chance)


def achieved(attack: Attack[Any], tables: Tables[Any], owners: Owners, chance: Chance) -> Reidentification:
    """Return what an attack achieves with both tables whole: of people one by one, where it looks them up."""
    if getattr(attack, "reading", "") == TARGET:
        everybody = np.arange(len(tables.original.people))
        located = cast("PurchasesAttack", attack).located(tables, everybody)
        if located is not None and located.best is not None:
            places = located.best.indptr, located.best.indices
            return looked_up(owners, tables.original.people, tables.released.people, places)
    return reidentification(owners, attack.named(tables, chance))


def scored(frame: pl.DataFrame, chance: Floats, *, others: int, by_person: bool) -> Reidentification:
    """Count the rows that an attacker was asked about: those whose chance is a number."""
    asked = ~np.isnan(chance)
    some = frame if asked.all() else frame.filter(pl.Series(asked))
    rows = some.hstack([pl.Series("chance", chance[asked])])
    return from_chances(rows, others=others, by_person=by_person)


def finding(
    who: Attacker, told: Reidentification, *, one_to_one: bool, seconds: float, said: str = ""
) -> Finding:
    """Return what an attacker achieved.

    Args:
        who: the attacker.
        told: who was found.
        one_to_one: whether everybody has one name, so that names and persons need no chances apart.
        seconds: what it took.
        said: what else is to be told of how the attacker went about it.
    """
    return Finding(
        attack=who.name, reading=who.reading, knowledge=who.knowledge, story=who.story + said,
        parameters=who.attack.model_dump(mode="json"), rate=told.rate, chance=told.chance,
        people=told.people, abstained=told.abstained, persons=told.persons, persons_rate=told.persons_rate,
        persons_chance=None if one_to_one else told.persons_chance, proven=True, seconds=seconds,
        betrays=who.stand.betrays, beyond=who.stand.beyond, papers=who.stand.papers,
        spread=told.spread,
    )  # fmt: skip
