"""What look-ups may take: those that would take longest are cut down to the first targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.scans import LookUp
    from kakurenbo.auditing.linear.counts import Counts
    from kakurenbo.auditing.linear.scan import Search

_COMPARING = 3  # steps for everybody who holds any


def within(searches: tuple[Search, ...], counts: Counts, work: int, fewest: int) -> tuple[Search, ...]:
    """Return the look-ups, those that would take longest cut down to the first targets, so that all fit.

    Every one may take the same, and what cheap ones leave goes to the others. Nobody is cut down below so
    few targets.
    """
    costs = [_costs(search, counts) for search in searches]
    made, left = list(searches), float(work)
    order = np.argsort([cost[-1] if len(cost) else 0 for cost in costs], kind="stable").tolist()
    for place, one in enumerate(order):
        share = left / (len(order) - place)
        first = int(np.searchsorted(costs[one], share, "right"))
        first = min(max(first, fewest), len(costs[one]))
        made[one] = searches[one].of_first(first)
        left = max(left - (costs[one][first - 1] if first else 0), 0.0)
    return tuple(made)


def _costs(search: Search, counts: Counts) -> NDArray[np.float64]:
    """Return what the first targets take: a step for all who hold a key, and some to compare them.

    Where it is known what somebody scores, lists are gone through as long as newcomers could still reach it.
    """
    holders = np.concatenate([counts.holders[grain] for grain in search.how.grains])
    walked = holders[search.keys].sum(axis=1)
    if search.reached is not None and search.adds:
        walked = np.where(_open(search, counts), walked, 0)
    steps = np.concatenate([[0.0], np.cumsum(walked, dtype=np.float64)])
    each = np.diff(steps[search.bounds])
    return np.cumsum(each + _COMPARING * np.minimum(each, counts.people))


def _open(search: Search, counts: Counts) -> NDArray[np.bool_]:
    """Return at which keys, the rarest of a target first, newcomers could still reach what is known."""
    bars = cast("NDArray[np.float64]", search.reached)
    target = np.repeat(np.arange(len(bars)), np.diff(search.bounds))
    added = np.concatenate([[0.0], np.cumsum(_most(search.how, counts)[search.keys[:, 0]])])
    still: NDArray[np.bool_] = added[search.bounds[1:]][target] - added[:-1] >= bars[target]
    return still


def _most(how: LookUp, counts: Counts) -> NDArray[np.float64]:
    """Return the most that a person can hold of each key."""
    each = []
    for grain in how.grains:
        ones = np.ones(len(counts.holders[grain]))
        if how.counts == "rarity":
            ones = counts.rarity(grain)
        elif how.counts == "ratio":
            ones = counts.records / np.maximum(counts.having[grain], 1)
        each.append(np.log(ones + how.least) - np.log(how.least) if how.least else ones)
    return np.concatenate(each)
