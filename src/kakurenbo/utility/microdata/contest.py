"""U1 to U6 of PWS Cup 2015: what a release of microdata cost (001 table 1).

The paper names the measures and what they look at; the cells of the cross tabulations and the normaliser of
the information loss are not printed. Ours are documented choices (docs/decisions), and options.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import MeasureAbout
from kakurenbo.data.checks import columns
from kakurenbo.data.groups import as_text, group_codes
from kakurenbo.data.microdata import Microdata
from kakurenbo.errors import InputError
from kakurenbo.measure import Measure

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from kakurenbo.data.pairing import Pairing

_ROUNDING = 1e-12  # a difference below this share of the values is that of adding in another order
CELLS_BY = 6  # the contest's tables used its first six quasi-identifiers


def mean(values: pl.Series) -> float:
    """Return the mean, the same to the last bit for the same values in any order."""
    return float(np.sort(values.to_numpy() / max(len(values), 1)).sum())


def difference(before: ArrayLike, after: ArrayLike) -> NDArray[np.float64]:
    """Return |before - after|, nothing where it is no more than rounding."""
    a, b = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    moved = np.abs(a - b)
    return np.where(moved > _ROUNDING * np.maximum(np.abs(a), np.abs(b)), moved, 0.0)


class MeanError(Measure[Microdata]):
    """U1 meanMAE: how far the means of the sensitive attributes moved, on average.

    mean over SAs of |mean(X) - mean(Y)|, in the attributes' own unit.
    """

    about: ClassVar = MeasureAbout(
        name="u1-mean", kind="microdata", source="001 U1 meanMAE", kept="cost", promises=("best-on-copy",),
        unit="units", needs=("sa",), serves=("papers",),
        says="means of the sensitive attributes off by {value:.3g}",
    )  # fmt: skip

    def size(self, original: Microdata) -> float:
        """Return how large the attributes are, on average."""
        return _mean_size(original)

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the mean absolute error of the means."""
        names = numbers_of(original, released)
        means = ([mean(data.records[name]) for name in names] for data in (original, released))
        return float(difference(*means).mean())


def _mean_size(data: Microdata) -> float:
    """Return the mean over the sensitive attributes of the size of their means."""
    return float(np.abs(data.records.select(data.numbers).to_numpy().mean(axis=0)).mean())


def numbers_of(original: Microdata, released: Microdata) -> tuple[str, ...]:
    """Return the attributes that are numbers in both tables; without any nothing can be measured."""
    names = tuple(name for name in original.numbers if name in released.numbers)
    if not names:
        raise InputError(
            "No sensitive attribute is a number in both tables, and categories have no mean.",
            code="unmeasurable",
        )
    return names


