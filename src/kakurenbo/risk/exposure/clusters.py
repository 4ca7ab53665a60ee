"""Who may be found together: groups of released people, so that intervals do not take them for independent.

Forty branches of ten customers, each found as a whole or not at all, are forty trials and not four hundred.
People share their fate where they were released alike (one goods set, one combination of quasi-identifiers),
or where the master puts them together (a branch, a country). Nobody knows which of these counts, so all are
given, and the widest interval is the one to show (`Rate.widest`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.data.groups import group_codes
from kakurenbo.data.table import ByKind
from kakurenbo.risk.exposure.nearness import alike

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table

    Ints = NDArray[np.int64]

_GROUPS = 10  # fewer tell too little of how groups vary
_TOGETHER = 2  # the least mean size of what the master puts together


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
