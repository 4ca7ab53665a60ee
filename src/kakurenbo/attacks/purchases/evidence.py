"""Evidence: every trace counts, coarse or fine.

A release may blur days, prices or quantities, so that no record matches as a whole. This attacker does not
need whole records. He looks at the good alone, with the month, the day, the quantity, the price, and at whole
records, all at once; a trace that few people have counts for more (TF-IDF), and what was destroyed simply
stays silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.ladder import POINTS, SOME, records
from kakurenbo.attacks.purchases.likeness import BOTH, LikenessAttack
from kakurenbo.attacks.purchases.view import Part, Sight, grains_shown
from kakurenbo.attacks.search.scores import LookUp
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.attacks.search.scores import Overlap
    from kakurenbo.kernels.nearest import Similarity

TRACES: tuple[tuple[Part, ...], ...] = (
    ("goods",),
    ("goods", "month"),
    ("goods", "day"),
    ("goods", "quantity"),
    ("goods", "price"),
    ("day", "quantity"),
    ("goods", "day", "quantity"),
    ("goods", "time", "price", "quantity"),
)


_STORY = "Adds up every trace of the records, coarse or fine, rare ones counting for more"


def _some(rung: str, knows: Mapping[str, object]) -> tuple[Stand, ...]:
    story = f"Adds up every trace of {rung} of everybody, rare traces counting for more"
    return (
        Stand(
            rung=rung, story=f"{story}, and prefers short histories", parameters=knows, readings=("target",),
            learns=True, way="short histories first",
        ),
        Stand(
            rung=rung, story=story, parameters={**knows, "ties": "all"}, readings=("target",),
            learns=True, names=False,
        ),
    )  # fmt: skip


class EvidenceAttack(LikenessAttack):
    """Knows whole records and adds up every trace of them, coarse or fine, the rare ones counting for more.

    The cosine of the TF-IDF vectors over goods, goods with month, day, quantity or price, days with
    quantities, and records; of what both tables have. The attacker to hold against noise and coarsening.
    """

    about: ClassVar = AttackAbout(
        name="evidence", kind="purchases", source="ours", promises=("finds-copies",),
        stands=(
            *(stand for k in POINTS for stand in _some(records(k), {"points": k})),
            *(stand for rung, knows in SOME.items() for stand in _some(rung, knows)),
            Stand(rung="full records", story=_STORY, readings=BOTH),
            Stand(
                rung="records+master", parameters={"master": True}, readings=BOTH,
                story=f"{_STORY}, among people of whom the master says the same",
            ),
        ),
    )  # fmt: skip

    similarity: ClassVar[Similarity] = "cosine"
    rare: ClassVar[bool] = True
    point: ClassVar[tuple[Role, ...]] = ()

    master: bool = Field(
        False, description="also knows the master: only people of whom it says the same are compared"
    )

    ties: Literal["shortest", "all"] = Field(
        "shortest",
        description="among places that are equally good, prefer the shortest history, or take any of them",
    )

    @property
    def needs(self) -> tuple[str, ...]:
        """The master, where he knows it."""
        return ("master",) if self.master else ()

    def sights(self, shown: frozenset[str]) -> tuple[Sight, ...]:
        """Return every trace that both tables show; with the master, those of people like him there."""
        first: tuple[Part, ...] = ("master",) if self.master else ()
        return tuple(Sight((*first, *parts)) for parts in grains_shown(TRACES, shown))

    def score(self, shown: frozenset[str]) -> Overlap | LookUp:
        """Compare all traces, or look for the place with most of them."""
        if self.reading != "target" or self.master:
            return super().score(shown)
        grains = tuple(sight.parts for sight in self.sights(shown))
        return LookUp(grains, "rarity", shorter=self.ties == "shortest")
