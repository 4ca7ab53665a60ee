"""Attacks by likeness of baskets: who is released with a basket like the one I know?

One idea in five shades. The attacker compares every released basket with every basket he knows and names the
most similar; or, knowing that everybody is somebody, he looks for the one-to-one assignment of all people at
once that is most similar in sum; or he starts from each person he knows and asks which released one it is.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.claims import claims, places_of
from kakurenbo.attacks.purchases.view import Sight, shows, view
from kakurenbo.data.baskets import equal_rows
from kakurenbo.data.crowds import CrowdGuess, Links
from kakurenbo.data.guess import Guess
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic
from kakurenbo.kernels.assignment import DENSE, assign, assign_by
from kakurenbo.kernels.nearest import best_in, nearest, similarity_block

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.view import See, Shown, View
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix, Nearest, Similarity

_MANY = 1000  # people; of fewer every tie can be written down

Reading = Literal["nearest", "assignment", "target"]


class LikenessAttack(PurchasesAttack):
    """Shared by the attacks that compare people over common keys by one similarity."""

    similarity: ClassVar[Similarity] = "jaccard"
    sight: ClassVar[Sight] = Sight()
    point: ClassVar[tuple[Role, ...]] = ("customer", "goods")

    reading: Reading = Field(
        "nearest",
        description="name the most similar known person for each released one, or the best one-to-one "
        "assignment of all, or look each known person up in the release and settle rival claims",
    )

    def link(self, known: Purchases, released: Purchases, rng: np.random.Generator) -> Guess:
        """Name the most similar known person for every released one."""
        shown = self.shown(released)
        return self.compare(self.look(partial(view, known, shown), shows(known) & shows(shown)), rng)

    def shown(self, released: Purchases) -> Purchases:
        """Return what this attacker takes seriously of the release: all of it."""
        return released

    def look(self, see: See, shown: Collection[Shown]) -> View:  # noqa: ARG002 - some look at what there is
        """Return the view of both tables; `see` makes one for a sight, `shown` is what both tables show."""
        return see(self.sight)

    def compare(
        self, seen: View, rng: np.random.Generator, scores: NDArray[np.float64] | None = None
    ) -> Guess:
        """Return the guess; `scores` (released x known) are used where they are already there."""
        if self.reading == "target":
            return claims(*self.places(seen), seen, rng)
        if self.reading == "nearest":
            if scores is None and _many_equals(seen):
                return self._among_crowds(seen, rng)
            found = self._nearest(seen, scores)
            return Guess.drawn(seen.released, seen.originals, found.indptr, found.indices, rng)
        if scores is None:
            a, b = self.prepare(seen.theirs, seen), self.prepare(seen.mine, seen)
            paired = assign(a, b, self.scored_by(), rng, weights=self.weights(seen))
        else:
            paired = assign_by(scores, rng)
        crowds = equal_rows(seen.theirs), equal_rows(seen.mine)
        return CrowdGuess.paired(seen.released, seen.originals, crowds, paired)

    def _nearest(self, seen: View, scores: NDArray[np.float64] | None) -> Nearest:
        """Return all known people most similar to each released one."""
        if scores is not None:
            sizes = np.diff(seen.mine.indptr) if self.scored_by() == "containment" else None
            return best_in(scores, sizes)
        a, b = self.prepare(seen.theirs, seen), self.prepare(seen.mine, seen)
        return nearest(a, b, self.scored_by(), weights=self.weights(seen))

    def _among_crowds(self, seen: View, rng: np.random.Generator) -> Guess:
        """Compare crowds of equals instead of people: their ties would grow with the square of a crowd."""
        theirs, mine = equal_rows(seen.theirs), equal_rows(seen.mine)
        first, my_first = (np.unique(crowd, return_index=True)[1] for crowd in (theirs, mine))
        a, b = self.prepare(seen.theirs[first], seen), self.prepare(seen.mine[my_first], seen)
        found = nearest(a, b, self.scored_by(), weights=self.weights(seen))
        indptr, indices = _or_anybody(found, len(my_first))
        links = Links.evenly(indptr, indices, np.bincount(mine))
        return CrowdGuess.among(seen.released, seen.originals, (theirs, mine), links, rng)

    def scores(self, seen: View) -> NDArray[np.float64] | None:
        """Return all similarities, released x known, for readings to share; None where that is too much."""
        if max(len(seen.originals), len(seen.released)) > DENSE:
            return None
        a, b = self.prepare(seen.theirs, seen), self.prepare(seen.mine, seen)
        return similarity_block(a, b, self.scored_by(), weights=self.weights(seen))

    def places(self, seen: View) -> tuple[Nearest, NDArray[np.float64]]:
        """Return the released people that each known one may be, and how well he fits there."""
        a, b = self.prepare(seen.theirs, seen), self.prepare(seen.mine, seen)
        if self.scored_by() == "containment":
            return places_of(b, a)
        found = nearest(b, a, self.scored_by(), weights=self.weights(seen))
        return found, found.score

    def scored_by(self) -> Similarity:
        """Return how two rows are compared."""
        return self.similarity

    def weights(self, seen: View) -> NDArray[np.float64] | None:  # noqa: ARG002 - plain ones ignore it
        """Return what a common good counts, or None for one each."""
        return None

    def prepare(self, matrix: Matrix, seen: View) -> Matrix:  # noqa: ARG002 - plain ones ignore it
        """Return the matrix to compare; the view tells how rare its columns are."""
        return matrix


def _many_equals(seen: View) -> bool:
    """Whether most known people share what is known of them with others, and they are many."""
    people = len(seen.originals)
    return people > _MANY and len(np.unique(equal_rows(seen.mine))) < people / 2


def _or_anybody(found: Nearest, crowds: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the links found; who has nothing in common with anybody is linked with all crowds."""
    counts = np.diff(found.indptr)
    everybody = np.arange(crowds, dtype=np.int64)
    rows = np.split(found.indices, found.indptr[1:-1])
    linked = [row if count else everybody for row, count in zip(rows, counts, strict=True)]
    lengths = [len(row) for row in linked]
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), np.concatenate(linked)


