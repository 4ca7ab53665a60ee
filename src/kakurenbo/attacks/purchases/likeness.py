"""Attacks by likeness of baskets: who is released with a basket like the one I know?

One idea in five shades. The attacker compares every released basket with every basket he knows and names the
most similar; or, knowing that everybody is somebody, he looks for the one-to-one assignment of all people at
once that is most similar in sum; or he starts from each person he knows and asks which released one it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field
from scipy import sparse

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Traces
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.claims import Places, claims, places_of
from kakurenbo.attacks.purchases.scans import Alike, LookUp
from kakurenbo.attacks.purchases.view import Sight, joined, through, view
from kakurenbo.data.baskets import equal_rows
from kakurenbo.data.guess import Guess, Links
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic
from kakurenbo.kernels.assignment import DENSE, assign, assign_by
from kakurenbo.kernels.nearest import best_in, nearest, row_by_row, similarity_block

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.base import Supposed
    from kakurenbo.attacks.purchases.scans import Scan
    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix, Nearest, Similarity

TIE = 1e-12  # rounded similarities that lie so close, relatively, are equal
_MANY = 1000  # people; of fewer every tie can be written down

Reading = Literal["nearest", "assignment", "target"]
BOTH: tuple[Reading, ...] = ("nearest", "assignment")
_SEES: dict[Similarity, Literal["presence", "counts", "proportions"]] = {
    "jaccard": "presence", "containment": "presence", "cosine": "proportions",
    "multiset": "counts", "votes": "counts",
}  # fmt: skip


class LikenessAttack(PurchasesAttack):
    """Shared by the attacks that compare people over common keys by one similarity."""

    similarity: ClassVar[Similarity] = "jaccard"
    rare: ClassVar[bool] = False  # whether he weighs keys by their rarity among the known
    point: ClassVar[tuple[Role, ...]] = ("customer", "goods")

    reading: Reading = Field(
        "nearest",
        description="name the most similar known person for each released one, or the best one-to-one "
        "assignment of all, or look each known person up in the release and settle rival claims",
    )

    @property
    def beside(self) -> bool:
        """Whether he pairs everybody at once."""
        return self.reading == "assignment"

    @property
    def drops(self) -> str:
        """What he drops from a release before he looks: nothing."""
        return ""

    def sights(self, shown: frozenset[str]) -> tuple[Sight, ...]:  # noqa: ARG002 - some look at what there is
        """Return what he looks at in tables that show this."""
        return (Sight(),)

    def look(self, tables: Tables[Purchases]) -> View:
        """Return the view of both tables."""
        views = [self._seen(tables, sight) for sight in self.sights(tables.shown)]
        return views[0] if len(views) == 1 else joined(views)

    def keys(self, tables: Tables[Purchases]) -> View:
        """Return the same view: what gives a person away is among its keys."""
        return self.look(tables)

    def _seen(self, tables: Tables[Purchases], sight: Sight) -> View:
        """See through one sight; the view of one who knows everything is shared with all who look at it."""
        whole, rows = self._seen_whole(tables, sight), self.known_rows(tables)
        return whole if rows is None else whole.knowing(self.known(tables), rows)

    def _seen_whole(self, tables: Tables[Purchases], sight: Sight) -> View:
        """See through one sight as who knows everything."""
        if not self.drops:
            return through(tables, sight)
        released = tables.once(("taken", self.drops), lambda: self.takes(tables.released))
        return tables.once(
            ("view", self.drops, sight), lambda: view(tables.original, released, sight, tables.plain)
        )

    def compares(self, data: Purchases) -> Traces:
        """Return the traces he looks at."""
        sights = self.sights(data.shown)
        parts, seen = tuple(sight.parts for sight in sights), _SEES[self.scored_by()]
        return Traces(parts, sights[0].counting, seen, self.reading)

    def prepared(self, seen: View, readings: Iterable[str]) -> View:
        """Score all pairs where somebody pairs everybody at once, unless that is too much."""
        if "assignment" not in readings or max(len(seen.originals), len(seen.released)) > DENSE:
            return seen
        a, b = self.weighed(seen.theirs, seen), self.weighed(seen.mine, seen)
        return replace(seen, scores=similarity_block(a, b, self.scored_by(), weights=self.weights(seen)))

    def answer(self, seen: View, chance: Chance) -> Guess:
        """Name the most similar known person for every released one, in the chosen reading."""
        if self.reading == "target":
            return claims(*self.places(seen), seen, chance)
        if self.reading == "nearest":
            if seen.scores is None and _many_equals(seen):
                return self._among_groups(seen, chance)
            best = self._nearest(seen)
            return Guess.drawn(seen.released, seen.originals, best.indptr, best.indices, chance)
        rng = chance.stream("assignment")
        if seen.scores is None:
            a, b = self.weighed(seen.theirs, seen), self.weighed(seen.mine, seen)
            paired = assign(a, b, self.scored_by(), rng, weights=self.weights(seen))
        else:
            paired = assign_by(seen.scores, rng)
        groups = self._alike(seen.theirs), self._alike(seen.mine)
        return Guess.paired(seen.released, seen.originals, groups, paired)

    def supposes(self, tables: Tables[Purchases], targets: NDArray[np.int64]) -> Supposed | None:
        """Return the names where these people are looked up."""
        if self.reading != "target":
            return None
        seen = self.look(tables)
        return Places(*self.places(replace(seen, mine=seen.mine[targets])))

    def scan(self, shown: frozenset[str]) -> Scan | None:
        """Go through the original by likeness, or through the release by what is contained there."""
        everything = self.share == 1 and self.points is None and self.whole is None
        sights = self.sights(shown)
        if self.reading == "nearest" and everything:
            rounded = self.scored_by() == "cosine" or self.rare
            return Alike(sights, self, self.rare, TIE if rounded else 0.0)
        if self.reading == "target" and self.scored_by() == "containment":
            return LookUp(tuple(sight.parts for sight in sights), "one", shorter=True)
        return None

    def weighed_nearest(
        self, seen: View, reached: NDArray[np.float64] | None = None
    ) -> tuple[Nearest, NDArray[np.float64]]:
        """Return the known people most like each released one; of contained ones the larger is the better.

        Where somebody elsewhere is known to be as like as `reached` says, those who are less so are left out.
        """
        best = self._nearest(seen, reached)
        sizes = np.diff(seen.mine.indptr).astype(np.float64)
        return best, -sizes if self.scored_by() == "containment" else np.zeros(len(sizes))

    def reached(self, seen: View) -> NDArray[np.float64]:
        """Return how like each released one is the known person in the same row."""
        a, b = self.weighed(seen.theirs, seen), self.weighed(seen.mine, seen)
        return row_by_row(a, b, self.scored_by(), weights=self.weights(seen))

    def _nearest(self, seen: View, reached: NDArray[np.float64] | None = None) -> Nearest:
        """Return all known people most similar to each released one."""
        if seen.scores is not None:
            sizes = np.diff(seen.mine.indptr) if self.scored_by() == "containment" else None
            return best_in(seen.scores, sizes)
        a, b = self.weighed(seen.theirs, seen), self.weighed(seen.mine, seen)
        return nearest(a, b, self.scored_by(), weights=self.weights(seen), reached=reached)

    def _among_groups(self, seen: View, chance: Chance) -> Guess:
        """Compare groups of equals instead of people: their ties would grow with the square of a group."""
        theirs, mine = equal_rows(seen.theirs), equal_rows(seen.mine)
        first, my_first = (np.unique(group, return_index=True)[1] for group in (theirs, mine))
        a, b = self.weighed(seen.theirs[first], seen), self.weighed(seen.mine[my_first], seen)
        best = nearest(a, b, self.scored_by(), weights=self.weights(seen))
        indptr, indices = _or_anybody(best, len(my_first))
        links = Links.evenly(indptr, indices, np.bincount(mine))
        return Guess.among(seen.released, seen.originals, (theirs, mine), links, chance)

    def places(self, seen: View) -> tuple[Nearest, NDArray[np.float64]]:
        """Return the released people that each known one may be, and how well he fits there."""
        a, b = self.weighed(seen.theirs, seen), self.weighed(seen.mine, seen)
        if self.scored_by() == "containment":
            return places_of(b, a)
        best = nearest(b, a, self.scored_by(), weights=self.weights(seen))
        return best, best.score

    def _alike(self, matrix: Matrix) -> NDArray[np.int64]:
        """Number the rows such that those have the same number that he cannot tell apart."""
        return equal_rows(_in_proportion(matrix) if _SEES[self.scored_by()] == "proportions" else matrix)

    def scored_by(self) -> Similarity:
        """Return how two rows are compared."""
        return self.similarity

    def weights(self, seen: View) -> NDArray[np.float64] | None:  # noqa: ARG002 - plain ones ignore it
        """Return what a common good counts, or None for one each."""
        return None

    def weighed(self, matrix: Matrix, seen: View) -> Matrix:  # noqa: ARG002 - plain ones ignore it
        """Return the matrix to compare; the view tells how rare its columns are."""
        return matrix


def _in_proportion(matrix: Matrix) -> Matrix:
    """Return the rows of counts in their lowest terms: 2 and 4 are 1 and 2 to who looks at angles."""
    data, lengths = matrix.data.copy(), np.diff(matrix.indptr)
    some = lengths > 0
    data //= np.repeat(np.gcd.reduceat(data, matrix.indptr[:-1][some]), lengths[some])
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _many_equals(seen: View) -> bool:
    """Whether most known people share what is known of them with others, and they are many."""
    people = len(seen.originals)
    if people <= _MANY or _told_apart(seen.mine) >= people / 2:
        return False
    return len(np.unique(equal_rows(seen.mine))) < people / 2


def _told_apart(matrix: Matrix) -> int:
    """Return how many rows are told apart by a sum over them: so many different ones there are at least."""
    worth = np.random.default_rng(0).random(matrix.shape[1])
    return len(np.unique(sparse.csr_array(matrix) @ worth))


def _or_anybody(best: Nearest, groups: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the links found; who has nothing in common with anybody is linked with all groups."""
    counts = np.diff(best.indptr)
    everybody = np.arange(groups, dtype=np.int64)
    rows = np.split(best.indices, best.indptr[1:-1])
    linked = [row if count else everybody for row, count in zip(rows, counts, strict=True)]
    lengths = [len(row) for row in linked]
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), np.concatenate(linked)


