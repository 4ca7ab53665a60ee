"""Attacks by likeness of baskets: who is released with a basket like the one I know?

One idea in five shades. The attacker compares every released basket with every basket he knows and names the
most similar; or, knowing that everybody is somebody, he looks for the one-to-one assignment of all people at
once that is most similar in sum; or he starts from each person he knows and asks which released one it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Traces
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.view import Sight
from kakurenbo.attacks.search.scores import LookUp, Overlap
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Similarity

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

    def sights(self, shown: frozenset[str]) -> tuple[Sight, ...]:  # noqa: ARG002 - some look at what there is
        """Return what he looks at in tables that show this."""
        return (Sight(),)

    def scored_by(self) -> Similarity:
        """Return how two people are compared."""
        return self.similarity

    def score(self, shown: frozenset[str]) -> Overlap | LookUp:
        """Compare the keys that he looks at; or ask in which release all of what is known stands."""
        sights, similarity = self.sights(shown), self.scored_by()
        if self.reading == "target" and similarity == "containment":
            return LookUp(tuple(sight.parts for sight in sights), "one", shorter=True)
        return Overlap(sights, similarity, self.rare)

    def compares(self, data: Purchases) -> Traces:
        """Return the traces he looks at."""
        sights = self.sights(data.shown)
        parts, seen = tuple(sight.parts for sight in sights), _SEES[self.scored_by()]
        return Traces(parts, sights[0].counting, seen, self.reading)


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
