"""The greatest share that anybody has in a node of a tree, period by period: whole numbers, no rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]


@compiled
def add_peaks(
    starts: Codes, periods: Codes, goods: Codes, shares: Codes, tree: Codes, stays: Codes, risks: Codes
) -> None:
    """Add to nodes x ways the sum over periods of the greatest share that one person has.

    A person's share in a node only falls from way to way, as ever more goods are no part of it. So his goods
    are taken from those that are part of it longest, and every sum is noted at the last way that it holds
    for; the greatest of a way is then the greatest that was noted there or at a later one.

    Args:
        starts: where the purchases of each cell, a person in a period, begin, and the end.
        periods: of every cell, ascending.
        goods: of every purchase.
        shares: of every purchase, of the records of its person.
        tree: the parent of every node, the goods first; the root's is -1.
        stays: from which way on a good is no part of its nodes.
        risks: what is added to.
    """
    nodes, ways = risks.shape
    held, peaks = np.zeros(nodes, dtype=np.int64), np.zeros((nodes, ways), dtype=np.int64)
    of_cell = np.full(nodes, -1, dtype=np.int64)
    of_period, in_period = np.full(nodes, -1, dtype=np.int64), np.empty(nodes, dtype=np.int64)
    met = 0
    for cell in range(len(periods)):
        bought = goods[starts[cell] : starts[cell + 1]]
        for place in np.argsort(-stays[bought]):
            node, last, share = bought[place], stays[bought[place]] - 1, shares[starts[cell] + place]
            while node >= 0 and last >= 0:
                if of_cell[node] != cell:
                    of_cell[node], held[node] = cell, 0
                    if of_period[node] != periods[cell]:
                        of_period[node], in_period[met] = periods[cell], node
                        met += 1
                held[node] += share
                peaks[node, last] = max(peaks[node, last], held[node])
                node = tree[node]
        if cell + 1 == len(periods) or periods[cell + 1] != periods[cell]:
            _add_greatest(in_period[:met], peaks, risks)
            met = 0


@compiled
def _add_greatest(nodes: Codes, peaks: Codes, risks: Codes) -> None:
    """Add the greatest of every way, and of those after it, and begin anew."""
    for node in nodes:
        greatest = 0
        for way in range(risks.shape[1] - 1, -1, -1):
            greatest = max(greatest, peaks[node, way])
            risks[node, way] += greatest
            peaks[node, way] = 0