def by_rarity(matrix: Matrix, seen: View) -> Matrix:
    """Return who has which key, each counted by its rarity among the known (TF-IDF on sets)."""
    return sparse.csr_array((seen.rarity[matrix.indices], matrix.indices, matrix.indptr), shape=matrix.shape)


class JaccardAttack(LikenessAttack):
    """Algorithm 1: knows what everybody bought, and names the one with the most similar goods set.

    For every released customer j, Q_j = argmax_i J(I(u'_j), I(u_i)). The attacker of 000, 002 and 003. He
    wins against every release that keeps baskets apart, and is held at c/n by releases that make c groups of
    equal baskets.
    """

    about: ClassVar = AttackAbout(
        name="jaccard", kind="purchases", source="000, 002, 003 Algorithm 1", promises=("finds-copies",),
        stands=(
            Stand(
                rung="goods", story="Names the most similar goods set", readings=BOTH,
                papers="goods sets alone",
            ),
        ),
    )  # fmt: skip


class WeightedAttack(LikenessAttack):
    """Knows what everybody bought, and counts a rare common good for more than a frequent one.

    Jaccard weighted by the inverse document frequency ln(n/|D_g|) + 1 of each good: two who share a good that
    nobody else buys are likely one.
    """

    about: ClassVar = AttackAbout(
        name="weighted", kind="purchases", source="ours, after 000's TF-IDF", promises=("finds-copies",),
        stands=(
            Stand(
                rung="goods", readings=BOTH,
                story="Names the most similar goods set, rare goods counting for more",
            ),
        ),
    )  # fmt: skip

    rare: ClassVar[bool] = True

    def weights(self, seen: View) -> NDArray[np.float64]:
        """Weigh goods by their rarity among the known."""
        return seen.rarity


