"""Linked names: which names of a release are one person's, told from the release alone.

People keep their habits. Where they get another name every month, two names of different months that share
goods which hardly anybody buys are likely one person's, and nobody's data is needed to say so. Names a and b
share goods by chance or because b's were partly drawn from a's: if a share r of them was, they are

    product over the goods g of b of (1 - r) + r [a has g] / (|a| p(g))

times likelier, p(g) being the share of g in b's month; the same from b to a, and the geometric mean of both.
A name is linked to another where the chance of that is seven in ten against all others of that month, from
both sides. The surest links are made first, and a person has one name a month; where names change more often
than every month, each is linked to one earlier and one later name at most. What hangs together is taken for
one person.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.attacks.purchases.lifetimes import when
from kakurenbo.attacks.purchases.view import people_of
from kakurenbo.data.groups import group_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.lifetimes import Lifetime, Unit
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_AGAIN = 0.1  # r: the share of goods that people buy again
_LIKELY = 0.7
_SMOOTH = 5.0  # records of the whole year that are added to those of a month
_ROWS = 1000  # names that are compared with all of another month at once


def linked(released: Purchases, life: Lifetime) -> Ints:
    """Return a number for every released name, the same for names that are taken for one person's."""
    count = len(released.customers)
    if life.period is None:
        return np.arange(count, dtype=np.int64)
    unit, whole = lived(released, life.unit), life.unit == life.period
    first, second, chance = _links(_goods(released), lived(released, life.period), within=not whole)
    alike = _said(released)
    same = alike[first] == alike[second]
    order = np.argsort(-chance[same], kind="stable")
    pairs = zip(first[same][order].tolist(), second[same][order].tolist(), strict=True)
    return _joined(count, pairs if whole else _in_a_row(pairs, unit), unit)


def lived(released: Purchases, unit: Unit) -> Ints:
    """Return the number of the unit that each name lives in, earlier ones first; receipts by their time."""
    instant = pl.col("time") if unit == "receipt" and "time" in released.roles else when(unit)
    numbered = released.records.select("customer", unit=instant.rank("dense").cast(pl.Int64))
    return numbered.group_by("customer").agg(pl.col("unit").min()).sort("customer")["unit"].to_numpy()


def _said(released: Purchases) -> Ints:
    """Return a number for what the master says of every name; one for all where there is none."""
    attributes = released.attributes
    if not attributes.width:
        return np.zeros(len(released.customers), dtype=np.int64)
    return group_codes([attributes], attributes.columns)[0]


def _goods(released: Purchases) -> Matrix:
    """Return names x goods, each good once."""
    goods = released.records["goods"].to_physical().to_numpy()
    shape = len(released.customers), len(released.goods)
    held = sparse.coo_array((np.ones(len(goods)), (people_of(released), goods)), shape=shape).tocsr()
    held.data[:] = 1.0
    return held


def _links(held: Matrix, period: Ints, *, within: bool) -> tuple[Ints, Ints, Floats]:
    """Return (name, name, chance) of the pairs that are likely one person's; within a period too, or not."""
    whole = np.asarray(held.sum(axis=0), dtype=np.float64).ravel()
    members = [np.flatnonzero(period == number) for number in np.unique(period)]
    common = [_shares(held[names], whole) for names in members]
    found = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    for s, t in combinations_with_replacement(range(len(members)), 2):
        if s == t and not within:
            continue
        a, b = held[members[s]], held[members[t]]
        who, whom, gain = (
            np.concatenate(part) for part in zip(*_gains(a, b, common[s], common[t]), strict=True)
        )
        if s == t:
            who, whom, gain = (part[who != whom] for part in (who, whom, gain))
        chance = _chances(who, whom, gain, (len(members[s]), len(members[t])))
        sure = (chance >= _LIKELY) & ((who < whom) if s == t else True)
        found.append((members[s][who[sure]], members[t][whom[sure]], chance[sure]))
    first, second, chances = (np.concatenate(part) for part in zip(*found, strict=True))
    return first, second, chances


def _shares(held: Matrix, whole: Floats) -> Floats:
    """Return the share of every good among those of a period, with a little of all periods."""
    there = np.asarray(held.sum(axis=0)).ravel()
    shares: Floats = (there + _SMOOTH * whole / whole.sum()) / (there.sum() + _SMOOTH)
    return shares


def _gains(a: Matrix, b: Matrix, p_a: Floats, p_b: Floats) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Yield (row of a, row of b, log of how many times likelier one person's), of those worth a thought."""
    odds, fresh = _AGAIN / (1 - _AGAIN), np.log(1 - _AGAIN)
    sizes_a, sizes_b = np.diff(a.indptr), np.diff(b.indptr)
    from_a, from_b = _weighed(a, p_b, odds), _weighed(b, p_a, odds)
    least = np.log(max(min(a.shape[0], b.shape[0]), 1) / 3)  # what is less cannot be likelier than not
    for start in range(0, a.shape[0], _ROWS):
        rows = slice(start, start + _ROWS)
        both = sparse.coo_array(from_a[rows] @ b.T + a[rows] @ from_b.T)
        who, whom = both.coords[0] + start, both.coords[1]
        gain = (both.data + fresh * (sizes_a[who] + sizes_b[whom])) / 2
        keep = gain >= least
        yield who[keep].astype(np.int64), whom[keep].astype(np.int64), gain[keep]


def _weighed(held: Matrix, shares: Floats, odds: float) -> Matrix:
    sizes = np.diff(held.indptr)
    values = np.log1p(odds / (np.repeat(sizes, sizes) * shares[held.indices]))
    return sparse.csr_array((values, held.indices, held.indptr), shape=held.shape)


def _chances(who: Ints, whom: Ints, gain: Floats, sizes: tuple[int, int]) -> Floats:
    """Return how likely a pair is one person's against all others, the geometric mean of both sides."""
    weight = np.exp(np.minimum(gain, 50.0))
    rivals = [
        np.bincount(side, weights=weight, minlength=size)[side]
        for side, size in zip((who, whom), sizes, strict=True)
    ]
    chance: Floats = np.sqrt(weight / (sizes[1] + rivals[0]) * weight / (sizes[0] + rivals[1]))
    return chance


def _in_a_row(pairs: Iterable[tuple[int, int]], unit: Ints) -> Iterator[tuple[int, int]]:
    """Yield the links that give no name two earlier or two later ones."""
    followed, preceded = set(), set()
    for pair in pairs:
        earlier, later = sorted(pair, key=unit.__getitem__)
        if earlier not in followed and later not in preceded:
            followed.add(earlier)
            preceded.add(later)
            yield earlier, later


def _joined(names: int, pairs: Iterable[tuple[int, int]], unit: Ints) -> Ints:
    """Join names link by link; two chains with names of the same unit stay apart."""
    chain, members = np.arange(names, dtype=np.int64), [[name] for name in range(names)]
    lives = [{number} for number in unit.tolist()]
    for one, other in pairs:
        a, b = int(chain[one]), int(chain[other])
        if a != b and lives[a].isdisjoint(lives[b]):
            chain[members[b]] = a
            members[a] += members[b]
            lives[a] |= lives[b]
    return chain
