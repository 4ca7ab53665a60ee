"""Groups of equals in a release: among how many others somebody known by goods or attributes hides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.data.groups import groups
from kakurenbo.data.table import ByKind
from kakurenbo.document import rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table


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


def _by_goods(released: Purchases) -> tuple[str, NDArray[np.int64]]:
    return "goods set", released.baskets().groups


def _by_attributes(released: Microdata) -> tuple[str, NDArray[np.int64]]:
    return "quasi-identifiers", groups(released, released.qi)


_LABELS = ByKind(purchases=_by_goods, microdata=_by_attributes)


def equals(released: Table) -> Groups:
    """Return the groups of released people with equal goods sets, or quasi-identifiers."""
    of, labels = _LABELS(released)
    sizes = np.unique(labels, return_counts=True)[1]
    size, count = np.unique(sizes, return_counts=True)
    return Groups(
        of, len(sizes), int(sizes.min()), float(sizes.mean()), float((sizes == 1).sum() / sizes.sum()),
        tuple(zip(size.tolist(), (size * count).tolist(), strict=True)),
    )  # fmt: skip
