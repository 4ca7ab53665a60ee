"""How near released people are to one another and to any original, whoever that is: no pairing is needed.

Among how many equals somebody known by goods or attributes hides, and how far everybody is from the nearest
original.

Who is near may be found together: forty branches of ten customers, each found as a whole or not at all, are
forty trials and not four hundred. People share their fate where they were released alike (one goods set, one
combination of quasi-identifiers), or where the master puts them together (a branch, a country). Nobody knows
which of these counts, so all are given, and the widest interval is the one to show (`Rate.widest`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.blocks import Blocks
from kakurenbo.data.groups import group_codes, groups
from kakurenbo.data.points import points
from kakurenbo.data.table import ByKind
from kakurenbo.document import rows
from kakurenbo.errors import InputError
from kakurenbo.kernels.nearest import nearest
from kakurenbo.risk.exposure.tally import Shelf, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data, Table

    Ints = NDArray[np.int64]

_GROUPS = 10  # fewer tell too little of how groups vary
_TOGETHER = 2  # the least mean size of what the master puts together
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Groups:
    """Groups of released people with the same goods set (or quasi-identifiers).

    Attributes:
        of: what is equal in a group.
        count: how many groups there are.
        smallest: the size of the smallest.
        mean: the mean size.
        alone: the share of people in a group of their own.
        sizes: (size, people in groups of that size).
    """

    of: str
    count: int
    smallest: int
    mean: float
    alone: float
    sizes: tuple[tuple[int, int], ...] = field(metadata=rows("size", "people"))


def _by_goods(released: Purchases) -> tuple[str, Ints]:
    return "goods set", released.baskets().groups


def _by_attributes(released: Microdata) -> tuple[str, Ints]:
    return "quasi-identifiers", groups(released, released.qi)


alike = ByKind(purchases=_by_goods, microdata=_by_attributes)


def equals(released: Table | Blocks) -> Groups:
    """Return the groups of released people with equal goods sets, or quasi-identifiers."""
    if isinstance(released, Blocks):
        work = GoodsSets(Shelf.of(released.whole.goods))
        return groups_of("goods set", Tally.sum(released.map(work, doing="groups of equals")).people)
    of, labels = alike(released)
    return groups_of(of, np.unique(labels, return_counts=True)[1])


def groups_of(of: str, sizes: Ints) -> Groups:
    """Return groups of these sizes."""
    size, count = np.unique(sizes, return_counts=True)
    return Groups(
        of, len(sizes), int(sizes.min()), float(sizes.mean()), float((sizes == 1).sum() / sizes.sum()),
        tuple(zip(size.tolist(), (size * count).tolist(), strict=True)),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class GoodsSets:
    """The goods sets of a block, told apart by their bits."""

    shelf: Shelf

    def __call__(self, block: Purchases) -> Tally:
        """Return how many people have each."""
        return Tally.of(self.shelf.sets(block.baskets()))


def clusters(released: Table) -> tuple[Ints, ...]:
    """Return labels of the released people, in the order of their sorted ids, one array for every grouping.

    A grouping counts only if it has at least ten groups, judged by n² / sum of sizes²: nine in ten people of
    one country, and the rest of thirty others, are hardly more than one group.
    """
    order = released.people.arg_sort().to_numpy()
    made = [alike(released)[1], *_put_together(released)]
    return tuple(labels[order] for labels in made if _even(labels) >= _GROUPS and _sizes(labels).max() > 1)


def _by_master(released: Purchases) -> Iterator[Ints]:
    table = released.attributes
    for name in table.columns:
        (labels,) = group_codes([table], [name])
        if _sizes(labels).mean() >= _TOGETHER:
            yield labels


def _by_nothing(released: Microdata) -> Iterator[Ints]:  # noqa: ARG001 - the quasi-identifiers were compared
    yield from ()


_put_together = ByKind(purchases=_by_master, microdata=_by_nothing)


def _sizes(labels: Ints) -> Ints:
    return np.unique(labels, return_counts=True)[1]


def _even(labels: Ints) -> float:
    """Return how many groups of one size would vary as much as these do."""
    return len(labels) ** 2 / float((_sizes(labels) ** 2).sum())


@dataclass(frozen=True)
class Nearness:
    """How near released people are to **any** original; needs no pairing.

    Attributes:
        measure: the distance.
        copies: share of released people at distance 0 from somebody: verbatim copies.
        quantiles: the distances at 5, 25, 50, 75 and 95 %.
    """

    measure: str
    copies: float
    quantiles: tuple[float, ...]


def _between_rows(original: Microdata, released: Microdata) -> tuple[str, NDArray[np.float64]]:
    if not original.sa:
        before, after = group_codes([original.records, released.records], original.qi)
        return "quasi-identifiers", (~np.isin(after, before)).astype(np.float64)
    from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to load

    a, b = points(original.records, released.records, original.sa, "spread")
    return "euclid", np.asarray(cKDTree(np.unique(a, axis=0)).query(b)[0])


def _between_baskets(original: Purchases, released: Purchases) -> tuple[str, NDArray[np.float64]]:
    goods = pl.concat([original.goods, released.goods]).unique().sort()
    if "quantity" in original.roles and "quantity" in released.roles:
        with suppress(InputError):  # more pieces than can be counted
            mine, theirs = (data.baskets(quantity=True).over(goods).matrix for data in (original, released))
            return "multiset", 1 - nearest(theirs, mine, "multiset").score
    mine, theirs = (data.baskets().over(goods).matrix for data in (original, released))
    return "set", 1 - nearest(theirs, mine, "jaccard").score


_DISTANCES = ByKind(purchases=_between_baskets, microdata=_between_rows)


def nearness(original: Data, released: Data) -> Nearness:
    """Return how far every released person is from the nearest original, whoever that is.

    By the multiset distance of purchases (the set's, where quantities are unknown or beyond counting); by
    Euclid over the sensitive attributes in units of their spread; or, of microdata without any, 0 for equal
    quasi-identifiers and 1 otherwise.
    """
    return of_distances(*_DISTANCES(original, released))


def of_distances(measure: str, distance: NDArray[np.float64]) -> Nearness:
    """Return what these distances from the nearest original say."""
    copies = float((distance <= 1e-12).mean())
    return Nearness(measure, copies, tuple(np.quantile(distance, _QUANTILES).tolist()))
