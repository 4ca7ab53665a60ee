"""The distance of 004 for a table of attributes: every attribute counts alike, whatever its unit.

Raw Euclid lets the attribute with the largest numbers decide, and leaves out every category. Here a number is
measured in shares of its range in the original, a category is the same (0) or another (1), and a range, a set
or a star is at distance 0 from whatever lies inside it; the distance of a person is the mean over the
attributes, quasi-identifiers and sensitive ones.

004 holds a release against the least that any shuffle costs. Among baskets somebody else is always far; in a
table of numbers somebody is always near, the nearer the more people there are, and who hides among the k
nearest is moved farther than to the nearest. That limit would refuse every protection. So the limit here is
half of what a random shuffle of the true rows costs on average, in the same scale. A cheat that only
exchanges neighbours stays below it: whole rows under another's name are looked for one by one
(`risk.honesty`), and what is learnt needs no pairing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from kakurenbo.data.generalised.cells import Cells
from kakurenbo.data.hierarchy import known_trees
from kakurenbo.data.owners import Owners, followed
from kakurenbo.errors import InputError
from kakurenbo.risk.excess.aligned import placed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing

    Floats = NDArray[np.float64]

MEASURE = "scaled"
_SHARE = 0.5  # of what a random shuffle costs


@dataclass(frozen=True, eq=False)
class Scaled:
    """How far people are from their rows, all attributes in one scale; means over people, from 0 to 1.

    Attributes:
        mean: of all people.
        threshold: half of what a random shuffle costs.
        by_person: everybody's distance, in the order of the original. Secret, like the pairing.
    """

    mean: float
    threshold: float
    by_person: Floats = field(repr=False)

    @property
    def verdict(self) -> Literal["accepted", "excessive"]:
        """Whether the pairing is as far from the data as a shuffled one."""
        return "excessive" if self.mean > self.threshold else "accepted"

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        sign, means = (
            (">", "as far as a shuffled pairing would be")
            if self.verdict == "excessive"
            else ("<=", "nearer than a shuffled pairing")
        )
        return (
            f"With every attribute in shares of its range, the mean distance from the own record is "
            f"{self.mean:.4f} {sign} {self.threshold:.4f}, half of what a random shuffle costs: {means}."
        )


def scaled(original: Microdata, released: Microdata, secret: Pairing | Owners) -> Scaled:
    """Measure everybody's distance from his released row, and what a random shuffle would cost.

    Args:
        original: the data before.
        released: the data after; its quasi-identifiers may be ranges, sets or stars.
        secret: the pairing that was declared for it.
    """
    owners = Owners.of(secret)
    owners.check(original, released)
    rows, pairing = followed(released, owners)
    names = [name for name in (*original.qi, *original.sa) if name in rows.records.columns]
    places = placed(original.ids, rows.ids, pairing)
    if (places < 0).any():
        raise InputError(
            f"{int((places < 0).sum())} persons are not in the release; the distance needs everybody.",
            code="unknown-id",
        )
    cells = Cells.of(original.records, rows.records, names, known_trees(original, rows))
    units = ranges(original.records, names)
    apart = along(cells, places, units)
    return Scaled(math.fsum(apart.tolist()) / len(apart), _SHARE * shuffled(cells.known, units), apart)


def along(cells: Cells, places: NDArray[np.int64], units: Floats) -> Floats:
    """Return everybody's distance from the released row at his place: the mean over the attributes."""
    beyond = np.maximum(cells.low[places] - cells.known, cells.known - cells.high[places])
    far: Floats = np.clip(_over(beyond, units), 0.0, 1.0).mean(axis=1)
    return far


def shuffled(values: Floats, units: Floats) -> float:
    """Return the mean distance of a person from the row that a random shuffle gives him.

    Of numbers that is the mean difference of two of them, 2/n² sum_i x_(i) (2i - n - 1) over the sorted ones;
    of categories the chance that two differ, 1 - sum of squared shares.
    """
    return float(np.mean([_apart(column, unit) for column, unit in zip(values.T, units, strict=True)]))


def ranges(table: pl.DataFrame, names: Sequence[str]) -> Floats:
    """Return the range of each column of numbers, 0 for a column of categories or of one number."""
    made = []
    for name in names:
        numbers = table[name].to_numpy().astype(np.float64) if table[name].dtype.is_numeric() else np.zeros(1)
        with np.errstate(over="ignore", invalid="ignore"):
            width = float(np.ptp(numbers))
        made.append(width if np.isfinite(width) else 0.0)
    return np.array(made)


def _over(beyond: Floats, units: Floats) -> Floats:
    """Return differences in units; where there is no unit any difference is a whole one."""
    shares: Floats = np.where(units > 0, beyond / np.where(units > 0, units, 1.0), beyond > 0)
    return shares


def _apart(column: Floats, unit: float) -> float:
    n = len(column)
    if not unit:
        shares = np.unique(column, return_counts=True)[1] / n
        return float(1 - (shares**2).sum())
    ordered = np.sort(column) / unit
    return float(2 * (ordered * (2 * np.arange(n) - n + 1)).sum() / n**2)
