"""Units: records or visits of two tables, as numbers that may agree more or less, in blocks.

Whatever was changed about a record or a visit, something is left to compare: the day, the price, how many
lines a receipt has. A feature is one such number, compared level by level; a key says which units may be the
same at all: those of one good, one moment, one month. How telling it is that two units agree is learnt from
the people at hand; with that, and with what units weigh among all people, a person is compared with a target
by himself, so a table can be gone through in blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import polars as pl

from kakurenbo.attacks.search.targets import Places
from kakurenbo.data.guess import Guess
from kakurenbo.errors import InputError
from kakurenbo.kernels.agreement import CandidateUnits, Comparison, Levels, TargetUnits, agreeing, learn
from kakurenbo.kernels.assignment import DENSE, assign_by
from kakurenbo.kernels.scan import Codes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases

    Bits = NDArray[np.uint64]
    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

MANY = 40_000_000  # pairs of units that are compared, if more than a few of each person are
_FEW = 8
_BESIDE = np.array([-1, 0, 1]).astype(np.uint64)  # from a key to those on both sides of it

Steps = tuple[float, float, float, float, float]  # up to which difference a feature agrees, level by level
DAYS: Steps = (0.0005, 0.6, 1.6, 7.5, 31.0)
RATIOS: Steps = (0.001, 0.03, 0.1, 0.3, 1.0)  # of logarithms
PIECES: Steps = (0.001, 0.1, 0.3, 0.7, 1.5)


class Units(NamedTuple):
    """The units of a table or a block.

    Attributes:
        people: whose each is, by number.
        keys: units x blockings: those with the same key may be the same.
        values: units x features.
    """

    people: Ints
    keys: Bits
    values: Floats

    def of(self, rows: Ints) -> Units:
        """Return these units alone."""
        return Units(self.people[rows], self.keys[rows], self.values[rows])


class Sides(NamedTuple):
    """The units of both tables: of who is sought, and of those among whom they are."""

    sought: Units
    held: Units
    seekers: pl.Series
    people: pl.Series

    def turned(self) -> Sides:
        """Return the same the other way around."""
        return Sides(self.held, self.sought, self.people, self.seekers)

    def equals(self) -> tuple[Ints, Ints]:
        """Return numbers for who is sought and who is held, the same for those who have the same units."""
        return _equals(self.sought, len(self.seekers)), _equals(self.held, len(self.people))


class UnitReader(Protocol):
    """Reads units, from a whole table and from any block of it alike."""

    @property
    def steps(self) -> tuple[Steps, ...]:
        """Up to which differences each feature agrees."""

    @property
    def near(self) -> bool:
        """Whether units of neighbouring keys may be the same too, keys being whole numbers."""

    def units(self, data: Purchases) -> Units:
        """Return the units of a table or a block."""


@dataclass(frozen=True, eq=False)
class UnitModel:
    """How units are read and compared: all that a block needs to know beside the targets.

    Attributes:
        reader: reads the units of a block.
        codes: the keys of the targets, one dictionary a blocking.
        levels: how telling it is that two units agree.
    """

    reader: UnitReader
    codes: tuple[Codes, ...]
    levels: Levels

    def candidates(self, block: Purchases, total: float | None = None) -> CandidateUnits:
        """Return the units of a block, given how many all people have; none given means these people."""
        units = self.reader.units(block)
        return _candidates(units, self.codes, len(block.customers), near=self.reader.near, total=total)


@dataclass(frozen=True, eq=False)
class Fitted:
    """Who is sought, the people at hand among whom they are, and what was learnt from both.

    Attributes:
        model: what was learnt.
        sought: the units of who is sought.
        row: the row of each unit sought in the table that it is from; None where they are what is known.
        held: the units at hand.
        sides: the units of both tables.
    """

    model: UnitModel
    sought: TargetUnits
    row: Ints | None
    held: CandidateUnits
    sides: Sides

    @classmethod
    def of(cls, reader: UnitReader, sides: Sides, chance: Chance, *, rows: bool) -> Fitted:
        """Learn how telling it is that units of both tables agree.

        Args:
            reader: reads the units of a block.
            sides: the units of both tables.
            chance: draws who teaches.
            rows: whether units are rows of their tables, of which more or less may be known.
        """
        sought = sides.sought
        codes = tuple(Codes.of(column) for column in sought.keys.T)
        # Sorted by what they are, so that it never matters in which order rows came.
        row = np.lexsort((*sought.values.T, *sought.keys.T, sought.people))
        bounds = np.searchsorted(sought.people[row], np.arange(len(sides.seekers) + 1)).astype(np.int64)
        units = TargetUnits.of(bounds, _blocks(sought.keys[row], codes), sought.values[row])
        among = _candidates(sides.held, codes, len(sides.people), near=reader.near)
        order = chance.order("teach", sides.seekers)
        levels = learn(affordable(units, among.sizes, MANY), among, reader.steps, order)
        return cls(UnitModel(reader, codes, levels), units, row if rows else None, among, sides)

    def knowing(self, rows: Ints | None) -> TargetUnits:
        """Return the units of who is sought where only these rows of their table are known; None for all."""
        if rows is None or self.row is None:
            return self.sought
        is_known = np.zeros(len(self.row), dtype=bool)
        is_known[rows] = True
        return self.sought.where(is_known[self.row])

    def looking_up(self, rows: Ints | None) -> Compared:
        """Compare who is sought, of whom only these rows are known, with who is held."""
        return replace(self._whole, sought=self.knowing(rows))

    def naming(self, rows: Ints | None) -> Compared:
        """Compare who is sought with who is held, of whom only these rows are known."""
        if rows is None or self.row is None:
            return self._whole
        sides = self.sides._replace(held=self.sides.held.of(rows))
        near, count = self.model.reader.near, len(sides.people)
        held = _candidates(sides.held, self.model.codes, count, near=near)
        return Compared.of(replace(self, held=held, sides=sides))

    @cached_property
    def _whole(self) -> Compared:
        return Compared.of(self)


@dataclass(frozen=True, eq=False)
class Compared:
    """Everybody of both tables, compared: what guesses are made of.

    Attributes:
        sought: the units of who is sought.
        sides: the units of both tables.
        sizes: how many units are held in each block.
        comparison: of both.
    """

    sought: TargetUnits
    sides: Sides
    sizes: Ints
    comparison: Comparison

    @classmethod
    def of(cls, fitted: Fitted) -> Compared:
        """Compare who is sought with who is held."""
        comparison = Comparison(fitted.sought, fitted.held, fitted.model.levels)
        return cls(fitted.sought, fitted.sides, fitted.held.sizes, comparison)

    @property
    def affordable(self) -> TargetUnits:
        """The units sought; where too many would be compared, only some of each person."""
        return affordable(self.sought, self.sizes, MANY)

    def places(self, targets: Ints) -> Places:
        """Return the people who agree best with each of these who are sought, and how likely they are."""
        return Places(*agreeing(self.comparison, self.affordable.sample(targets)))

    def named(self, chance: Chance) -> Guess:
        """Name for each released person, who is sought, the one who agrees best."""
        best, _ = agreeing(self.comparison, self.affordable)
        return Guess.drawn(self.sides.seekers, self.sides.people, best.indptr, best.indices, chance)

    def assigned(self, chance: Chance) -> Guess:
        """Name for each released person, who is sought, one of his own, all at once; any of equals."""
        if max(len(self.sides.seekers), len(self.sides.people)) > DENSE:
            raise InputError(f"More than {DENSE:,} people cannot be paired all at once.", code="limit")
        scores = np.concatenate([rows for _, rows in self.comparison.likelihoods(self.affordable)])
        paired = assign_by(scores, chance.stream("assignment"))
        return Guess.paired(self.sides.seekers, self.sides.people, self.sides.equals(), paired)


def affordable(units: TargetUnits, sizes: Ints, most: float) -> TargetUnits:
    """Return units that are sought; where more pairs would be compared, only some of each person.

    Args:
        units: the units sought.
        sizes: how many units are held in each block.
        most: how many pairs are compared at most, if more than a few units of each person are.
    """
    pairs = units.pairs(sizes).sum()
    if pairs <= most:
        return units
    counts = np.diff(units.bounds)
    return units.sample(np.arange(len(counts)), _kept(counts, most / pairs))


def meetings(sought: Bits, held: Bits) -> int:
    """Return how many pairs of units have the same key."""
    codes = Codes.of(sought)
    each = np.bincount(codes.place(sought), minlength=len(codes))
    met = codes.place(held)
    return int(each[met[met >= 0]].sum())


def _equals(units: Units, people: int) -> Ints:
    """Return a number for everybody, the same for those who have the same units in the same proportions."""
    rows = pl.DataFrame([*units.values.T, *units.keys.T]).hash_rows()
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


def _kept(counts: Ints, share: float) -> int:
    """Return how many units of each person are kept, so that about this share is left; a few of everybody."""
    most = _FEW
    while np.minimum(counts, 2 * most).sum() <= share * counts.sum():
        most *= 2
    return most


def _blocks(keys: Bits, codes: tuple[Codes, ...]) -> Ints:
    """Return the block of every unit, blocking by blocking, all numbered through; -1 where there is none."""
    shift = np.cumsum([0, *(len(one) for one in codes)])
    made = np.empty(keys.shape, dtype=np.int64)
    for way, dictionary in enumerate(codes):
        place = dictionary.place(np.ascontiguousarray(keys[:, way]))
        made[:, way] = np.where(place >= 0, place + shift[way], -1)
    return made


def _candidates(
    units: Units, codes: tuple[Codes, ...], people: int, *, near: bool, total: float | None = None
) -> CandidateUnits:
    """Lay units out by the blocks of the targets' keys; those in none count only as their owner's."""
    lengths = np.bincount(units.people, minlength=people).astype(np.float64)
    keys, row = units.keys, np.arange(len(units.people))
    if near:
        keys, row = (keys[None] + _BESIDE[:, None, None]).reshape(-1, keys.shape[1]), np.tile(row, 3)
    blocks = _blocks(keys, codes)
    at, way = np.nonzero(blocks >= 0)
    return CandidateUnits.of(
        blocks[at, way], units.people[row[at]].astype(np.int32), units.values[row[at]], lengths,
        sum(len(one) for one in codes), total,
    )  # fmt: skip
