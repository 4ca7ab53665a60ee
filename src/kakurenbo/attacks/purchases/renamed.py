"""Renamed: a name that lives for a month is a person's month, and is looked for as such.

Where people get another name every month, whoever compares whole people with names compares a year with a
month. This attacker sees how long names live and cuts what he knows of everybody alike; each piece is looked
for among the names of its own month, and any number of names may go to one person. Traces are taken at
several grains, numbers in bands that overlap, so that noise on prices and moved days cost him little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field
from scipy import sparse

from kakurenbo.about import AttackAbout, Stand
from kakurenbo.attacks.base import PERIODS, Traces
from kakurenbo.attacks.ladder import SOME, records
from kakurenbo.attacks.purchases.base import PurchasesAttack
from kakurenbo.attacks.purchases.lifetimes import life_of, when
from kakurenbo.attacks.purchases.likeness import BOTH
from kakurenbo.attacks.purchases.linked_names import linked
from kakurenbo.attacks.purchases.view import PART_VALUES, people_of
from kakurenbo.data.baskets import equal_rows
from kakurenbo.data.belief import Belief
from kakurenbo.data.groups import column_codes, combined
from kakurenbo.data.guess import Guess
from kakurenbo.kernels.assignment import assign
from kakurenbo.kernels.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.lifetimes import Lifetime, Unit
    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix

    Ints = NDArray[np.int64]

Sees = Literal["months", "days", "records"]

_BAND = 1.5  # how many times the lowest price of a band its highest is
_CENT = 0.01
_KNOWN = (*((records(k), {"points": k}) for k in (1, 2, 4)), *SOME.items())

# What makes a trace, at several grains side by side; `low` and `high` are bands of prices, half a band apart.
_GRAINS: dict[Sees, tuple[tuple[str, ...], ...]] = {
    "months": (("goods", "month"),),
    "days": (("goods", "month"), ("goods", "day")),
    "records": (
        ("goods",), ("goods", "day"), ("goods", "quantity"), ("goods", "low"), ("goods", "high"),
        ("goods", "quantity", "low"), ("goods", "quantity", "high"),
        ("goods", "time", "price", "quantity"),
    ),
}  # fmt: skip
_FINEST: dict[Sees, Unit] = {"months": "month", "days": "day", "records": "receipt"}
_EXACT = {"low": "price", "high": "price"}


def _band(shift: float) -> pl.Expr:
    logarithm = pl.col("price").cast(pl.Float64).clip(lower_bound=_CENT).log() / math.log(_BAND)
    return (logarithm + shift).floor().cast(pl.Int64)


_BANDS: dict[str, pl.Expr] = {"low": _band(0.0), "high": _band(0.5)}
_READ: dict[str, pl.Expr] = {**dict[str, pl.Expr](PART_VALUES.items()), **_BANDS}


@dataclass(frozen=True, eq=False)
class Traced:
    """The traces of every record of both tables, and the pieces that the original is cut into.

    Attributes:
        mine: original records x grains, the key of each trace.
        theirs: released names x keys, each weighed by how few names have it.
        weight: of every key.
        piece: the piece of every original record.
        whose: the person of every piece.
        life: how long names live; None where a name is a person, and so a piece.
    """

    mine: Ints
    theirs: Matrix
    weight: NDArray[np.float64]
    piece: Ints
    whose: Ints
    life: Lifetime | None


@dataclass(frozen=True, eq=False)
class Pieces:
    """What is known, cut as the names are, beside the names.

    Attributes:
        mine: known pieces x keys.
        theirs: released names x the same keys.
        whose: the person of every piece.
        originals: the known people.
        released: the names.
        chain: a number for every name, the same for those taken for one person's; None without links.
    """

    mine: Matrix
    theirs: Matrix
    whose: Ints
    originals: pl.Series
    released: pl.Series
    chain: Ints | None


@dataclass(frozen=True, eq=False)
class Gathered:
    """The names that each target is taken to have had, all together.

    Attributes:
        given: targets x names.
    """

    given: sparse.csr_array[np.int64]
    best: ClassVar[None] = None

    def over(self, keys: View) -> Belief:
        """Return that a target has what stands under any of his names."""
        return Belief.of_each(sparse.csr_array(self.given @ keys.theirs))


def _stands(rung: str, knows: Mapping[str, object]) -> tuple[Stand, ...]:
    story = f"Cuts {rung} of everybody as the names are cut, and names whose piece is nearest"
    return (
        Stand(rung=rung, story=story, parameters=knows, learns=True, names=False),
        Stand(
            rung=rung, story=f"{story}, and gives him all names that look like one person's",
            parameters={**knows, "links": True}, learns=True, through=("rotated",), way="linking names",
        ),
    )  # fmt: skip


def _whole(rung: str, what: str, sees: Sees, readings: tuple[str, ...] = BOTH[:1]) -> Stand:
    return Stand(
        rung=rung, story=f"Cuts everybody's {what} as the names are cut, and names whose piece is nearest",
        parameters={"sees": sees}, readings=readings, through=("rotated",),
    )  # fmt: skip


class RenamedAttack(PurchasesAttack):
    """Sees how long names live, cuts what he knows of people alike, and names whose piece is nearest.

    The cosine of TF-IDF vectors over goods, with days, quantities, bands of prices, and whole records, each
    within the names' own period. Any number of names may go to one person. With links he also gives a person
    the other names that look like one found. The attacker to hold against names that change; where they do
    not, a piece is a person.
    """

    about: ClassVar = AttackAbout(
        name="renamed", kind="purchases", source="ours, after PWS Cup 2017's monthly pseudonyms",
        promises=("finds-copies",),
        stands=(
            _whole("goods+month", "goods and months", "months"),
            _whole("goods+day", "goods and days", "days"),
            *(stand for rung, knows in _KNOWN for stand in _stands(rung, knows)),
            _whole("full records", "records", "records", BOTH),
        ),
    )  # fmt: skip

    strips: ClassVar[bool] = False

    sees: Sees = Field(
        "records", description="compares goods by month, by day, or all that records show, prices in bands"
    )
    links: bool = Field(
        False, description="gives a person also the names that look like those found, told from the release"
    )
    reading: Literal["nearest", "assignment"] = Field(
        "nearest",
        description="name the person whose piece is nearest, or the best one-to-one assignment of pieces",
    )

    @property
    def needs(self) -> tuple[str, ...]:
        """The time, where months or days are compared."""
        return () if self.sees == "records" else ("time",)

    def idle(self, tables: Tables[Purchases]) -> str:
        """Say so where a name is a person: then he does what others do."""
        return "" if life_of(tables) is not None else "names do not change in this release"

    def fit(self, tables: Tables[Purchases], scale: float = 1.0) -> Pieces:  # noqa: ARG002 - all is cut
        """Cut what is known, and set it beside the names."""
        traced = tables.once(("traced", self.sees), lambda: _traced(tables, self.sees))
        rows = self.known_rows(tables)
        known = np.arange(len(traced.mine)) if rows is None else rows
        pieces, place = np.unique(traced.piece[known], return_inverse=True)
        life, chain = traced.life, None
        if self.links and life is not None:
            chain = chains(tables, life)
        mine = _held(place, traced.mine[known], len(pieces), traced.weight)
        people = tables.original.customers, tables.released.customers
        return Pieces(mine, traced.theirs, traced.whose[pieces], *people, chain)

    def rerank(self, tables: Tables[Purchases], chance: Chance) -> Guess:
        """Name the person of the nearest piece for every name, and his for names linked to it."""
        seen = self.fit(tables)
        if self.reading == "assignment":
            return _assigned(seen, chance)
        best = nearest(seen.theirs, seen.mine, "cosine")
        indptr, people = _each_once(best.indptr, seen.whose[best.indices])
        guess = Guess.drawn(seen.released, seen.originals, indptr, people, chance)
        silent = np.diff(indptr) == 0
        guess = guess.without(seen.released.filter(pl.Series(silent))) if silent.any() else guess
        return guess if seen.chain is None else _linked(guess, seen, seen.chain)

    def locate(self, tables: Tables[Purchases], targets: Ints) -> Gathered | None:
        """Return the names that these people's pieces are nearest to; None where a name is a person."""
        if life_of(tables) is None:
            return None
        seen = self.fit(tables)
        owner = _claimed(seen)
        if seen.chain is not None:
            owner = np.where(owner >= 0, owner, _of_chain(seen.chain, owner, len(seen.originals)))
        some = owner >= 0
        held = (np.ones(int(some.sum()), np.int64), (owner[some], np.flatnonzero(some)))
        given = sparse.coo_array(held, shape=(len(seen.originals), len(owner))).tocsr()
        return Gathered(given[targets])

    def compares(self, data: Purchases) -> Traces:
        """Return the grains; bands tell nobody apart whom the prices do not."""
        exact = (tuple(_EXACT.get(part, part) for part in grain) for grain in _shown(self.sees, data.shown))
        return Traces(tuple(dict.fromkeys(exact)), "set", "proportions", self.reading)


