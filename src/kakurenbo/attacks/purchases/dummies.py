"""Dummies: seek in a padded release, by how likely everything in it is real.

Padding gives people the same goods, so goods alone cannot tell them apart. But the dummies must look like
something, and the attacker knows two things more: what real ones look like elsewhere, and how many of each
good there must be among the people whom a group of names can be, for he knows what everybody bought. From the
release alone he estimates how much each look says (Fellegi and Sunter, by expectation and maximisation): he
takes everybody for any of his candidates, counts how real and false pairs would then look, weighs the
candidates by it, and begins again with what he learnt. Nobody need show him a dummy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Traces
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.candidates import Candidates, alike
from kakurenbo.attacks.purchases.likeness import BOTH
from kakurenbo.attacks.purchases.looks import Shown
from kakurenbo.attacks.purchases.view import Sight
from kakurenbo.attacks.search.overlap import views
from kakurenbo.data.baskets import equal_rows
from kakurenbo.data.guess import Guess
from kakurenbo.data.layout import Role  # noqa: TC001 - read by pydantic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_ROUNDS = 3  # times that he looks at the release anew, with what he learnt
_STEPS = 2  # times that he weighs looks and candidates in turn, at each
_SURE = 4.0  # the most that the looks of one good may say, as a log-likelihood
_ODD = 5.0  # what a good counts against a candidate that padding does not explain
_LEAST = 1e-4  # nothing is quite sure


@dataclass(frozen=True, eq=False)
class Suspicion:
    """What he makes of a release.

    Attributes:
        released: the names.
        originals: the known people.
        candidates: who may be whom.
        scores: the log-likelihood of every candidate, up to a constant a name.
        chance: how likely every candidate is, everybody being somebody.
        equals: a number for every known person, the same for those of the same goods.
        shown: the release's records and pairs.
        real: the log-likelihood ratio of every pair, real against dummy, by its looks alone.
    """

    released: pl.Series
    originals: pl.Series
    candidates: Candidates
    scores: Floats
    chance: Floats
    equals: Ints
    shown: Shown
    real: Floats

    @property
    def told(self) -> pl.DataFrame:
        """(released, goods, real): everything under every name, the likelier real the higher."""
        return self.shown.told.with_columns(real=pl.Series(self.real))


class DummiesAttack(PurchasesAttack):
    """Knows what everybody bought and that there are dummies: weighs how likely every released good is real.

    For each (person, good): on how many records it stands, how many of the group show it at the same price
    and quantity, whether it was sold elsewhere in that season, whether it is in scale with what else was
    bought on the visit, whether it is one piece on the last visit. What each says is estimated from the
    release itself. A name is the person whose goods are together the likeliest real ones.

    He wins where dummies do not fit where they stand, which is nearly always; not where prices, quantities,
    times and receipts are all hidden, nor where records were dealt and so all are real.
    """

    about: ClassVar = AttackAbout(
        name="dummies", kind="purchases", source="ours, after Fellegi and Sunter", promises=("finds-copies",),
        because="nobody else's goods are as likely the real ones",
        stands=(
            Stand(
                rung="goods+method", readings=BOTH, beyond="goods", through=("padded",),
                story="Weighs how likely every good under a name is real, and names whose goods they are",
                betrays="Dummies can be told from real records by where, when and how they stand",
            ),
        ),
    )  # fmt: skip

    point: ClassVar[tuple[Role, ...]] = ("customer", "goods")

    reading: Literal["nearest", "assignment"] = Field(
        "nearest",
        description="name the likeliest known person for each released one, or the likeliest one-to-one "
        "assignment of all",
    )

    @property
    def beside(self) -> bool:
        """Whether it takes long: pairing over few candidates does not."""
        return False

    def compares(self, data: Purchases) -> Traces:  # noqa: ARG002 - the same of all
        """Return the goods."""
        return Traces((("goods",),), "set", "presence", self.reading)

    def fit(self, tables: Tables[Purchases], scale: float = 1.0) -> Suspicion:  # noqa: ARG002 - all are weighed
        """Weigh everything in the release."""
        key = "suspicion", self.share, self.points, self.whole
        return tables.once(key, lambda: self._suspected(tables))

    def doubts(self, tables: Tables[Purchases]) -> pl.DataFrame:
        """Return how real every good under every name looks."""
        return self.fit(tables).told

    def rerank(self, tables: Tables[Purchases], chance: Chance) -> Guess:
        """Name the likeliest, all ties kept; or pair everybody with somebody."""
        seen = self.fit(tables)
        found = seen.candidates
        if self.reading == "nearest":
            return Guess.drawn(seen.released, seen.originals, *found.named(seen.chance), chance)
        groups = np.arange(len(seen.released)), seen.equals
        paired = found.paired(seen.scores, chance.stream("assignment"))
        return Guess.paired(seen.released, seen.originals, groups, paired)

    def _suspected(self, tables: Tables[Purchases]) -> Suspicion:
        (view,) = views(self, tables, (Sight(),))
        theirs, mine = view.theirs, view.mine
        goods = view.blocks[0].theirs.astype(np.int64)
        shown = Shown.of(tables.released.records, goods, alike(theirs))
        candidates = Candidates.of(theirs, mine, tables.chance.stream("candidates"))
        unpadded = _unpadded(theirs, mine, shown)
        odd = candidates.missing + candidates.beyond * unpadded[candidates.theirs]
        against = _ODD * odd.astype(np.float64)
        usual = float(np.sqrt(np.diff(mine.indptr).mean()))
        padded = not unpadded.all() or bool(candidates.best(-against).any())
        real, scores, chance = _weighed(shown, candidates, against, usual, padded=padded)
        return Suspicion(
            view.released, view.originals, candidates, scores, chance, equal_rows(mine), shown, real
        )


def _weighed(
    shown: Shown, candidates: Candidates, against: Floats, usual: float, *, padded: bool
) -> tuple[Floats, Floats, Floats]:
    """Return how real every pair looks, how well every candidate fits, and how likely he is then.

    Args:
        shown: the release.
        candidates: who may be whom.
        against: what counts against every candidate beforehand.
        usual: by how much the log-likelihoods of a person overstate, since his goods are no separate
            witnesses: the root of their number.
        padded: whether anybody was changed at all; if not, there is nothing to tell.
    """
    pairs, among = len(shown.pairs[0]), shown.among
    scores, ratio = -against, np.zeros(pairs)
    chance = candidates.settled(scores / usual)
    if not padded:
        return ratio, scores, chance
    for _ in range(_ROUNDS):
        real = np.clip(candidates.spread(chance, pairs), _LEAST, 1 - _LEAST)
        looks = shown.looks(real)
        for _ in range(_STEPS):
            ratio = _ratio(looks, real)
            centred = _centred(_centred(ratio, among, alone=False), shown.pairs[0])
            scores = candidates.summed(np.clip(centred, -_SURE, _SURE)) - against
            chance = candidates.settled(scores / usual)
            real = candidates.spread(chance, pairs)
    return ratio, scores, chance


def _ratio(looks: Sequence[Ints], real: Floats) -> Floats:
    """Return how much likelier every pair looks so if it is real than if it is a dummy, in logs."""
    ratio = np.zeros(len(real))
    for look in looks:
        levels = int(look.max(initial=0)) + 1
        held = np.bincount(look, weights=real, minlength=levels) + 1
        false = np.bincount(look, weights=1 - real, minlength=levels) + 1
        ratio += (np.log(held / held.sum()) - np.log(false / false.sum()))[look]
    return ratio


def _centred(ratio: Floats, key: Ints, *, alone: bool = True) -> Floats:
    """Return what is said beyond the mean of the same key; who is alone in his may be left as he is."""
    count = np.bincount(key)
    mean = np.bincount(key, weights=ratio) / np.maximum(count, 1)
    return ratio - (mean if alone else mean * (count > 1))[key]


def _unpadded(theirs: Matrix, mine: Matrix, shown: Shown) -> NDArray[np.bool_]:
    """Mark the names whose goods no padding explains: alone with them, or as many known people have them."""
    both = equal_rows(sparse.csr_array(sparse.vstack([theirs, mine], format="csr")))
    names, known = np.split(both, [theirs.shape[0]])
    group = np.zeros(theirs.shape[0], dtype=np.int64)
    group[shown.person] = shown.group
    alone = np.bincount(group)[group] == 1
    as_many = np.bincount(known, minlength=len(both))[names] >= np.bincount(names)[names]
    unpadded: NDArray[np.bool_] = alone | as_many
    return unpadded
