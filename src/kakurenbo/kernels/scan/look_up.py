"""The best places of every target in a block, with how many they are and a few of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.threads import in_parts

if TYPE_CHECKING:
    import numpy.typing as npt

    Bits = npt.NDArray[np.uint64]
    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    Out = tuple[Floats, Floats, Integers, Integers, Bits, Bits]

KEPT = 16  # ties of which it is remembered who they are
_NONE = np.iinfo(np.uint64).max
_MANY = 3  # where one person in so many holds a key, all are gone through in a row: that is quicker
_PARTS = ("score", "size", "ties", "own", "draws", "kept")
_FEW = 64  # targets that are looked up before threads have started


@dataclass(frozen=True, eq=False)
class Ties:
    """The best places of every target so far.

    Attributes:
        score: of the best; 0 where nothing is in common with anybody.
        size: what decides among equal scores: the smaller is the better.
        ties: how many people are equally good.
        own: how many of them are the target's own.
        draws: of those who are kept, lowest first; of the first targets alone, x few.
        kept: who they are, as the bits of their names.
        mass: how likely all people are together, the best being 1; None where scores are no likelihoods.
    """

    score: Floats
    size: Floats
    ties: Integers
    own: Integers
    draws: Bits
    kept: Bits
    mass: Floats | None = None

    @classmethod
    def none(cls, targets: int, remembering: int, few: int = KEPT) -> Ties:
        """Return what is known before anybody was looked at; a few who tie are kept, of the first targets."""
        first = min(targets, remembering)
        return cls(
            np.zeros(targets), np.full(targets, np.inf), np.zeros(targets, np.int64),
            np.zeros(targets, np.int64), np.full((first, few), _NONE, np.uint64),
            np.zeros((first, few), np.uint64),
        )  # fmt: skip

    def beside(self, other: Ties, close: float) -> Ties:
        """Return the better of both places; where they tie, both together.

        Args:
            other: the places of the same targets among other people.
            close: scores that lie so close, relatively, are a tie.
        """
        mine, theirs = _better(self, other, close), _better(other, self, close)
        first = len(self.draws)
        draws = np.concatenate([
            np.where(theirs[:first, None], _NONE, self.draws),
            np.where(mine[:first, None], _NONE, other.draws),
        ], axis=1)  # fmt: skip
        order = np.argsort(draws, axis=1, kind="stable")[:, : self.draws.shape[1]]
        kept = np.where(draws == _NONE, np.uint64(0), np.concatenate([self.kept, other.kept], axis=1))
        return Ties(
            np.where(theirs, other.score, np.where(mine, self.score, np.maximum(self.score, other.score))),
            np.where(theirs, other.size, self.size),
            np.where(theirs, 0, self.ties) + np.where(mine, 0, other.ties),
            np.where(theirs, 0, self.own) + np.where(mine, 0, other.own),
            np.take_along_axis(draws, order, axis=1),
            np.take_along_axis(kept, order, axis=1),
            _mass(self, other),
        )  # fmt: skip

    def of(self, rows: Integers) -> Ties:
        """Return the places of these targets, ascending: of the first of them it is remembered who ties."""
        first = rows[rows < len(self.draws)]
        return Ties(
            self.score[rows], self.size[rows], self.ties[rows], self.own[rows], self.draws[first],
            self.kept[first], None if self.mass is None else self.mass[rows],
        )  # fmt: skip

    @property
    def strength(self) -> Floats:
        """How well targets are matched: the chance of the best where that is known, else its score."""
        return self.score if self.mass is None else 1 / self.mass

    @property
    def remembered(self) -> npt.NDArray[np.bool_]:
        """Which places of `kept` are taken; targets x few."""
        taken: npt.NDArray[np.bool_] = self.draws != _NONE
        return taken


def _mass(one: Ties, other: Ties) -> Floats | None:
    """Return how likely the people of both are together, for the best of all; scores are logarithms."""
    if one.mass is None or other.mass is None:
        return None
    best = np.maximum(one.score, other.score)
    mass: Floats = one.mass * np.exp(one.score - best) + other.mass * np.exp(other.score - best)
    return mass


def _better(one: Ties, other: Ties, close: float) -> npt.NDArray[np.bool_]:
    """Whether one is strictly better: by score, of equal scores by size."""
    clear = one.score * (1 - close) > other.score
    even = ~clear & ~(other.score * (1 - close) > one.score)
    return clear | (even & (one.size < other.size))


@dataclass(frozen=True, eq=False)
class Postings:
    """Who of a block holds each key, and what that counts.

    Attributes:
        starts: key k is held by who[starts[k]:starts[k+1]].
        who: people, ascending within a key.
        held: what it counts that each of them holds it.
        people: how many there are in the block.
    """

    starts: Integers
    who: npt.NDArray[np.int32]
    held: Floats
    people: int

    @cached_property
    def common(self) -> tuple[npt.NDArray[np.int32], Floats]:
        """What everybody holds of the keys that many have, as rows, and the row of every key or -1."""
        from kakurenbo.kernels.scan import loops  # noqa: PLC0415 - loads the compiler

        return loops.in_rows(self.lists, self.people, max(self.people // _MANY, 1))

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """The least and the most that anybody holds of each key who holds it."""
        from kakurenbo.kernels.scan import reaching  # noqa: PLC0415 - loads the compiler

        return reaching.held_between(self.lists)

    @cached_property
    def rows(self) -> tuple[npt.NDArray[np.int32], Bits]:
        """The row of every key or -1, and who holds the keys that many have, as rows of bits."""
        from kakurenbo.kernels.scan import reaching  # noqa: PLC0415 - loads the compiler

        return reaching.in_bits(self.lists, self.people)

    @property
    def lists(self) -> tuple[Integers, npt.NDArray[np.int32], Floats]:
        """The three arrays."""
        return self.starts, self.who, self.held

    @property
    def lengths(self) -> Integers:
        """How many hold each key."""
        return np.diff(self.starts)

    def logarithms(self, least: float) -> Postings:
        """Return by how much the logarithm of what is held lies above that of nothing."""
        return replace(self, held=np.log(self.held + least) - np.log(least))


@dataclass(frozen=True, eq=False)
class Beside:
    """Who the people of a block are to the targets.

    Attributes:
        own: (bounds, people): which of the block are the target's own.
        bits: of targets and of people, from which it is drawn who is kept.
        remembering: of how many targets it is remembered who ties.
        close: scores that lie so close, relatively, are a tie.
        few: how many of those who tie are kept.
    """

    own: tuple[Integers, Integers]
    bits: tuple[Bits, Bits]
    remembering: int
    close: float
    few: int = KEPT


def look_up(
    known: tuple[Integers, npt.NDArray[np.int32]],
    postings: Postings,
    *,
    least: float,
    sizes: Floats,
    beside: Beside,
    reached: Floats | None = None,
) -> tuple[Ties, ...]:
    """Look every target up in a block; return his places by each of several rules for equal scores.

    Args:
        known: (bounds, keys): target t knows the records bounds[t]:bounds[t+1], a key of each a grain.
        postings: who holds each key, and what that counts.
        least: what a record counts for that a person has not; 0 adds up what is held as it is.
        sizes: rules x people of the block: the smaller is the better among equal scores.
        beside: who the people of the block are to the targets.
        reached: what somebody of another block, or of this one, scores for each target: nobody who scores
            less need be among his places.
    """
    from kakurenbo.kernels.scan import loops  # noqa: PLC0415 - loads the compiler

    targets = len(known[0]) - 1
    bars = np.zeros(targets) if reached is None else reached
    out = nothing(len(sizes), targets, beside.remembering, beside.few)
    rest = (
        known, postings.lists, postings.common, least, beside.close, sizes, beside.own, beside.bits,
        bars, postings.ends, postings.rows,
    )  # fmt: skip
    in_parts(lambda first, last: loops.search(*rest, first, last, out), targets, few=_FEW)
    return ties_of(out)


def own_scores(
    known: tuple[Integers, npt.NDArray[np.int32]],
    postings: Postings,
    *,
    least: float,
    own: tuple[Integers, Integers],
) -> Floats:
    """Return what the best of every target's own in a block scores for him; arguments as of `look_up`."""
    from kakurenbo.kernels.scan import reaching  # noqa: PLC0415 - loads the compiler

    return reaching.own_scores(known, postings.lists, least, own)


