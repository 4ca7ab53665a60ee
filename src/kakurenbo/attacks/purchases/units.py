"""Units: records or visits of two tables, as numbers that may agree more or less, in blocks.

Whatever was changed about a record or a visit, something is left to compare: the day, the price, how many
lines a receipt has. A feature is one such number, compared level by level; a blocking says which units may be
the same at all: those of one good, one moment, one month.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.claims import Places
from kakurenbo.data.guess import Guess
from kakurenbo.errors import InputError
from kakurenbo.kernels.agreement import CandidateUnits, Comparison, TargetUnits, agreeing, learn
from kakurenbo.kernels.assignment import DENSE, assign_by

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.kernels.agreement import Levels

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

MANY = 40_000_000  # pairs of units that are compared, if more than a few of each person are
_FEW = 8
_CLOSE = 1e-9

Steps = tuple[float, float, float, float, float]  # up to which difference a feature agrees, level by level
DAYS: Steps = (0.0005, 0.6, 1.6, 7.5, 31.0)
RATIOS: Steps = (0.001, 0.03, 0.1, 0.3, 1.0)  # of logarithms
PIECES: Steps = (0.001, 0.1, 0.3, 0.7, 1.5)


class Units(NamedTuple):
    """The units of one table.

    Attributes:
        people: whose each is, by number.
        values: units x features.
    """

    people: Ints
    values: Floats


class Blocking(NamedTuple):
    """Which units may be the same: those of one block; blocks are numbered from 0, without large gaps.

    Attributes:
        sought: the block of each unit of the one table.
        held: the block of each unit of the other.
        near: whether the blocks beside it count too, numbered as they lie.
    """

    sought: Ints
    held: Ints
    near: bool = False

    @property
    def pairs(self) -> int:
        """How many pairs of units are compared, about."""
        sizes = np.bincount(self.held, minlength=int(self.sought.max(initial=0)) + 1)
        return int(sizes[self.sought].sum()) * (3 if self.near else 1)


@dataclass(frozen=True, eq=False)
class Sides:
    """Those who are sought, and those among whom they are.

    Attributes:
        sought: the units of who is sought.
        held: the units among which they are sought.
        seekers: who is sought.
        people: who is held.
        equals: returns numbers for both, the same for those who have the same units.
        row: the row of each unit sought in the table that it is from.
    """

    sought: TargetUnits
    held: CandidateUnits
    seekers: pl.Series
    people: pl.Series
    equals: Callable[[], tuple[Ints, Ints]]
    row: Ints

    @cached_property
    def affordable(self) -> TargetUnits:
        """The units sought; where too many would be compared, only some of each person."""
        pairs = self.held.pairs(self.sought)
        if pairs <= MANY:
            return self.sought
        counts = np.diff(self.sought.bounds)
        return self.sought.sample(np.arange(len(counts)), _kept(counts, MANY / pairs))

    def learn(self, steps: Sequence[Steps], chance: Chance) -> Levels:
        """Learn how telling it is that they agree, from as many of the sought as is affordable."""
        return learn(self.affordable, self.held, steps, chance.order("teach", self.seekers))

    def by(self, levels: Levels) -> Compared:
        """Return them compared by these levels."""
        comparison = Comparison(self.sought, self.held, levels)
        return Compared(self.sought, self.held, self.seekers, self.people, self.equals, self.row, comparison)


@dataclass(frozen=True, eq=False)
class Compared(Sides):
    """Both sides, and how telling it is that they agree."""

    comparison: Comparison

    def knowing(self, rows: Ints | None) -> Compared:
        """Return the same where only these rows of the table of those sought are known; None for all."""
        if rows is None:
            return self
        is_known = np.zeros(len(self.row), dtype=bool)
        is_known[rows] = True
        return replace(self, sought=self.sought.where(is_known[self.row]))

    def places(self, targets: Ints | None = None) -> Places:
        """Return the people who agree best with each of these who are sought, and how likely they are."""
        units = self.affordable if targets is None else self.affordable.sample(targets)
        return Places(*agreeing(self.comparison, units))

    def named(self, chance: Chance) -> Guess:
        """Name for each released person, who is sought, the one who agrees best."""
        best = self.places().best
        return Guess.drawn(self.seekers, self.people, best.indptr, best.indices, chance)

    def claimed(self, chance: Chance) -> Guess:
        """Name for each released person, who is held, whoever of the sought is likeliest to be there."""
        best, whom, who, value = np.zeros(len(self.people)), [], [], []
        for first, scores in self.comparison.likelihoods(self.affordable):
            chances = np.exp(scores - scores.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            chances[scores == 0.0] = 0.0  # who agrees in nothing claims nobody
            np.maximum(best, chances.max(axis=0), out=best)
            target, person = np.nonzero((chances > 0.0) & (chances >= best * (1 - _CLOSE)))
            whom.append(person)
            who.append(target + first)
            value.append(chances[target, person])
        person, target, last = (np.concatenate(column) for column in (whom, who, value))
        keep = last >= best[person] * (1 - _CLOSE)
        order = np.lexsort((target[keep], person[keep]))
        indptr = np.concatenate([[0], np.cumsum(np.bincount(person[keep], minlength=len(self.people)))])
        return Guess.drawn(self.people, self.seekers, indptr, target[keep][order], chance)

    def assigned(self, chance: Chance) -> Guess:
        """Name for each released person, who is sought, one of his own, all at once; any of equals."""
        if max(len(self.seekers), len(self.people)) > DENSE:
            raise InputError(f"More than {DENSE:,} people cannot be paired all at once.", code="limit")
        scores = np.concatenate([rows for _, rows in self.comparison.likelihoods(self.affordable)])
        paired = assign_by(scores, chance.stream("assignment"))
        return Guess.paired(self.seekers, self.people, self.equals(), paired)


def lay_out(
    sought: Units, held: Units, blockings: Sequence[Blocking], people: tuple[pl.Series, pl.Series]
) -> Sides:
    """Set two tables' units against each other.

    Args:
        sought: the units of who is sought.
        held: the units among which he is.
        blockings: which units may be the same.
        people: who is sought, and who is held.
    """
    made = [_placed(blocking) for blocking in blockings]
    row = np.argsort(sought.people, kind="stable")
    bounds = np.searchsorted(sought.people[row], np.arange(len(people[0]) + 1)).astype(np.int64)
    shift = np.cumsum([0, *(len(one.starts) - 1 for one in made)])
    blocks = [
        np.where(one.sought >= 0, one.sought + first, -1)[row]
        for one, first in zip(made, shift, strict=False)
    ]
    units = TargetUnits.of(bounds, np.stack(blocks, axis=1), sought.values[row])
    sizes = np.concatenate([np.diff(one.starts) for one in made])
    place = np.concatenate([one.held for one in made])
    lengths = np.bincount(held.people, minlength=len(people[1])).astype(np.float64)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    among = CandidateUnits.of(starts, held.people[place].astype(np.int32), lengths, held.values[place])

    def equals() -> tuple[Ints, Ints]:
        return (
            _equals(sought, [one.sought for one in blockings], len(people[0])),
            _equals(held, [one.held for one in blockings], len(people[1])),
        )

    return Sides(units, among, *people, equals, row)


def _kept(counts: Ints, share: float) -> int:
    """Return how many units of each person are kept, so that about this share is left; a few of everybody."""
    most = _FEW
    while np.minimum(counts, 2 * most).sum() <= share * counts.sum():
        most *= 2
    return most


def _equals(units: Units, blocks: list[Ints], people: int) -> Ints:
    """Return a number for everybody, the same for those who have the same units in the same proportions."""
    rows = pl.DataFrame([*units.values.T, *blocks]).hash_rows()
    each = (
        pl.DataFrame({"person": units.people, "unit": rows})
        .group_by("person", "unit")
        .agg(count=pl.len())
        .sort("person", "unit")
    )
    first = np.unique(each["person"].to_numpy(), return_index=True)[1]
    count = each["count"].to_numpy().astype(np.uint64)
    unit = np.gcd.reduceat(count, first) if len(first) else count
    sizes = np.diff(np.append(first, len(count)))
    whole = np.zeros(people, dtype=np.uint64)
    np.add.at(whole, each["person"].to_numpy(), each["unit"].to_numpy() * (count // np.repeat(unit, sizes)))
    return np.unique(whole, return_inverse=True)[1].astype(np.int64)


class _Placed(NamedTuple):
    """A blocking laid out: where each block starts, the block of each unit sought, and who stands there."""

    starts: Ints
    sought: Ints
    held: Ints


def _placed(blocking: Blocking) -> _Placed:
    """Lay the units held out block by block; a unit sought where nobody stands is at -1."""
    theirs, unit = blocking.held + 1, np.arange(len(blocking.held))
    if blocking.near:
        theirs, unit = np.concatenate([theirs - 1, theirs, theirs + 1]), np.tile(unit, 3)
    mine = blocking.sought + 1
    sizes = np.bincount(theirs, minlength=int(mine.max(initial=0)) + 1)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return _Placed(starts, np.where(sizes[mine] > 0, mine, -1), unit[np.argsort(theirs, kind="stable")])
