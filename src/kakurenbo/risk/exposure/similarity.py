"""How alike two customers are: Jaccard over all pairs, or over the pairs that everybody forms with a few.

All pairs are compared where everybody is at hand and that is cheap: a stretch of rows meets all others, adds
to the sums and the histogram, and is forgotten. Pairs that share nothing need no visit: their Jaccard is 0.

Elsewhere some people go from block to block, and everybody in a block is compared with a few of them, drawn
by his id. Every pair of people is met with the same chance, so the mean over the pairs met is the mean over
all pairs, but for chance. What chance does is told by how much those people differ from one another, each by
the mean over those he met, as far as there are others, and by how much their pairs differ. Sums are whole
numbers (a Jaccard in units of 2^-40), so that no order of blocks changes the last digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy import sparse

from kakurenbo.data.sampling import places
from kakurenbo.kernels.nearest import top
from kakurenbo.risk.exposure.tally import Shelf, Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.baskets import Baskets
    from kakurenbo.data.purchases import Purchases

    Ints = NDArray[np.int64]
    Sets = sparse.csr_array[np.int64]

BINS = 100
EXACT_PAIRS = 20_000_000
EXACT_STEPS = 2_000_000_000
SAMPLED_PAIRS = 200_000
_BLOCK_CELLS = 4_000_000
_Z95 = 1.959963984540054
_BITS = 40
_UNIT = 2**_BITS
_EACH = 20
_COMPARED = 1_000  # people of the sample who are compared with everybody, for the largest Jaccard


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


def similarity(data: Purchases, chance: Chance) -> Similarity | None:
    """Return how alike two customers of a table in memory are; None where there is but one.

    Args:
        data: the table.
        chance: draws pairs, where there are too many to compare all.
    """
    baskets, n = data.baskets(), len(data.customers)
    if n < 2:
        return None
    if math.comb(n, 2) <= EXACT_PAIRS and int((baskets.buyers**2).sum()) <= EXACT_STEPS:
        return _of_all_pairs(baskets)
    shelf = Shelf.of(data.goods)
    twins = len(Tally.of(shelf.sets(baskets)).bits) < n
    meetings = Meetings.of(data, shelf, chance, n, twins=twins)
    return meetings.similarity([meetings(data)])


def _of_all_pairs(baskets: Baskets) -> Similarity:
    total = highest = 0.0
    pairs = math.comb(len(baskets.customers), 2)
    histogram = np.zeros(BINS, dtype=np.int64)
    for both, union in _sharing(baskets):
        jaccard = both / union
        total += float(jaccard.sum())
        highest = max(highest, float(jaccard.max(initial=0.0)))
        histogram += np.bincount(np.minimum(both * BINS // union, BINS - 1), minlength=BINS)
    histogram[0] += pairs - histogram.sum()
    mean = total / pairs
    return Similarity(mean, mean, mean, highest, tuple(histogram.tolist()), pairs, exact=True)


def _sharing(baskets: Baskets) -> Iterator[tuple[Ints, Ints]]:
    """Yield (intersection, union) of the pairs u < v that share a good, a stretch of rows at a time."""
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


@dataclass(frozen=True, eq=False)
class Met:
    """What the people of a block found: sums and pairs by person of the sample, and all over pairs."""

    sums: Ints
    pairs: Ints
    squares: int
    histogram: Ints
    highest: float


@dataclass(frozen=True, eq=False)
class Meetings:
    """Everybody in a block meets people of a sample.

    Attributes:
        shelf: the goods of all blocks.
        people: of the sample.
        sets: their goods, over the shelf.
        chance: who meets whom.
        everybody: how many people there are in all blocks.
        twins: whether two people are known to have equal sets, so that the largest Jaccard is 1.
    """

    shelf: Shelf
    people: pl.Series
    sets: Sets
    chance: Chance
    everybody: int
    twins: bool

    @classmethod
    def of(cls, sample: Purchases, shelf: Shelf, chance: Chance, everybody: int, *, twins: bool) -> Meetings:
        """Let everybody meet people of a sample."""
        return cls(shelf, sample.customers, _sets(sample, shelf), chance, everybody, twins)

    @property
    def each(self) -> int:
        """How many each of them meets: for `SAMPLED_PAIRS` pairs, one at least and few at most."""
        return min(-(-SAMPLED_PAIRS // self.everybody), _EACH)

    def __call__(self, block: Purchases) -> Met:
        """Return what the people of the block found."""
        mine, size = _sets(block, self.shelf), len(self.people)
        himself = places(block.customers, self.people)
        sums, pairs = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        squares, histogram = 0, np.zeros(BINS, dtype=np.int64)
        highest = 1.0 if self.twins else self._nearest(mine, himself)
        for who in self._partners(block.customers, himself):
            both = np.asarray(mine.multiply(self.sets[who]).sum(axis=1), dtype=np.int64).ravel()
            either = np.diff(mine.indptr) + np.diff(self.sets.indptr)[who] - both
            np.add.at(sums, who, both * _UNIT // either)
            pairs += np.bincount(who, minlength=size)
            squares += int((((both << _BITS // 2) // either) ** 2).sum())
            histogram += np.bincount(np.minimum(both * BINS // either, BINS - 1), minlength=BINS)
            highest = max(highest, float((both / either).max()))
        return Met(sums, pairs, squares, histogram, highest)

    def _partners(self, people: pl.Series, himself: Ints) -> Ints:
        """Return whom of the sample everybody meets, a row for each turn: never himself."""
        again = pl.concat([people] * self.each)
        others = np.tile(len(self.people) - (himself >= 0), self.each)
        turns = np.repeat(np.arange(self.each), len(people))
        who = self.chance.below("pairs", again, others, turns).reshape(self.each, -1)
        return who + ((himself >= 0) & (who >= himself))

    def _nearest(self, mine: Sets, himself: Ints) -> float:
        """Return the largest Jaccard of some of the sample with others of the block."""
        rivals = mine[(himself < 0) | (himself >= _COMPARED)]
        if not rivals.shape[0]:
            return 0.0
        return float(top(self.sets[:_COMPARED], rivals, 1, "jaccard").score.max())

    def similarity(self, parts: Iterable[Met]) -> Similarity:
        """Put together what all blocks found."""
        met = list(parts)
        sums, pairs, histogram = (
            np.sum([getattr(part, name) for part in met], axis=0) for name in ("sums", "pairs", "histogram")
        )
        mean = sum(sums.tolist()) / _UNIT / int(pairs.sum())
        spread = _Z95 * math.sqrt(
            self._variance(sums / _UNIT, pairs, sum(part.squares for part in met) / _UNIT)
        )
        return Similarity(
            mean, mean - spread, mean + spread, max(part.highest for part in met),
            tuple(histogram.tolist()), int(pairs.sum()), exact=False,
        )  # fmt: skip

    def _variance(self, sums: NDArray[np.float64], pairs: Ints, squares: float) -> float:
        """Return the mean's: between the people drawn, unless they are everybody, and between their pairs."""
        size, drawn = len(pairs), len(pairs) / self.everybody
        beside = math.fsum(((sums - sums.sum() / pairs.sum() * pairs) ** 2).tolist())
        inside = squares - math.fsum((sums**2 / np.maximum(pairs, 1)).tolist())
        both = (1 - drawn) * size / max(size - 1, 1) * beside + drawn * max(inside, 0.0)
        return both / float(pairs.sum()) ** 2


def _sets(block: Purchases, shelf: Shelf) -> Sets:
    return block.baskets().over(shelf.goods).matrix
