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

from kakurenbo.data.blocks import in_blocks
from kakurenbo.data.groups import group_codes, groups
from kakurenbo.data.points import points
from kakurenbo.data.table import ByKind
from kakurenbo.document import rows
from kakurenbo.errors import InputError
from kakurenbo.kernels.nearest import nearest
from kakurenbo.risk.exposure.tally import Shelf, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table
    from kakurenbo.progress import Progress

    Floats = NDArray[np.float64]
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


def _by_goods(released: Purchases | Blocks) -> tuple[str, Ints]:
    blocks = in_blocks(released)
    work = GoodsSets(Shelf.of(blocks.whole.goods))
    return "goods set", Tally.sum(blocks.map(work, doing="groups of equals")).people


def _by_attributes(released: Microdata) -> tuple[str, Ints]:
    return "quasi-identifiers", _sizes(groups(released, released.qi))


_in_groups: ByKind[tuple[str, Ints]] = ByKind(purchases=_by_goods, microdata=_by_attributes)


def equals(released: Table | Blocks) -> Groups:
    """Return the groups of released people with equal goods sets, or quasi-identifiers."""
    return groups_of(*_in_groups(released))


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
    made = _put_together(released)
    return tuple(labels[order] for labels in made if _even(labels) >= _GROUPS and _sizes(labels).max() > 1)


def _by_goods_and_master(released: Purchases) -> Iterator[Ints]:
    yield released.baskets().groups
    table = released.attributes
    for name in table.columns:
        (labels,) = group_codes([table], [name])
        if _sizes(labels).mean() >= _TOGETHER:
            yield labels


_put_together: ByKind[Iterable[Ints]] = ByKind(
    purchases=_by_goods_and_master, microdata=lambda released: [groups(released, released.qi)]
)


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


def rows_apart(original: Microdata, released: Microdata) -> Nearness:
    """Return how far every released row is from the nearest original.

    By Euclid over the sensitive attributes in units of their spread; where there are none, 0 for equal
    quasi-identifiers and 1 otherwise.
    """
    if not original.sa:
        before, after = group_codes([original.records, released.records], original.qi)
        return _of_distances("quasi-identifiers", (~np.isin(after, before)).astype(np.float64))
    from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to load

    a, b = points(original.records, released.records, original.sa, "spread")
    return _of_distances("euclid", np.asarray(cKDTree(np.unique(a, axis=0)).query(b)[0]))


@dataclass(frozen=True, eq=False)
class _Likest:
    """Work: how alike every name is to whoever of a block is most like it."""

    names: Purchases
    pieces: bool
    alike: Callable[[Purchases], Purchases] | None

    def __call__(self, block: Purchases) -> Floats:
        known = block if self.alike is None else self.alike(block)
        goods = pl.concat([known.goods, self.names.goods]).unique().sort()
        mine, theirs = (data.baskets(quantity=self.pieces).over(goods).matrix for data in (known, self.names))
        return nearest(theirs, mine, "multiset" if self.pieces else "jaccard").score


def near_anybody(
    original: Blocks,
    names: Purchases,
    *,
    alike: Callable[[Purchases], Purchases] | None = None,
    progress: Progress | None = None,
) -> Nearness:
    """Return how far some names are from the nearest person of a whole original.

    By the multiset distance; by the set's, where quantities are unknown or beyond counting.

    Args:
        original: everybody in it.
        names: who is compared, as they stand in the release.
        alike: writes a block of the original in the words of the release; None where it is.
        progress: told how far it is.
    """
    if "quantity" in original.whole.roles and "quantity" in names.roles:
        with suppress(InputError):  # more pieces than can be counted
            return _of_distances("multiset", _apart(original, _Likest(names, True, alike), progress))
    return _of_distances("set", _apart(original, _Likest(names, False, alike), progress))


def _apart(original: Blocks, work: _Likest, progress: Progress | None) -> Floats:
    """Return the distance of every name from the nearest person of all blocks."""
    best = np.zeros(len(work.names.customers))
    for part in original.map(work, progress=progress, doing="measuring nearness"):
        best = np.maximum(best, part)
    return 1 - best


def _of_distances(measure: str, distance: Floats) -> Nearness:
    """Return what these distances from the nearest original say."""
    copies = float((distance <= 1e-12).mean())
    return Nearness(measure, copies, tuple(np.quantile(distance, _QUANTILES).tolist()))
