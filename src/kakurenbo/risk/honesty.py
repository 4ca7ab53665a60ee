"""Does the declared pairing look true, or do people stand in the release under names declared another's?

A rate compares guesses with the pairing that was declared, and a false pairing makes every rate low. 004 asks
how far people are from the records declared theirs, on the average of goods and pieces; a name that holds one
person whole and enough of another's goods to be near him passes that. Here people are looked for one by one,
without believing the pairing, in two ways.

**Whole elsewhere.** Some name that is not declared his holds nine tenths of a person's records, the names
declared his hold less than half of them, and nobody else of the original has half of them: it is he who
stands there, and not a coincidence of short or coarse histories. Asked at the sharpest grain that both tables
show, and at two coarser ones for releases that altered the rest. Who is in no row of the pairing and stands
whole in the release *was* released.

**Two seekers agree.** Where no record is verbatim: each sees one half of the goods (or of the columns), so
that they have no evidence in common, and gives a name to a person if each is the other's only best match.
When both give a name to the same person, that is he; by luck they agree on hardly anybody.

How many are too many for an honest pairing: more than three people, and more than one in a hundred who stand
whole elsewhere, where one told by a single record counts half, since that may be another's by accident; or
more than three names, two in a hundred, and a fifth of those on which the seekers agree, since in a release
with next to nothing true in it they agree on a few at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.data.groups import column_codes, combined, group_codes
from kakurenbo.data.owners import Owners
from kakurenbo.data.table import ByKind
from kakurenbo.kernels.nearest import nearest, top

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data
    from kakurenbo.kernels.nearest import Matrix

    Ints = NDArray[np.int64]

WHOLE = 0.9  # of a person's records
LESS = 0.5  # what his own names, and other people, hold at most
_FEW = 3  # people that luck may bring into each of the two counts, or these shares of all
_STANDING, _AGREED = 0.01, 0.02
_WRONG = 0.2  # of the names on which the seekers agree: where nothing true is left, some agree by luck

_ROLE = {"goods": "goods", "time": "time", "day": "time", "price": "price", "quantity": "quantity"}
_GRAINS = (("goods", "time", "price", "quantity"), ("goods", "day"), ("goods", "price", "quantity"))


@dataclass(frozen=True)
class Honesty:
    """How the declared pairing compares with where people are seen to stand.

    Attributes:
        people: people of the original.
        names: released names.
        elsewhere: people with a declared name who stand whole under a name that is not declared theirs.
        unpaired: people without any declared name who stand whole in the release.
        single: of both, those who are told by one record alone.
        agreed: names that two seekers without common evidence give to one person who is not their owner.
        rightly: names that both give to their owner.
    """

    people: int
    names: int
    elsewhere: int
    unpaired: int
    single: int
    agreed: int
    rightly: int

    @property
    def looks_false(self) -> bool:
        """Whether more people stand under other names than an honest pairing and luck would have it."""
        whole = self.elsewhere + self.unpaired - self.single / 2
        return whole > max(_FEW, _STANDING * self.people) or self.agreed > max(
            _FEW, _AGREED * self.names, _WRONG * (self.agreed + self.rightly)
        )


class _Seen(NamedTuple):
    """Originals and released names over the same keys, how often each has which, and whose half a key is."""

    mine: Matrix
    theirs: Matrix
    half: NDArray[np.bool_]


def honesty(original: Data, released: Data, secret: Pairing | Owners) -> Honesty:
    """Look for everybody in a release, and compare with the pairing that was declared.

    Memory grows with the records, never with people x people.

    Args:
        original: the data before, as far as it can be compared: in the words and grain of the release.
        released: the release.
        secret: the pairing declared for it.
    """
    owners = Owners.of(secret)
    rows = _declared(original, released, owners)
    paired = np.zeros(len(original.people), dtype=bool)
    paired[rows[0]] = True
    stands, single = np.zeros_like(paired), np.ones_like(paired)
    whole, traces = _views(original, released)
    for seen in whole:
        told = _elsewhere(seen, rows)
        stands |= told
        single &= ~told | (np.diff(seen.mine.indptr) == 1)
    agreed, rightly = _agreement(traces, rows)
    return Honesty(
        people=len(paired), names=len(owners.names), elsewhere=int((stands & paired).sum()),
        unpaired=int((stands & ~paired).sum()), single=int((stands & single).sum()),
        agreed=agreed, rightly=rightly,
    )  # fmt: skip


def _declared(original: Data, released: Data, owners: Owners) -> tuple[Ints, Ints]:
    """Return the rows of the relation as places of people and of names."""
    places = (
        pl.DataFrame({name: data.people.cast(pl.String), f"{name}_at": np.arange(len(data.people))})
        for name, data in (("original", original), ("released", released))
    )
    table = owners.owned.frame
    for side, name in zip(places, ("original", "released"), strict=True):
        table = table.join(side, on=name)
    return table["original_at"].to_numpy(), table["released_at"].to_numpy()


def _elsewhere(seen: _Seen, declared: tuple[Ints, Ints]) -> NDArray[np.bool_]:
    """Tell who stands whole under a name that is not his, and nowhere else."""
    mine, theirs, _ = seen
    sizes = np.asarray(mine.sum(axis=1), dtype=np.float64)
    who, name = declared
    common = np.asarray(mine[who].minimum(theirs[name]).sum(axis=1), dtype=np.float64)
    own = np.bincount(who, common, minlength=len(sizes))
    anywhere = top(mine, theirs, 1, "votes").score[:, 0]
    best = top(mine, mine, 2, "votes")
    others = np.where(best.indices[:, 0] == np.arange(len(sizes)), best.score[:, 1], best.score[:, 0])
    return (anywhere >= WHOLE * sizes) & (own < LESS * sizes) & (others < LESS * sizes)


def _agreement(views: Sequence[_Seen], declared: tuple[Ints, Ints]) -> tuple[int, int]:
    """Return how many names both seekers give to one person: not their owner, and their owner."""
    seekers = [_mutual([_cut(seen, first=first) for seen in views]) for first in (True, False)]
    people = len(seekers[0])
    agree = np.flatnonzero((seekers[0] == seekers[1]) & (seekers[0] >= 0))
    pairs = agree + people * seekers[0][agree]
    right = int(np.isin(pairs, declared[0] + people * declared[1]).sum())
    return len(pairs) - right, right


def _cut(seen: _Seen, *, first: bool) -> tuple[Matrix, Matrix]:
    """Return what a seeker sees of his half: who has what, rare things counting for more."""
    columns = np.flatnonzero(seen.half if first else ~seen.half)
    holders = np.bincount(seen.mine.indices, minlength=len(seen.half))[columns]
    weights = sparse.diags_array(np.log(seen.mine.shape[0] / np.maximum(holders, 1)) + 1)
    mine, theirs = (sparse.csr_array((side[:, columns] > 0) @ weights) for side in (seen.mine, seen.theirs))
    return mine, theirs


def _mutual(sides: Sequence[tuple[Matrix, Matrix]]) -> Ints:
    """Return for everybody the name that is his only best match as he is its, -1 where there is none."""
    mine, theirs = (sparse.csr_array(sparse.hstack(side, format="csr")) for side in zip(*sides, strict=True))
    for matrix in (mine, theirs):
        matrix.sort_indices()
    his, its = _only(mine, theirs), _only(theirs, mine)
    back = np.where(his >= 0, its[his], -1)
    return np.where(back == np.arange(len(his)), his, -1)


def _only(rows: Matrix, among: Matrix) -> Ints:
    """Return the only best match of each row, -1 where there is none or several."""
    best = nearest(rows, among, "cosine")
    alone = np.diff(best.indptr) == 1
    only = np.full(rows.shape[0], -1, dtype=np.int64)
    only[alone] = best.indices[best.indptr[:-1][alone]]
    return only


def _values(records: pl.DataFrame, part: str) -> pl.Series:
    return records.select(pl.col("time").dt.date() if part == "day" else pl.col(part)).to_series()


def _shown(original: Purchases, released: Purchases) -> tuple[tuple[str, ...], ...]:
    """Return what can be seen of each grain in both tables, every grain once."""
    both = original.shown & released.shown
    return tuple(dict.fromkeys(tuple(part for part in grain if _ROLE[part] in both) for grain in _GRAINS))


def _of_purchases(original: Purchases, released: Purchases) -> tuple[list[_Seen], list[_Seen]]:
    """Return what is seen of whole records, and of their traces: the goods alone beside them."""
    tables = original.records, released.records
    shown = _shown(original, released)
    grains = tuple(dict.fromkeys((("goods",), *shown)))
    parts = {part for grain in grains for part in grain}
    codes = {part: column_codes([_values(table, part) for table in tables]) for part in parts}
    rows = sum(table.height for table in tables)

    def numbered(grain: Sequence[str]) -> list[Ints]:
        return np.split(combined((codes[part] for part in grain), rows), [tables[0].height])

    first = _halves(numbered(("goods",)))
    seen = {grain: _records(original, released, numbered(grain), first) for grain in grains}
    return [seen[grain] for grain in shown], [seen[grain] for grain in grains]


def _records(
    original: Purchases, released: Purchases, codes: Sequence[Ints], first: Sequence[NDArray[np.bool_]]
) -> _Seen:
    """Count how often everybody has which combination of the parts, given its number for every record."""
    half = np.empty(1 + max(int(side.max()) for side in codes), dtype=bool)
    for side, of_good in zip(codes, first, strict=True):
        half[side] = of_good
    sides = [
        _counted(data.records["customer"].to_physical().to_numpy(), keys, (len(data.people), len(half)))
        for data, keys in zip((original, released), codes, strict=True)
    ]
    return _Seen(sides[0], sides[1], half)


def _halves(codes: Sequence[Ints]) -> list[NDArray[np.bool_]]:
    """Return for every record whether its good is in the first half: every other one, the frequent first."""
    count = np.bincount(np.concatenate(codes))
    place = np.empty_like(count)
    place[np.argsort(-count, kind="stable")] = np.arange(len(count))
    return [place[side] % 2 == 0 for side in codes]


def _counted(who: NDArray[Any], keys: Ints, shape: tuple[int, int]) -> Matrix:
    matrix = sparse.coo_array((np.ones(len(keys), dtype=np.int64), (who, keys)), shape=shape).tocsr()
    matrix.sort_indices()
    return matrix


def _rows(original: Microdata, released: Microdata, columns: Sequence[str], *, first: bool) -> _Seen:
    """Count who has which combination of these columns."""
    codes = group_codes([original.records, released.records], columns)
    width = 1 + max(int(side.max()) for side in codes)
    sides = [_counted(np.arange(len(side)), side, (len(side), width)) for side in codes]
    return _Seen(sides[0], sides[1], np.full(width, first))


def _of_microdata(original: Microdata, released: Microdata) -> tuple[list[_Seen], list[_Seen]]:
    """Return what is seen of whole rows, and of the columns one by one.

    Those with more values come first, every other one for the first half.
    """
    common = _common(original, released)
    names = sorted(common, key=lambda name: -original.records[name].n_unique())
    traces = [_rows(original, released, [name], first=place % 2 == 0) for place, name in enumerate(names)]
    return [_rows(original, released, common, first=True)], traces


def _common(original: Microdata, released: Microdata) -> list[str]:
    return [name for name in original.records.columns if name in released.records.columns]


_views: ByKind[tuple[list[_Seen], list[_Seen]]] = ByKind(purchases=_of_purchases, microdata=_of_microdata)
