"""Try the cheats of 004 many times: what distances do they have, and are they caught (figures 8-10)?

Nothing is released: a cheat hands out the data as it is, so its distance is that of the data from itself
along the cheat's permutation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from kakurenbo.kernels import distances, shuffles

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kakurenbo.kernels.distances import Distance, People

Cheat = Literal["shift", "random", "multi-random"]
_HELD = 2000  # people up to whom all distances are held at once: then a trial is one look-up each


@dataclass(frozen=True, eq=False)
class Trials:
    """The distances of one cheat, tried many times.

    Attributes:
        cheat: shift (after people were put into a random order), random, or multi-random (within groups).
        sums: d(T, T; p) of every trial.
        fixed: people left in place in every trial.
    """

    cheat: Cheat
    sums: NDArray[np.float64] = field(repr=False)
    fixed: NDArray[np.int64] = field(repr=False)

    def rejected(self, t: float) -> int:
        """Return how many trials a threshold t catches: d > t."""
        return int((self.sums > t).sum())

    def to_dict(self, t: float) -> dict[str, Any]:
        """Return plain numbers; sums, not means."""
        return {
            "cheat": self.cheat, "trials": len(self.sums), "rejected": self.rejected(t),
            "lowest": float(self.sums.min()), "mean": float(self.sums.mean()),
            "highest": float(self.sums.max()), "mean_fixed_points": float(self.fixed.mean()),
        }  # fmt: skip


def trials(
    people: People, measure: Distance, groups: NDArray[np.int64], count: int, rng: np.random.Generator
) -> tuple[Trials, ...]:
    """Try every cheat `count` times; multi-random only where there is more than one group.

    Args:
        people: one row each.
        measure: the distance between two of them.
        groups: the group of each, for multi-random.
        count: trials of each cheat.
        rng: the source of chance.
    """
    apart = _ruler(people, measure)
    everybody = np.zeros_like(groups)
    draws: dict[Cheat, Callable[[], NDArray[np.int64]]] = {
        "shift": lambda: shuffles.shift(rng.permutation(len(groups))),
        "random": lambda: shuffles.within(everybody, rng.random(len(groups))),
        "multi-random": lambda: shuffles.within(groups, rng.random(len(groups))),
    }
    if not groups.any():
        del draws["multi-random"]
    return tuple(_tried(cheat, draw, apart, count) for cheat, draw in draws.items())


def _tried(
    cheat: Cheat,
    draw: Callable[[], NDArray[np.int64]],
    apart: Callable[[NDArray[np.int64]], NDArray[np.float64]],
    count: int,
) -> Trials:
    sums, fixed = np.empty(count), np.empty(count, dtype=np.int64)
    for trial in range(count):
        p = draw()
        sums[trial] = math.fsum(apart(p).tolist())
        fixed[trial] = (p == np.arange(len(p))).sum()
    return Trials(cheat, sums, fixed)


def _ruler(people: People, measure: Distance) -> Callable[[NDArray[np.int64]], NDArray[np.float64]]:
    """Return a function that gives everybody's distance from the record a permutation gives him."""
    n = people.shape[0]
    if n > _HELD:
        return lambda p: distances.along(people, people[p], measure)
    held, own = distances.matrix(people, measure), np.arange(n)
    return lambda p: held[own, p]