class CellMeasure(Measure[Microdata]):
    """Shared by U2 and U3: both tables grouped into the cells of chosen quasi-identifiers."""

    by: tuple[str, ...] = Field(
        (), description="quasi-identifiers that make the cells; none given means the first six"
    )

    def cells(
        self, original: Microdata, released: Microdata
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Return the cell of each row of both tables, and how many cells either fills."""
        by = list(self.by) or list(original.qi[:CELLS_BY])
        columns.require(by, original.qi)
        before, after = group_codes([original.records, released.records], by)
        return before, after, int(max(before.max(), after.max())) + 1


class CrossMean(CellMeasure):
    """U2 crossMean: how far the means of the sensitive attributes moved in the cells of a cross tabulation.

    mean over SAs and over cells filled in either table of |mean(X in cell) - mean(Y in cell)|; the mean of an
    empty cell counts as 0, so a cell that is lost costs all it showed.
    """

    about: ClassVar = MeasureAbout(
        name="u2-cross-mean", kind="microdata", source="001 U2 crossMean, cells are ours", kept="cost",
        promises=("best-on-copy",), unit="units", needs=("sa",), serves=("papers",),
        says="their means in groups of equal quasi-identifiers off by {value:.3g}",
    )  # fmt: skip

    def size(self, original: Microdata) -> float:
        """Return how large the attributes are, on average."""
        return _mean_size(original)

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the mean absolute error of the cells' means."""
        before, after, count = self.cells(original, released)
        errors = [
            difference(
                _cell_means(original.records[name], before, count),
                _cell_means(released.records[name], after, count),
            )
            for name in numbers_of(original, released)
        ]
        return float(np.mean(errors))


def _cell_means(values: pl.Series, cells: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """Return the mean of each cell; sorted first, so that equal cells have equal means to the last bit."""
    numbers = values.to_numpy()
    order = np.lexsort((numbers, cells))
    sizes = np.bincount(cells, minlength=count)
    sums = np.bincount(cells[order], weights=numbers[order], minlength=count)
    means: NDArray[np.float64] = sums / np.maximum(sizes, 1)
    return means


class CrossCount(CellMeasure):
    """U3 crossCnt: how far the counts of people in the cells of a cross tabulation moved.

    mean over cells filled in either table of |count(X in cell) - count(Y in cell)|.
    """

    about: ClassVar = MeasureAbout(
        name="u3-cross-count", kind="microdata", source="001 U3 crossCnt, cells are ours", kept="cost",
        promises=("best-on-copy",), unit="people", serves=("papers",),
        says="people in groups of equal quasi-identifiers off by {value:.3g} on average",
    )  # fmt: skip

    def size(self, original: Microdata) -> float:
        """Return the people in a cell, on average."""
        cells, _, _ = self.cells(original, original)
        return len(original) / (int(cells.max()) + 1)

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the mean absolute error of the counts."""
        before, after, count = self.cells(original, released)
        moved = np.bincount(before, minlength=count) - np.bincount(after, minlength=count)
        return float(np.abs(moved).mean())


class CorrelationError(Measure[Microdata]):
    """U4 corMAE: how far the correlations between sensitive attributes moved, on average over pairs.

    mean over pairs of SAs of the absolute difference of Pearson's correlation; a constant attribute
    correlates with nothing (0), and a single one has no pairs (0).
    """

    about: ClassVar = MeasureAbout(
        name="u4-correlation", kind="microdata", source="001 U4 corMAE", kept="share",
        promises=("best-on-copy",), unit="correlation", needs=("sa",), serves=("papers",),
        says="correlations of the sensitive attributes off by {value:.2f}",
    )  # fmt: skip

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return the mean absolute difference above the diagonal."""
        names = numbers_of(original, released)
        if len(names) < 2:
            return 0.0
        moved = difference(1 + correlations(original, names), 1 + correlations(released, names))
        return float(moved[np.triu_indices(len(names), 1)].mean())


def correlations(data: Microdata, names: tuple[str, ...] = ()) -> NDArray[np.float64]:
    """Return Pearson's correlations of the attributes, rows sorted so that order changes no bit."""
    table = data.records.select(names or data.numbers)
    values = table.sort(table.columns).to_numpy()
    values = values / np.maximum(np.abs(values).max(axis=0), np.finfo(float).tiny)
    constant = np.ptp(values, axis=0) == 0
    centred = values - values.mean(axis=0)
    centred[:, constant] = 0.0
    norms = np.sqrt((centred**2).sum(axis=0))
    scaled = centred / np.where(norms > 0, norms, 1.0)
    products: NDArray[np.float64] = scaled.T @ scaled
    return products


class InformationLoss(Measure[Microdata]):
    """U5 IL: how far everybody's own values moved, followed through the pairing.

    mean over released people and SAs of |x - y| / normaliser, for a category 1 where it changed. The only
    one of the six that sees rows declared to be somebody else's. People who are not released are left out:
    U6 counts them.
    """

    about: ClassVar = MeasureAbout(
        name="u5-loss", kind="microdata", source="001 U5 IL, normaliser is ours", kept="share",
        promises=("best-on-copy",), needs=("sa",), secret=True, serves=("papers",),
        says="everybody's sensitive attributes off by {value:.1%}",
    )  # fmt: skip

    normaliser: Literal["range", "spread", "value"] = Field(
        "range",
        description="what a difference is divided by: the attribute's range or standard deviation in the "
        "original, or the larger of the two values",
    )

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:
        """Return the mean normalised difference."""
        if secret is None:
            raise AssertionError("a secret was checked for")
        before, after = _side_by_side(original, released, secret)
        names = [name for name in original.numbers if name in released.numbers]
        shares = (
            self._moved(original.records, before, after, names) if names else np.empty((before.height, 0))
        )
        others = [name for name in original.sa if name not in names]
        changed = [(as_text(before[name]) != as_text(after[name])).to_numpy() for name in others]
        shares = np.column_stack([shares, *(column.astype(float) for column in changed)])
        return math.fsum(np.sort(shares.mean(axis=1))) / len(shares)

    def _moved(
        self, original: pl.DataFrame, mine: pl.DataFrame, theirs: pl.DataFrame, names: list[str]
    ) -> NDArray[np.float64]:
        """Return people x numbers: how far each moved."""
        before, after, whole = (table.select(names).to_numpy() for table in (mine, theirs, original))
        moved = np.abs(before / 2 - after / 2)  # halves, so that huge differences stay finite
        if self.normaliser == "value":
            unit = np.maximum(np.abs(before), np.abs(after))
        else:
            unit = _spread(whole) if self.normaliser == "spread" else np.ptp(whole, axis=0)
        unit = np.broadcast_to(unit, moved.shape)
        shares: NDArray[np.float64] = np.divide(
            2 * moved, unit, out=(moved > 0).astype(float), where=unit > 0
        )
        return shares


def _spread(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the standard deviation of each column, also of numbers whose squares no number holds."""
    largest = np.abs(values).max(axis=0)
    size = np.where(largest > 0, largest, 1.0)
    spread: NDArray[np.float64] = (values / size).std(axis=0) * size
    return spread


def _side_by_side(
    original: Microdata, released: Microdata, secret: Pairing
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the attributes of the released people before and after, row by row."""
    names = list(original.sa)
    after = pl.DataFrame({"released": released.ids}).with_row_index("after")
    before = pl.DataFrame({"original": original.ids}).with_row_index("before")
    both = secret.frame.join(after, on="released").join(before, on="original").sort("released")
    if both.height < len(released):
        raise InputError("The secret does not speak of these people.", code="unknown-id", column="released")
    return original.records.select(names)[both["before"]], released.records.select(names)[both["after"]]


class RowsLost(Measure[Microdata]):
    """U6 nrow: the difference in the number of rows, |n - n'|."""

    about: ClassVar = MeasureAbout(
        name="u6-rows", kind="microdata", source="001 U6 nrow", kept="cost", promises=("best-on-copy",),
        unit="people", serves=("papers",), says="{value:,.0f} people more or fewer than in the original",
    )  # fmt: skip

    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:  # noqa: ARG002
        """Return |n - n'|."""
        return abs(len(original) - len(released))
