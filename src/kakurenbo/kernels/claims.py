"""Claims: how much of what is believed of a target is true, key by key.

Of target t the keys T are true and K of them known before. Whoever believes that he has the keys B claims
C = B - K, of which the keys in U = T - K are true. Keys are marked target by target, so that every bundle is
gone through once for everybody of whom it is believed, and nothing is copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy import sparse

    Integers = npt.NDArray[np.int64]
    Rows = tuple[Integers, Integers]
    Matrix = sparse.csr_array[Any] | sparse.csr_matrix[Any]


def counted(
    known: Matrix, truth: Matrix, bundles: Matrix, believed: Rows
) -> tuple[Integers, Integers, Integers]:
    """Return |U| of every target, and |C| and |C n U| of everything believed, one after the other.

    Args:
        known: targets x keys, what is known of each; part of the truth.
        truth: targets x the same keys, everything.
        bundles: bundles x the same keys.
        believed: target t may have the bundles believed[1][believed[0][t] : believed[0][t + 1]].
    """
    indptr, indices = (np.asarray(part, np.int64) for part in believed)
    size = np.zeros(truth.shape[0], np.int64)
    claimed, common = np.zeros(len(indices), np.int64), np.zeros(len(indices), np.int64)
    marks = np.full(truth.shape[1], -1, np.int64)
    _count(_rows(known), _rows(truth), _rows(bundles), (indptr, indices), marks, (size, claimed, common))
    return size, claimed, common


def _rows(matrix: Matrix) -> Rows:
    return np.asarray(matrix.indptr, np.int64), np.asarray(matrix.indices, np.int64)


@compiled
def _count(
    known: Rows,
    truth: Rows,
    bundles: Rows,
    believed: Rows,
    marks: Integers,
    counts: tuple[Integers, Integers, Integers],
) -> None:
    """Mark the keys of U by 2t, those of K by 2t + 1, and look which marks each bundle meets."""
    size, claimed, common = counts
    for target in range(len(size)):
        true, before = 2 * target, 2 * target + 1
        for place in range(truth[0][target], truth[0][target + 1]):
            marks[truth[1][place]] = true
        for place in range(known[0][target], known[0][target + 1]):
            marks[known[1][place]] = before
        for place in range(truth[0][target], truth[0][target + 1]):
            size[target] += marks[truth[1][place]] == true
        for belief in range(believed[0][target], believed[0][target + 1]):
            bundle = believed[1][belief]
            for place in range(bundles[0][bundle], bundles[0][bundle + 1]):
                mark = marks[bundles[1][place]]
                claimed[belief] += mark != before
                common[belief] += mark == true
