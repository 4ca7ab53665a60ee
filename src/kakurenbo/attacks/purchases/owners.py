"""Owners: whose is each released receipt?

A release may deal the receipts of look-alikes among them, so that nobody's history is his own. Then the
released person is the wrong unit: a receipt was bought by one person, whatever name stands on it. This
attacker takes every released receipt on its own and asks to whom of the people he knows it most likely
belongs; what he believes of a person is what stands on the receipts that he gives him.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Owned
from kakurenbo.attacks.ladder import POINTS, SOME, records
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.likelihood import GRAINS
from kakurenbo.attacks.purchases.view import Part, grain_views, grains_shown, people_of
from kakurenbo.data.belief import Belief
from kakurenbo.data.guess import Guess
from kakurenbo.kernels.likeliest import Postings, likeliest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases

    Ints = NDArray[np.int64]


Unit = Literal["receipt", "moment"]

_SHARED = 0.1


@dataclass(frozen=True, eq=False)
class Attributed:
    """Whose every released receipt is taken to be.

    Attributes:
        owner: of every released record the number of the person, -1 where nobody is likelier than all others.
        names: under whose name every released record stands.
        released: who was released.
        originals: the known people.
        targets: whom something is to be believed of.
    """

    owner: Ints
    names: Ints
    released: pl.Series
    originals: pl.Series
    targets: Ints | None = None
    best: ClassVar[None] = None

    def over(self, keys: View) -> Belief:
        """Return that a person has what stands on the receipts given to him."""
        (block,) = keys.blocks
        given = self._counted(self.owner, block.theirs, (len(self.originals), keys.theirs.shape[1]))
        return Belief.of_each(given if self.targets is None else given[self.targets])

    def held(self) -> sparse.csr_array[np.int64]:
        """Return released people x known people: how many records under a name are taken to be whose."""
        return self._counted(self.names, self.owner, (len(self.released), len(self.originals)))

    def _counted(
        self, rows: Ints, columns: NDArray[Any], shape: tuple[int, int]
    ) -> sparse.csr_array[np.int64]:
        some = self.owner >= 0
        ones = np.ones(int(some.sum()), dtype=np.int64)
        return sparse.coo_array((ones, (rows[some], columns[some])), shape=shape).tocsr()


def _stands(rung: str, knows: Mapping[str, object], how: str, *, names: bool = False) -> tuple[Stand, ...]:
    story = f"Gives every released receipt to its likeliest owner, {how}"
    return (
        Stand(rung=rung, story=story, parameters=knows, learns=True, names=names),
        Stand(
            rung=rung, story=f"{story}, taking all records of a moment for one receipt",
            parameters={**knows, "unit": "moment"}, learns=True, names=names, way="by time stamps",
        ),
    )  # fmt: skip


class OwnersAttack(PurchasesAttack):
    """Knows what everybody bought, and gives every released receipt to its likeliest owner.

    For each receipt the known person x of the greatest sum over its records of log(1 + p(record | x) /
    p(record)); to nobody, where he is not likelier than all others together, who were all alike before. A
    name goes to the owner of most of what stands under it. The attacker to hold against records dealt anew;
    where single records are dealt, the time stamp puts the receipt together again.
    """

    about: ClassVar = AttackAbout(
        name="owners", kind="purchases", source="ours",
        stands=tuple(
            stand
            for rung, knows in (*((records(k), {"points": k}) for k in POINTS), *SOME.items())
            for stand in _stands(rung, knows, f"knowing {rung} of everybody")
        )
        + _stands("goods", {"grains": "goods"}, "by the goods on it", names=True),
    )  # fmt: skip

    strips: ClassVar[bool] = False  # a dummy hardly moves a whole receipt

    grains: Literal["all", "goods"] = Field(
        "all", description="compare records at every grain together, or their goods alone"
    )

    unit: Unit = Field(
        "receipt",
        description="what was bought by one person: a receipt, or all records of one moment, whatever name "
        "stands on them",
    )

    @property
    def needs(self) -> tuple[str, ...]:
        """The time, where it makes a receipt."""
        return ("time",) if self.unit == "moment" else ()

    def fit(self, tables: Tables[Purchases], scale: float = 1.0) -> Attributed:  # noqa: ARG002 - of all receipts
        """Give every receipt to its likeliest owner; who knows everything is asked again, and looks once."""
        if self.known_rows(tables) is not None:
            return self._attributed(tables)
        return tables.once(("attributed", self.unit, self.grains), lambda: self._attributed(tables))

    def _attributed(self, tables: Tables[Purchases]) -> Attributed:
        views = grain_views(tables, self._grains())
        receipt = _receipts(tables.released, self.unit)
        order = np.argsort(receipt, kind="stable")
        bounds = np.searchsorted(receipt[order], np.arange(int(receipt.max()) + 2)).astype(np.int64)
        postings = self._postings(tables, views)
        shift = np.cumsum([0, *(view.mine.shape[1] for view in views[:-1])])
        keys = np.stack([view.blocks[0].theirs[order] for view in views], axis=1) + shift
        best = likeliest(bounds, keys.astype(np.int64), postings, least=1.0)
        alone = (np.diff(best.indptr) == 1) & (best.score > np.log(len(views[0].originals)))
        owner = np.full(len(best.score), -1, dtype=np.int64)
        owner[alone] = best.indices[best.indptr[:-1][alone]]
        return Attributed(owner[receipt], people_of(tables.released), views[0].released, views[0].originals)

    def _postings(self, tables: Tables[Purchases], views: tuple[View, ...]) -> Postings:
        """Return the known people by key: those of all records, or of the known ones."""
        rows = self.known_rows(tables)

        def make() -> Postings:
            mine = [view.mine if rows is None else view.mine_of(tables.original, rows) for view in views]
            return Postings.of(mine, relative=True)

        return tables.once(("owners", self.grains, self.share, self.points, self.whole), make)

    def rerank(self, tables: Tables[Purchases], chance: Chance) -> Guess:
        """Name the owner of most records under each name; where nobody owns any, nobody."""
        seen = self.fit(tables)
        held = seen.held()
        most = held.max(axis=1).toarray().ravel()
        held.data = (held.data == np.repeat(most, np.diff(held.indptr))).astype(np.int64)
        held.eliminate_zeros()
        named = np.diff(held.indptr) > 0
        indptr, indices = held.indptr.astype(np.int64), held.indices.astype(np.int64)
        guess = Guess.drawn(seen.released, seen.originals, indptr, indices, chance)
        return guess if named.all() else guess.without(seen.released.filter(pl.Series(~named)))

    def locate(self, tables: Tables[Purchases], targets: Ints) -> Attributed | None:
        """Return whose every receipt is taken to be; None where moments are receipts, as they mostly are."""
        if self.unit == "moment" and not tables.once("mixed", lambda: _mixed(tables.released)):
            return None
        return replace(self.fit(tables), targets=targets)

    def compares(self, data: Purchases) -> Owned:
        """Return the grains, and what makes a receipt."""
        return Owned(grains_shown(self._grains(), data.shown), _parts(data, self.unit))

    def _grains(self) -> tuple[tuple[Part, ...], ...]:
        return GRAINS if self.grains == "all" else GRAINS[:1]


def _parts(released: Purchases, unit: Unit) -> tuple[str, ...]:
    """Return the roles of a receipt; without them one's records of a moment are one, or else each record."""
    roles = released.roles
    if unit == "moment":
        return ("time",)
    return ("receipt",) if "receipt" in roles else ("customer", "time") if "time" in roles else ()


def _mixed(released: Purchases) -> bool:
    """Whether records of a moment stand under several names, for at least one moment in ten."""
    names = released.records.group_by("time").agg(names=pl.col("customer").n_unique())
    return int((names["names"] > 1).sum()) >= _SHARED * names.height


def _receipts(released: Purchases, unit: Unit) -> Ints:
    """Number the receipts."""
    parts = _parts(released, unit)
    if not parts:
        return np.arange(len(released), dtype=np.int64)
    return released.records.select(pl.struct(parts).rank("dense") - 1).to_series().to_numpy().astype(np.int64)
