"""What the search for cheap clusters keeps, and the exact price of one step.

In a cluster x every good is given to all who lack it, at one record each, or taken from all who have it, at
whatever that costs: with n members who have a good, whose records of it cost r to take, it costs
min(|x| - n, r). The sum of all n never changes, so that of

    min(|x|, n + r)

is minimised, over clusters and goods. Where nothing may be taken, r is larger than any cluster, and this is
sum |x| |I(x)|, the records after padding: Delta_m of the papers and the records there were.

With n + r of every cluster and good at hand, the change by any move or swap is found in the time it takes to
read the baskets concerned: a cluster that grows by one pays one more for each good that it gives, those with
n + r > |x|; one that shrinks saves one for each of these and for each that stands even, n + r = |x|. Members
of a cluster form a ring, so that the memory is one table of clusters x goods and a few numbers a customer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Table = NDArray[np.int32] | NDArray[np.int64]


class State(NamedTuple):
    """A clustering under search; all arrays are changed in place."""

    indptr: Ints
    indices: NDArray[np.int32]
    weights: Ints  # 1 and the price of taking it, for each good of each customer
    labels: Ints
    totals: Table  # (cluster, good): n + r
    costs: Ints  # of each cluster: the sum of min(|x|, n + r)
    given: Ints  # goods with n + r > |x|
    even: Ints  # goods with n + r = |x|
    sizes: Ints  # |x|
    after: Ints  # the next member of the same cluster, in a ring
    before: Ints
    stamps: Ints  # (good): the last swap that looked at it
    asked: Ints  # (good): its weight for the first of the two who swap
    clock: Ints  # one number: swaps looked at
    savings: Ints  # of each customer: what his cluster saved by letting him go, its size as it was,
    saved_at: Ints  # when it was in this version
    versions: Ints  # of each cluster: how often it has changed


@compiled
def make_state(indptr: Ints, indices: NDArray[np.int32], weights: Ints, labels: Ints, totals: Table) -> State:
    """Count a clustering; `totals` comes zeroed, so that its caller decides how wide its numbers are."""
    clusters, goods = totals.shape
    sizes, costs = np.zeros(clusters, np.int64), np.zeros(clusters, np.int64)
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
        for place in range(indptr[u], indptr[u + 1]):
            totals[x, indices[place]] += weights[place]
    given, even = np.zeros(clusters, np.int64), np.zeros(clusters, np.int64)
    state = State(
        indptr, indices, weights, labels, totals, costs, given, even, sizes, after, before,
        np.zeros(goods, np.int64), np.zeros(goods, np.int64), np.zeros(1, np.int64),
        np.zeros(len(labels), np.int64), np.full(len(labels), -1), np.zeros(clusters, np.int64),
    )  # fmt: skip
    for x in range(clusters):
        _weigh(state, x)
        costs[x] = np.sum(np.minimum(totals[x], sizes[x]))
    return state


@compiled
def cost(state: State) -> int:
    """Return the sum over clusters and goods of min(|x|, n + r)."""
    return int(np.sum(state.costs))


@compiled
def move_change(state: State, u: int, target: int) -> tuple[int, int]:
    """Price u's move to another cluster: the change of the cost of the one it leaves, and of the other."""
    a = state.labels[u]
    size_a, size_b = state.sizes[a], state.sizes[target]
    totals_a, totals_b = state.totals[a], state.totals[target]
    change_a, change_b = -state.given[a] - state.even[a], state.given[target]
    for place in range(state.indptr[u], state.indptr[u + 1]):
        good, weight = state.indices[place], state.weights[place]
        total = totals_a[good]
        change_a += min(size_a - 1, total - weight) - min(size_a - 1, total)
        total = totals_b[good]
        change_b += min(size_b + 1, total + weight) - min(size_b + 1, total)
    return change_a, change_b


@compiled
def swap_hopeless(state: State, u: int, v: int, allowed: float) -> bool:
    """Tell at little cost whether the exchange of u in a with v in b is sure to cost more than is allowed.

    It costs at least what each cluster pays for the newcomer as it stands, less what it saves by the leaver:
    a cluster pays for the first records of a good and none beyond, so a good of both costs no less than so.
    """
    a, b = state.labels[u], state.labels[v]
    least = _joining(state, u, b) - _saving(state, u) - _saving(state, v)
    return least > allowed or least + _joining(state, v, a) > allowed


