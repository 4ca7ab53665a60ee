"""Singling out: statements read off released rows that are true of exactly one person.

"Exactly one person here earns 91,000 or more" harms whoever it is true of, and needs no name. The attacker
reads his statements off rows that stand alone in the release: about one attribute, a value that only one row
has or the ends of a column; about several, one row's values of some attributes, numbers as "at least" or "at
most", that together hold for this row alone. Some of them are true of exactly one person by luck, so they are
also tried on as many people who were not used, and beside them stand statements drawn at random (Giomi et
al. 2023).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.risk.synthetic.points import Points

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]

_SEVERAL = 4  # attributes of a statement about several
_TRIES = 4  # rows tried for every statement wanted
_ROOM = 2**22


@dataclass(frozen=True, eq=False)
class Statements:
    """Statements x attributes: each attribute lies between low and high, without an end where infinite."""

    low: Floats
    high: Floats

    def __len__(self) -> int:
        return len(self.low)

    def at(self, rows: Ints | Mask) -> Statements:
        """Return some of them."""
        return Statements(self.low[rows], self.high[rows])

    def holds_for(self, values: Points) -> Ints:
        """Return of how many rows each is true."""
        made, step = [], max(_ROOM // max(len(values), 1), 1)
        for start in range(0, len(self), step):
            true = np.ones((len(self.low[start : start + step]), len(values)), dtype=bool)
            for column in range(values.low.shape[1]):
                low = self.low[start : start + step, column, None]
                high = self.high[start : start + step, column, None]
                told = np.flatnonzero((np.isfinite(low) | np.isfinite(high)).ravel())
                true[told] &= (values.low[:, column] >= low[told]) & (values.high[:, column] <= high[told])
            made.append(true.sum(axis=1))
        return np.concatenate(made) if made else np.empty(0, dtype=np.int64)


def about_one(released: Points, ordered: Mask, most: int, rng: np.random.Generator) -> Statements:
    """Return statements about one attribute each, read off values that stand alone in the release.

    Args:
        released: the released rows.
        ordered: which attributes are numbers.
        most: statements at most, drawn at random.
        rng: draws them.
    """
    width = released.low.shape[1]
    low, high = [], []
    for column in range(width):
        plain = released.low[:, column] == released.high[:, column]
        values, count = np.unique(released.low[plain, column], return_counts=True)
        spans = [(value, value) for value in values[count == 1]]
        if ordered[column] and len(values):
            spans += [(-np.inf, values[0]), (values[-1], np.inf)]
        for least, greatest in spans:
            low.append(_only(width, column, least, -np.inf))
            high.append(_only(width, column, greatest, np.inf))
    made = Statements(np.reshape(low, (-1, width)), np.reshape(high, (-1, width)))
    return made.at(np.sort(rng.permutation(len(made))[:most]))


def about_several(released: Points, ordered: Mask, most: int, rng: np.random.Generator) -> Statements:
    """Return statements about several attributes, each true of the one released row it was read off."""
    width = released.low.shape[1]
    rows = rng.integers(len(released), size=most * _TRIES)
    chosen = rng.random((len(rows), width)).argsort(axis=1) < min(_SEVERAL, width)
    low, high = released.low[rows], released.high[rows]
    above = low >= np.median(released.low, axis=0)
    drawn = Statements(
        np.where(chosen & (~ordered | above), low, -np.inf),
        np.where(chosen & (~ordered | ~above), high, np.inf),
    )
    return drawn.at(np.flatnonzero(drawn.holds_for(released) == 1)[:most])


def at_random(
    released: Points, ordered: Mask, attributes: int, most: int, rng: np.random.Generator
) -> Statements:
    """Return statements whose attributes, values and ends are drawn blindly from what the columns span."""
    width = released.low.shape[1]
    chosen = rng.random((most, width)).argsort(axis=1) < min(attributes, width)
    inside = np.where(np.isfinite(released.low), released.low, np.nan)
    least, greatest = np.nanmin(inside, axis=0), np.nanmax(inside, axis=0)
    spot = least + rng.random((most, width)) * (greatest - least)
    value = np.where(ordered, spot, np.rint(spot))
    above = rng.random((most, width)) < 0.5
    return Statements(
        np.where(chosen & (~ordered | above), value, -np.inf),
        np.where(chosen & (~ordered | ~above), value, np.inf),
    )


def _only(width: int, column: int, value: float, rest: float) -> Floats:
    row = np.full(width, rest)
    row[column] = value
    return row
