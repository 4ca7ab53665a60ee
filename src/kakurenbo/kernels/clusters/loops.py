"""The compiled loop of Method 2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


@compiled
def fill_small(indptr: Ints, indices: NDArray[np.int32], labels: Ints, goods: int, min_size: int) -> Ints:
    """Return labels in which every cluster has at least min_size members; see `clusters.balance`.

    Every pair (candidate, member of the cluster being filled) is compared once: a candidate remembers its
    best intersection and union so far and how many members it has met.
    """
    labels = labels.copy()
    customers = len(labels)
    sizes = np.bincount(labels)
    owner = np.full(customers, -1)
    met = np.zeros(customers, np.int64)
    common = np.zeros(customers, np.int64)
    union = np.ones(customers, np.int64)
    bought = np.zeros(goods, np.bool_)
    for small in range(len(sizes)):
        if sizes[small] >= min_size:
            continue
        members = np.empty(min_size, np.int64)
        members[: sizes[small]] = np.flatnonzero(labels == small)
        while sizes[small] < min_size:
            largest = np.argmax(sizes)
            candidates = np.flatnonzero(labels == largest)
            for u in candidates:
                if owner[u] != small:
                    owner[u], met[u], common[u], union[u] = small, 0, 0, 1
            _meet(indptr, indices, candidates, members[: sizes[small]], met, common, union, bought)
            best = candidates[0]
            for u in candidates:
                if common[u] * union[best] > common[best] * union[u]:
                    best = u
            labels[best] = small
            members[sizes[small]] = best
            sizes[small] += 1
            sizes[largest] -= 1
    return labels


@compiled
def _meet(
    indptr: Ints,
    indices: NDArray[np.int32],
    candidates: Ints,
    members: Ints,
    met: Ints,
    common: Ints,
    union: Ints,
    bought: NDArray[np.bool_],
) -> None:
    """Let candidates meet the members they have not met; each keeps its highest Jaccard as a fraction."""
    for place in range(len(members)):
        row = indices[indptr[members[place]] : indptr[members[place] + 1]]
        for good in row:
            bought[good] = True
        for u in candidates:
            if met[u] > place:
                continue
            met[u] = place + 1
            shared = 0
            for good in indices[indptr[u] : indptr[u + 1]]:
                shared += bought[good]
            together = max(len(row) + indptr[u + 1] - indptr[u] - shared, 1)
            if shared * union[u] > common[u] * together:
                common[u], union[u] = shared, together
        for good in row:
            bought[good] = False
