"""The worst of many attackers, read off people on whom he was not chosen.

Of forty attackers who all find 9 % of 400 people, the luckiest finds 12 %: the largest of many rates is
larger than any of them truly is. So the worst is chosen on one half of the people and read on the other, and
the other way round, over several random halves. What remains is a fair estimate of what the attacker finds
whom such a choice gives; where one is clearly the worst, that is his own rate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.theory._checks import require, whole
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

SPLITS = 20


def worst(
    chances: ArrayLike, rng: np.random.Generator, labels: Sequence[ArrayLike] = (), splits: int = SPLITS
) -> Rate:
    """Return the worst attacker's rate, freed from the luck of being chosen, with its 95 % interval.

    Args:
        chances: attackers x people, the chance of everybody to be found, from 0 to 1.
        rng: draws the halves.
        labels: ways to group people who may share their fate. Halves keep together those of the way with the
            fewest groups, for one half tells of the other what they share; the widest interval is taken.
        splits: how many times the people are halved.
    """
    coarsest = min(labels, key=lambda groups: len(np.unique(np.asarray(groups))), default=None)
    return Rate.widest(held_out(chances, rng, coarsest, splits), labels)


def held_out(
    chances: ArrayLike, rng: np.random.Generator, groups: ArrayLike | None = None, splits: int = SPLITS
) -> Floats:
    """Return everybody's chance to be found by whoever finds most of the half that he is not in.

    The mean over all halvings, and over attackers who find equally many there. People who are all of one
    group cannot be halved: they get the chances with whoever finds most of them.

    Args:
        chances: attackers x people, as in `worst`.
        rng: draws the halves.
        groups: a label for everybody; people of one label stay in one half.
        splits: how many times the people are halved.
    """
    found = np.atleast_2d(np.asarray(chances, dtype=np.float64))
    whole("splits", splits, 1)
    require(found.size > 0, "at least one attacker and one person", found.shape)
    require(bool(((found >= 0) & (found <= 1)).all()), "chances from 0 to 1", "one beyond")
    names = np.arange(found.shape[1]) if groups is None else np.asarray(groups)
    require(names.shape == found.shape[1:], "a group for each person", names.shape)
    labels = np.unique(names, return_inverse=True)[1]
    count = int(labels.max()) + 1
    if count == 1:
        return _by_worst(found, found.sum(axis=1))
    total = np.zeros(found.shape[1])
    for _ in range(splits):
        first = (rng.permutation(count) < count // 2)[labels]
        for here in (first, ~first):
            total[~here] += _by_worst(found[:, ~here], found @ here)
    made: Floats = total / splits
    return made


def _by_worst(found: Floats, score: Floats) -> Floats:
    """Return the mean chances over the attackers of the highest score, up to rounding."""
    best: Floats = found[score >= score.max() * (1 - 1e-12)].mean(axis=0)
    return best
