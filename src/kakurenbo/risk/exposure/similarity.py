"""How alike two customers are: Jaccard over all pairs, in blocks, or over a sample of pairs.

Memory stays linear: a block of rows meets all others, adds to the sums and the histogram, and is forgotten.
Sums over pairs that share nothing need no visit: their Jaccard is 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.baskets import Baskets

BINS = 100
EXACT_PAIRS = 20_000_000
EXACT_STEPS = 2_000_000_000
SAMPLED_PAIRS = 200_000
_BLOCK_CELLS = 4_000_000
Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Similarity:
    """Jaccard over pairs of customers.

    Attributes:
        mean: mu of the papers, with `mean_low` and `mean_high` its 95 % interval (itself when exact).
        maximum: the most alike pair; when not exact, the most alike pair met: a lower bound.
        histogram: pairs with Jaccard in [i/100, (i+1)/100), 1 counted in the last (000 figure 2).
        pairs: how many pairs were looked at.
        exact: whether these were all.
    """

    mean: float
    mean_low: float
    mean_high: float
    maximum: float
    histogram: tuple[int, ...]
    pairs: int
    exact: bool


def mean_intersection(baskets: Baskets) -> float:
    """Return h, the mean |I(u) ∩ I(v)| over pairs, exactly: each good is shared by C(|D_g|, 2) pairs."""
    n = len(baskets.customers)
    return sum(math.comb(int(d), 2) for d in baskets.buyers) / math.comb(n, 2) if n > 1 else math.nan


def similarity(baskets: Baskets, rng: np.random.Generator) -> Similarity | None:
    """Return the Jaccard of all pairs where that is cheap, else of a sample; None for a single customer."""
    n = len(baskets.customers)
    if n < 2:
        return None
    pairs = math.comb(n, 2)
    exact = pairs <= EXACT_PAIRS and int((baskets.buyers**2).sum()) <= EXACT_STEPS
    return _summary(_all_pairs(baskets) if exact else _some_pairs(baskets, rng), pairs, baskets, exact=exact)


def _all_pairs(baskets: Baskets) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield (intersection, union) of the pairs u < v that share a good, a block of rows at a time."""
    sets = baskets.matrix.astype(np.int32)
    turned, sizes, n = sets.T.tocsr(), baskets.sizes, len(baskets.customers)
    step = max(1, _BLOCK_CELLS // n)
    for first in range(0, n, step):
        common = sparse.coo_array(sets[first : first + step] @ turned[:, first:])
        upper = common.col > common.row
        rows, cols, both = (
            common.row[upper] + first,
            common.col[upper] + first,
            common.data[upper].astype(np.int64),
        )
        yield both, sizes[rows] + sizes[cols] - both


def _some_pairs(
    baskets: Baskets, rng: np.random.Generator
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield (intersection, union) of pairs drawn uniformly, sharing a good or not."""
    sets, sizes, n = baskets.matrix.astype(np.int32), baskets.sizes, len(baskets.customers)
    step = max(1, int(_BLOCK_CELLS / max(sizes.mean(), 1)))
    for first in range(0, SAMPLED_PAIRS, step):
        count = min(step, SAMPLED_PAIRS - first)
        u = rng.integers(0, n, size=count)
        v = (u + rng.integers(1, n, size=count)) % n
        both = np.asarray(sets[u].multiply(sets[v]).sum(axis=1), dtype=np.int64).ravel()
        yield both, sizes[u] + sizes[v] - both


def _summary(
    visited: Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]],
    pairs: int,
    baskets: Baskets,
    *,
    exact: bool,
) -> Similarity:
    total = squares = highest = 0.0
    seen = 0
    histogram = np.zeros(BINS, dtype=np.int64)
    for both, union in visited:
        jaccard = both / union
        total += float(jaccard.sum())
        squares += float((jaccard**2).sum())
        highest = max(highest, float(jaccard.max(initial=0.0)))
        histogram += np.bincount(np.minimum(both * BINS // union, BINS - 1), minlength=BINS)
        seen += len(both)
    if exact:
        histogram[0] += pairs - seen
        seen = pairs
    mean = total / seen
    spread = 0.0 if exact else Z95 * math.sqrt(max(squares / seen - mean**2, 0.0) / seen)
    if not exact and int(baskets.groups.max()) + 1 < len(baskets.customers):
        highest = 1.0
    return Similarity(
        mean, mean - spread, mean + spread, highest, tuple(int(count) for count in histogram), seen, exact
    )
