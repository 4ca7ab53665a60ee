"""Who agrees best: the search over flat arrays, and how levels are learnt."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kakurenbo.kernels.nearest import Nearest
from kakurenbo.threads import in_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    Ids = npt.NDArray[np.int32]
    _Found = tuple[Ints, Ids, Floats, Floats]

_ROUNDS = 3
_SURE = 0.5  # the chance from which somebody teaches how far units of one person agree
_ENOUGH = 10  # people, below whom nothing is learnt
PUPILS = 150  # people who teach,
_UNITS = 25  # by so many units each; by fewer, where they are compared with very many,
_FEW = 8
_PAIRS = 1_500_000  # that is with more than this in all
_GUESS = 4.0  # by how much less a level counts than the one before, as long as nothing was learnt
_PRIOR = 0.5  # units from which levels are counted up
_LOST = 0.02  # the least share of units that may have changed out of all recognition
_AT_ONCE = 500  # targets that are looked up before threads have started
_PAIRS_AT_ONCE = 500_000  # and pairs of distinct units with somebody's that are compared
_ROWS = 256  # targets whose likelihoods are held at once
_ROOM = 8_000_000  # gains of a person by a unit that are held at once, about: 100 MB


class TargetUnits(NamedTuple):
    """The units of those who are looked up; equal ones are written down once.

    Attributes:
        bounds: target t has the units unit[bounds[t]:bounds[t+1]].
        unit: which of the distinct ones each is.
        blocks: of every distinct unit, one a blocking, as numbered in `CandidateUnits`; -1 where nobody is.
        values: distinct units x features.
    """

    bounds: Ints
    unit: Ints
    blocks: Ints
    values: Floats

    @classmethod
    def of(cls, bounds: Ints, blocks: Ints, values: Floats) -> TargetUnits:
        """Return these units, given the blocks and values of each."""
        order = np.lexsort((*values.T, *blocks.T))
        is_first = _is_first(blocks[order], values[order])
        unit = np.empty(len(order), dtype=np.int64)
        unit[order] = np.cumsum(is_first) - 1
        first = order[is_first]
        return cls(bounds, unit, blocks[first], np.ascontiguousarray(values[first]))

    def sample(self, targets: Ints, most: int | None = None) -> TargetUnits:
        """Return the units of these targets alone, at most so many of each, spread over all evenly."""
        held = np.diff(self.bounds)[targets]
        counts = held if most is None else np.minimum(held, most)
        bounds = np.concatenate([[0], np.cumsum(counts)])
        turn = np.arange(bounds[-1]) - np.repeat(bounds[:-1], counts)
        spread = turn * np.repeat(held, counts) // np.maximum(np.repeat(counts, counts), 1)
        units = np.repeat(self.bounds[targets], counts) + spread
        return self._replace(bounds=bounds, unit=self.unit[units])

    def pairs(self, sizes: Ints) -> Ints:
        """Return how many pairs are compared of each unit, given how many units stand in each block."""
        made: Ints = np.append(sizes, 0)[self.blocks].sum(axis=1)[self.unit]
        return made

    def compact(self) -> TargetUnits:
        """Return the same units, with only those among the distinct ones that somebody has."""
        return compacted((self,))[0]

    def where(self, is_known: npt.NDArray[np.bool_]) -> TargetUnits:
        """Return those units alone for which the mask is true."""
        bounds = np.concatenate([[0], np.cumsum(is_known)])[self.bounds]
        return self._replace(bounds=bounds, unit=self.unit[is_known])


def compacted(several: Sequence[TargetUnits]) -> tuple[TargetUnits, ...]:
    """Return units that share their distinct ones, with only those among these that somebody has."""
    is_used = np.zeros(len(several[0].values), dtype=bool)
    for units in several:
        is_used[units.unit] = True
    place, used = np.cumsum(is_used) - 1, np.flatnonzero(is_used)
    blocks, values = several[0].blocks[used], several[0].values[used]
    return tuple(TargetUnits(units.bounds, place[units.unit], blocks, values) for units in several)


class CandidateUnits(NamedTuple):
    """The units among which they are looked up, block by block; equal ones of a block stand in one cell.

    Attributes:
        starts: block b has the cells starts[b]:starts[b+1].
        values: cells x features.
        bounds: cell c has the holders bounds[c]:bounds[c+1].
        who: holders, ascending in every cell.
        counts: how many of these units each of them has.
        lengths: how many units each person has in all.
        total: how many units all people have, those of other parts of the table among them.
    """

    starts: Ints
    values: Floats
    bounds: Ints
    who: Ids
    counts: Floats
    lengths: Floats
    total: float

    @classmethod
    def of(
        cls, block: Ints, who: Ids, values: Floats, lengths: Floats, blocks: int, total: float | None = None
    ) -> CandidateUnits:
        """Return these units, given the block of each, whose it is, and its values.

        Args:
            block: of every unit.
            who: whose it is.
            values: units x features.
            lengths: how many units each person has in all, those in no block among them.
            blocks: how many blocks there are.
            total: how many units all people have; none given means these people.
        """
        order = np.lexsort((who, *values.T, block))
        block, who, values = block[order], who[order], values[order]
        is_cell = _is_first(block[:, None], values)
        is_holder = is_cell | np.append(True, who[1:] != who[:-1])[: len(who)]
        holder = np.flatnonzero(is_holder)
        cell = np.flatnonzero(is_cell)
        return cls(
            np.searchsorted(block[cell], np.arange(blocks + 1)), np.ascontiguousarray(values[cell]),
            np.append(np.searchsorted(holder, cell), len(holder)), who[holder],
            np.diff(np.append(holder, len(who))).astype(np.float64), lengths,
            float(lengths.sum()) if total is None else total,
        )  # fmt: skip

    @property
    def sizes(self) -> Ints:
        """How many units stand in each block."""
        total = np.concatenate([[0.0], np.cumsum(self.counts)])[self.bounds]
        return np.diff(total[self.starts]).astype(np.int64)


def _is_first(blocks: Ints, values: Floats) -> npt.NDArray[np.bool_]:
    """Tell of sorted rows which differ from the row before."""
    if not len(blocks):
        return np.empty(0, dtype=bool)
    differs = (blocks[1:] != blocks[:-1]).any(axis=1) | (values[1:] != values[:-1]).any(axis=1)
    return np.append(True, differs)


class Levels(NamedTuple):
    """How telling agreement is.

    Attributes:
        steps: features x levels: up to which difference two values agree so far.
        weights: blockings x features x levels: how much oftener units of one person agree so far than
            those of anybody in the block; at the end those who do not agree at all.
        odds: how many units are met in a blocking, for each that is met in none.
    """

    steps: Floats
    weights: Floats
    odds: Floats

    @classmethod
    def guessed(cls, steps: Sequence[Sequence[float]], ways: int) -> Levels:
        """Return what one would guess: the farther apart, the less likely the same."""
        made = np.array(steps, dtype=np.float64)
        weights = _GUESS ** -np.arange(made.shape[1] + 1)
        return cls(made, np.tile(weights, (ways, len(made), 1)), np.full(ways, 3.0 / ways))


class Gains(NamedTuple):
    """What a distinct unit of the targets tells of every candidate: the logarithm of 1 + odds x ratio.

    Attributes:
        bounds: unit u has the rows bounds[u]:bounds[u+1].
        who: who agrees with it.
        gain: how much that tells.
    """

    bounds: Ints
    who: Ids
    gain: Floats


class Comparison:
    """Units of targets and of candidates, and what each distinct one tells, worked out once where it fits.

    Several attackers who know more or less of the same units share one comparison. Where these candidates are
    a part of all, what units weigh among all is known beforehand: `masses`, distinct units x blockings.
    """

    def __init__(
        self,
        targets: TargetUnits,
        candidates: CandidateUnits,
        levels: Levels,
        masses: Floats | None = None,
    ) -> None:
        ways, features = targets.blocks.shape[1], targets.values.shape[1]
        if levels.weights.shape[:2] != (ways, features) or candidates.values.shape[1] != features:
            raise ValueError("levels are of other blockings or features than the units")
        self._distinct = targets.blocks, targets.values
        self._candidates, self.levels = candidates, levels
        self._known = np.empty((0, ways)) if masses is None else masses

    def masses(self) -> Floats:
        """Return the weight of all these candidates' units that agree with each distinct one."""
        from kakurenbo.kernels.agreement import loops  # noqa: PLC0415 - loads the compiler

        given, units = (self._distinct, self._candidates, self.levels), np.arange(len(self._distinct[0]))
        parts = in_parts(
            lambda first, last: loops.masses(units[first:last], *given), len(units), few=self._few(units)
        )
        return np.concatenate(parts)

    def _few(self, units: Ints) -> int:
        """Return below how many of these distinct units no threads are worth while."""
        return len(units) + 1 if self._sizes[units].sum() < _PAIRS_AT_ONCE else 1

    @cached_property
    def _sizes(self) -> Ints:
        """Return how many gains every distinct unit has at most."""
        places = np.append(np.diff(self._candidates.bounds[self._candidates.starts]), 0)
        most = places[self._distinct[0]].sum(axis=1)
        sizes: Ints = np.minimum(most, len(self._candidates.lengths))
        return sizes

    @cached_property
    def _all(self) -> Gains:
        return self._gains(np.arange(len(self._sizes)))

    def _gains(self, units: Ints) -> Gains:
        """Return the gains of these distinct units; of the others there are none."""
        from kakurenbo.kernels.agreement import loops  # noqa: PLC0415 - loads the compiler

        given = self._distinct, self._candidates, self.levels, self._known
        parts = in_parts(
            lambda first, last: loops.gains(units[first:last], *given), len(units), few=self._few(units)
        )
        counts, who, gain = (np.concatenate(column) for column in zip(*parts, strict=True))
        rows = np.zeros(len(self._sizes) + 1, dtype=np.int64)
        rows[units + 1] = counts
        return Gains(np.cumsum(rows), who, gain)

    def _parts(self, targets: TargetUnits) -> Iterator[tuple[int, int, Gains]]:
        """Yield stretches of targets with the gains of their units, as many as can be held."""
        from kakurenbo.kernels.agreement import loops  # noqa: PLC0415 - loads the compiler

        if self._sizes.sum() <= _ROOM:
            yield 0, len(targets.bounds) - 1, self._all
            return
        cuts = loops.cut(targets.bounds, targets.unit, self._sizes, _ROOM).tolist()
        for first, last in pairwise(cuts):
            units = np.unique(targets.unit[targets.bounds[first] : targets.bounds[last]])
            yield first, last, self._gains(units)

    def best(self, targets: TargetUnits) -> tuple[Ints, Ids, Floats, Floats]:
        """Return (how many tie, who, their score, its chance) of every target."""
        from kakurenbo.kernels.agreement import loops  # noqa: PLC0415 - loads the compiler

        people = len(self._candidates.lengths)
        found: list[_Found] = []
        for begin, end, gains in self._parts(targets):
            bounds = targets.bounds[begin : end + 1]

            def search(first: int, last: int, bounds: Ints = bounds, gains: Gains = gains) -> _Found:
                part: _Found = loops.best(bounds[first : last + 1], targets.unit, gains, people)
                return part

            found += in_parts(search, end - begin, few=_AT_ONCE)
        counts, who, scores, surety = (np.concatenate(column) for column in zip(*found, strict=True))
        return counts, who, scores, surety

    def likelihoods(self, targets: TargetUnits) -> Iterator[tuple[int, Floats]]:
        """Yield (first target, their likelihoods' logarithms: targets x people), some targets at a time."""
        from kakurenbo.kernels.agreement import loops  # noqa: PLC0415 - loads the compiler

        people = len(self._candidates.lengths)
        for begin, end, gains in self._parts(targets):
            for first in range(begin, end, _ROWS):
                bounds = targets.bounds[first : min(first + _ROWS, end) + 1]
                out = np.zeros((len(bounds) - 1, people))
                loops.totals(bounds, targets.unit, gains, out)
                yield first, out

    def tally(self, targets: TargetUnits) -> tuple[Floats, Floats, Floats] | None:
        """Return at which levels units of one person agree, as the surest targets tell; see the loop."""
        from kakurenbo.kernels.agreement import loops  # noqa: PLC0415 - loads the compiler

        counts, who, _, surety = self.best(targets)
        is_sure = (counts == 1) & (surety > _SURE)
        if is_sure.sum() < _ENOUGH:
            return None
        most_likely = np.full(len(counts), -1, dtype=np.int64)
        most_likely[is_sure] = who[np.cumsum(counts)[is_sure] - 1]
        counted: tuple[Floats, Floats, Floats] = loops.tally(
            targets.bounds, targets.unit, most_likely, np.where(is_sure, surety, 0.0),
            self._distinct, self._candidates, self.levels,
        )  # fmt: skip
        return counted