def _shown(sees: Sees, shown: frozenset[str]) -> tuple[tuple[str, ...], ...]:
    """Return the grains to be seen in tables that show this; of the last, whatever can be seen of it."""
    *plain, last = _GRAINS[sees]
    whole = tuple(part for part in last if _role(part) in shown)
    return tuple(dict.fromkeys([*(g for g in plain if all(_role(part) in shown for part in g)), whole]))


def _role(part: str) -> str:
    return PERIODS.get(part, _EXACT.get(part, part))


def chains(tables: Tables[Purchases], life: Lifetime) -> Ints:
    """Return a number for every released name, the same for those taken for one person's, made once."""
    return tables.once("chains", lambda: linked(tables.released, life))


def _traced(tables: Tables[Purchases], sees: Sees) -> Traced:
    original, released = tables.original, tables.released
    life = life_of(tables)
    both = original.records, released.records
    grains = _shown(sees, tables.shown)
    read = {part: _READ[part] for grain in grains for part in grain}
    if life is not None and life.period is not None:
        read["period"] = when(life.period)
    codes = {
        part: column_codes([side.select(value).to_series() for side in both]) for part, value in read.items()
    }
    first = ("period",) if "period" in codes else ()
    rows, keys, width = sum(side.height for side in both), [], 0
    for grain in grains:
        keys.append(combined([codes[part] for part in (*first, *grain)], rows) + width)
        width = int(keys[-1].max(initial=width - 1)) + 1
    traces = np.stack(keys, axis=1)
    mine, theirs = traces[: original.records.height], traces[original.records.height :]
    names = len(released.customers)
    plain = _held(people_of(released), theirs, names, np.ones(width))
    holders = np.bincount(plain.indices, minlength=width)
    weight = np.log(names / np.maximum(holders, 1)) + 1
    piece, whose = _cut(original, life, _FINEST[sees])
    return Traced(mine, _held(people_of(released), theirs, names, weight), weight, piece, whose, life)


