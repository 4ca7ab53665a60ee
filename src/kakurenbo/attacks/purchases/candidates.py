"""Candidates: the few known people that a released one may be, with the goods they have in common.

To weigh every released person against every known one takes memory that grows with the square of the people.
So each is weighed against the few whose known goods lie in his best, larger sets first; and all that an
attacker needs to weigh them is written down in flat arrays, pair after pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from kakurenbo.data.baskets import equal_rows
from kakurenbo.kernels.assignment import assign_among
from kakurenbo.kernels.nearest import top

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.kernels.nearest import Matrix

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

MOST = 50
_ALIKE = 0.6  # Jaccard similarity from which two released people count as padded to one set
_CLOSE = 1e-9
_SETTLED = 20  # rounds in which names and people share each other out


@dataclass(frozen=True, eq=False)
class Possible:
    """Who may be whom: name `theirs[i]` may be person `mine[i]`.

    Attributes:
        theirs: the released person of each candidate, ascending.
        mine: the known person.
        people: how many released and known people there are.
    """

    theirs: Ints
    mine: Ints
    people: tuple[int, int]

    def best(self, scores: Floats) -> Floats:
        """Return the best score of every released person, -inf where he has no candidate."""
        best = np.full(self.people[0], -np.inf)
        np.maximum.at(best, self.theirs, scores)
        return best

    def settled(self, scores: Floats) -> Floats:
        """Return how likely every candidate is, everybody being somebody and nobody twice.

        Args:
            scores: log-likelihoods.
        """
        chance = np.exp(scores - self.best(scores)[self.theirs])
        for _ in range(_SETTLED):
            chance = self._shared(chance)
            claimed = np.bincount(self.mine, weights=chance, minlength=self.people[1])
            chance = chance / np.maximum(claimed, 1)[self.mine]
        return self._shared(chance)

    def named(self, chance: Floats) -> tuple[Ints, Ints]:
        """Return the likeliest of every released person, all ties kept, as rows of one flat array."""
        likeliest = chance >= self.best(chance)[self.theirs] * (1 - _CLOSE)
        counts = np.bincount(self.theirs[likeliest], minlength=self.people[0])
        return np.concatenate([[0], np.cumsum(counts)]), self.mine[likeliest]

    def paired(self, scores: Floats, rng: np.random.Generator) -> Ints:
        """Return draws x released: the one-to-one assignment of the greatest sum of scores, -1 for nobody.

        Args:
            scores: any numbers.
            rng: draws among equally good assignments.
        """
        low = scores.min(initial=0.0)
        score = 0.5 + 0.5 * (scores - low) / max(scores.max(initial=0.0) - low, _CLOSE)
        return assign_among(self.theirs, self.mine, score, self.people, rng)

    def _shared(self, chance: Floats) -> Floats:
        whole = np.bincount(self.theirs, weights=chance, minlength=self.people[0])
        return chance / np.maximum(whole, np.finfo(float).tiny)[self.theirs]


@dataclass(frozen=True, eq=False)
class Candidates(Possible):
    """Who may be whom by the goods they have in common.

    Attributes:
        common: the released (person, good) pairs whose good the known person has, candidate by candidate.
        starts: where those of each candidate begin; every candidate has at least one.
        missing: how many goods of the known person the released one lacks.
        beyond: how many goods of the released person the known one lacks.
    """

    common: Ints
    starts: Ints
    missing: Ints
    beyond: Ints

    @classmethod
    def of(cls, theirs: Matrix, mine: Matrix, rng: np.random.Generator) -> Candidates:
        """Return the known people whose goods lie in each released one's best.

        Args:
            theirs: released people x goods, as sets.
            mine: known people x the same goods.
            rng: decides among equals who are too many.
        """
        groups = equal_rows(theirs)
        first = np.unique(groups, return_index=True)[1]
        order = rng.permutation(mine.shape[0])
        best = top(theirs[first], mine[order], MOST, "containment")
        some = best.indices >= 0
        group, whom = np.nonzero(some)[0], order[best.indices[some]]
        place, length = _places(theirs[first], mine, group, whom)
        return cls._for_all(groups, theirs, mine, (group, whom), (place, length))

    @classmethod
    def _for_all(
        cls, groups: Ints, theirs: Matrix, mine: Matrix, found: tuple[Ints, Ints], common: tuple[Ints, Ints]
    ) -> Candidates:
        """Give everybody of a group of equals the candidates found for it."""
        (group, whom), (place, length) = found, common
        held = np.bincount(group, minlength=int(groups.max(initial=-1)) + 1)
        begins = np.cumsum(held) - held
        who = np.repeat(np.arange(len(groups)), held[groups])
        link = _runs(begins[groups], held[groups])  # the candidate of the group that each one repeats
        starts = np.cumsum(length) - length
        counts = length[link]
        rows = place[_runs(starts[link], counts)] + np.repeat(theirs.indptr[who].astype(np.int64), counts)
        sizes, known = np.diff(theirs.indptr)[who], np.diff(mine.indptr)[whom[link]]
        return cls(
            who, whom[link], (theirs.shape[0], mine.shape[0]),
            rows, np.cumsum(counts) - counts, known - counts, sizes - counts,
        )  # fmt: skip

    def summed(self, pairs: Floats) -> Floats:
        """Return for every candidate the sum over the goods in common."""
        if not len(self.common):
            return np.empty(0)
        return np.add.reduceat(pairs[self.common], self.starts)

    def spread(self, chance: Floats, pairs: int) -> Floats:
        """Return how likely every released pair is to be real, given how likely every candidate is."""
        counts = np.diff(np.append(self.starts, len(self.common)))
        spread = np.bincount(self.common, weights=np.repeat(chance, counts), minlength=pairs)
        return spread.astype(np.float64)


def alike(theirs: Matrix) -> Ints:
    """Number released people such that those of nearly the same goods have the same number."""
    groups = equal_rows(theirs)
    first = np.unique(groups, return_index=True)[1]
    near = top(theirs[first], theirs[first], MOST, "jaccard")
    who, place = np.nonzero((near.indices >= 0) & (near.score >= _ALIKE))
    whom = near.indices[who, place]
    graph = sparse.coo_array((np.ones(len(who)), (who, whom)), shape=(len(first), len(first)))
    labels = sparse.csgraph.connected_components(graph, directed=False)[1]
    return labels.astype(np.int64)[groups]


def _places(theirs: Matrix, mine: Matrix, group: Ints, whom: Ints) -> tuple[Ints, Ints]:
    """Return where the goods of known people stand in the rows of released ones, and how many do."""
    goods = np.int64(theirs.shape[1])
    rows = np.repeat(np.arange(theirs.shape[0]), np.diff(theirs.indptr))
    there = rows * goods + theirs.indices
    counts = np.diff(mine.indptr)[whom]
    wanted = mine.indices[_runs(mine.indptr[whom].astype(np.int64), counts)]
    asked = np.repeat(group, counts) * goods + wanted
    found = np.searchsorted(there, asked)
    held = there[np.minimum(found, len(there) - 1)] == asked
    link = np.repeat(np.arange(len(whom)), counts)
    place = found[held] - theirs.indptr[np.repeat(group, counts)[held]]
    return place.astype(np.int64), np.bincount(link[held], minlength=len(whom))


def _runs(starts: Ints, counts: Ints) -> Ints:
    """Return start, start + 1, ... of every run, run after run."""
    shift = np.repeat(starts - (np.cumsum(counts) - counts), counts)
    runs: Ints = np.arange(len(shift)) + shift
    return runs
