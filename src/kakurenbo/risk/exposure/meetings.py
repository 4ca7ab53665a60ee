"""How alike two customers are, when they stand in many blocks: everybody meets some people of a sample.

The sample goes from block to block, and everybody in a block is compared with a few of it, drawn by his id.
Every pair of people is met with the same chance, so the mean over the pairs met is the mean over all pairs,
but for chance. What chance does is told by how much the people of the sample differ from one another, each by
the mean over those he met. Sums are whole numbers (a Jaccard in units of 2^-40), so that no order of blocks
changes the last digit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.sampling import places
from kakurenbo.kernels.nearest import top
from kakurenbo.risk.exposure.similarity import BINS, SAMPLED_PAIRS, Z95, Similarity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray
    from scipy import sparse

    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.exposure.tally import Shelf

    Ints = NDArray[np.int64]
    Sets = sparse.csr_array[np.int64]

_UNIT = 2**40
_EACH = 20
_COMPARED = 1_000  # people of the sample who are compared with everybody, for the largest Jaccard


@dataclass(frozen=True, eq=False)
class Met:
    """What the people of a block found: Jaccard sums and pairs by person of the sample, and the largest."""

    sums: Ints
    pairs: Ints
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
        each: how many everybody meets.
        twins: whether two people are known to have equal sets, so that the largest Jaccard is 1.
    """

    shelf: Shelf
    people: pl.Series
    sets: Sets
    chance: Chance
    each: int
    twins: bool

    @classmethod
    def of(cls, sample: Purchases, shelf: Shelf, chance: Chance, everybody: int, *, twins: bool) -> Meetings:
        """Let everybody meet as many as it takes for `SAMPLED_PAIRS` pairs, one at least and few at most."""
        each = min(-(-SAMPLED_PAIRS // everybody), _EACH)
        return cls(shelf, sample.customers, _sets(sample, shelf), chance, each, twins)

    def __call__(self, block: Purchases) -> Met:
        """Return what the people of the block found."""
        mine, size = _sets(block, self.shelf), len(self.people)
        himself = places(block.customers, self.people)
        sums, pairs = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        histogram, highest = (
            np.zeros(BINS, dtype=np.int64),
            1.0 if self.twins else self._nearest(mine, himself),
        )
        for who in self._partners(block.customers, himself):
            both = np.asarray(mine.multiply(self.sets[who]).sum(axis=1), dtype=np.int64).ravel()
            either = np.diff(mine.indptr) + np.diff(self.sets.indptr)[who] - both
            np.add.at(sums, who, both * _UNIT // either)
            pairs += np.bincount(who, minlength=size)
            histogram += np.bincount(np.minimum(both * BINS // either, BINS - 1), minlength=BINS)
            highest = max(highest, float((both / either).max()))
        return Met(sums, pairs, histogram, highest)

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
        sums, pairs = (
            np.sum([part.sums for part in met], axis=0),
            np.sum([part.pairs for part in met], axis=0),
        )
        count = int(np.sum(pairs))
        mean = sum(np.asarray(sums).tolist()) / _UNIT / count
        beside = (sums / _UNIT - mean * pairs) / count
        size = len(self.people)
        spread = Z95 * math.sqrt(size / max(size - 1, 1) * math.fsum((beside**2).tolist()))
        histogram = np.sum([part.histogram for part in met], axis=0)
        return Similarity(
            mean, mean - spread, mean + spread, max(part.highest for part in met),
            tuple(int(number) for number in histogram), count, exact=False,
        )  # fmt: skip


def _sets(block: Purchases, shelf: Shelf) -> Sets:
    return block.baskets().over(shelf.goods).matrix