def _cut(original: Purchases, life: Lifetime | None, finest: Unit) -> tuple[Ints, Ints]:
    """Return the piece of every original record, and the person of every piece."""
    people = people_of(original)
    if life is None:
        return people, np.arange(len(original.customers))
    unit = (
        original.records.select(when(life.of(finest)).rank("dense")).to_series().to_numpy().astype(np.int64)
    )
    pieces, piece = np.unique(people * (int(unit.max()) + 1) + unit, return_inverse=True)
    return piece.astype(np.int64), pieces // (int(unit.max()) + 1)


def _held(who: Ints, keys: Ints, count: int, weight: NDArray[np.float64]) -> Matrix:
    """Return who x keys, each key once, by its weight; `keys` are those of records, one a grain."""
    shape = count, len(weight)
    pairs = np.repeat(who, keys.shape[1]), keys.ravel()
    held = sparse.coo_array((np.ones(keys.size), pairs), shape=shape).tocsr()
    held.sort_indices()
    return sparse.csr_array((weight[held.indices], held.indices, held.indptr), shape=shape)


def _assigned(seen: Pieces, chance: Chance) -> Guess:
    """Pair names with pieces; where a piece is a person, who cannot be told apart is averaged."""
    paired = assign(seen.theirs, seen.mine, "cosine", chance.stream("assignment"))
    named = np.where(paired >= 0, seen.whose[paired], -1)
    groups = np.arange(len(seen.released)), np.arange(len(seen.originals))
    if np.array_equal(seen.whose, groups[1]):
        groups = equal_rows(seen.theirs), equal_rows(seen.mine)
    return Guess.paired(seen.released, seen.originals, groups, named)


def _each_once(indptr: Ints, people: Ints) -> tuple[Ints, Ints]:
    """Return the tied people of each name, each once: several of his pieces may tie."""
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    width = int(people.max(initial=0)) + 1
    both = np.unique(rows * width + people)
    bounds = np.searchsorted(both, np.arange(len(indptr)) * width).astype(np.int64)
    return bounds, both % width


def _claimed(seen: Pieces) -> Ints:
    """Return the person of every name that one of his pieces claims, -1 where none does.

    A piece claims of the names that are nearest to it alone the one with most of its traces.
    """
    best = nearest(seen.theirs, seen.mine, "cosine")
    alone = np.flatnonzero(np.diff(best.indptr) == 1)
    piece = best.indices[best.indptr[alone]]
    length = [
        np.sqrt(np.asarray(side.multiply(side).sum(axis=1))).ravel() for side in (seen.theirs, seen.mine)
    ]
    share = np.round(best.score[alone] * length[0][alone] / length[1][piece], 9)
    order = np.lexsort((-best.score[alone], -share, piece))
    first = np.concatenate([[True], piece[order][1:] != piece[order][:-1]])[: len(order)]
    owner = np.full(len(seen.released), -1, dtype=np.int64)
    owner[alone[order][first]] = seen.whose[piece[order][first]]
    return owner


def _of_chain(chain: Ints, owner: Ints, people: int) -> Ints:
    """Return for every name the person who claims most names of its chain, -1 where none or several do."""
    claimed = owner >= 0
    shape = int(chain.max(initial=0)) + 1, people
    held = sparse.coo_array(
        (np.ones(int(claimed.sum())), (chain[claimed], owner[claimed])), shape=shape
    ).tocsr()
    most = held.max(axis=1).toarray().ravel()
    top = held.data == np.repeat(most, np.diff(held.indptr))
    rows = np.repeat(np.arange(shape[0]), np.diff(held.indptr))[top]
    found = np.full(shape[0], -1, dtype=np.int64)
    found[rows] = held.indices[top]
    found[np.bincount(rows, minlength=shape[0]) > 1] = -1
    return found[chain]


def _linked(guess: Guess, seen: Pieces, chain: Ints) -> Guess:
    """Return the guess with names that nobody claims given to who claims most of their chain."""
    owner = _claimed(seen)
    person = _of_chain(chain, owner, len(seen.originals))
    given = (owner < 0) & (person >= 0)
    names = seen.originals.cast(pl.String).gather(person[given])
    return guess.answering(
        pl.DataFrame({"released": seen.released.filter(pl.Series(given)), "answer": names})
    )