def learn(
    targets: TargetUnits, candidates: CandidateUnits, steps: Sequence[Sequence[float]], order: Ints
) -> Levels:
    """Learn from both sides alone how far units of one person agree (expectation maximisation).

    Who is found with a chance of more than one half teaches by that chance; then people are looked up anew.

    Args:
        targets: the units of those who are looked up.
        candidates: the units among which they are.
        steps: up to which difference two values agree, level by level, for each feature.
        order: of the targets; the first of them teach.
    """
    levels = Levels.guessed(steps, targets.blocks.shape[1])
    pupils = targets.sample(order[:PUPILS], _UNITS)
    pairs = int(pupils.pairs(candidates.sizes).sum())
    if pairs > _PAIRS:
        pupils = pupils.sample(np.arange(len(pupils.bounds) - 1), max(_UNITS * _PAIRS // pairs, _FEW))
    pupils = pupils.compact()
    for _ in range(_ROUNDS):
        counted = Comparison(pupils, candidates, levels).tally(pupils)
        if counted is None:
            break
        agreed, apart, shares = counted
        odds = shares[:-1] / max(shares[-1], _LOST * shares.sum())
        levels = Levels(levels.steps, _ratios(agreed, apart), odds)
    return levels


def _ratios(agreed: Floats, apart: Floats) -> Floats:
    """Return m / u for every level: how often it was met, for how often it would be by chance.

    Both are counted from the same number up, so that a level hardly to be expected tells little by not
    having been met.
    """
    pairs = np.maximum(apart.sum(axis=-1, keepdims=True), 1)  # in a blocking, nobody may meet anybody
    chance = apart / pairs * agreed.sum(axis=-1, keepdims=True)
    ratios: Floats = (agreed + _PRIOR) / (chance + _PRIOR)
    return ratios


def agreeing(comparison: Comparison, targets: TargetUnits) -> tuple[Nearest, Floats]:
    """Find for every target all people who agree best with it.

    Returns:
        The tied best of each target, ascending, with the logarithm of the likelihood above that of agreeing
        in nothing, and the chance of the best, all being alike before. An empty slice means that nobody
        agrees in anything: all tie.
    """
    counts, who, scores, surety = comparison.best(targets)
    owner = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((who, owner))
    indptr = np.concatenate([[0], np.cumsum(counts)])
    return Nearest(indptr, who[order].astype(np.int64), scores), surety
