"""A point for every good: near are goods that the same people buy, and whose descriptions share words.

People who buy much say little about which goods belong together, so each counts the less the more he buys,
as common words do in texts. Both tables, goods x people and goods x words, are reduced to a few dozen
dimensions by a truncated singular value decomposition, whose memory is linear in the records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Matrix = sparse.csr_array[Any]
    Points = NDArray[np.float64]

_DIMENSIONS = 48
_WORDS = 0.5  # how much descriptions count beside purchases
_SMALL = 100  # rows and columns of a table that is decomposed as a whole
_TOKEN = r"(?u)[^\W\d_]{3,}"  # noqa: S105 - a pattern of words


def described(texts: Sequence[str]) -> tuple[Matrix, list[str]]:
    """Return goods x words, 1 where the description has the word, and the words, if any."""
    if not any(texts):
        return sparse.csr_array((len(texts), 0)), []
    from sklearn.feature_extraction.text import CountVectorizer  # noqa: PLC0415 - half a second to import

    counter = CountVectorizer(binary=True, token_pattern=_TOKEN)
    try:
        counts = counter.fit_transform(texts)
    except ValueError:  # no description has a word
        return sparse.csr_array((len(texts), 0)), []
    return sparse.csr_array(counts), counter.get_feature_names_out().tolist()


def points_of(baskets: Matrix, words: Matrix, rng: np.random.Generator) -> Points:
    """Return a point for every good.

    Args:
        baskets: people x goods, 1 where bought.
        words: goods x words, 1 where described so; no columns where nothing is described.
        rng: for the decomposition.
    """
    bought = _reduced(_weighed(sparse.csr_array(baskets.T)), rng)
    if not words.shape[1]:
        return bought
    return np.hstack([bought, _WORDS * _reduced(_weighed(words), rng)])


def _weighed(table: Matrix) -> Matrix:
    """Return rows of length 1 whose columns count the less, the more rows have them."""
    rows, columns = table.shape
    common = np.bincount(table.indices, minlength=columns)
    values = (np.log(rows / np.maximum(common, 1)) + 0.5)[table.indices]
    counts = np.diff(table.indptr)
    squares = np.bincount(np.repeat(np.arange(rows), counts), values**2, minlength=rows)
    lengths = np.sqrt(np.where(squares > 0, squares, 1.0))
    return sparse.csr_array((values / np.repeat(lengths, counts), table.indices, table.indptr), table.shape)


def _reduced(table: Matrix, rng: np.random.Generator) -> Points:
    """Return the rows in few dimensions, of length 1; on one thread, as threads add up in any order."""
    rows = _small(table) if max(table.shape) <= _SMALL else _large(table, int(rng.integers(2**31)))
    lengths = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return rows / np.where(lengths > 0, lengths, 1.0)


def _small(table: Matrix) -> Points:
    left, strengths, _ = np.linalg.svd(table.toarray(), full_matrices=False)
    rows: Points = (left * strengths)[:, :_DIMENSIONS]
    return rows


def _large(table: Matrix, seed: int) -> Points:
    from sklearn.utils.extmath import randomized_svd  # noqa: PLC0415 - half a second to import
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    with threadpool_limits(1):
        left, strengths, _ = randomized_svd(table, min(_DIMENSIONS, *table.shape), random_state=seed)
    rows: Points = left * strengths
    return rows