def by_rarity(matrix: Matrix, seen: View) -> Matrix:
    """Return who has which key, each counted by its rarity among the known (TF-IDF on sets)."""
    weighed = matrix.astype(np.float64)
    weighed.data = seen.rarity[weighed.indices]
    return weighed


class JaccardAttack(LikenessAttack):
    """Algorithm 1: knows what everybody bought, and names the one with the most similar goods set.

    For every released customer j, Q_j = argmax_i J(I(u'_j), I(u_i)). The attacker of 000, 002 and 003. He
    wins against every release that keeps baskets apart, and is held at c/n by releases that make c groups of
    equal baskets.
    """


class WeightedAttack(LikenessAttack):
    """Knows what everybody bought, and counts a rare common good for more than a frequent one.

    Jaccard weighted by the inverse document frequency ln(n/|D_g|) + 1 of each good: two who share a good that
    nobody else buys are likely one.
    """

    def weights(self, seen: View) -> NDArray[np.float64]:
        """Weigh goods by their rarity among the known."""
        return seen.rarity


class CosineAttack(LikenessAttack):
    """Knows what everybody bought, and compares profiles by the angle between their TF-IDF vectors.

    Less sensitive than Jaccard to how many goods were added, more to which.
    """

    similarity: ClassVar[Similarity] = "cosine"

    def prepare(self, matrix: Matrix, seen: View) -> Matrix:
        """Weigh every good by its rarity; the length of a row does not matter to the angle."""
        return by_rarity(matrix, seen)


class ContainmentAttack(LikenessAttack):
    """Knows a part of what everybody bought, and asks whose known goods all lie in the released basket.

    The share of the known set found in the released one; among equals the larger known set is the better
    evidence. The right attack on releases that only add, and for an attacker who knows little.
    """

    similarity: ClassVar[Similarity] = "containment"


class MultisetAttack(LikenessAttack):
    """Knows how many pieces of each good everybody bought, and compares the quantities too.

    Jaccard of multisets, sum of the smaller over sum of the larger quantity. Dummies of one piece each hardly
    disturb it.
    """

    similarity: ClassVar[Similarity] = "multiset"
    sight: ClassVar[Sight] = Sight(("goods",), "pieces")
    needs: ClassVar[tuple[Role, ...]] = ("quantity",)
    point: ClassVar[tuple[Role, ...]] = ()
