"""Together: whether somebody else holds the first k of some points, where many people hold each of them.

A point is a row of bits, one for every person. The holders of several points are where all their bits are
set, 64 people at a time, and mostly the first few words tell that there is somebody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Bits = npt.NDArray[np.uint64]
    Integers = npt.NDArray[np.int64]

_WORD = 64
_BIT = np.uint64(1)


def held_by_others(
    pairs: Integers, people: int, points: Integers, himself: Integers, count: int
) -> npt.NDArray[np.bool_]:
    """Return for k = 1, 2, ..., one row each, whether somebody else holds a draw's first k points.

    Args:
        pairs: who holds what, as point * people + person.
        people: how many there are.
        points: draws x points, -1 where there is none, which asks nothing.
        himself: the person drawn, -1 where he is not among them.
        count: how many points there are.
    """
    bits = np.zeros((count, -(-people // _WORD)), np.uint64)
    _set(pairs, people, bits)
    others = np.zeros((points.shape[1], len(points)), np.bool_)
    _look(points, himself, bits, others)
    return others


@compiled
def _set(pairs: Integers, people: int, bits: Bits) -> None:
    for pair in pairs:
        person = pair % people
        bits[pair // people, person // _WORD] |= _BIT << np.uint64(person % _WORD)


@compiled
def _look(points: Integers, himself: Integers, bits: Bits, others: npt.NDArray[np.bool_]) -> None:
    """Write whether anybody else is left, point after point; words are looked at until all is told."""
    for draw in range(len(points)):
        person = himself[draw]
        for word in range(bits.shape[1]):
            left = ~np.uint64(0)
            if person >= 0 and person // _WORD == word:
                left ^= _BIT << np.uint64(person % _WORD)
            for k in range(points.shape[1]):
                if points[draw, k] >= 0:
                    left &= bits[points[draw, k], word]
                if left == np.uint64(0):
                    break
                others[k, draw] = True
            if others[-1, draw]:
                break
