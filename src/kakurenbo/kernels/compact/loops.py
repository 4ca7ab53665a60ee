"""The search for compact clusters, compiled: a greedy start, annealing by exact prices, a last descent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compact.state import State, cost, move, move_change, swap, swap_change, swap_hopeless
from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Shorts = NDArray[np.int32]

_NEAR = 0.9  # share of proposals that join a near neighbour; the others go anywhere
_STEPS = 8  # how far along a ring a partner for a swap is sought


@compiled
def greedy(indptr: Ints, indices: Shorts, buyers_ptr: Ints, buyers: Shorts, clusters: int) -> Ints:
    """Group customers into clusters of equal size, the heaviest baskets first.

    Every cluster starts from the largest basket left and takes, one by one, the customer who shares most
    goods with what it has: with sizes fixed, each shared good is one good less in some I(x). What does not
    divide is spread over the last clusters, where baskets are small.
    """
    customers, goods = len(indptr) - 1, len(buyers_ptr) - 1
    labels = np.full(customers, -1)
    weights = indptr[1:] - indptr[:-1]
    left, remaining = np.argsort(-weights, kind="mergesort"), customers
    shared, has = np.zeros(customers, np.int64), np.zeros(goods, np.bool_)
    for x in range(clusters):
        shared[:] = 0
        has[:] = False
        place = 0
        for _ in range(customers // clusters + (x >= clusters - customers % clusters)):
            u = left[place]
            remaining -= 1
            left[place:remaining] = left[place + 1 : remaining + 1].copy()
            labels[u] = x
            for good in indices[indptr[u] : indptr[u + 1]]:
                if not has[good]:
                    has[good] = True
                    for v in buyers[buyers_ptr[good] : buyers_ptr[good + 1]]:
                        shared[v] += 1
            place = _most_shared(left[:remaining], shared, weights)
    return labels


@compiled
def _most_shared(left: Ints, shared: Ints, weights: Ints) -> int:
    """Return the place of whoever shares most goods, of equals the one with the smallest basket."""
    best = 0
    for place in range(1, len(left)):
        more = shared[left[place]] - shared[left[best]]
        if more > 0 or (more == 0 and weights[left[place]] < weights[left[best]]):
            best = place
    return best


@compiled
def _draw(dice: NDArray[np.uint64]) -> float:
    """Return a number in [0, 1) by xorshift64: small, quick, and the same under every version of numpy."""
    bits = dice[0]
    bits ^= bits << np.uint64(13)
    bits ^= bits >> np.uint64(7)
    bits ^= bits << np.uint64(17)
    dice[0] = bits
    return float(bits >> np.uint64(11)) / 9007199254740992.0


@compiled
def neighbours(indptr: Ints, indices: Shorts, buyers_ptr: Ints, buyers: Shorts, count: int) -> Shorts:
    """Return every customer's nearest by the cosine of their baskets; -1 where fewer share a good."""
    customers = len(indptr) - 1
    nearest = np.full((customers, count), -1, np.int32)
    scores, shared = np.zeros(count), np.zeros(customers, np.int32)
    touched = np.empty(customers, np.int32)
    for u in range(customers):
        seen = 0
        for good in indices[indptr[u] : indptr[u + 1]]:
            for v in buyers[buyers_ptr[good] : buyers_ptr[good + 1]]:
                if shared[v] == 0:
                    touched[seen] = v
                    seen += 1
                shared[v] += 1
        shared[u] = 0
        scores[:] = 0.0
        for v in touched[:seen]:
            _insert(nearest[u], scores, v, shared[v] * shared[v] / (indptr[v + 1] - indptr[v]))
            shared[v] = 0
    return nearest


@compiled
def _insert(nearest: Shorts, scores: NDArray[np.float64], v: int, score: float) -> None:
    """Keep v among the nearest if its score is among the highest, which stand in falling order."""
    place = len(scores)
    while place > 0 and score > scores[place - 1]:
        place -= 1
    if place < len(scores):
        scores[place + 1 :] = scores[place:-1].copy()
        nearest[place + 1 :] = nearest[place:-1].copy()
        scores[place], nearest[place] = score, v


