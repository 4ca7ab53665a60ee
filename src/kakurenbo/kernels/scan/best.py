"""The best of those who were looked at: who ties, and which few of them are kept; compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    People = npt.NDArray[np.int32]
    Bits = npt.NDArray[np.uint64]

_NOBODY = np.uint64(0xFFFFFFFFFFFFFFFF)
ROUNDED = 1 - 1e-9  # sums in another order differ by less


@compiled
def highest(total: Floats) -> float:
    """Return the largest number, at least 0; four are compared at a time, since each waits for the last."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = len(total) - len(total) % 4
    for i in range(0, whole, 4):
        a, b = max(a, total[i]), max(b, total[i + 1])
        c, d = max(c, total[i + 2]), max(d, total[i + 3])
    for i in range(whole, len(total)):
        a = max(a, total[i])
    return max(a, b, c, d)


@compiled
def place(  # noqa: C901 - one step, rule by rule
    sought: tuple[int, int],
    best: float,
    here: tuple[Floats, People, int],
    close: float,
    sizes: Floats,
    own: tuple[Integers, Integers],
    bits: tuple[Bits, Bits],
    out: tuple[Floats, Floats, Integers, Integers, Bits, Bits],
) -> None:
    """Write the best of a stretch of people beside what a target found among those before them.

    `sought` is the row of `out` and the target whose it is; `here` is what everybody of the stretch scores,
    who of them tie for its best, and where it begins.
    """
    score, size, ties, mine, draws, kept = out
    (target, whose), (total, tied, shift) = sought, here
    bar = best * (1 - close)
    for rule in range(len(sizes)):
        smallest, count = np.inf, 0
        for person in tied:
            smallest = min(smallest, sizes[rule, shift + person])
        if score[rule, target] * (1 - close) > best:
            continue
        clear = bar > score[rule, target]
        if not clear and size[rule, target] < smallest:
            continue
        if clear or smallest < size[rule, target]:
            ties[rule, target], mine[rule, target] = 0, 0
            if target < draws.shape[1]:
                draws[rule, target, :], kept[rule, target, :] = _NOBODY, np.uint64(0)
            score[rule, target], size[rule, target] = best, smallest
        score[rule, target] = max(score[rule, target], best)
        for person in tied:
            if sizes[rule, shift + person] == smallest:
                count += 1
                if target < draws.shape[1]:
                    keep(draws[rule, target], kept[rule, target], bits[0][whose], bits[1][shift + person])
        ties[rule, target] += count
        for i in range(own[0][whose], own[0][whose + 1]):
            person = own[1][i] - shift
            if 0 <= person < len(total) and total[person] >= bar and sizes[rule, own[1][i]] == smallest:
                mine[rule, target] += 1


@compiled
def mix(bits: np.uint64) -> np.uint64:
    """Return the output of SplitMix64 at this state."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@compiled
def keep(draws: Bits, kept: Bits, target: np.uint64, person: np.uint64) -> None:
    """Keep a person among the few of the lowest draws, which are sorted."""
    draw = mix(target ^ person)
    last = len(draws) - 1
    if last < 0 or draw >= draws[last]:
        return
    while last > 0 and draws[last - 1] > draw:
        draws[last], kept[last] = draws[last - 1], kept[last - 1]
        last -= 1
    draws[last], kept[last] = draw, person


@compiled
def keep_all(
    indptr: Integers, indices: Integers, targets: Bits, people: Bits, draws: Bits, kept: Bits
) -> None:
    """Keep of the first targets' ties those of the lowest draws."""
    for target in range(min(len(indptr) - 1, len(draws))):
        for p in range(indptr[target], indptr[target + 1]):
            keep(draws[target], kept[target], targets[target], people[indices[p]])
