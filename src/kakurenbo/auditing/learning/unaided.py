"""Unaided: what can be claimed of everybody alike by who knows what people buy, and has seen no release."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.data.belief import present
from kakurenbo.risk.learnt.claims import laid_open
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.belief import Matrix

    Ints = NDArray[np.int64]

_STEPS = 12


def unaided(known: Matrix, truth: Matrix) -> tuple[float, Rate]:
    """Return (mean learnt, laid open) of the best claim made of everybody: so many of the most frequent keys.

    Args:
        known: targets x keys, what is known of each.
        truth: targets x the same keys, everything.
    """
    mine = present(known)
    beyond = present(truth) - mine
    beyond.eliminate_zeros()
    rank = np.empty(truth.shape[1], np.int64)
    rank[np.argsort(-np.asarray(present(truth).sum(axis=0)).ravel(), kind="stable")] = np.arange(len(rank))
    size = np.diff(beyond.indptr)
    best = (0.0, 0.0)
    for claimed in np.unique(np.geomspace(1, max(len(rank), 1), _STEPS).astype(int)):
        common, before = _within(beyond, rank, claimed), _within(mine, rank, claimed)
        share = (common / np.maximum(claimed - before + size - common, 1))[size > 0]
        if len(share):
            best = max(best, (float(laid_open(share).mean()), float(share.mean())))
    return best[1], Rate.known(best[0])


def _within(matrix: Matrix, rank: Ints, claimed: int) -> Ints:
    """Return how many keys of each row are among the most frequent ones."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return np.bincount(rows[rank[matrix.indices] < claimed], minlength=matrix.shape[0])
