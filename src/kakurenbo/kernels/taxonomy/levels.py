"""The tree over points: Ward's linkage, read off at every halving of the number of its nodes.

Ward's linkage looks at all pairs, so it joins a few thousand points at most. More are first gathered into
groups by k-means on samples: the linkage joins the centres of the groups, and the points within each group.
Time is then about linear in the points, and so is memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.float64]
    Labels = NDArray[np.int64]

_PAIRED = 4096  # so many points are joined pair by pair
_TOGETHER = 40  # points to a group, where there are more


def tree_levels(points: Points, rng: np.random.Generator) -> Labels:
    """Return points x levels: the node of every point at every level, the finest first, the last one all.

    Each level has about half of the nodes of the one before, and divides none of them.
    """
    if len(points) <= _PAIRED:
        return _halved(points)
    groups = _gathered(points, rng)
    centres = np.zeros((groups.max() + 1, points.shape[1]))
    np.add.at(centres, groups, points)
    centres /= np.bincount(groups)[:, None]
    return np.hstack([_within(points, groups), _halved(centres)[groups]])


def _halved(points: Points) -> Labels:
    """Return the levels of Ward's linkage over these points."""
    from scipy.cluster.hierarchy import linkage  # noqa: PLC0415 - slow to load
    from scipy.spatial.distance import pdist  # noqa: PLC0415

    if len(points) == 1:
        return np.zeros((1, 1), dtype=np.int64)
    joined = linkage(pdist(points), "ward")[:, :2].astype(np.int64)
    counts = [len(points) >> halvings for halvings in range(1, len(points).bit_length())]
    return np.stack([nodes_of(joined, count) for count in counts], axis=1)


def nodes_of(joined: Labels, count: int) -> Labels:
    """Return the node of every point where so many are left; nodes are numbered by their first point.

    As scipy's `cut_tree`, whose time grows with the square of the points.

    Args:
        joined: pairs of nodes in the order they are joined, as of a linkage: the points come first, then
            what each pair became.
        count: how many nodes are left, one at least.
    """
    points = len(joined) + 1
    pairs = joined[: points - count].tolist()
    top = list(range(points + len(pairs)))
    for place in range(len(pairs) - 1, -1, -1):
        one, other = pairs[place]
        top[one] = top[other] = top[points + place]
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(node, len(numbers)) for node in top[:points]], dtype=np.int64)


def _within(points: Points, groups: Labels) -> Labels:
    """Return levels that divide each group further, and last the groups themselves."""
    order = np.argsort(groups, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(groups))[:-1])
    inner = [_halved(points[part]) for part in parts]
    depth = max(levels.shape[1] for levels in inner)
    made = np.empty((len(points), depth), dtype=np.int64)
    start = np.zeros(depth, dtype=np.int64)
    for part, levels in zip(parts, inner, strict=True):
        missing = depth - levels.shape[1]
        padded = np.hstack([np.tile(np.arange(len(part))[:, None], (1, missing)), levels])
        made[part] = padded + start
        start += padded.max(axis=0) + 1
    return made


def _gathered(points: Points, rng: np.random.Generator) -> Labels:
    """Return the group of every point, by k-means on samples; all groups have points."""
    from sklearn.cluster import MiniBatchKMeans  # noqa: PLC0415 - half a second to import
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    count = min(_PAIRED, len(points) // _TOGETHER)
    model = MiniBatchKMeans(
        count, n_init=1, batch_size=4 * count, max_iter=5, reassignment_ratio=0.0,
        random_state=int(rng.integers(2**31)),
    )  # fmt: skip
    with threadpool_limits(1):
        labels = model.fit(points).labels_
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)
