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
from kakurenbo.attacks.purchases.claims import Places, claims
from kakurenbo.attacks.purchases.scans import LookUp
from kakurenbo.attacks.purchases.view import Part, grain_views, grains_shown, of_targets, people_of
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
        Stand(rung=rung, story=story, parameters=knows, readings=("target",), learns=True),
        Stand(
            rung=rung, story=f"{story}, compared at the sharpest grain",
            parameters={**knows, "grains": "sharpest"}, readings=("target",),
            learns=True, way="at the sharpest grain",
        ),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Drawn:
    """What is known of everybody and what was released, as the search wants it.

    Attributes:
        bounds: the known records of target t are bounds[t]:bounds[t+1].
        keys: of each known record, one a grain.
        postings: the released people by key.
        originals: the known people.
        released: the released people.
    """

    bounds: NDArray[np.int64]
    keys: NDArray[np.int64]
    postings: Postings
    originals: pl.Series
    released: pl.Series


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

    def scan(self, shown: frozenset[str]) -> LookUp:
        """Look for whom the known records were most likely drawn from."""
        counts: Literal["ratio", "share"] = "ratio" if self.grains == "all" else "share"
        return LookUp(grains_shown(self._grains(), shown), counts, least=_LEAST[self.grains])

    def look(self, tables: Tables[Purchases]) -> Drawn:
        """Return the keys of what is known, person by person, and the views they stand in."""
        return self._drawn_of(tables, np.arange(len(tables.original.customers)))

    def _drawn_of(self, tables: Tables[Purchases], targets: NDArray[np.int64]) -> Drawn:
        views = grain_views(tables, self._grains())
        rows, place = of_targets(people_of(tables.original), self.known_rows(tables), targets)
        bounds = np.searchsorted(place, np.arange(len(targets) + 1))
        shift = np.cumsum([0, *(view.theirs.shape[1] for view in views[:-1])])
        keys = np.stack([view.blocks[0].mine[rows] for view in views], axis=1) + shift
        postings = tables.once(
            ("postings", self.grains),
            lambda: Postings.of([view.theirs for view in views], relative=self.grains == "all"),
        )
        people = views[0].originals, views[0].released
        return Drawn(bounds.astype(np.int64), keys.astype(np.int64), postings, *people)

    def places(self, seen: Drawn) -> tuple[Nearest, NDArray[np.float64]]:
        """Return the released people whom each known one most likely is, and how likely."""
        best = likeliest(seen.bounds, seen.keys, seen.postings, least=_LEAST[self.grains])
        return best, best.score

    def answer(self, seen: Drawn, chance: Chance) -> Guess:
        """Settle who is whom."""
        return claims(*self.places(seen), seen, chance)

    def supposes(self, tables: Tables[Purchases], targets: NDArray[np.int64]) -> Places:
        """Return the likeliest names of these people."""
        return Places(*self.places(self._drawn_of(tables, targets)))

    def compares(self, data: Purchases) -> Traces:
        """Return the grains, at which shares are compared."""
        parts = grains_shown(self._grains(), data.shown)
        if self.grains == "sharpest":
            return Traces(parts, "records", "likelihood", self.reading)
        return Traces(parts, "records", "likelihood ratio", self.reading)
