"""Methods 0, 1 and 2 of the papers, and what a clustering costs."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = sparse.csr_array
    Labels = NDArray[np.int64]


def tfidf(baskets: Matrix) -> Matrix:
    """Weigh goods so that what few people buy says more about a customer than what everybody buys.

    Formula: f'_ij = f_ij / sum_k f_ik * (ln(n / |D_j|) + 1), D_j the buyers of good j (000 Algorithm 3).

    Args:
        baskets: X; an empty row stays empty.

    Returns:
        A new sparse matrix of the same shape and sparsity.
    """
    customers, goods = baskets.shape
    sizes = np.diff(baskets.indptr)
    buyers = np.bincount(baskets.indices, minlength=goods)
    weight = np.log(customers / np.maximum(buyers, 1)) + 1.0
    values = weight[baskets.indices] / np.repeat(np.maximum(sizes, 1), sizes)
    return sparse.csr_array((values, baskets.indices, baskets.indptr), shape=baskets.shape)


def unit_rows(matrix: Matrix) -> Matrix:
    """Scale every row to Euclidean length 1, so that Euclid between rows orders them as the cosine does."""
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    scale = 1.0 / np.where(lengths > 0, lengths, 1.0)
    values = matrix.data * np.repeat(scale, np.diff(matrix.indptr))
    return sparse.csr_array((values, matrix.indices, matrix.indptr), shape=matrix.shape)


def kmeans(baskets: Matrix, clusters: int, rng: np.random.Generator) -> Labels:
    """Method 0: plain k-means on the raw 0/1 rows.

    Kept to show what goes wrong: a monopoly of one huge cluster and many customers left alone (000 Fig. 3).
    It starts from random customers, as plain k-means does; k-means++ would seek out those left alone even
    more.
    """
    check_clusters(baskets.shape[0], clusters)
    return _lloyd(baskets.astype(np.float64), clusters, "random", rng)


def tfidf_kmeans(baskets: Matrix, clusters: int, rng: np.random.Generator) -> Labels:
    """Method 1: k-means by the cosine of TF-IDF rows: plain k-means on their unit vectors (000 3.3)."""
    check_clusters(baskets.shape[0], clusters)
    return _lloyd(unit_rows(tfidf(baskets)), clusters, "k-means++", rng)


def balance(baskets: Matrix, labels: Labels, min_size: int) -> Labels:
    """Method 2: fill every cluster that is too small from the largest one (000 Algorithm 4).

    Small clusters are served in the order of their labels. While one has fewer than min_size members it gets,
    out of the cluster that is the largest at that moment, the customer with the highest Jaccard coefficient
    to any of its members. Jaccard coefficients are compared as fractions, without rounding; of equal ones,
    and of equally large clusters, the first in row or label order is taken.

    Args:
        baskets: X.
        labels: One label a customer, as `tfidf_kmeans` returns them; they are not changed.
        min_size: s_min; a multiple of it by the number of clusters must not exceed the customers.

    Returns:
        New labels, every cluster with at least min_size members.
    """
    count = int(labels.max()) + 1
    check_clusters(baskets.shape[0], count, min_size)
    from kakurenbo.kernels.clusters.loops import fill_small  # noqa: PLC0415 (numba takes a second to import)

    indptr, indices = baskets.indptr.astype(np.int64), baskets.indices.astype(np.int32)
    return fill_small(indptr, indices, labels.astype(np.int64), baskets.shape[1], min_size)


def dummies(baskets: Matrix, labels: Labels) -> int:
    """Count the dummy records a clustering costs, exactly.

    Formula: Delta_m = sum over clusters x of |x| |I(x)| - sum over customers u of |I(u)|.
    """
    sizes = np.bincount(labels)
    cells = np.repeat(labels, np.diff(baskets.indptr)) * baskets.shape[1] + baskets.indices
    goods = np.bincount(np.unique(cells) // baskets.shape[1], minlength=len(sizes))
    return int(sizes @ goods) - int(baskets.nnz)


def check_clusters(customers: int, clusters: int | None = None, min_size: int = 1) -> None:
    """Refuse a number of clusters (none given: any) and a smallest size that these customers cannot have."""
    clusters = 1 if clusters is None else clusters
    if min_size < 1:
        why = f"min_size must be at least 1 customer; got {min_size}."
    elif min_size > customers:
        why = f"min_size must be at most the {customers} customers there are; got {min_size}."
    elif not 1 <= clusters <= customers:
        why = f"There can be 1 to {customers} clusters, one customer each at least; got {clusters}."
    elif clusters * min_size > customers:
        why = (
            f"{clusters} clusters of at least {min_size} need {clusters * min_size} customers, there are "
            f"{customers}: ask for at most {customers // min_size} clusters, or for at most "
            f"{customers // clusters} customers in the smallest."
        )
    else:
        return
    raise ParameterError(why, code="parameter")


def _lloyd(rows: Matrix, clusters: int, init: str, rng: np.random.Generator) -> Labels:
    """Run scikit-learn's k-means, best of three, on one thread: threads add up in any order."""
    with warnings.catch_warnings():
        # Fewer distinct rows than clusters are filled below; processes, which may not be had, are not used.
        warnings.simplefilter("ignore", UserWarning)
        from sklearn.cluster import KMeans  # noqa: PLC0415 (half a second to import)
        from threadpoolctl import threadpool_limits  # noqa: PLC0415

        model = KMeans(
            clusters, init=init, n_init=3, algorithm="lloyd", random_state=int(rng.integers(2**31))
        )
        with threadpool_limits(1):
            labels = model.fit(_short_indices(rows)).labels_
    return _use_all(labels.astype(np.int64), clusters)


def _short_indices(rows: Matrix) -> Matrix:
    """Return the rows with 32-bit indices, the only ones scikit-learn's k-means takes."""
    indices, indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    return sparse.csr_array((rows.data, indices, indptr), shape=rows.shape)


def _use_all(labels: Labels, clusters: int) -> Labels:
    """Give every label that k-means left empty one customer of the largest cluster."""
    for label in np.flatnonzero(np.bincount(labels, minlength=clusters) == 0):
        labels[np.flatnonzero(labels == np.argmax(np.bincount(labels)))[-1]] = label
    return labels
