"""Re-identification: how many people an attacker's guess names rightly.

Reid = |{j : Q_j = P_j}| / n (000, definition 4). Where the guess had ties, the expected number over them is
counted. Beside it stand the 95 % interval and the chance level: what naming anybody at random would give. An
assignment among ties is one draw of a lottery, so the mean of draws is counted, and beside it stands how far
single draws lie apart.

Where names and people do not pair one to one, names and persons are counted apart. A name is found when one
of its owners is named for it, a person when one of his names is given to him; with a pseudonym a month an
attacker may find few names and yet everybody. Fakes are nobody and in no denominator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import polars as pl

from kakurenbo.data.guess import Guess, values_of
from kakurenbo.data.owners import Owners
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Spread:
    """How far the draws of a lottery lie apart.

    Attributes:
        low: the share that the unluckiest draw finds.
        high: the share that the luckiest finds.
        draws: how many there were.
    """

    low: float
    high: float
    draws: int


@dataclass(frozen=True, eq=False)
class Reidentification:
    """What a guess is worth.

    Attributes:
        rate: the share of released names named rightly, expected over ties, with its 95 % interval.
        hits: their number, a fraction where ties were averaged.
        people: released names that have an owner.
        chance: the rate of naming originals at random.
        abstained: names with an owner for which no original was named.
        persons: people of the original who are in the release.
        persons_rate: the share of them of whom a name is found; that of the names where all pair one to one.
        persons_chance: that share, if originals are named at random: who has many names is found more often.
        by_person: (released, original, chance): how likely every name is to be given to each of its owners.
            Secret, like the pairing.
        spread: how far draws of an assignment lie apart in the larger of both rates; None without draws.
    """

    rate: Rate
    hits: float
    people: int
    chance: float
    abstained: int
    persons: int
    persons_rate: Rate
    persons_chance: float
    by_person: pl.DataFrame = field(repr=False)
    spread: Spread | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers under the JSON keys of `kakurenbo score`."""
        return {
            "rate": self.rate.value, "low": self.rate.low, "high": self.rate.high, "hits": self.hits,
            "people": self.people, "chance": self.chance, "abstained": self.abstained,
            "persons": self.persons, "persons_rate": self.persons_rate.value,
            "persons_low": self.persons_rate.low, "persons_high": self.persons_rate.high,
            "persons_chance": self.persons_chance,
        }  # fmt: skip


def reidentification(secret: Pairing | Owners, guess: Pairing) -> Reidentification:
    """Compare a guess with the secret.

    Args:
        secret: the pairing P of the release, or whose every name is.
        guess: the attacker's Q over the same released people; ties are averaged where it kept them.
    """
    owners = Owners.of(secret)
    real = owners.owned
    chance = guess.expected(owners)["chance"]
    rows = real.frame.with_columns(chance if real is owners else chance.filter(owners.original.is_not_null()))
    names, persons, hits = len(real.names), len(owners.persons), math.fsum(rows["chance"])
    originals = guess.anyone if isinstance(guess, Guess) else persons
    found, lucky = _persons(rows, persons, originals)
    drawn = isinstance(guess, Guess) and guess.draws is not None
    return Reidentification(
        Rate.estimated(min(hits, names), names), hits, names, rows.height / names / originals,
        _unnamed(guess, real.names), persons, Rate.estimated(min(found, persons), persons), lucky, rows,
        _spread(cast("Guess", guess), rows, names, persons) if drawn else None,
    )  # fmt: skip


def _unnamed(guess: Pairing, names: pl.Series) -> int:
    """Return for how many names with an owner no original was named."""
    if not guess.abstained:
        return 0
    return int(guess.released.filter(guess.original.is_null()).is_in(names.implode()).sum())


