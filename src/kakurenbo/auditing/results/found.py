"""What attackers found, whom, and how they were proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from kakurenbo.document import LATER, SECRET, flat, rows
from kakurenbo.risk.found import Spread
from kakurenbo.theory.rate import Rate

_RATE = flat("rate", "low", "high", "exact")
_ROUNDING = 1e-9
BINS = rows("from", "to", "people")


@dataclass(frozen=True)
class Finding:
    """What one attacker achieved.

    Attributes:
        attack: his name in the catalogue.
        reading: how he answers: nearest, assignment or target.
        knowledge: the rung of the ladder he stands on.
        story: what he knows and does, in a sentence.
        parameters: the attack's parameters.
        rate: the share of released people, that is names with an owner, he names rightly; 95 % interval.
        chance: the rate of naming anybody at random.
        people: released people.
        abstained: people he named nobody for.
        persons: people of the original who are in the release; fewer than the names where some have several.
        persons_rate: the share of them of whom he finds a name.
        proven: whether he passed his proof; a rate that is not proven is no evidence of low risk.
        seconds: what it took.
        betrays: the carelessness that his success gives away, if any.
        beyond: the rung whose attackers he must clearly beat before that is said.
        papers: what the papers' attacker, if this is he, goes by.
        releases: how many releases he holds: more than one where he reads this one by earlier ones.
        persons_chance: the share of people of whom luck finds a name; None where everybody has one.
        spread: how far draws of his one-to-one assignment lie apart, whose mean the rates are; None where
            nothing was drawn, and where people were sampled, among whom single draws are not counted.
    """

    attack: str
    reading: str
    knowledge: str
    story: str
    parameters: Mapping[str, Any]
    rate: Rate = field(metadata=_RATE)
    chance: float
    people: int
    abstained: int
    persons: int
    persons_rate: Rate = field(metadata=flat("persons_rate", "persons_low", "persons_high", "persons_exact"))
    proven: bool
    seconds: float
    betrays: str = ""
    beyond: str = ""
    papers: str = ""
    releases: int = 1
    persons_chance: float | None = None
    spread: Spread | None = field(default=None, metadata=LATER)

    @property
    def name(self) -> str:
        """The attack with its reading, where that is not the plain one, and with the releases held."""
        read = self.attack if self.reading == "nearest" else f"{self.attack}, {self.reading}"
        return read if self.releases == 1 else f"{read}, {self.releases} releases"

    @property
    def exposed(self) -> Rate:
        """The larger share: of names that he names rightly, or of people of whom he finds a name."""
        return self.persons_rate if self._more_persons else self.rate

    @property
    def luck(self) -> float:
        """The chance level of that share."""
        return self.chance if self.persons_chance is None or not self._more_persons else self.persons_chance

    @property
    def _more_persons(self) -> bool:
        return self.persons_rate.value > self.rate.value + _ROUNDING


@dataclass(frozen=True)
class Names:
    """How names change in a release, and how well they are linked to each other without any other data.

    Attributes:
        lifetime: what one name stands for of a person: a receipt, a day, a month.
        names: released names.
        people: people of the original.
        links: pairs of names, one after the other in a chain, that are taken for one person's.
        right: the share of these links that join names of one person, with its 95 % interval; None without
            the pairing, or without links.
        found: the share of all pairs of a person's names, one after the other, that are linked; None without
            the pairing, or where everybody has one name.
    """

    lifetime: str
    names: int
    people: int
    links: int
    right: Rate | None
    found: Rate | None

    def __str__(self) -> str:
        said = (
            f"Names change: each stands for one {self.lifetime} of a person, {self.names:,} names where the "
            f"original has {self.people:,} people. From the release alone {self.links:,} pairs of names, one "
            "after the other, are taken for one person's"
        )
        right = "" if self.right is None else f"; {self.right.value:.1%} of them are"
        found = "" if self.found is None else f", and that is {self.found.value:.1%} of all such pairs"
        return f"{said}{right}{found}."


@dataclass(frozen=True)
class Proved:
    """One attacker tried where the answer is known: on a verbatim copy, and on records dealt at random.

    Attributes:
        attack: his name; `reading` and `knowledge` as in the finding.
        reading: how he answers.
        knowledge: his rung.
        copy: the share he finds in a verbatim copy.
        attainable: the share that anybody could find there: people whose knowledge tells them apart.
        noise: the share he finds where no record has anything to do with its owner.
        chance: what is to be expected there.
        holds: whether he finds what can be found, and nothing where there is nothing.
        parameters: the attack's parameters, as in the finding.
        through: (disguise he is meant to see through, in words, share he finds in a made-up shop so
            disguised, share that could be found there undisguised).
    """

    attack: str
    reading: str
    knowledge: str
    copy: float
    attainable: float
    noise: float
    chance: float
    holds: bool
    parameters: Mapping[str, Any] = field(default_factory=dict)
    through: tuple[tuple[str, float, float], ...] = field(
        default=(), metadata=rows("disguise", "found", "attainable")
    )


@dataclass(frozen=True)
class Proof:
    """The audit's proof of itself: every attacker on both controls, with so many people drawn at random."""

    people: int
    attackers: tuple[Proved, ...]

    @property
    def holds(self) -> bool:
        """Whether every attacker passed."""
        return all(attacker.holds for attacker in self.attackers)

    @property
    def failed(self) -> tuple[Proved, ...]:
        """The attackers that did not."""
        return tuple(attacker for attacker in self.attackers if not attacker.holds)


