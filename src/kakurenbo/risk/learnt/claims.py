"""What is claimed of a target, and how much of it is true.

The attacker knows a part K of x's records, looks, and believes something of the rest: what the released
person who fits best has beyond K, or the receipts that he takes for x's. Claims C, truth U = what x has
beyond K; learnt is their Jaccard similarity, |C n U| / |C u U|, with precision |C n U| / |C| and recall
|C n U| / |U| beside it. Where several fit equally well he takes any, so the mean over them counts; or,
cautious, he claims only what all of them agree on. Who has nothing beyond K cannot be learnt about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.belief import Belief, Matrix

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_ROUNDING = 1e-12
LAID_OPEN = 0.5  # of whom so much is learnt lies open


@dataclass(frozen=True, eq=False)
class Learnt:
    """What is learnt of every target who has something to be learnt, one number each.

    Attributes:
        target: the number of the target.
        share: Jaccard of claims and truth.
        laid_open: 1 where the share is one half or more, else 0.
        precision: the share of the claims that is true; 1 where nothing is claimed.
        recall: the share of the truth that is claimed.
    """

    target: Ints
    share: Floats
    laid_open: Floats
    precision: Floats
    recall: Floats


def laid_open(share: Floats) -> Floats:
    """Return who lies open: 1 where one half or more is learnt, up to rounding."""
    return (share >= LAID_OPEN * (1 - _ROUNDING)).astype(float)


def learnt(known: Matrix, truth: Matrix, belief: Belief) -> Learnt:
    """Compare what is believed of every target with the truth.

    Args:
        known: targets x keys, what is known of each.
        truth: targets x the same keys, everything.
        belief: of each target, over the same keys.
    """
    from kakurenbo.kernels.claims import counted  # noqa: PLC0415 - compiled loops are slow to load

    size, claimed, common = counted(known, truth, belief.bundles, (belief.indptr, belief.indices))
    count = np.diff(belief.indptr)
    targets = np.arange(len(size))
    who = np.repeat(targets, count)
    share = common / np.maximum(claimed + size[who] - common, 1)
    some = size > 0

    def mean(values: Floats, nothing: float = 0.0) -> Floats:
        summed = np.bincount(who, values, len(targets))
        return np.where(count > 0, summed / np.maximum(count, 1), nothing)[some]

    learnt_of = mean(share)
    return Learnt(
        targets[some],
        learnt_of,
        laid_open(learnt_of),
        mean(np.where(claimed > 0, common / np.maximum(claimed, 1), 1.0), 1.0),
        mean(common / np.maximum(size[who], 1)),
    )
