"""Claims: each known person is looked up in the release, and rival claims on a released one are settled.

An attacker who knows a few records of a person does not ask of every stranger whom he resembles; he asks
where his person is. Among equally good places the smaller history is the likelier: k records drawn from it
are k of few. Each known person thus claims one or several released ones, and a released person goes to the
claim that is strongest: well matched and with few places to choose from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.data.belief import Belief
from kakurenbo.data.guess import Guess
from kakurenbo.kernels.nearest import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.chance import Chance
    from kakurenbo.kernels.nearest import Matrix, Nearest

    Ints = NDArray[np.int64]

_CLOSE = 1e-9


class People(Protocol):
    """Who is known and who was released."""

    @property
    def originals(self) -> pl.Series:
        """The known people."""

    @property
    def released(self) -> pl.Series:
        """The released people."""


@dataclass(frozen=True, eq=False)
class Places:
    """The released people whom each target may be.

    Attributes:
        best: of every target.
        strength: how well each target is matched.
    """

    best: Nearest
    strength: NDArray[np.float64]

    def over(self, keys: View) -> Belief:
        """Return that a target has what stands under one of these names."""
        return Belief(keys.theirs, self.best.indptr, self.best.indices, self.strength)


def claims(places: Nearest, strength: NDArray[np.float64], seen: People, chance: Chance) -> Guess:
    """Settle who is whom; a released person whom nobody claims stays unnamed.

    Args:
        places: the released people each known one may be.
        strength: how well each known person is matched.
        seen: the people on both sides.
        chance: draws among equally strong claims.
    """
    indptr, indices = _settled(places, strength, len(seen.released))
    guess = Guess.drawn(seen.released, seen.originals, indptr, indices, chance)
    silent = np.diff(indptr) == 0
    return guess.without(seen.released.filter(pl.Series(silent))) if silent.any() else guess


def places_of(
    known: Matrix,
    released: Matrix,
    weights: NDArray[np.float64] | None = None,
    *,
    shortest: bool = True,
) -> tuple[Nearest, NDArray[np.float64]]:
    """Return where most of each person's keys are found, and which share of them.

    Args:
        known: known people x keys.
        released: released people x keys.
        weights: what each key counts, to three digits: a rare one for more than a frequent one.
        shortest: of places that are equally good only those with the shortest history.
    """
    worth = np.ones(known.shape[1]) if weights is None else weights
    counts = np.rint(worth * (1 if weights is None else 1000)).astype(np.int64)
    mine, theirs = _counted(known, counts), _counted(released, counts)
    places = nearest(mine, theirs, "votes")
    if shortest:
        places = smallest(places, np.diff(released.indptr))
    return places, places.score / np.maximum(np.asarray(mine.sum(axis=1)), 1)


def _counted(matrix: Matrix, counts: Ints) -> Matrix:
    """Return who has which key, each counted as told."""
    return sparse.csr_array((counts[matrix.indices], matrix.indices, matrix.indptr), shape=matrix.shape)


def smallest(places: Nearest, lengths: Ints) -> Nearest:
    """Keep of each person's places those with the shortest history, given how long each is."""
    size = lengths[places.indices]
    owner = np.repeat(np.arange(len(places.score)), np.diff(places.indptr))
    least = np.full(len(places.score), np.iinfo(np.int64).max)
    np.minimum.at(least, owner, size)
    keep = size == least[owner]
    counts = np.bincount(owner[keep], minlength=len(places.score))
    return type(places)(np.concatenate([[0], np.cumsum(counts)]), places.indices[keep], places.score)


def _settled(claimed: Nearest, strength: NDArray[np.float64], released: int) -> tuple[Ints, Ints]:
    """Return for every released person the known people with the strongest claim on him."""
    places = np.diff(claimed.indptr)
    owner = np.repeat(np.arange(len(places)), places)
    weight = (strength / np.maximum(places, 1))[owner]
    best = np.zeros(released)
    np.maximum.at(best, claimed.indices, weight)
    keep = weight >= best[claimed.indices] * (1 - _CLOSE)
    whose, who = claimed.indices[keep], owner[keep]
    order = np.lexsort((who, whose))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(whose, minlength=released))])
    return indptr, who[order]
