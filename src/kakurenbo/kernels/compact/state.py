"""What the search for compact clusters keeps, and the exact price of one step.

A clustering costs sum over clusters x of |x| |I(x)| records. With the number of members of x that bought each
good at hand, the change by any move or swap is found in the time it takes to read the baskets concerned.
Members of a cluster form a ring, so that the memory is one table of clusters x goods and a few numbers a
customer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]


class State(NamedTuple):
    """A clustering under search; all arrays are changed in place."""

    indptr: Ints
    indices: NDArray[np.int32]
    labels: Ints
    counts: NDArray[np.int16] | NDArray[np.int32]  # (cluster, good): members who bought it
    unions: Ints  # |I(x)|
    sizes: Ints  # |x|
    after: Ints  # the next member of the same cluster, in a ring
    before: Ints
    stamps: Ints  # (good): the last swap that looked at it
    clock: Ints  # one number: swaps looked at


@compiled
def make_state(indptr: Ints, indices: NDArray[np.int32], labels: Ints, counts: NDArray[np.int16]) -> State:
    """Count a clustering; `counts` comes zeroed, so that its caller decides how wide its numbers are."""
    clusters, goods = counts.shape
    unions, sizes = np.zeros(clusters, np.int64), np.zeros(clusters, np.int64)
    after, before = np.arange(len(labels)), np.arange(len(labels))
    first = np.full(clusters, -1)
    for u in range(len(labels)):
        x = labels[u]
        sizes[x] += 1
        if first[x] < 0:
            first[x] = u
        else:
            tail = before[first[x]]
            after[tail], before[u], after[u], before[first[x]] = u, tail, first[x], u
        for good in indices[indptr[u] : indptr[u + 1]]:
            unions[x] += counts[x, good] == 0
            counts[x, good] += 1
    stamps, clock = np.zeros(goods, np.int64), np.zeros(1, np.int64)
    return State(indptr, indices, labels, counts, unions, sizes, after, before, stamps, clock)


@compiled
def cost(state: State) -> int:
    """Return sum |x| |I(x)|, the records after padding."""
    return int(np.sum(state.sizes * state.unions))


@compiled
def row(state: State, u: int) -> NDArray[np.int32]:
    """Return I(u)."""
    return state.indices[state.indptr[u] : state.indptr[u + 1]]


@compiled
def move_change(state: State, u: int, target: int) -> tuple[int, int, int]:
    """Price u's move to another cluster.

    Formula: u leaves a, where it alone has e goods, for b, which lacks n of its goods:
    change = -|I(a)| - (|a| - 1) e + |I(b)| + (|b| + 1) n.

    Returns:
        The change of the cost, of |I(a)| and of |I(b)|.
    """
    source = state.labels[u]
    own, lacking = state.counts[source], state.counts[target]
    alone, new = 0, 0
    for good in row(state, u):
        alone += own[good] == 1
        new += lacking[good] == 0
    change = state.unions[target] - state.unions[source]
    change += (state.sizes[target] + 1) * new - (state.sizes[source] - 1) * alone
    return change, -alone, new


@compiled
def swap_change(state: State, u: int, v: int) -> tuple[int, int, int]:
    """Price the exchange of u in a with v in b; sizes stay, so change = |a| d|I(a)| + |b| d|I(b)|.

    A good of both is neither lost nor new in either cluster.

    Returns:
        The change of the cost, of |I(a)| and of |I(b)|.
    """
    a, b = state.labels[u], state.labels[v]
    in_a, in_b, stamps = state.counts[a], state.counts[b], state.stamps
    state.clock[0] += 1
    now = state.clock[0]
    grow_a, grow_b = 0, 0
    for good in row(state, u):
        stamps[good] = now
        grow_a -= in_a[good] == 1
        grow_b += in_b[good] == 0
    for good in row(state, v):
        if stamps[good] == now:
            grow_a += in_a[good] == 1
        else:
            grow_a += in_a[good] == 0
            grow_b -= in_b[good] == 1
    return state.sizes[a] * grow_a + state.sizes[b] * grow_b, grow_a, grow_b


@compiled
def move(state: State, u: int, target: int, partner: int, grow_source: int, grow_target: int) -> None:
    """Move u into the target, behind its partner there; in an empty target u is its own partner."""
    source = state.labels[u]
    _recount(state, u, source, target)
    state.unions[source] += grow_source
    state.unions[target] += grow_target
    state.sizes[source] -= 1
    state.sizes[target] += 1
    state.after[state.before[u]], state.before[state.after[u]] = state.after[u], state.before[u]
    if partner == u:
        state.after[u], state.before[u] = u, u
        return
    following = state.after[partner]
    state.after[partner], state.before[u], state.after[u], state.before[following] = u, partner, following, u


@compiled
def swap(state: State, u: int, v: int, grow_a: int, grow_b: int) -> None:
    """Exchange u and v; each takes the other's place in the ring."""
    a, b = state.labels[u], state.labels[v]
    _recount(state, u, a, b)
    _recount(state, v, b, a)
    state.unions[a] += grow_a
    state.unions[b] += grow_b
    before_u, before_v = state.before[u], state.before[v]
    after_u, after_v = state.after[u], state.after[v]
    _place(state, u, v, before_v, after_v)
    _place(state, v, u, before_u, after_u)


@compiled
def _place(state: State, newcomer: int, leaver: int, before: int, after: int) -> None:
    """Put the newcomer where the leaver was, between before and after (the leaver itself if it was alone)."""
    if before == leaver:
        before, after = newcomer, newcomer
    state.before[newcomer], state.after[newcomer] = before, after
    state.after[before], state.before[after] = newcomer, newcomer


@compiled
def _recount(state: State, u: int, source: int, target: int) -> None:
    leaving, entering = state.counts[source], state.counts[target]
    for good in row(state, u):
        leaving[good] -= 1
        entering[good] += 1
    state.labels[u] = target
