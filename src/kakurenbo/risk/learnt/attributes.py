"""Attribute disclosure: what is claimed of a person's attributes, and how much of it is true.

The attacker has found the released rows that may be x's and claims x's other attributes as they stand there.
A number is claimed rightly within 5 % of the original column's spread (the width of its middle 95 %, so that
a few huge incomes do not make every claim right), anything else if it is equal. A range claims its middle if
no value in it is further away than that; a wider one, a set of several or a star claims nothing. With u
attributes unknown, c claimed and r of these right: learnt = recall = r / u, and precision = r / c.

Where several rows fit equally well the attacker takes any, so the mean over them counts. Or, cautious, he
claims only what all of them agree on: together they say what the interval that spans them says. That is the
homogeneity attack, and why k people with one diagnosis are no protection.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.risk.learnt.claims import Learnt, laid_open

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]

TOLERANCE = 0.05  # of the spread
_ROUNDING = 1e-9
_TIES = 200  # rows of equally good ones that are looked at


@dataclass(frozen=True, eq=False)
class Rows:
    """Released rows as they are claimed, and those that fit each target: as intervals, see `Cells`.

    Attributes:
        low: released rows x attributes.
        high: the same.
        indptr: the rows of target t are indices[indptr[t]:indptr[t+1]].
        indices: the rows.
    """

    low: Floats
    high: Floats
    indptr: Ints
    indices: Ints

    @classmethod
    def each(cls, low: Floats, high: Floats) -> Rows:
        """Return rows of which target t has row t."""
        return cls(low, high, np.arange(len(low) + 1), np.arange(len(low)))

    def spanned(self) -> Rows:
        """Return what all rows of a target say together, one row a target; who has none keeps none."""
        some = np.diff(self.indptr) > 0
        starts = self.indptr[:-1][some]
        if not len(starts):
            return self
        columns = range(self.low.shape[1])
        low = [np.minimum.reduceat(self.low[self.indices, column], starts) for column in columns]
        high = [np.maximum.reduceat(self.high[self.indices, column], starts) for column in columns]
        shape = int(some.sum()), len(columns)
        return Rows(
            np.reshape(low, shape[::-1]).T,
            np.reshape(high, shape[::-1]).T,
            np.concatenate([[0], np.cumsum(some)]),
            np.arange(shape[0]),
        )

    def some(self, luck: Floats, most: int = _TIES) -> Rows:
        """Return at most so many rows of each target, evenly spaced from a random start: means stay.

        Args:
            luck: a random number of [0, 1) for every target.
            most: how many.
        """
        count = np.diff(self.indptr)
        taken = np.minimum(count, most)
        if (taken == count).all():
            return self
        owner = np.repeat(np.arange(len(count)), taken)
        turn = np.arange(len(owner)) - np.repeat(np.cumsum(taken) - taken, taken)
        step = np.floor((turn + luck[owner]) * count[owner] / taken[owner]).astype(np.int64)
        place = self.indptr[:-1][owner] + np.minimum(step, count[owner] - 1)
        return Rows(self.low, self.high, np.concatenate([[0], np.cumsum(taken)]), self.indices[place])


def tolerated(spread: Floats) -> Floats:
    """Return how far a claim of each attribute may be off."""
    return TOLERANCE * spread


def learnt(truth: Floats, unknown: Mask, rows: Rows, tolerance: Floats) -> Learnt:
    """Compare what the rows of every target claim with the truth.

    Args:
        truth: targets x attributes.
        unknown: targets x attributes, those that are not known beforehand.
        rows: that fit each target, any of them as well as another.
        tolerance: how far a claim of each attribute may be off.
    """
    count, targets = np.diff(rows.indptr), np.arange(len(truth))
    who = np.repeat(targets, count)
    claim = _claims(rows.low[rows.indices], rows.high[rows.indices], tolerance)
    there = np.isfinite(claim) & unknown[who]
    right = there & _agree(claim, truth[who], tolerance)
    size, hits, claimed = unknown.sum(axis=1), right.sum(axis=1), there.sum(axis=1)
    share = hits / np.maximum(size[who], 1)
    some = size > 0

    def mean(values: Floats, nothing: float = 0.0) -> Floats:
        summed = np.bincount(who, values, len(targets))
        made: Floats = np.where(count > 0, summed / np.maximum(count, 1), nothing)[some]
        return made

    return Learnt(
        targets[some],
        mean(share),
        laid_open(mean(share)),
        mean(np.where(claimed > 0, hits / np.maximum(claimed, 1), 1.0), 1.0),
        mean(share),
    )


def constant(values: Floats, tolerance: Floats) -> Floats:
    """Return the one claim of each attribute that is right for most people: what is known without a release.

    For names the most frequent; for numbers the middle of the window of twice the tolerance that holds most.
    """
    claim = np.empty(values.shape[1])
    for column, allowed in enumerate(tolerance):
        ordered = np.sort(values[:, column])
        end = np.searchsorted(ordered, ordered + 2 * allowed, "right")
        start = int(np.argmax(end - np.arange(len(ordered))))
        low, high = ordered[start], ordered[end[start] - 1]
        claim[column] = low + (high - low) / 2
    return claim


def _claims(low: Floats, high: Floats, tolerance: Floats) -> Floats:
    """Return the middle of each interval that is not too wide, NaN for the others."""
    with np.errstate(invalid="ignore", over="ignore"):
        half = (high - low) / 2
        return np.where(half <= _allowed(tolerance), low + half, np.nan)


def _agree(claim: Floats, truth: Floats, tolerance: Floats) -> Mask:
    with np.errstate(invalid="ignore", over="ignore"):
        agree: Mask = np.abs(claim - truth) <= _allowed(tolerance)
    return agree


def _allowed(tolerance: Floats) -> Floats:
    return tolerance * (1 + _ROUNDING)