@compiled
def _companion(nearest: Shorts, u: int, dice: NDArray[np.uint64]) -> int:
    """Draw a customer to join: one of u's nearest, or anyone."""
    if _draw(dice) < _NEAR:
        v = nearest[u, int(_draw(dice) * nearest.shape[1])]
        if v >= 0:
            return int(v)
    return int(_draw(dice) * len(nearest))


@compiled
def anneal(
    state: State,
    nearest: Shorts,
    min_size: int,
    sweeps: int,
    hot: float,
    cold: float,
    dice: NDArray[np.uint64],
) -> None:
    """Propose moves and swaps, one a customer and sweep, ever less willing to take a loss.

    A proposal is taken when its change is at most -T ln(r), r uniform: always if it saves, with probability
    exp(-change / T) if not (Metropolis). Customers leave only clusters larger than min_size; others swap.
    """
    customers = len(state.labels)
    for sweep in range(sweeps):
        temperature = hot * (cold / hot) ** (sweep / sweeps)
        for _ in range(customers):
            u = int(_draw(dice) * customers)
            v = _companion(nearest, u, dice)
            source, target = state.labels[u], state.labels[v]
            if source == target:
                continue
            allowed = -temperature * np.log(1.0 - _draw(dice))
            if state.sizes[source] > min_size and _draw(dice) < 0.5:
                left, entered = move_change(state, u, target)
                if left + entered <= allowed:
                    move(state, u, target, v, left, entered)
                continue
            for _ in range(int(_draw(dice) * min(state.sizes[target], _STEPS))):
                v = state.after[v]
            if swap_hopeless(state, u, v, allowed):
                continue
            left, entered = swap_change(state, u, v)
            if left + entered <= allowed:
                swap(state, u, v, left, entered)


@compiled
def descend(state: State, min_size: int) -> None:
    """Take every move and swap that saves, over all pairs of customers, until none does: a local optimum."""
    customers = len(state.labels)
    last, u = 0, 0
    while last < customers:
        last = 0 if _improve(state, u, min_size) else last + 1
        u = (u + 1) % customers


@compiled
def _improve(state: State, u: int, min_size: int) -> bool:
    """Look once at all that u can do; return whether something saved."""
    saved = False
    for v in range(len(state.labels)):
        target = state.labels[v]
        if target == state.labels[u]:
            continue
        if state.sizes[state.labels[u]] > min_size:
            left, entered = move_change(state, u, target)
            if left + entered < 0:
                move(state, u, target, v, left, entered)
                saved = True
                continue
        if v < u:
            continue  # looked at when it was v's turn
        left, entered = swap_change(state, u, v)
        if left + entered < 0:
            swap(state, u, v, left, entered)
            saved = True
    return saved


@compiled
def dissolve(state: State) -> bool:
    """Close every cluster whose members cost less elsewhere; return whether one was closed.

    More clusters than needed can only help until their number itself forces unlike customers together: nine
    customers of two kinds, four and five, are better off in two clusters than in three of three.
    """
    closed = False
    for x in range(len(state.sizes)):
        if state.sizes[x] == 0 or np.sum(state.sizes > 0) == 1:
            continue
        before = cost(state)
        members = np.flatnonzero(state.labels == x)
        _scatter(state, members)
        if cost(state) < before:
            closed = True
            continue
        for place in range(len(members)):
            u = members[place]
            left, entered = move_change(state, u, x)
            move(state, u, x, members[place - 1] if place else u, left, entered)
    return closed


@compiled
def _scatter(state: State, members: Ints) -> None:
    """Move the members of one cluster, each to the other cluster where it costs least."""
    partner = np.zeros(len(state.sizes), np.int64)
    partner[state.labels] = np.arange(len(state.labels))
    for u in members:
        best, least = -1, 0
        for x in range(len(state.sizes)):
            if state.sizes[x] == 0 or x == state.labels[u]:
                continue
            left, entered = move_change(state, u, x)
            if best < 0 or left + entered < least:
                best, least = x, left + entered
        left, entered = move_change(state, u, best)
        move(state, u, best, int(partner[best]), left, entered)