def nothing(rules: int, targets: int, remembering: int, few: int) -> Out:
    """Return the places of all targets before anybody was looked at, rules x targets."""
    made = [Ties.none(targets, remembering, few) for _ in range(rules)]
    score, size, ties, own, draws, kept = (np.stack([getattr(one, name) for one in made]) for name in _PARTS)
    return score, size, ties, own, draws, kept


def ties_of(out: Out) -> tuple[Ties, ...]:
    """Return the places by each rule."""
    return tuple(Ties(*(array[rule] for array in out)) for rule in range(len(out[0])))


def tied(
    indptr: Integers,
    indices: Integers,
    score: Floats,
    size: Floats,
    own: tuple[Integers, Integers],
    bits: tuple[Bits, Bits],
    remembering: int,
    mass: Floats | None = None,
    few: int = KEPT,
) -> Ties:
    """Return the places of every target where it is known of all who ties.

    Args:
        indptr: target t ties with indices[indptr[t]:indptr[t+1]].
        indices: people of the block, ascending for each target.
        score: of every target.
        size: of everybody in the block, the same for all who tie.
        own: (bounds, people): which of the block are the target's own.
        bits: of targets and of people, from which it is drawn who is kept.
        remembering: of how many targets it is remembered who ties.
        mass: how likely all people of the block are together for each target, the best being 1.
        few: how many of those who tie are kept.
    """
    from kakurenbo.kernels.scan import best  # noqa: PLC0415 - loads the compiler

    count = np.diff(indptr)
    made = Ties.none(len(count), remembering, few)
    best.keep_all(indptr, indices, *bits, made.draws, made.kept)
    some = count > 0
    made.size[some] = size[indices[indptr[:-1][some]]]
    people = len(size)
    pairs = np.repeat(np.arange(len(count)), count) * people + indices
    asked = np.repeat(np.arange(len(count)), np.diff(own[0])) * people + own[1]
    at = np.searchsorted(pairs, asked)  # pairs ascend
    there = np.zeros(len(asked), np.bool_)
    there[at < len(pairs)] = pairs[at[at < len(pairs)]] == asked[at < len(pairs)]
    mine = np.bincount(asked[there] // people, minlength=len(count)).astype(np.int64)
    return Ties(
        np.where(some, score, 0.0), made.size, count.astype(np.int64), mine, made.draws, made.kept, mass
    )  # fmt: skip
