"""Likelihood: from whose records were the ones I know most likely drawn?

Evidence asks who has most of what is known. Where a release is coarse, many have all of it, and those who
bought most have it by chance. This attacker asks instead how likely each released person is to show the known
records when some of his are drawn: a short history that fits is likelier than a long one that has everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Traces
from kakurenbo.attacks.ladder import POINTS, SOME, records
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.claims import claims
from kakurenbo.attacks.purchases.view import Part, View, grain_views, grains_shown
from kakurenbo.data.belief import Belief
from kakurenbo.kernels.likeliest import Postings, likeliest

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.chance import Chance
    from kakurenbo.data.guess import Guess
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Nearest

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
        Stand(rung=rung, story=story, parameters=knows, readings=("target",)),
        Stand(
            rung=rung, story=f"{story}, compared at the sharpest grain",
            parameters={**knows, "grains": "sharpest"}, readings=("target",),
        ),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Drawn:
    """What is known of everybody and what was released, as the search wants it.

    Attributes:
        bounds: the known records of target t are bounds[t]:bounds[t+1].
        keys: of each known record, one a grain.
        views: both tables, through every grain.
    """

    bounds: NDArray[np.int64]
    keys: NDArray[np.int64]
    views: tuple[View, ...]

    @property
    def originals(self) -> pl.Series:
        """The known people."""
        return self.views[0].originals

    @property
    def released(self) -> pl.Series:
        """The released people."""
        return self.views[0].released


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

    def look(self, tables: Tables[Purchases]) -> Drawn:
        """Return the keys of what is known, person by person, and the views they stand in."""
        views = grain_views(tables, self._grains())
        people = tables.original.records["customer"].to_physical().to_numpy()
        known = self.known_rows(tables)
        rows = np.arange(len(people)) if known is None else known
        rows = rows[np.argsort(people[rows], kind="stable")]
        bounds = np.searchsorted(people[rows], np.arange(len(views[0].originals) + 1))
        shift = np.cumsum([0, *(view.theirs.shape[1] for view in views[:-1])])
        keys = np.stack([view.blocks[0].mine[rows] for view in views], axis=1) + shift
        return Drawn(bounds.astype(np.int64), keys.astype(np.int64), views)

    def places(self, seen: Drawn) -> tuple[Nearest, NDArray[np.float64]]:
        """Return the released people whom each known one most likely is, and how likely."""
        postings = Postings.of([view.theirs for view in seen.views], relative=self.grains == "all")
        best = likeliest(seen.bounds, seen.keys, postings, least=_LEAST[self.grains])
        return best, best.score

    def answer(self, seen: Drawn, chance: Chance) -> Guess:
        """Settle who is whom."""
        return claims(*self.places(seen), seen, chance)

    def believes(self, tables: Tables[Purchases], keys: View) -> Belief:
        """Return that a person has what stands under the likeliest names."""
        places, strength = self.places(self.look(tables))
        return Belief(keys.theirs, places.indptr, places.indices, strength)

    def compares(self, data: Purchases) -> Traces:
        """Return the grains, at which shares are compared."""
        parts = grains_shown(self._grains(), data.shown)
        if self.grains == "sharpest":
            return Traces(parts, "records", "likelihood", self.reading)
        return Traces(parts, "records", "likelihood ratio", self.reading)
