"""Bands: a number replaced by what stands for its band, such as its median, its mean or an end of it.

Bands keep the order of numbers. So where the same records were put in bands, as many lie below each cut in
both tables, and what stands for a band lies inside it or at its ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.mappings.spread import Spread

    Floats = NDArray[np.float64]

_FEWER = 0.5  # released numbers, for one that would be there without bands


@dataclass(frozen=True)
class Bands:
    """Numbers by band.

    Attributes:
        cuts: the greatest number of every band but the last.
        labels: what stands for each band, ascending.
    """

    cuts: tuple[float, ...]
    labels: tuple[float, ...]

    def of(self, values: Floats) -> Floats:
        """Return what stands for the band of each number."""
        return np.array(self.labels)[np.searchsorted(self.cuts, values)]

    def over(self, factor: float) -> Bands:
        """Return the same bands of numbers that are yet to be multiplied."""
        return Bands(tuple(cut / factor for cut in self.cuts), self.labels)

    def __str__(self) -> str:
        return f"in {len(self.labels)} band{'s' * (len(self.labels) != 1)}"


def bands(mine: Spread, theirs: Spread, records: int) -> list[Bands]:
    """Return the bands that would make these numbers those; none where there are too many of them for bands.

    Args:
        mine: the original's numbers.
        theirs: the released ones.
        records: how many were released: from few of the original's only a few numbers come.
    """
    expected = float((1 - (1 - mine.shares) ** records).sum())
    if len(theirs.values) > _FEWER * expected:
        return []
    below, wanted = np.cumsum(mine.shares), np.cumsum(theirs.shares)[:-1]
    after = np.minimum(np.searchsorted(below, wanted), len(below) - 1)
    before = np.maximum(after - 1, 0)
    nearest = np.where(np.abs(below[before] - wanted) < np.abs(below[after] - wanted), before, after)
    # No band reaches beyond what stands for the next one, or ends before all that stands for it.
    first = np.maximum(np.searchsorted(mine.values, theirs.values[:-1], "left") - 1, 0)
    last = np.maximum(np.searchsorted(mine.values, theirs.values[1:], "right") - 1, 0)
    cuts = mine.values[np.clip(nearest, first, last)]
    return [Bands(tuple(cuts.tolist()), tuple(theirs.values.tolist()))]
