"""Who agrees best: the search over flat arrays, and how levels are learnt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kakurenbo.kernels.nearest import Nearest
from kakurenbo.threads import in_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    _Side = tuple[Ints, Floats]
    _Held = tuple[Ints, npt.NDArray[np.int32], Floats, Floats]
    _Told = tuple[Floats, Floats, Floats]

_ROUNDS = 3
_SURE = 0.5  # the chance from which somebody teaches how far units of one person agree
_ENOUGH = 10  # people, below whom nothing is learnt
_PUPILS = 150  # people who teach,
_UNITS = 25  # by so many units each; by fewer, where they are compared with very many,
_FEW = 8
_PAIRS = 1_500_000  # that is with more than this in all
_GUESS = 4.0  # by how much less a level counts than the one before, as long as nothing was learnt
_PRIOR = 0.5  # units from which levels are counted up
_LOST = 0.02  # the least share of units that may have changed out of all recognition
_AT_ONCE = 32  # targets that are sought before threads have started
_ROWS = 256  # targets whose likelihoods are held at once


class Sought(NamedTuple):
    """The units of those who are sought.

    Attributes:
        bounds: target t has the units bounds[t]:bounds[t+1].
        blocks: of every unit, one a blocking, as numbered in `Held`; -1 where nobody is in it.
        values: units x features.
    """

    bounds: Ints
    blocks: Ints
    values: Floats

    def of(self, targets: Ints, most: int | None = None) -> Sought:
        """Return the units of these targets alone, at most so many of each, evenly spread over all he has."""
        held = np.diff(self.bounds)[targets]
        counts = held if most is None else np.minimum(held, most)
        bounds = np.concatenate([[0], np.cumsum(counts)])
        turn = np.arange(bounds[-1]) - np.repeat(bounds[:-1], counts)
        spread = turn * np.repeat(held, counts) // np.maximum(np.repeat(counts, counts), 1)
        units = np.repeat(self.bounds[targets], counts) + spread
        return Sought(bounds, self.blocks[units], self.values[units])


class Held(NamedTuple):
    """The units among which they are sought, by block.

    Attributes:
        starts: block b has the places starts[b]:starts[b+1].
        who: whose unit stands at a place.
        lengths: how many units each person has.
        values: places x features.
    """

    starts: Ints
    who: npt.NDArray[np.int32]
    lengths: Floats
    values: Floats


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


def learn(sought: Sought, held: Held, steps: Sequence[Sequence[float]], order: Ints) -> Levels:
    """Learn from both sides alone how far units of one person agree (expectation maximisation).

    Who is found with a chance of more than one half teaches by that chance; then people are sought anew.

    Args:
        sought: the units of those who are sought.
        held: the units among which they are.
        steps: up to which difference two values agree, level by level, for each feature.
        order: of the targets; the first of them teach.
    """
    from kakurenbo.kernels.agreement import loops  # noqa: PLC0415 - loads the compiler

    levels = Levels.guessed(steps, sought.blocks.shape[1])
    pupils = sought.of(order[:_PUPILS], _UNITS)
    pairs = int(np.append(np.diff(held.starts), 0)[pupils.blocks].sum())
    if pairs > _PAIRS:
        pupils = pupils.of(np.arange(len(pupils.bounds) - 1), max(_UNITS * _PAIRS // pairs, _FEW))
    for _ in range(_ROUNDS):
        counts, who, _, surety = _searched(pupils.bounds, _laid(pupils, held, levels))
        sure = (counts == 1) & (surety > _SURE)
        if sure.sum() < _ENOUGH:
            break
        best = np.full(len(counts), -1, dtype=np.int64)
        best[sure] = who[np.cumsum(counts)[sure] - 1]
        agreed, apart, shares = loops.tally(
            pupils.bounds, best, np.where(sure, surety, 0.0), *_laid(pupils, held, levels)
        )
        odds = shares[:-1] / max(shares[-1], _LOST * shares.sum())
        levels = Levels(levels.steps, _ratios(agreed, apart), odds)
    return levels


def _laid(sought: Sought, held: Held, levels: Levels) -> tuple[_Side, _Held, _Told]:
    """Return all of it as the compiled loops take it, who check nothing."""
    ways, features = sought.blocks.shape[1], sought.values.shape[1]
    if levels.weights.shape[:2] != (ways, features) or held.values.shape[1] != features:
        raise ValueError("levels are of other blockings or features than the units")
    return (
        (sought.blocks, sought.values),
        (held.starts, held.who, held.lengths, held.values),
        (levels.steps, levels.weights, levels.odds),
    )


def _ratios(agreed: Floats, apart: Floats) -> Floats:
    """Return m / u for every level: how often it was met, for how often it would be by chance.

    Both are counted from the same number up, so that a level hardly to be expected tells little by not
    having been met.
    """
    pairs = np.maximum(apart.sum(axis=-1, keepdims=True), 1)  # in a blocking, nobody may meet anybody
    chance = apart / pairs * agreed.sum(axis=-1, keepdims=True)
    ratios: Floats = (agreed + _PRIOR) / (chance + _PRIOR)
    return ratios


def agreeing(sought: Sought, held: Held, levels: Levels) -> tuple[Nearest, Floats]:
    """Find for every target all people who agree best with him.

    Returns:
        The tied best of each target, ascending, with the logarithm of the likelihood above that of agreeing
        in nothing, and the chance of the best, all being alike before. An empty slice means that nobody
        agrees in anything: all tie.
    """
    counts, who, scores, surety = _searched(sought.bounds, _laid(sought, held, levels))
    owner = np.repeat(np.arange(len(counts)), counts)
    order = np.lexsort((who, owner))
    indptr = np.concatenate([[0], np.cumsum(counts)])
    return Nearest(indptr, who[order].astype(np.int64), scores), surety


def likelihoods(sought: Sought, held: Held, levels: Levels) -> Iterator[tuple[int, Floats]]:
    """Yield (first target, their likelihoods' logarithms: targets x people), some targets at a time."""
    laid, people = _laid(sought, held, levels), len(held.lengths)
    for first in range(0, len(sought.bounds) - 1, _ROWS):
        bounds = sought.bounds[first : first + _ROWS + 1]
        out = np.zeros((len(bounds) - 1, people))
        in_parts(partial(_agreed, bounds, laid, out), len(out), few=_AT_ONCE)
        yield first, out


def _agreed(bounds: Ints, laid: tuple[_Side, _Held, _Told], out: Floats, first: int, last: int) -> None:
    """Write the likelihoods of a stretch of targets."""
    from kakurenbo.kernels.agreement import loops  # noqa: PLC0415 - loads the compiler

    loops.everybody(bounds[first : last + 1], *laid, out[first:last])


def _searched(bounds: Ints, laid: tuple[_Side, _Held, _Told]) -> tuple[Ints, Ints, Floats, Floats]:
    """Return (how many tie, who, their score, its chance) of every target; they are shared out to threads."""
    from kakurenbo.kernels.agreement import loops  # noqa: PLC0415 - loads the compiler

    parts = in_parts(
        lambda first, last: loops.search(bounds[first : last + 1], *laid), len(bounds) - 1, few=_AT_ONCE
    )
    counts, who, scores, surety = (np.concatenate(column) for column in zip(*parts, strict=True))
    return counts, who, scores, surety
