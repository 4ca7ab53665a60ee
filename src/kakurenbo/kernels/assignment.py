"""Assignment: everybody is somebody, so who is who for all at once?

The one-to-one pairing of released and known people with the largest sum of similarities. Up to `DENSE`
people all pairs are weighed; beyond that only the `NEIGHBOURS` most similar of each, so that memory stays
linear, and who gets none of them abstains. Rows and columns are shuffled first: among equally good
assignments chance decides, and not the order of rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from kakurenbo.kernels.nearest import similarity_block, top

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from kakurenbo.kernels.nearest import Matrix, Similarity

DENSE = 6000
NEIGHBOURS = 50
_FLOOR = 1e-9  # a pairing that says nothing is still better than leaving a person out, by this much


def assign(
    released: Matrix,
    originals: Matrix,
    similarity: Similarity,
    rng: np.random.Generator,
    *,
    weights: ArrayLike | None = None,
) -> NDArray[np.int64]:
    """Return for every released row the original paired with it, -1 where none is left.

    Args:
        released: released customers x goods.
        originals: original customers x the same goods.
        similarity: see `kernels.nearest`.
        rng: decides between equally good assignments.
        weights: for the weighted Jaccard.
    """
    rows, columns = rng.permutation(released.shape[0]), rng.permutation(originals.shape[0])
    a, b = released[rows], originals[columns]
    if max(a.shape[0], b.shape[0]) <= DENSE:
        left, right = _dense(similarity_block(a, b, similarity, weights=weights))
    else:
        left, right = _sparse(a, b, similarity, weights)
    return _paired(rows, columns, left, right)


def assign_by(scores: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return what `assign` does, from all similarities (released x originals) where they are known."""
    rows, columns = rng.permutation(scores.shape[0]), rng.permutation(scores.shape[1])
    return _paired(rows, columns, *_dense(scores[np.ix_(rows, columns)]))


def _paired(
    rows: NDArray[np.intp], columns: NDArray[np.intp], left: NDArray[np.intp], right: NDArray[np.intp]
) -> NDArray[np.int64]:
    paired = np.full(len(rows), -1, dtype=np.int64)
    paired[rows[left]] = columns[right]
    return paired


def _dense(scores: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Match all with all; the scores are used up."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - slow to load

    np.negative(scores, out=scores)  # the costs; asking for the maximum would copy all of it
    left, right = linear_sum_assignment(scores)
    return left, right


def _sparse(
    a: Matrix, b: Matrix, similarity: Similarity, weights: ArrayLike | None
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Match over the most similar few."""
    best = top(a, b, NEIGHBOURS, similarity, weights=weights)
    some = best.indices >= 0
    who, whom = np.nonzero(some)[0], best.indices[some]
    score = best.score[some] / max(best.score.max(initial=0.0), _FLOOR)
    return full_matching(who, whom, score, (a.shape[0], b.shape[0]))


def full_matching(
    who: NDArray[np.intp], whom: NDArray[np.int64], score: NDArray[np.float64], shape: tuple[int, int]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the one-to-one pairs with the largest sum of scores (0 to 1) among the pairs given.

    Everybody also has a place of his own, so that a full matching exists; who ends there is left out.
    """
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # noqa: PLC0415 - slow to load

    n, m = shape
    people = np.arange(n)
    graph = sparse.coo_array(
        (
            np.concatenate([score + 2 * _FLOOR, np.full(n, _FLOOR)]),
            (
                np.concatenate([who, people]).astype(np.int32),
                np.concatenate([whom, m + people]).astype(np.int32),
            ),
        ),
        shape=(n, m + n),
    ).tocsr()
    left, right = min_weight_full_bipartite_matching(graph, maximize=True)
    real = right < m
    return left[real].astype(np.intp), right[real].astype(np.intp)