def looked_up(
    secret: Pairing | Owners, originals: pl.Series, names: pl.Series, places: tuple[Ints, Ints]
) -> Reidentification:
    """Compare with the secret where people were looked up one by one; who is asked for alone has no rivals.

    A person is found with one chance in all names that fit equally well, if an own one is among them; one who
    has nothing in common with anybody may be anybody.

    Args:
        secret: the pairing P of the release, or whose every name is.
        originals: the people who were looked up.
        names: the released names among which they were.
        places: person p may have the names places[1][places[0][p] : places[0][p + 1]].
    """
    indptr, indices = places
    frame = Owners.of(secret).owned.frame.with_columns(pl.all().cast(pl.String))
    sides = (("original", originals), ("released", names))
    person, name = (values_of(frame[column], ids, np.arange(len(ids))) for column, ids in sides)
    ties = np.diff(indptr)
    fitting = np.repeat(np.arange(len(ties)), ties) * len(names) + indices
    fits = np.isin(person * len(names) + name, fitting)
    chances = np.where(ties[person] > 0, fits / np.maximum(ties[person], 1), 1 / len(names))
    rows = frame.with_columns(chance=pl.Series(np.where((person >= 0) & (name >= 0), chances, 0.0)))
    return from_chances(rows, others=len(names), by_person=True)


def from_chances(rows: pl.DataFrame, *, others: int, by_person: bool) -> Reidentification:
    """Count who is found, given the chance of every row of the secret.

    Args:
        rows: (released, original, chance), of names that have an owner.
        others: how many there are on the other side, among whom one would be named at random.
        by_person: whether each person was looked up, and so is given one name at most; else each name was
            compared, and is given to one person.
    """
    names, persons = rows.select(pl.col("released", "original").n_unique()).row(0)
    hits = math.fsum(rows["chance"])
    if by_person:
        found = min(math.fsum(rows["chance"]), persons)
        lucky = rows.height / max(persons, 1) / others
    else:
        found, lucky = _persons(rows, persons, others)
        found = min(found, persons)
    rate = Rate.estimated(min(max(hits, 0.0), names), names)
    of_persons = Rate.estimated(max(found, 0.0), persons)
    luck = rows.height / max(names, 1) / others
    return Reidentification(rate, hits, names, luck, 0, persons, of_persons, lucky, rows)


def _spread(guess: Guess, rows: pl.DataFrame, names: int, persons: int) -> Spread:
    """Return how far the draws lie apart in the share of names, or of persons if they find more of them."""
    assert guess.draws is not None  # noqa: S101 - who calls looked
    name, person = (
        values_of(rows[column], ids, np.arange(len(ids)))
        for column, ids in (("released", guess.released), ("original", guess.mine["original"]))
    )
    found = (guess.draws[:, name] == person) & (person >= 0)
    shares = found.sum(axis=1) / names
    if rows.height > persons:
        number = rows["original"].rank("dense").to_numpy().astype(np.int64)
        order = np.argsort(number, kind="stable")
        first = np.flatnonzero(np.diff(number[order], prepend=0))
        of_persons = np.logical_or.reduceat(found[:, order], first, axis=1).mean(axis=1)
        shares = max(shares, of_persons, key=np.mean)
    return Spread(float(shares.min()), float(shares.max()), len(shares))


def _persons(rows: pl.DataFrame, persons: int, originals: int) -> tuple[float, float]:
    """Return how many people have a name that is given to them, where each name is drawn for itself.

    And which share of them has, if every name is given to any original at random.
    """
    if rows.height == persons:
        return math.fsum(rows["chance"]), 1 - (1 - 1 / originals)
    chance = pl.col("chance")
    some = pl.when(pl.len() == 1).then(chance.first()).otherwise(1 - (1 - chance).sort().product())
    people = rows.group_by("original").agg(some, names=pl.len().cast(pl.Float64))
    lucky = 1 - (1 - 1 / originals) ** people["names"]
    return math.fsum(people["chance"]), float(lucky.mean())  # type: ignore[arg-type]
