"""Attacks by likeness of baskets: who is released with a basket like the one I know?

One idea in five shades. The attacker compares every released basket with every basket he knows and names the
most similar; or, knowing that everybody is somebody, he looks for the one-to-one assignment of all people at
once that is most similar in sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.attacks.attack import PurchasesAttack
from kakurenbo.data.guess import Guess
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic
from kakurenbo.kernels.assignment import assign
from kakurenbo.kernels.nearest import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.baskets import Baskets
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels._nearest_rows import Matrix, Similarity


class LikenessAttack(PurchasesAttack):
    """Shared by the attacks of this file: baskets over common goods, compared by one similarity."""

    similarity: ClassVar[Similarity] = "jaccard"
    quantity: ClassVar[bool] = False
    point: ClassVar[tuple[Role, ...]] = ("customer", "goods")

    reading: Literal["nearest", "assignment"] = Field(
        "nearest", description="name the most similar for each, or the best one-to-one assignment of all"
    )

    def link(self, known: Purchases, released: Purchases, rng: np.random.Generator) -> Guess:
        """Name the most similar known person for every released one."""
        goods = pl.concat([known.goods, released.goods]).unique().sort()
        mine = known.baskets(quantity=self.quantity).over(goods)
        theirs = released.baskets(quantity=self.quantity).over(goods)
        return self.compare(theirs, mine, rng)

    def compare(self, released: Baskets, known: Baskets, rng: np.random.Generator) -> Guess:
        """Return the guess between two baskets over the same columns."""
        a, b, weights = self.prepare(released, known), self.prepare(known, known), self.weights(known)
        if self.reading == "nearest":
            found = nearest(a, b, self.scored_by(), weights=weights)
            return Guess.drawn(released.customers, known.customers, found.indptr, found.indices, rng)
        paired = assign(a, b, self.scored_by(), rng, weights=weights)
        some = paired >= 0
        indptr = np.concatenate([[0], np.cumsum(some)])
        guess = Guess.drawn(released.customers, known.customers, indptr, paired[some], rng)
        return guess if some.all() else guess.without(released.customers.filter(pl.Series(~some)))

    def scored_by(self) -> Similarity:
        """Return how two rows are compared."""
        return self.similarity

    def weights(self, known: Baskets) -> NDArray[np.float64] | None:  # noqa: ARG002 - plain ones ignore it
        """Return what a common good counts, or None for one each."""
        return None

    def prepare(self, baskets: Baskets, known: Baskets) -> Matrix:  # noqa: ARG002 - plain ones ignore it
        """Return the matrix to compare; `known` tells how rare the goods are."""
        return baskets.matrix


def rarity(known: Baskets) -> NDArray[np.float64]:
    """Return ln(n / |D_g|) + 1 for every good, |D_g| its buyers among the known (1 for a good not known)."""
    weights: NDArray[np.float64] = np.log(len(known.customers) / np.maximum(known.buyers, 1)) + 1
    return weights


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

    def weights(self, known: Baskets) -> NDArray[np.float64]:
        """Weigh goods by their rarity among the known."""
        return rarity(known)


class CosineAttack(LikenessAttack):
    """Knows what everybody bought, and compares profiles by the angle between their TF-IDF vectors.

    Less sensitive than Jaccard to how many goods were added, more to which.
    """

    similarity: ClassVar[Similarity] = "cosine"

    def prepare(self, baskets: Baskets, known: Baskets) -> Matrix:
        """Weigh every good by its rarity; the length of a row does not matter to the angle."""
        matrix = baskets.matrix.astype(np.float64)
        matrix.data = rarity(known)[matrix.indices]
        return matrix


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
    quantity: ClassVar[bool] = True
    needs: ClassVar[tuple[Role, ...]] = ("quantity",)
    point: ClassVar[tuple[Role, ...]] = ()
