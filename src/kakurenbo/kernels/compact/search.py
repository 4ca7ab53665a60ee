"""The search for compact clusters: cut into groups whose tables fit, then search each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import sparse

from kakurenbo.errors import ParameterError
from kakurenbo.kernels.clusters.methods import check_clusters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.kernels.compact.state import State

    Matrix = sparse.csr_array
    Labels = NDArray[np.int64]

TABLE_CELLS: Final = 2**22
_HOT: Final = 1 / 2  # first temperature, in mean baskets
_COLD: Final = 1 / 40
_NEAREST: Final = 20


def compact(
    baskets: Matrix,
    min_size: int,
    clusters: int | None = None,
    *,
    rng: np.random.Generator,
    effort: int | None = None,
    table_cells: int = TABLE_CELLS,
) -> Labels:
    """Cluster customers so that the dummies are few and every cluster has at least min_size members.

    Args:
        baskets: X, customers x goods, 1 where bought (CSR).
        min_size: Members a cluster has at least; 1 with a free number of clusters leaves everybody alone.
        clusters: Their number; if not given, as many as help (at most customers // min_size).
        rng: The same generator state gives the same labels.
        effort: Proposals a customer; time is proportional to it. If not given, 10,000 for up to 1,000
            customers, falling to 2,000 from 5,000 on. Where customers <= effort, all pairs of customers are
            looked at in the end, until no move or swap saves anything.
        table_cells: Bound of clusters x goods held in memory at once.

    Returns:
        One label a customer, 0..c-1, every label used.

    Raises:
        ParameterError: For clusters or sizes that these customers cannot have, or an effort below 0.
    """
    never = np.full(baskets.nnz, baskets.shape[0], dtype=np.int64)
    priced = sparse.csr_array((never, baskets.indices, baskets.indptr), shape=baskets.shape)
    return consensus(priced, min_size, clusters, rng=rng, effort=effort, table_cells=table_cells)


def consensus(
    baskets: Matrix,
    min_size: int,
    clusters: int | None = None,
    *,
    rng: np.random.Generator,
    effort: int | None = None,
    table_cells: int = TABLE_CELLS,
) -> Labels:
    """Cluster customers so that few edits make the goods of every cluster the same for all its members.

    A good is given to all of a cluster, at one record for each who lacks it, or taken from all, at its price;
    see `state`. That a cluster must keep something is left to whoever edits.

    Args:
        baskets: Customers x goods, where bought the price of taking it: the records of it (CSR).
        min_size: As for `compact`, and so are the others.
        clusters: Their number.
        rng: The same generator state gives the same labels.
        effort: Proposals a customer.
        table_cells: Bound of clusters x goods held in memory at once.
    """
    customers = baskets.shape[0]
    check_clusters(customers, clusters, min_size)
    if effort is None:
        effort = min(10_000, max(2_000, 10_000_000 // customers))
    if effort < 0:
        raise ParameterError(
            f"effort must be at least 0 proposals a customer; got {effort}.", code="parameter"
        )
    count = customers // min_size if clusters is None else clusters
    if count == customers:
        return np.arange(customers)
    labels = np.empty(customers, dtype=np.int64)
    used = 0
    for rows, part in _groups(baskets, count, table_cells, rng):
        part_labels = _search(baskets[rows], min_size, part, rng, effort, free=clusters is None)
        labels[rows] = part_labels + used
        used += int(part_labels.max()) + 1
    return labels


def _groups(
    baskets: Matrix, clusters: int, table_cells: int, rng: np.random.Generator
) -> list[tuple[NDArray[np.int64], int]]:
    """Cut the customers, heaviest baskets first, into groups whose tables fit; equal ones in random order."""
    customers, goods = baskets.shape
    order = rng.permutation(customers)
    parts = min(-(-clusters * goods // table_cells), clusters)
    if parts > 1:
        order = order[np.argsort(-np.diff(baskets.indptr)[order], kind="stable")]
    ends = np.arange(parts + 1) * clusters // parts
    cuts = ends * customers // clusters
    return [
        (order[first:last], int(share))
        for first, last, share in zip(cuts, cuts[1:], np.diff(ends), strict=False)
    ]


def _search(
    baskets: Matrix, min_size: int, clusters: int, rng: np.random.Generator, effort: int, *, free: bool
) -> Labels:
    """Cluster one group: start, anneal, fall back to the start if that was better, descend."""
    from kakurenbo.kernels.compact import loops  # noqa: PLC0415 (numba takes a second to import)
    from kakurenbo.kernels.compact.state import cost  # noqa: PLC0415

    customers = baskets.shape[0]
    columns = baskets.T.tocsr()
    buyers_ptr, buyers = columns.indptr.astype(np.int64), columns.indices.astype(np.int32)
    indptr, indices = baskets.indptr.astype(np.int64), baskets.indices.astype(np.int32)
    start = loops.greedy(indptr, indices, buyers_ptr, buyers, clusters)
    state = _state(baskets, start.copy(), clusters)
    mean = max(baskets.nnz / customers, 1.0)
    dice = rng.integers(1, 2**63, size=1).astype(np.uint64)
    nearest = loops.neighbours(indptr, indices, buyers_ptr, buyers, _NEAREST)
    hot = max(_HOT * min(1.0, effort / 2000), _COLD)  # a short run has no time to repair what heat breaks
    loops.anneal(state, nearest, min_size, effort, hot * mean, _COLD * mean, dice)
    first = _state(baskets, start, clusters)
    if cost(state) > cost(first):
        state = first
    if customers <= effort:
        loops.descend(state, min_size)
    while free and clusters <= effort and loops.dissolve(state) and customers <= effort:
        loops.descend(state, min_size)
    return np.unique(state.labels, return_inverse=True)[1].astype(np.int64)


def _state(baskets: Matrix, labels: Labels, clusters: int) -> State:
    """Count a clustering, in numbers that hold."""
    from kakurenbo.kernels.compact.state import make_state  # noqa: PLC0415 (numba takes a second to import)

    most = len(labels) + int(baskets.sum(axis=0).max(initial=0))
    width = np.int32 if most <= np.iinfo(np.int32).max else np.int64
    totals = np.zeros((clusters, baskets.shape[1]), dtype=width)
    indptr, indices = baskets.indptr.astype(np.int64), baskets.indices.astype(np.int32)
    return make_state(indptr, indices, 1 + baskets.data.astype(np.int64), labels, totals)
