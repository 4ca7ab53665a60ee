"""Owners: whose is each released receipt?

A release may deal the receipts of look-alikes among them, so that nobody's history is his own. Then the
released person is the wrong unit: a receipt was bought by one person, whatever name stands on it. This
attacker takes every released receipt on its own and asks to whom of the people he knows it most likely
belongs; what he believes of a person is what stands on the receipts that he gives him.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import Owned
from kakurenbo.attacks.ladder import POINTS, SOME, records
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.likelihood import GRAINS
from kakurenbo.attacks.purchases.view import Part, grain_views, grains_shown
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


@dataclass(frozen=True, eq=False)
class Attributed:
    """Whose every released receipt is taken to be.

    Attributes:
        receipt: the receipt of every released record, numbered from 0.
        owner: of every receipt the number of the person, -1 where nobody is likelier than all others.
        people: who was released, record by record, and their ids; and the ids of the known people.
    """

    receipt: Ints
    owner: Ints
    people: tuple[Ints, pl.Series, pl.Series]

    @property
    def of_records(self) -> Ints:
        """The owner of every released record."""
        return self.owner[self.receipt]

    def bundles(self, keys: NDArray[np.int32], width: int) -> sparse.csr_array[np.int64]:
        """Return known people x keys: what stands on the receipts given to each."""
        owner, originals = self.of_records, self.people[2]
        some = owner >= 0
        ones = np.ones(int(some.sum()), dtype=np.int64)
        return sparse.coo_array((ones, (owner[some], keys[some])), shape=(len(originals), width)).tocsr()


def _few(rung: str, knows: Mapping[str, object]) -> Stand:
    return Stand(
        rung=rung, parameters=knows, learnt_only=True,
        story=f"Knows {rung} of everybody, and gives every released receipt to its likeliest owner",
    )  # fmt: skip


class OwnersAttack(PurchasesAttack):
    """Knows what everybody bought, and gives every released receipt to its likeliest owner.

    For each receipt the known person x of the greatest sum over its records of log(1 + p(record | x) /
    p(record)); to nobody, where he is not likelier than all others together, who were all alike before. A
    name goes to the owner of most of what stands under it. The attacker to hold against records dealt anew.
    """

    about: ClassVar = AttackAbout(
        name="owners", kind="purchases", source="ours",
        stands=(
            *(_few(records(k), {"points": k}) for k in POINTS),
            *(_few(rung, knows) for rung, knows in SOME.items()),
            Stand(
                rung="goods", parameters={"grains": "goods"},
                story="Gives every released receipt to its likeliest owner, by the goods on it",
            ),
        ),
    )  # fmt: skip

    grains: Literal["all", "goods"] = Field(
        "all", description="compare records at every grain together, or their goods alone"
    )

    def look(self, tables: Tables[Purchases]) -> Attributed:
        """Give every receipt to its likeliest owner."""
        views = grain_views(tables, self._grains())
        rows = self.known_rows(tables)
        receipt = _receipts(tables.released)
        order = np.argsort(receipt, kind="stable")
        bounds = np.searchsorted(receipt[order], np.arange(int(receipt.max()) + 2)).astype(np.int64)
        mine = [view.mine if rows is None else view.mine_of(tables.original, rows) for view in views]
        shift = np.cumsum([0, *(matrix.shape[1] for matrix in mine[:-1])])
        keys = np.stack([view.blocks[0].theirs[order] for view in views], axis=1) + shift
        best = likeliest(bounds, keys.astype(np.int64), Postings.of(mine, relative=True), least=1.0)
        alone = (np.diff(best.indptr) == 1) & (best.score > np.log(len(views[0].originals)))
        owner = np.full(len(best.score), -1, dtype=np.int64)
        owner[alone] = best.indices[best.indptr[:-1][alone]]
        codes = tables.released.records["customer"].to_physical().to_numpy().astype(np.int64)
        return Attributed(receipt, owner, (codes, views[0].released, views[0].originals))

    def answer(self, seen: Attributed, chance: Chance) -> Guess:
        """Name the owner of most records under each name; where nobody owns any, nobody."""
        codes, released, originals = seen.people
        owner = seen.of_records
        some = owner >= 0
        shape = len(released), len(originals)
        ones = np.ones(int(some.sum()), dtype=np.int64)
        held = sparse.coo_array((ones, (codes[some], owner[some])), shape=shape).tocsr()
        most = held.max(axis=1).toarray().ravel()
        held.data = (held.data == np.repeat(most, np.diff(held.indptr))).astype(np.int64)
        held.eliminate_zeros()
        named = np.diff(held.indptr) > 0
        guess = Guess.drawn(
            released, originals, held.indptr.astype(np.int64), held.indices.astype(np.int64), chance
        )
        return guess if named.all() else guess.without(released.filter(pl.Series(~named)))

    def believes(self, tables: Tables[Purchases], keys: View) -> Belief:
        """Return that a person has what stands on the receipts given to him."""
        made = self.look(tables).bundles(keys.blocks[0].theirs, keys.theirs.shape[1])
        return Belief.of_each(made)

    def compares(self, data: Purchases) -> Owned:
        """Return the grains, and what makes a receipt."""
        return Owned(grains_shown(self._grains(), data.shown), _unit(data))

    def _grains(self) -> tuple[tuple[Part, ...], ...]:
        return GRAINS if self.grains == "all" else GRAINS[:1]


def _unit(released: Purchases) -> tuple[str, ...]:
    """Return the roles of a receipt; without them one's records of a moment are one, or else each record."""
    roles = released.roles
    return ("receipt",) if "receipt" in roles else ("customer", "time") if "time" in roles else ()


def _receipts(released: Purchases) -> Ints:
    """Number the receipts."""
    unit = _unit(released)
    if not unit:
        return np.arange(len(released), dtype=np.int64)
    return released.records.select(pl.struct(unit).rank("dense") - 1).to_series().to_numpy().astype(np.int64)
