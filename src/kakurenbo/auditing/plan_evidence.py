"""What both tables of a release show of how it was made: records that they share, and what became of them.

No pairing is needed. A record that is alone in its kind in both tables (the only one of its good at its time)
is the same record, whoever it was given to; what became of its price, and under which name it stands beside
the other records of its owner, is then plain to see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy import sparse, special
from scipy.sparse import csgraph

from kakurenbo.data.groups import group_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Written = Callable[[Floats], Floats]

_SPREADS = np.geomspace(0.02, 3, 100)
_FAR = 2.0  # a logarithm: numbers farther apart than this are another record's
_GONE = np.arange(0, 1, 0.01)
_FEW = 30  # records of goods bought again, which tell something
_GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True, eq=False)
class Both:
    """Both tables in the same words, and the columns in which a record is the same in both.

    Attributes:
        mine: the original's records, written as the release writes.
        theirs: the released ones.
        key: the columns that tell records: goods, and whatever else was not blurred.
    """

    mine: pl.DataFrame
    theirs: pl.DataFrame
    key: tuple[str, ...]

    def matched(self, key: Sequence[str] | None = None) -> int:
        """Return how many records both tables have, each counted as often as both have it."""
        codes = group_codes([self.mine, self.theirs], self.key if key is None else key)
        return _common(*codes)

    def by_luck(self) -> int:
        """Return how many records both would have, were goods and their prices dealt to others at random."""
        moved = [role for role in ("goods", "price") if role in self.theirs.columns]
        half = self.theirs.height // 2
        dealt = pl.concat([self.theirs.select(moved).slice(half), self.theirs.select(moved).slice(0, half)])
        return _common(*group_codes([self.mine, self.theirs.with_columns(dealt)], self.key))

    def pairs(self, key: Sequence[str] | None = None) -> tuple[Ints, Ints]:
        """Return the rows of the records that are alone in their kind in both tables, pair by pair."""
        mine, theirs = group_codes([self.mine, self.theirs], self.key if key is None else key)
        count = int(max(mine.max(initial=0), theirs.max(initial=0))) + 1
        alone = (np.bincount(mine, minlength=count) == 1) & (np.bincount(theirs, minlength=count) == 1)
        rows = [np.flatnonzero(alone[codes]) for codes in (mine, theirs)]
        return rows[0][np.argsort(mine[rows[0]])], rows[1][np.argsort(theirs[rows[1]])]


def _common(mine: Ints, theirs: Ints) -> int:
    count = int(max(mine.max(initial=0), theirs.max(initial=0))) + 1
    return int(np.minimum(np.bincount(mine, minlength=count), np.bincount(theirs, minlength=count)).sum())


def spread_of(before: Floats, after: Floats, written: Written) -> float:
    """Return the noise (sigma of the logarithm) that moves numbers as far as these were moved.

    Args:
        before: the original's numbers.
        after: what became of each.
        written: how the release writes numbers: whole pieces, cents, bands.
    """
    plain = written(before)

    def moved(made: Floats) -> float:
        return float(np.minimum(np.abs(np.log(made / plain)), _FAR).mean())

    return _likeliest(before, written, moved, moved(after))


def spread_of_all(before: Floats, after: Floats, written: Written) -> float:
    """Return the noise that makes numbers as different from each other as these are, whosever each is."""

    def apart(made: Floats) -> float:
        return float(np.log(made).std())

    return _likeliest(before, written, apart, apart(after))


def _likeliest(before: Floats, written: Written, measure: Callable[[Floats], float], seen: float) -> float:
    """Return the noise after which a measure is nearest to what is seen."""
    normal = special.ndtri((np.arange(len(before)) + 1) * _GOLDEN % 1)
    made = [measure(written(before * np.exp(spread * normal))) for spread in _SPREADS]
    return float(_SPREADS[np.abs(np.array(made) - seen).argmin()])


def share_gone(original: Purchases, released: Purchases) -> float | None:
    """Return the share of records that are gone, by goods bought again; None where hardly anybody does so.

    A dummy is a good that its person lacks, so of all that a name has of one good only the first may be one.
    Of c records that a person has of a good, c (1 - d) - 1 + d^c further ones are left when d are deleted.
    """
    held = original.records.group_by("customer", "goods").len()["len"].value_counts(name="people")
    times, pairs = held["len"].to_numpy().astype(np.float64), held["people"].to_numpy()
    left = len(released) - released.records.select("customer", "goods").n_unique()
    further = [float(pairs @ (times * (1 - gone) - 1 + gone**times)) for gone in _GONE]
    return None if further[0] < _FEW else float(_GONE[np.abs(np.array(further) - left).argmin()])


def bought_again(records: pl.DataFrame) -> pl.DataFrame:
    """Return the records of goods that their person has several of: none of them is a dummy."""
    return records.filter(pl.len().over("customer", "goods") > 1)


@dataclass(frozen=True)
class Dealing:
    """Where the records of one owner stand.

    Attributes:
        visits: of how many visits this can be told.
        together: the share of an owner's visits that stand under the name that has most of them.
        whole: the share of visits whose records all stand under one name.
        size: how many names share the records of a group; None where that cannot be told.
    """

    visits: int
    together: float
    whole: float
    size: int | None


def dealing(owner: Ints, visit: Ints, name: Ints) -> Dealing:
    """Return where the records of owners stand, of whom each is known by several visits."""
    records = pl.DataFrame({"owner": owner, "visit": visit, "name": name})
    visits = records.group_by("owner", "visit").agg(
        pl.col("name").first(), whole=pl.col("name").n_unique() == 1, lines=pl.len()
    )
    several = visits.filter(pl.len().over("owner") > 1)
    most = several.group_by("owner", "name").len().group_by("owner").agg(pl.col("len").max())
    together = float(most["len"].sum()) / max(several.height, 1)
    whole = visits.filter(pl.col("lines") > 1)["whole"].mean()
    size = _group_size(owner, name) if len(owner) else None
    return Dealing(several.height, together, 1.0 if whole is None else float(whole), size)  # type: ignore[arg-type]


def _group_size(owner: Ints, name: Ints) -> int | None:
    """Return the size of the groups of names that share owners, the one half of the names stand in.

    Who has one visit may be dealt to one who has no other, which leaves parts of a group; where chance ties
    most names into one, nothing is told.
    """
    (_, mine), (_, theirs) = (np.unique(ids, return_inverse=True) for ids in (owner, name))
    wide, names = int(mine.max()) + 1, int(theirs.max()) + 1
    shape = (wide + names, wide + names)
    graph = sparse.coo_array((np.ones(len(mine)), (mine, wide + theirs)), shape=shape)
    labels = csgraph.connected_components(graph, directed=False)[1][wide:]
    sizes = np.bincount(labels)
    return None if 2 * sizes.max() > names else int(np.median(sizes[labels]))
