"""People and released rows as points of one space, and who is nearest to whom.

A released row need not be anybody's, so nobody can be followed; what can be asked is how near rows and people
are. A number counts in units of its spread (the width of the middle 95 %) and one at most, a category is the
same or not, a range or a star is at distance 0 from what lies inside; the distance is the mean over the
attributes. Rows go through in blocks, so that memory does not grow with people x rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_ROOM = 2**20  # pairs looked at together


@dataclass(frozen=True, eq=False)
class Points:
    """Rows x attributes as intervals; a plain value is an interval of its own."""

    low: Floats
    high: Floats

    def __len__(self) -> int:
        return len(self.low)

    def at(self, rows: Ints) -> Points:
        """Return these rows."""
        return Points(self.low[rows], self.high[rows])

    def of(self, columns: Ints) -> Points:
        """Return these attributes."""
        return Points(self.low[:, columns], self.high[:, columns])


class Near(NamedTuple):
    """For every row of one side the nearest of the other: how far, and which, and the second distance."""

    first: Floats
    second: Floats
    which: Ints


def nearest(these: Points, among: Points, units: Floats, *, own: Ints | None = None) -> Near:
    """Return the nearest two rows among others; `own` are rows that do not count, one for each."""
    parts = []
    for here, far in _blocks(these, among, units):
        if own is not None:
            far[np.arange(len(far)), own[here]] = np.inf
        which = far.argmin(axis=1)
        rows = np.arange(len(far))
        first = far[rows, which]
        far[rows, which] = np.inf
        parts.append((first, far.min(axis=1), which))
    return Near(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def density(these: Points, among: Points, units: Floats, widths: Floats) -> Floats:
    """Return the logarithm of how densely other rows stand around each: a kernel of its own width."""
    made = []
    for here, far in _blocks(these, among, units):
        scaled = -far / widths[here, None]
        most = scaled.max(axis=1, keepdims=True)
        made.append(most[:, 0] + np.log(np.exp(scaled - most).mean(axis=1)))
    return np.concatenate(made)


def _blocks(these: Points, among: Points, units: Floats) -> Iterator[tuple[slice, Floats]]:
    """Yield rows of one side with their distances from all of the other."""
    step = max(_ROOM // max(len(among), 1), 1)
    for start in range(0, len(these), step):
        here = slice(start, min(start + step, len(these)))
        far = np.zeros((here.stop - start, len(among)))
        for column, unit in enumerate(units):
            low, high = these.low[here, column, None], these.high[here, column, None]
            with np.errstate(invalid="ignore"):
                beyond = np.maximum(among.low[:, column] - high, low - among.high[:, column])
            far += np.clip(beyond / (unit or 1.0), 0.0, 1.0)
        yield here, far / max(len(units), 1)
