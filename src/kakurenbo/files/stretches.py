"""Rows of many blocks in one order, beyond memory.

Every block is divided at the same rows into stretches of the order, which are spilled aside; then stretch
after stretch is read, sorted and handed on. People are in blocks by chance, so the first block says where to
divide.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo import threads

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from kakurenbo.progress import Progress

_WIDEST = 1 << 62
SPILLED = 1_000_000  # rows at a time, about


class Stretches:
    """Rows on disk, in stretches that follow each other."""

    def __init__(self, folder: Path, about: int) -> None:
        """Begin an empty folder; there will be about so many stretches."""
        folder.mkdir()
        self.folder, self._about = folder, about
        self._cuts: _Cuts | None = None
        self._waiting: list[pl.DataFrame] = []
        self._spills = self.records = 0

    def add(self, rows: pl.DataFrame) -> None:
        """Take the rows of the next block; small blocks are spilled together."""
        self._waiting.append(rows)
        self.records += rows.height
        if sum(map(len, self._waiting)) >= SPILLED:
            self._spill()

    def _spill(self) -> None:
        if not self._waiting:
            return
        rows = pl.concat(self._waiting)
        self._cuts = self._cuts or _Cuts.of(rows, self._about)
        for stretch, some in self._cuts.divided(rows):
            some.write_ipc(self.folder / f"{stretch:06d}-{self._spills:06d}.ipc", compression="lz4")
        self._spills += 1
        self._waiting.clear()

    def ordered(self, progress: Progress, doing: str = "sorting and writing") -> Iterator[pl.DataFrame]:
        """Yield the stretches, each sorted; none of them is there afterwards."""
        self._spill()
        count = 0 if self._cuts is None else self._cuts.stretches
        for number, rows in enumerate(threads.in_order(self._sorted, range(count))):
            progress.step(doing, number / count)
            if rows is not None:
                yield rows

    def _sorted(self, number: int) -> pl.DataFrame | None:
        """Return the rows of a stretch in their order, where it has any, and remove its files."""
        files = sorted(self.folder.glob(f"{number:06d}-*.ipc"))
        if not files:
            return None
        rows = in_order(pl.concat([pl.scan_ipc(file, glob=False) for file in files]).collect())
        for file in files:
            file.unlink()
        return rows


def in_order(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table sorted by its own content, what is missing last.

    Texts become their places among all texts of their column: numbers sort in a third of the time.
    """
    keys = [key for column in table for key in _keys(column)]
    return table[np.lexsort(keys[::-1])] if keys else table


def _keys(column: pl.Series) -> Iterator[NDArray[Any]]:
    """Yield the numbers that sort a column: whether a value is missing, and the value."""
    if column.dtype == pl.Null:
        return
    if column.dtype == pl.String:
        column = column.cast(pl.Enum(column.drop_nulls().unique().sort()))
    if column.null_count():
        yield column.is_null().to_numpy()
    yield column.to_physical().fill_null(0).to_numpy()


@dataclass(frozen=True, eq=False)
class _Cuts:
    """Rows at which a table is divided into stretches of its order.

    A value stands for itself or for the gap between two values of the cuts; so rows become whole numbers that
    stand in the order of the rows, as far as the cuts can tell them apart.
    """

    rows: pl.DataFrame

    @classmethod
    def of(cls, rows: pl.DataFrame, stretches: int) -> _Cuts:
        """Divide like these rows, into about equal parts."""
        places = np.arange(1, stretches) * rows.height // stretches
        named = [name for name in rows.columns if rows[name].dtype != pl.Null]
        return cls(in_order(rows)[places].select(named))

    @property
    def stretches(self) -> int:
        """How many stretches there are."""
        return self.rows.height + 1

    def divided(self, rows: pl.DataFrame) -> Iterator[tuple[int, pl.DataFrame]]:
        """Yield the rows of each stretch that has any."""
        if not self.rows.height:
            yield 0, rows
            return
        stretch = np.searchsorted(self._numbers(self.rows), self._numbers(rows), side="right")
        order = np.argsort(stretch, kind="stable")
        ends = np.searchsorted(stretch[order], np.arange(self.stretches + 1))
        together = rows[order]
        for number, (start, end) in enumerate(pairwise(ends.tolist())):
            if end > start:
                yield number, together[start:end]

    def _numbers(self, rows: pl.DataFrame) -> NDArray[np.int64]:
        """Return rows as numbers; where a row lies in a gap, what it holds further on decides nothing."""
        numbers, width = np.zeros(rows.height, dtype=np.int64), 1
        alike = np.arange(rows.height)
        for column in self.rows:
            values = column.drop_nulls().unique().sort()
            base = 2 * len(values) + 2
            if width * base > _WIDEST:
                break
            placed, on = _placed(rows[column.name].gather(alike), values)
            numbers, width = numbers * base, width * base
            numbers[alike] += placed
            alike = alike[on]
        return numbers


def _placed(column: pl.Series, values: pl.Series) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return where values stand among some others, and which on one of them; what is missing last, as one."""
    missing = column.is_null().to_numpy()
    if not len(values):
        return missing.astype(np.int64), np.ones(len(missing), dtype=np.bool_)
    held = column.fill_null(values[0])
    before = values.search_sorted(held).to_numpy().astype(np.int64)
    on = (values.gather(np.minimum(before, len(values) - 1)) == held).to_numpy()
    return np.where(missing, 2 * len(values) + 1, 2 * before + on), on | missing
