"""Giving traces back in order: the trace of most people first, over and over until nobody gains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import sparse

    from kakurenbo.kernels.suppression.loops import Held


def suppress(
    held: sparse.csr_array, k: int, m: int, *, records: NDArray[np.int64] | None = None
) -> NDArray[np.bool_]:
    """Return which entries to keep, so that every combination of up to m traces of one person is k people's.

    Args:
        held: people x traces, the records where held (CSR, sorted indices).
        k: fewest people who share a combination.
        m: most traces in a combination: 1, 2 or 3.
        records: of every trace, where `held` does not say them.
    """
    from kakurenbo.kernels.suppression import loops  # noqa: PLC0415 - loads the compiler

    table = _table(held)
    people = np.diff(table.trace_ptr)
    records = held.sum(axis=0) if records is None else records
    order = np.lexsort((-records, -people))
    kept = np.zeros(held.nnz, dtype=np.bool_)
    while loops.give_back(table, kept, order, k, m):
        pass
    return kept


def rare_combinations(held: sparse.csr_array, k: int, m: int) -> int:
    """Return how many combinations of up to m traces some but fewer than k people have."""
    from kakurenbo.kernels.suppression import loops  # noqa: PLC0415 - loads the compiler

    return int(loops.rare(_table(held), k, m))


def _table(held: sparse.csr_array) -> Held:
    """Return the entries by person and by trace."""
    from kakurenbo.kernels.suppression.loops import Held  # noqa: PLC0415 - loads the compiler

    people, traces = held.shape
    trace_ptr = np.zeros(traces + 1, dtype=np.int64)
    np.cumsum(np.bincount(held.indices, minlength=traces), out=trace_ptr[1:])
    return Held(
        person_ptr=held.indptr.astype(np.int64),
        traces=held.indices.astype(np.int32, copy=False),
        owners=np.repeat(np.arange(people, dtype=np.int32), np.diff(held.indptr)),
        trace_ptr=trace_ptr,
        places=np.argsort(held.indices, kind="stable").astype(np.int32),
    )
