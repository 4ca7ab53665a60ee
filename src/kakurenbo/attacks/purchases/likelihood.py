"""Likelihood: from whose records were the ones I know most likely drawn?

Evidence asks who has most of what is known. Where a release is coarse, many have all of it, and those who
bought most have it by chance. This attacker asks instead how likely each released person is to show the known
records when some of his are drawn: a short history that fits is likelier than a long one that has everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Traces
from kakurenbo.attacks.ladder import POINTS, SOME, records
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.view import Part, grains_shown
from kakurenbo.attacks.search.scores import LookUp

if TYPE_CHECKING:
    from kakurenbo.data.purchases import Purchases

GRAINS: tuple[tuple[Part, ...], ...] = (
    ("goods",),
    ("goods", "month"),
    ("goods", "day"),
    ("goods", "quantity"),
    ("goods", "price"),
    ("goods", "time", "price", "quantity"),
)
_LEAST = {"sharpest": 1e-3, "all": 1.0}  # what a record counts for that a person does not have
_STORY = "Asks from whose records {} of everybody were most likely drawn"


def _stands(rung: str, **knows: object) -> tuple[Stand, ...]:
    story = _STORY.format(rung)
    return (
        Stand(rung=rung, story=story, parameters=knows, readings=("target",), learns=True),
        Stand(
            rung=rung, story=f"{story}, compared at the sharpest grain",
            parameters={**knows, "grains": "sharpest"}, readings=("target",),
            learns=True, way="at the sharpest grain",
        ),
    )  # fmt: skip


class LikelihoodAttack(PurchasesAttack):
    """Knows some records of everybody, and asks from whose records they were most likely drawn.

    The released person y of the greatest sum over the known records of log(e + p(record | y)), where p is the
    share of y's records that match it. At the sharpest grain that both tables show, e is a thousandth; over
    all grains together each share is set against that of all people, p(record | y) / p(record), and e is 1.
    The attacker to hold against coarse releases.
    """

    about: ClassVar = AttackAbout(
        name="likelihood", kind="purchases", source="ours",
        stands=tuple(
            stand
            for rung, knows in (
                *((records(k), {"points": k}) for k in POINTS),
                *((rung, knows) for rung, knows in SOME.items()),
            )
            for stand in _stands(rung, **knows)
        ),
    )  # fmt: skip

    grains: Literal["all", "sharpest"] = Field(
        "all", description="compare records at every grain together, or only at the sharpest that both show"
    )
    reading: Literal["target"] = Field(
        "target", description="look each known person up in the release and settle rival claims"
    )

    def _grains(self) -> tuple[tuple[Part, ...], ...]:
        return GRAINS if self.grains == "all" else GRAINS[-1:]

    def score(self, shown: frozenset[str]) -> LookUp:
        """Look for whom the known records were most likely drawn from."""
        counts: Literal["ratio", "share"] = "ratio" if self.grains == "all" else "share"
        return LookUp(grains_shown(self._grains(), shown), counts, least=_LEAST[self.grains])

    def compares(self, data: Purchases) -> Traces:
        """Return the grains, at which shares are compared."""
        parts = grains_shown(self._grains(), data.shown)
        if self.grains == "sharpest":
            return Traces(parts, "records", "likelihood", self.reading)
        return Traces(parts, "records", "likelihood ratio", self.reading)
