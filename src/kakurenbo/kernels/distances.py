"""Distances between people: how far a released record lies from an original one (004 section 3).

| distance | of records A and B | rows |
|---|---|---|
| `multiset` | 1 - sum of the smaller / sum of the larger quantities: the contest's | sparse |
| `set` | 1 - goods in both / goods in either | sparse |
| `euclid` | length of the difference of two rows of numbers | dense |

Only `matrix` holds people x people. Along a pairing, and to the nearest other person, memory grows with the
records alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from scipy import sparse

from kakurenbo.errors import ParameterError
from kakurenbo.kernels.nearest import similarity_block, top

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.kernels.nearest import Similarity

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

Distance = Literal["multiset", "set", "euclid"]
People: TypeAlias = "sparse.csr_array[Any] | NDArray[np.float64]"


def along(originals: People, released: People, distance: Distance) -> Floats:
    """Return the distance of row i of the originals from row i of the released, for every i.

    A pair of empty baskets is at distance 0; an empty one is at distance 1 from any other.
    """
    if originals.shape != released.shape:
        raise ParameterError(
            f"Both must have the same shape; got {originals.shape} and {released.shape}.", code="parameter"
        )
    if not (sparse.issparse(originals) and sparse.issparse(released)):
        return _lengths(np.asarray(originals) - np.asarray(released))
    a, b = _counted(originals, distance), _counted(released, distance)
    common = np.asarray(a.minimum(b).sum(axis=1), dtype=np.float64)
    either = np.asarray(a.sum(axis=1) + b.sum(axis=1), dtype=np.float64) - common
    empty = either == 0
    return np.asarray(1 - np.where(empty, 1, common) / np.where(empty, 1, either))


def nearest_other(released: People, originals: People, distance: Distance) -> Floats:
    """Return for every released row i the distance of the nearest original but row i, its own.

    With the originals on both sides this is mdis of 004 section 4.2. A twin is another person, at distance 0.
    """
    own = np.arange(released.shape[0])
    if not (sparse.issparse(released) and sparse.issparse(originals)):
        from scipy.spatial import KDTree  # noqa: PLC0415 - slow to load

        lengths, indices = KDTree(np.asarray(originals)).query(np.asarray(released), k=2)
        return _but_own(np.asarray(lengths), np.asarray(indices, dtype=np.int64), own)
    best = top(released, originals, 2, _similarity(distance))
    return 1 - _but_own(best.score, best.indices, own)


def nearest(people: sparse.csr_array[Any], among: sparse.csr_array[Any], distance: Distance) -> Floats:
    """Return for everybody the distance of the nearest row among others, whosever it is."""
    return 1 - top(people, among, 1, _similarity(distance)).score[:, 0]


def matrix(people: People, distance: Distance) -> Floats:
    """Return the distance of everybody from everybody: dense, people x people, and for a few thousand only.

    One matrix is allocated and worked on in place; its diagonal is 0.
    """
    if not sparse.issparse(people):
        from scipy.spatial.distance import cdist  # noqa: PLC0415 - slow to load

        return np.asarray(cdist(people, people), dtype=np.float64)
    scores = similarity_block(people, people, _similarity(distance))
    np.subtract(1, scores, out=scores)
    return scores


def _but_own(values: Floats, indices: Integers, own: Integers) -> Floats:
    """Return the best value but one's own, of the two best: the second where the first is one's own."""
    return np.asarray(np.where(indices[:, 0] == own, values[:, 1], values[:, 0]), dtype=np.float64)


def _similarity(distance: Distance) -> Similarity:
    return "jaccard" if distance == "set" else "multiset"


def _counted(rows: Any, distance: Distance) -> Any:  # noqa: ANN401 - scipy's sparse types
    """Return the rows with every stored good counted once, where only the set matters."""
    table = sparse.csr_array(rows)
    if distance != "set":
        return table
    return sparse.csr_array((np.ones_like(table.data), table.indices, table.indptr), shape=table.shape)


def _lengths(difference: Floats) -> Floats:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", difference, difference)), dtype=np.float64)