@compiled
def _saving(state: State, u: int) -> int:
    """Return what u's cluster saves by letting him go, its size as it is; counted when it has changed."""
    x = state.labels[u]
    if state.saved_at[u] != state.versions[x]:
        size, totals, saving = state.sizes[x], state.totals[x], 0
        for place in range(state.indptr[u], state.indptr[u + 1]):
            total = totals[state.indices[place]]
            saving += min(size, total) - min(size, total - state.weights[place])
        state.savings[u], state.saved_at[u] = saving, state.versions[x]
    return int(state.savings[u])


@compiled
def _joining(state: State, u: int, x: int) -> int:
    """Return what a cluster pays for the goods of u, its size as it is."""
    size, totals, price = state.sizes[x], state.totals[x], 0
    for place in range(state.indptr[u], state.indptr[u + 1]):
        price += min(max(size - totals[state.indices[place]], 0), state.weights[place])
    return price


@compiled
def swap_change(state: State, u: int, v: int) -> tuple[int, int]:
    """Price the exchange of u in a with v in b: the change of the cost of a, and of b.

    Sizes stay, so only goods of the two count; of a good of both, only what taking it costs changes.
    """
    a, b = state.labels[u], state.labels[v]
    size_a, size_b = state.sizes[a], state.sizes[b]
    totals_a, totals_b, stamps = state.totals[a], state.totals[b], state.stamps
    state.clock[0] += 1
    now = state.clock[0]
    change_a, change_b = 0, 0
    for place in range(state.indptr[u], state.indptr[u + 1]):
        good, weight = state.indices[place], state.weights[place]
        stamps[good], state.asked[good] = now, weight
        total = totals_a[good]
        change_a += min(size_a, total - weight) - min(size_a, total)
        total = totals_b[good]
        change_b += min(size_b, total + weight) - min(size_b, total)
    for place in range(state.indptr[v], state.indptr[v + 1]):
        good, weight = state.indices[place], state.weights[place]
        shifted = state.asked[good] if stamps[good] == now else 0
        total = totals_a[good] - shifted
        change_a += min(size_a, total + weight) - min(size_a, total)
        total = totals_b[good] + shifted
        change_b += min(size_b, total - weight) - min(size_b, total)
    return change_a, change_b


@compiled
def move(state: State, u: int, target: int, partner: int, change_source: int, change_target: int) -> None:
    """Move u into the target, behind its partner there; in an empty target u is its own partner."""
    source = state.labels[u]
    _recount(state, u, source, target)
    state.costs[source] += change_source
    state.costs[target] += change_target
    state.sizes[source] -= 1
    state.sizes[target] += 1
    _weigh(state, source)
    _weigh(state, target)
    state.after[state.before[u]], state.before[state.after[u]] = state.after[u], state.before[u]
    if partner == u:
        state.after[u], state.before[u] = u, u
        return
    following = state.after[partner]
    state.after[partner], state.before[u], state.after[u], state.before[following] = u, partner, following, u


@compiled
def swap(state: State, u: int, v: int, change_a: int, change_b: int) -> None:
    """Exchange u and v; each takes the other's place in the ring."""
    a, b = state.labels[u], state.labels[v]
    _recount(state, u, a, b)
    _recount(state, v, b, a)
    state.costs[a] += change_a
    state.costs[b] += change_b
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
    """Take u's goods out of one cluster's rows and put them into another's, whose sizes stand."""
    for place in range(state.indptr[u], state.indptr[u + 1]):
        good, weight = state.indices[place], state.weights[place]
        _shift(state, source, good, -weight)
        _shift(state, target, good, weight)
    state.labels[u] = target
    state.saved_at[u] = -1
    state.versions[source] += 1
    state.versions[target] += 1


@compiled
def _shift(state: State, x: int, good: int, more: int) -> None:
    """Change n + r of a good, and with it which goods are given and which stand even."""
    size, total = state.sizes[x], state.totals[x, good]
    state.given[x] += (total + more > size) - (total > size)
    state.even[x] += (total + more == size) - (total == size)
    state.totals[x, good] = total + more


@compiled
def _weigh(state: State, x: int) -> None:
    """Count the goods that a cluster gives and those that stand even, when its size has changed."""
    given, even = 0, 0
    for total in state.totals[x]:
        given += total > state.sizes[x]
        even += total == state.sizes[x]
    state.given[x], state.even[x] = given, even