class CosineAttack(LikenessAttack):
    """Knows what everybody bought, and compares profiles by the angle between their TF-IDF vectors.

    Less sensitive than Jaccard to how many goods were added, more to which.
    """

    about: ClassVar = AttackAbout(
        name="cosine", kind="purchases", source="ours, after 000's TF-IDF", promises=("finds-copies",),
        stands=(Stand(rung="goods", story="Compares TF-IDF profiles of the goods by their angle"),),
    )  # fmt: skip

    similarity: ClassVar[Similarity] = "cosine"
    rare: ClassVar[bool] = True

    def weighed(self, matrix: Matrix, seen: View) -> Matrix:
        """Weigh every good by its rarity; the length of a row does not matter to the angle."""
        return by_rarity(matrix, seen)


class ContainmentAttack(LikenessAttack):
    """Knows a part of what everybody bought, and asks whose known goods all lie in the released basket.

    The share of the known set found in the released one; among equals the larger known set is the better
    evidence. The right attack on releases that only add, and for an attacker who knows little.
    """

    about: ClassVar = AttackAbout(
        name="containment", kind="purchases", source="ours", promises=("finds-copies",),
        stands=(
            Stand(rung="goods", story="Asks whose goods all lie in the released basket"),
            Stand(
                rung="goods", readings=("target",), learns=True,
                story="Asks whose goods all lie in the released basket",
            ),
        ),
    )  # fmt: skip

    similarity: ClassVar[Similarity] = "containment"


class MultisetAttack(LikenessAttack):
    """Knows how many pieces of each good everybody bought, and compares the quantities too.

    Jaccard of multisets, sum of the smaller over sum of the larger quantity. Dummies of one piece each hardly
    disturb it.
    """

    about: ClassVar = AttackAbout(
        name="multiset", kind="purchases", source="ours, with 004's distance", promises=("finds-copies",),
        needs=("quantity",),
        stands=(Stand(rung="goods+quantity", story="Compares how many pieces of each good", readings=BOTH),),
    )  # fmt: skip

    similarity: ClassVar[Similarity] = "multiset"
    point: ClassVar[tuple[Role, ...]] = ()

    def sights(self, shown: frozenset[str]) -> tuple[Sight, ...]:  # noqa: ARG002 - always the pieces
        """Return the goods, by pieces."""
        return (Sight(("goods",), "pieces"),)