@dataclass(frozen=True)
class Survivor:
    """One attacker on the transformed copy.

    Attributes:
        attack: his name; `reading` and `knowledge` as in the finding.
        reading: how he answers.
        knowledge: his rung.
        found: the share he finds in the transformed copy.
        attainable: the share that could be found in a plain one, in the vocabulary that was inferred.
        declared: whether he says that he survives this.
        survived: whether he finds nearly as many, and, where he does not say so, more than luck would.
        parameters: the attack's parameters, as in the finding.
    """

    attack: str
    reading: str
    knowledge: str
    found: float
    attainable: float
    declared: bool
    survived: bool
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether he kept his word."""
        return self.survived or not self.declared


@dataclass(frozen=True)
class TransformedProof:
    """The panel on a copy transformed as the release is.

    Attributes:
        shows: what was done to the copy, in words; nothing where the release shows nothing.
        people: how many were tried.
        attackers: everybody who could be tried, rung by rung.
    """

    shows: tuple[str, ...] = ()
    people: int = 0
    attackers: tuple[Survivor, ...] = ()

    @property
    def rungs(self) -> dict[str, bool]:
        """Whether at least one attacker of each rung that was tried survived."""
        found: dict[str, bool] = {}
        for one in self.attackers:
            found[one.knowledge] = found.get(one.knowledge, False) or one.survived
        return found

    @property
    def failed(self) -> tuple[Survivor, ...]:
        """Those who said that they survive, and did not."""
        return tuple(one for one in self.attackers if not one.holds)


@dataclass(frozen=True)
class Dummies:
    """How well what nobody bought is told from what somebody did, by its looks alone.

    Attributes:
        auc: the chance that a real good under a name looks more real than a dummy; one half is a guess.
        attack: who tells them, his name in the catalogue.
        real: the share of released (person, good) pairs that are real.
    """

    auc: float
    attack: str
    real: float


@dataclass(frozen=True)
class People:
    """Who is found: counts for the report, and the secret table.

    Attributes:
        found: people found (with a chance of one half or more) by at least one attacker.
        certain: people named all but certainly (with a chance of nine tenths or more) by at least one.
        people: released people, or those of them who were sought.
        by_attackers: (number of attackers that find a person, people).
        by_chance: (from, to, people) over the highest chance that any attacker has with a person.
        least: (rung, people whom no lower rung finds).
        attackers: how many attackers there were.
        table: one row a person: released, original, highest chance, attackers that find him, the least
            knowledge that suffices, why. **Secret**, so None in an audit that was read from JSON.
        drawn_from: of how many people these were drawn, where not everybody was sought.
    """

    found: int
    certain: int
    people: int
    by_attackers: tuple[tuple[int, int], ...] = field(metadata=rows("attackers", "people"))
    by_chance: tuple[tuple[float, float, int], ...] = field(metadata=BINS)
    least: tuple[tuple[str, int], ...] = field(metadata=rows("knowledge", "people"))
    attackers: int
    table: pl.DataFrame | None = field(default=None, repr=False, metadata=SECRET)
    drawn_from: int | None = field(default=None, metadata=LATER)
