"""Small changes of a permutation: one more person stays in place, or one more goes; the cheapest first.

Both walk through the cycles of p. A person of a cycle of three or more stays when his neighbours close the
gap; a swap is undone as a whole. A person who stays goes when he steps between two who follow one another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Permutation = NDArray[np.int64]


def let_stay(distances: Floats, p: Permutation, steps: int) -> Iterator[Permutation]:
    """Yield permutations with 1..steps more fixed points (two at once where a swap is undone), greedily."""
    people, p = np.arange(len(p)), p.copy()
    before = np.argsort(p)
    while steps > 0:
        saved = _saved_by_staying(distances, p, before)
        swap = (p[p] == people) & (p != people)
        rate = np.where(swap, saved / 2 if steps > 1 else -np.inf, saved)
        u = int(rate.argmax())
        if rate[u] == -np.inf:
            return
        moved = (u, int(p[u])) if swap[u] else (u,)
        for v in moved:
            ahead, behind = p[v], before[v]
            p[behind], before[ahead] = ahead, behind
            p[v] = before[v] = v
        steps -= len(moved)
        yield p.copy()


def _saved_by_staying(distances: Floats, p: Permutation, before: Permutation) -> Floats:
    """Return what is saved when u stays and his neighbours close the gap; for a swap, when both stay."""
    people = np.arange(len(p))
    legs = distances[before, people] + distances[people, p]
    saved: Floats = np.where(p == people, -np.inf, legs - np.where(before == p, 0, distances[before, p]))
    return saved


def let_go(distances: Floats, p: Permutation, steps: int) -> Iterator[Permutation]:
    """Yield permutations with 1..steps fewer fixed points, each at the least extra cost of one step."""
    people, p = np.arange(len(p)), p.copy()
    for _ in range(steps):
        stay, go = np.flatnonzero(p == people), np.flatnonzero(p != people)
        if not len(go) or not len(stay):
            return
        detour = distances[np.ix_(go, stay)] + distances[np.ix_(stay, p[go])].T
        detour -= distances[go, p[go]][:, None]
        i, u = np.unravel_index(int(detour.argmin()), detour.shape)
        p[stay[u]] = p[go[i]]
        p[go[i]] = stay[u]
        yield p.copy()
