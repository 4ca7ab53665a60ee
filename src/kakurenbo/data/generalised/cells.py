"""Cells: what a released value says of the original one, as an interval of numbers.

A number says itself, a range everything between its ends, a star nothing. A category is its place among the
values that are known, so that a set of several says nothing, and a value that nobody has is a place of its
own where nobody stands. So whatever a release holds, "which value does it claim" and "how far is it from this
one" are questions to two numbers, and what several rows say together is the interval that spans them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.checks import ids
from kakurenbo.data.generalised.forms import Known, read
from kakurenbo.data.generalised.intervals import interval
from kakurenbo.data.groups import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from kakurenbo.data.hierarchy import Hierarchy

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

_MIDDLE = (0.025, 0.975)


@dataclass(frozen=True, eq=False)
class Cells:
    """Some columns of known and released rows, on one scale.

    Attributes:
        known: rows x columns, the values that are known.
        low: released rows x columns, the least value that each may stand for.
        high: the greatest; from minus to plus infinity where nothing is said.
    """

    known: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(
        cls,
        known: pl.DataFrame,
        released: pl.DataFrame,
        names: Sequence[str],
        trees: Mapping[str, Hierarchy] | None = None,
    ) -> Cells:
        """Read these columns of both tables, with what the words of some stand for."""
        columns = [_numbers if known[name].dtype.is_numeric() else _names for name in names]
        made = [
            read_as(known[name], released[name], (trees or {}).get(name))
            for read_as, name in zip(columns, names, strict=True)
        ]
        if not made:
            return cls(*(np.empty((table.height, 0)) for table in (known, released, released)))
        return cls(*(np.stack(part, axis=1) for part in zip(*made, strict=True)))

    def gap(self, rows: Ints | slice, column: int, unit: float) -> Floats:
        """Return known rows x released rows: how far the value lies outside the cell, in units, 1 at most."""
        value = self.known[rows, column][:, None]
        beyond = np.maximum(self.low[:, column] - value, value - self.high[:, column])
        far: Floats = np.clip(beyond / (unit or 1.0), 0.0, 1.0)
        return far


def spread(table: pl.DataFrame, names: Sequence[str]) -> Floats:
    """Return the width of the middle 95 % of each column of numbers, 0 for a column of names.

    Unlike the whole range or the standard deviation it does not follow a few extreme values, as of incomes.
    """
    made = []
    for name in names:
        numbers = table[name].to_numpy().astype(np.float64) if table[name].dtype.is_numeric() else np.zeros(1)
        with np.errstate(over="ignore", invalid="ignore"):
            width = float(np.subtract(*np.quantile(numbers, _MIDDLE)[::-1]))
        made.append(width if np.isfinite(width) else 0.0)
    return np.array(made)


def _numbers(known: pl.Series, released: pl.Series, tree: Hierarchy | None) -> tuple[Floats, Floats, Floats]:
    mine = known.to_numpy().astype(np.float64)
    if released.dtype.is_numeric() and not released.null_count():
        theirs = released.to_numpy().astype(np.float64)
        return mine, theirs, theirs
    texts, codes = coded(released)
    words = {} if tree is None else _spans(tree)
    ends = np.array([words.get(text) or _ends(text) for text in texts]).reshape(-1, 2)
    return mine, ends[codes, 0], ends[codes, 1]


def _ends(text: str) -> tuple[float, float]:
    """Return the least and the greatest number of a range; of any other text nothing is said."""
    span = interval(text.strip().strip("{}"))
    return (-np.inf, np.inf) if span is None or span.dates else (span.low, span.high)


def _spans(tree: Hierarchy) -> dict[str, tuple[float, float]]:
    """Return the least and the greatest number that every word of a hierarchy of numbers stands for."""
    numbers = tree.below.with_columns(pl.col("value").cast(pl.Float64, strict=False)).drop_nulls()
    ends = numbers.group_by("word").agg(low=pl.col("value").min(), high=pl.col("value").max())
    return {word: (low, high) for word, low, high in ends.iter_rows()}


def _names(known: pl.Series, released: pl.Series, tree: Hierarchy | None) -> tuple[Floats, Floats, Floats]:
    mine, my_codes = coded(known)
    texts, codes = coded(released)
    values, foreign = Known(mine, tree), -1.0
    ends = np.empty((len(texts), 2))
    for place, text in enumerate(texts):
        held = np.flatnonzero(read(text).holds(values))
        if len(held) > 1:
            ends[place] = -np.inf, np.inf
        elif len(held) == 1:
            ends[place] = held[0]
        else:
            ends[place], foreign = foreign, foreign - 1
    return my_codes.astype(np.float64), ends[codes, 0], ends[codes, 1]


def coded(column: pl.Series) -> tuple[list[str], Ints]:
    """Return the sorted distinct values as text, and the place of each row's value among them."""
    encoded = ids.encode(as_text(column).fill_null(""))
    return ids.categories(encoded).to_list(), encoded.to_physical().to_numpy().astype(np.int64)
