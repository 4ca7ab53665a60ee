"""The greatest share that anybody has in a node of a tree, period by period: whole numbers, no rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]


@compiled
def add_peaks(  # noqa: C901 - one loop, compiled
    starts: Codes, periods: Codes, goods: Codes, shares: Codes, tree: Codes, stays: Codes, risks: Codes
) -> None:
    """Add to nodes x ways the sum over periods of the greatest share that one person has.

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
    held = np.zeros((nodes, ways), dtype=np.int64)
    peaks = np.zeros((nodes, ways), dtype=np.int64)
    of_cell, in_cell = np.full(nodes, -1, dtype=np.int64), np.empty(nodes, dtype=np.int64)
    of_period, in_period = np.full(nodes, -1, dtype=np.int64), np.empty(nodes, dtype=np.int64)
    met = 0
    for cell in range(len(periods)):
        count = 0
        for place in range(starts[cell], starts[cell + 1]):
            node, until, share = goods[place], stays[goods[place]], shares[place]
            while node >= 0:
                if of_cell[node] != cell:
                    of_cell[node] = cell
                    in_cell[count] = node
                    count += 1
                if until > 0:
                    held[node, until - 1] += share  # of all ways up to here
                node = tree[node]
        for index in range(count):
            node = in_cell[index]
            if of_period[node] != periods[cell]:
                of_period[node] = periods[cell]
                in_period[met] = node
                met += 1
            share = 0
            for way in range(ways - 1, -1, -1):
                share += held[node, way]
                peaks[node, way] = max(peaks[node, way], share)
                held[node, way] = 0
        if cell + 1 == len(periods) or periods[cell + 1] != periods[cell]:
            for index in range(met):
                node = in_period[index]
                for way in range(ways):
                    risks[node, way] += peaks[node, way]
                    peaks[node, way] = 0
            met = 0
