"""Learned: a linker who practised on other people, released in the same way.

Whoever knows how a release was made can make such releases himself, of people he invents or of customers of
another shop, and there he knows who is who. So he need not think about which traces survive the method and
what each is worth: he looks at everything, practises, and is taught by a gradient boosting how much each view
says. The strongest attacker that is realistic where the method is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Tables, Traces
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.candidates import Possible
from kakurenbo.attacks.purchases.dummies import DummiesAttack
from kakurenbo.attacks.purchases.likeness import BOTH
from kakurenbo.attacks.purchases.view import Sight, by_rarity, through, visible
from kakurenbo.data.baskets import equal_rows
from kakurenbo.data.guess import Guess
from kakurenbo.kernels.boosting import log_odds, taught
from kakurenbo.kernels.nearest import top

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Practice
    from kakurenbo.attacks.purchases.dummies import Suspicion
    from kakurenbo.attacks.purchases.view import Part, View
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_GOODS: tuple[tuple[Part, ...], ...] = (("goods",),)
_RECORDS: tuple[tuple[Part, ...], ...] = (
    ("goods",), ("month",), ("goods", "month"), ("goods", "quantity"), ("goods", "price"),
    ("month", "quantity"), ("month", "price"), ("day",), ("goods", "day"),
)  # fmt: skip
_FEW = 8  # candidates from each view
_BLOCK = 20_000  # candidates compared at a time
_FLAT = 1e-9


@dataclass(frozen=True, eq=False)
class Weighed:
    """Who may be whom, and how likely that is."""

    released: pl.Series
    originals: pl.Series
    possible: Possible
    scores: Floats
    equals: Ints


class LearnedAttack(PurchasesAttack):
    """Knows the method too, has practised it on other people, and weighs all views as that taught him.

    Views: which goods, in which months and days, at which prices and quantities, each compared by the angle
    of its TF-IDF profiles; how likely goods are real (`dummies`); how many records, receipts and what amount.
    Of each also how far a candidate stands behind the best of the name, and of the person.

    He wins wherever something of a person survives that no single view shows; not where people were dealt.
    An audit lets him practise where it knows the plan or can guess it (`Tables.practice`): on a random half
    of the people, released once more. So he also knows people like these. Without practice all views count
    alike.
    """

    about: ClassVar = AttackAbout(
        name="learned", kind="purchases", source="ours",
        because="what practice showed to count fits nobody else as well",
        stands=(
            Stand(
                rung="goods+method", readings=BOTH, practised=True, through=("padded",),
                story="Practised the method on other people, and weighs goods as that taught him",
            ),
            Stand(
                rung="full records", parameters={"views": "records"}, readings=BOTH, practised=True,
                through=("padded",),
                story="Practised the method on other people, and weighs all traces as that taught him",
            ),
        ),
    )  # fmt: skip

    views: Literal["goods", "records"] = Field(
        "goods", description="what is compared: goods, or whole records"
    )
    reading: Literal["nearest", "assignment"] = Field(
        "nearest",
        description="name the likeliest known person for each released one, or the likeliest one-to-one "
        "assignment of all",
    )

    def rerank(self, tables: Tables[Purchases], chance: Chance) -> Guess:
        """Name the likeliest, or pair everybody with somebody."""
        seen = self.fit(tables)
        possible = seen.possible
        if self.reading == "nearest":
            likely = possible.settled(seen.scores)
            return Guess.drawn(seen.released, seen.originals, *possible.named(likely), chance)
        groups = np.arange(len(seen.released)), seen.equals
        return Guess.paired(
            seen.released, seen.originals, groups, possible.paired(seen.scores, chance.stream("assignment"))
        )

    def fit(self, tables: Tables[Purchases], scale: float = 1.0) -> Weighed:  # noqa: ARG002 - all are weighed
        """Practise, then weigh all candidates."""
        key = "weighed", self.views, self.share, self.points, self.whole
        return tables.once(key, lambda: self._weighed(tables))

    def _weighed(self, tables: Tables[Purchases]) -> Weighed:
        known = self.known(tables)
        if known is not tables.original:
            tables = Tables(known, tables.released, tables.chance, practice=tables.practice)
        possible, seen, goods = self._possible(tables)
        model = tables.once(
            ("practised", self.views), lambda: self._practised(tables.practice, tables.chance)
        )
        scores = _unweighed(seen) if model is None else log_odds(model, seen)
        return Weighed(
            tables.released.customers, tables.original.customers, possible, scores, equal_rows(goods.mine)
        )

    def compares(self, data: Purchases) -> Traces:  # noqa: ARG002 - the same of all
        """Return the goods: who is told apart by them is told apart by him."""
        return Traces((("goods",),), "set", "presence", self.reading)

    def _practised(self, practice: Practice[Purchases] | None, chance: Chance) -> Any:  # noqa: ANN401 - scikit-learn's
        """Be taught by people of whom he knows who is who; None where they teach nothing."""
        if practice is None:
            return None
        possible, seen, _ = self._possible(practice.tables)
        theirs, mine = practice.tables.released.customers, practice.tables.original.customers
        number = pl.DataFrame({"original": mine.cast(pl.String), "number": np.arange(len(mine))})
        own = (
            pl.DataFrame({"released": theirs.cast(pl.String)})
            .join(practice.secret.frame, on="released", how="left", maintain_order="left")
            .join(number, on="original", how="left", maintain_order="left")["number"]
            .fill_null(-1)
            .to_numpy()
        )
        truth = possible.mine == own[possible.theirs]
        if not truth.any() or truth.all():
            return None
        return taught(seen, truth, int(chance.stream("practice").integers(2**31)))

    def _possible(self, tables: Tables[Purchases]) -> tuple[Possible, Floats, View]:
        """Return the candidates, what he sees of each, and the view of goods."""
        views = list(self._views(tables))
        doubted = DummiesAttack().fit(tables)
        people = len(tables.released.customers), len(tables.original.customers)
        wide = np.int64(people[1])
        pairs = [_best(theirs, mine) for theirs, mine in views]
        pairs.append(_likeliest(doubted))
        both = np.unique(np.concatenate([who * wide + whom for who, whom in pairs]))
        possible = Possible(both // wide, both % wide, people)
        near = [_likeness(theirs, mine, possible) for theirs, mine in views]
        fits = np.full(len(both), doubted.scores.min(initial=0.0))
        there = doubted.candidates.theirs * wide + doubted.candidates.mine
        place = np.minimum(np.searchsorted(both, there), len(both) - 1)
        kept = both[place] == there
        fits[place[kept]] = doubted.scores[kept]
        seen = [*near, fits, *_sizes(tables, possible)]
        behind = [column for one in seen for column in _behind(one, possible)]
        return possible, np.stack([*seen, *behind], axis=1), through(tables, Sight())

    def _views(self, tables: Tables[Purchases]) -> Iterator[tuple[Matrix, Matrix]]:
        """Yield released and known people x traces, by rarity, each row of length one."""
        for parts in _GOODS if self.views == "goods" else _RECORDS:
            if visible(parts, tables.shown):
                view = through(tables, Sight(parts))
                yield _unit(by_rarity(view.theirs, view)), _unit(by_rarity(view.mine, view))


def _unit(matrix: Matrix) -> Matrix:
    lengths = np.sqrt(matrix.multiply(matrix).sum(axis=1))
    return sparse.csr_array(sparse.diags_array(1 / np.maximum(lengths, 1e-12)) @ matrix)


def _best(theirs: Matrix, mine: Matrix) -> tuple[Ints, Ints]:
    best = top(theirs, mine, _FEW, "cosine")
    some = best.indices >= 0
    return np.nonzero(some)[0], best.indices[some]


def _likeliest(doubted: Suspicion) -> tuple[Ints, Ints]:
    """Return the few likeliest candidates of every name by how real goods are."""
    found = doubted.candidates
    order = np.lexsort((-doubted.scores, found.theirs))
    theirs = found.theirs[order]
    first = np.searchsorted(theirs, theirs, "left")
    few = order[np.arange(len(order)) - first < _FEW]
    return found.theirs[few], found.mine[few]


def _unweighed(seen: Floats) -> Floats:
    """Return the sum of all that is seen, each in its own spread."""
    spread = np.maximum(seen.std(axis=0), _FLAT)
    total: Floats = (seen / spread).sum(axis=1)
    return total


def _likeness(theirs: Matrix, mine: Matrix, possible: Possible) -> Floats:
    """Return the likeness of every candidate, a block at a time."""
    ends = range(0, len(possible.theirs), _BLOCK)
    parts = [
        theirs[possible.theirs[a : a + _BLOCK]].multiply(mine[possible.mine[a : a + _BLOCK]]).sum(axis=1)
        for a in ends
    ]
    return np.concatenate(parts) if parts else np.empty(0)


def _sizes(tables: Tables[Purchases], possible: Possible) -> Iterator[Floats]:
    """Yield by how much the names and the candidates differ in records, receipts and amount, in logs."""
    made = [pl.len().cast(pl.Float64).log().alias("records")]
    if "receipt" in tables.shown:
        made.append(pl.col("receipt").n_unique().cast(pl.Float64).log().alias("receipts"))
    if {"price", "quantity"} <= tables.shown:
        made.append((pl.col("price") * pl.col("quantity")).sum().log().alias("amount"))
    theirs, mine = (data.summarised(made) for data in (tables.released, tables.original))
    for name in theirs.columns:
        yield theirs[name].to_numpy()[possible.theirs] - mine[name].to_numpy()[possible.mine]


def _behind(column: Floats, possible: Possible) -> tuple[Floats, Floats]:
    """Return how far every candidate stands behind the best of his name, and of his person."""
    best = np.full(possible.people[1], -np.inf)
    np.maximum.at(best, possible.mine, column)
    return column - possible.best(column)[possible.theirs], column - best[possible.mine]
