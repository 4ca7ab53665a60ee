"""MDAV and Mondrian: columns are scaled or counted, then the compiled loops make the groups."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def mdav(points: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Return the number of each row's group, k to 2k - 1 rows each; columns count in units of their spread.

    Args:
        points: rows x columns.
        k: fewest rows in a group, at most the rows there are.
    """
    from kakurenbo.kernels.groups import loops  # noqa: PLC0415 - loads the compiler

    largest = np.abs(points).max(axis=0, initial=0.0)
    points = points / np.where(largest > 0, largest, 1.0)  # first, so that the spread stays finite
    spread = points.std(axis=0)
    return loops.mdav(np.ascontiguousarray(points / np.where(spread > 0, spread, 1.0)), k)


@dataclass(frozen=True, eq=False)
class Column:
    """A quasi-identifier as Mondrian sees it.

    Attributes:
        values: as numbers, categories by their places in the order in which they are cut.
        nominal: whether they are categories: their width is how many they are, not how far apart.
        levels: of a hierarchy, for every place the number of its word at each level, the finest first.
    """

    values: NDArray[np.float64]
    nominal: bool = False
    levels: tuple[NDArray[np.int64], ...] = ()

    def at(self, rows: NDArray[np.int64]) -> Column:
        """Return these rows."""
        return replace(self, values=self.values[rows])


@dataclass(frozen=True, eq=False)
class Protected:
    """What the groups must keep of sensitive attributes.

    Attributes:
        attributes: rows x attributes, values by their places in the order of them.
        ordered: which of them are numbers, whose distance is by rank; of the others all are equally far.
        least: the l of l-diversity.
        way: how values are counted: `distinct`, `entropy` or `recursive`.
        c: of the last.
        t: the farthest that a group may be from the whole table.
    """

    attributes: NDArray[np.int64]
    ordered: Sequence[bool]
    least: int = 1
    way: str = "distinct"
    c: float = 3.0
    t: float = 1.0

    @property
    def shares(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Attributes x values: shares in the whole table, of numbers summed up, and the sums of those.

        And how many values there are.
        """
        sizes = self.attributes.max(axis=0, initial=0) + 1
        made = np.zeros((self.attributes.shape[1], int(sizes.max(initial=1))))
        for place, codes, ordered in zip(made, self.attributes.T, self.ordered, strict=True):
            shares = np.bincount(codes, minlength=made.shape[1]) / len(codes)
            place[:] = np.cumsum(shares) if ordered else shares
        return made, np.pad(np.cumsum(made, axis=1), ((0, 0), (1, 0))), sizes.astype(np.int64)

    def at(self, rows: NDArray[np.int64]) -> Protected:
        """Return the same of these rows, values without gaps."""
        codes = [np.unique(column, return_inverse=True)[1] for column in self.attributes[rows].T]
        kept = np.column_stack(codes) if codes else self.attributes[rows]
        return replace(self, attributes=kept.astype(np.int64))

    def kept(self) -> bool:
        """Return whether the table as a whole keeps it, and can be released at all."""
        return self.keeps(np.arange(len(self.attributes)))

    def keeps(self, side: NDArray[np.int64]) -> bool:
        """Return whether these rows keep it as one group."""
        from kakurenbo.kernels.groups import cuts  # noqa: PLC0415 - loads the compiler

        return bool(cuts.kept(side, *self._checked))

    @property
    def _checked(self) -> tuple[Any, ...]:
        way = ("distinct", "entropy", "recursive").index(self.way)
        ordered = np.asarray(self.ordered, dtype=np.bool_)
        return (
            np.ascontiguousarray(self.attributes), *self.shares, ordered, way, self.least, float(self.c),
            float(self.t),
        )  # fmt: skip


def mondrian(
    columns: Sequence[Column], k: int, *, strict: bool = True, protected: Protected | None = None
) -> NDArray[np.int64]:
    """Return the number of each row's group.

    Args:
        columns: the quasi-identifiers.
        k: fewest rows in a group, at most the rows there are.
        strict: never part equal values; else relaxed.
        protected: what else groups must keep; the whole table must.
    """
    from kakurenbo.kernels.groups import cuts  # noqa: PLC0415 - loads the compiler

    coded = [np.unique(column.values, return_inverse=True) for column in columns]
    codes = np.column_stack([code for _, code in coded]).astype(np.int64)
    width = max(2, *(len(values) for values, _ in coded))
    position = np.zeros((len(columns), width))
    depth = max(len(column.levels) for column in columns) + 2
    words = np.full((len(columns), depth, width), -1, dtype=np.int64)
    for place, rows, (values, _), column in zip(position, words, coded, columns, strict=True):
        if column.nominal or column.levels:
            place[1] = 1 / max(len(values) - 1, 1)
        elif len(values) > 1:
            place[: len(values)] = (values / 2 - values[0] / 2) / (values[-1] / 2 - values[0] / 2)
        if column.levels:
            rows[:, : len(values)] = 0
            rows[0, : len(values)] = np.arange(len(values))
            for level, numbers in enumerate(column.levels, 1):
                rows[level, : len(values)] = numbers[values.astype(np.int64)]
    kind = np.array([2 if column.levels else int(column.nominal) for column in columns])
    nothing = Protected(np.zeros((len(codes), 0), dtype=np.int64), ())
    checks = (protected or nothing)._checked  # noqa: SLF001 - of the same module
    return cuts.partition(codes, position, kind, words, k, strict, protected is not None, *checks)
