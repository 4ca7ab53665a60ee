"""Membership: can it be told who is in a release, from how well people are matched there?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import rankdata

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_FALSE = 0.01  # false alarms allowed to who tells members


def told_apart(inside: Floats, outside: Floats) -> tuple[float, float]:
    """Return how well people inside are told from people outside, by how well each is matched.

    The chance that somebody inside is matched better than somebody outside (AUC, equals count half), and the
    share of those inside who are matched better than all but 1 % of those outside.
    """
    n, m = len(inside), len(outside)
    ranks = rankdata(np.concatenate([inside, outside]))[:n]
    auc = float((ranks.sum() - n * (n + 1) / 2) / (n * m))
    limit = np.quantile(outside, 1 - _FALSE, method="higher")
    return auc, float((inside > limit).mean())
