"""What tells a table in blocks from all others: a sum over its rows, the same however they are cut.

Every row becomes two numbers of 64 bits, by what stands in it and nothing else, and the sums of both over all
rows are the fingerprint. So neither the order of rows nor the blocks matter, and every engine comes to the
same. It tells tables apart; whoever wants to make another table of the same sums can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.chance import Chance

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases

    Bits = NDArray[np.uint64]

_WORDS = Chance(0)  # the same for everybody and for ever: it tells texts apart, and hides nothing
_LANES = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1342543DE82EF95))
_NONE = "\0none"


@dataclass(frozen=True)
class Content:
    """Work: the sums over the rows of a block, records and people."""

    def __call__(self, block: Purchases) -> tuple[int, int]:
        """Return both sums."""
        tables = [block.records] if block.master is None else [block.records, block.master]
        sums = [_summed(table) for table in tables]
        return sum(first for first, _ in sums), sum(second for _, second in sums)


def fingerprint_of(parts: Iterable[tuple[int, int]]) -> str:
    """Return the fingerprint of a table, of whose blocks these are the sums."""
    first = second = 0
    for one, other in parts:
        first, second = first + one, second + other
    return f"{first % 2**64:016x}{second % 2**64:016x}"


def _summed(table: pl.DataFrame) -> tuple[int, int]:
    rows = [np.zeros(table.height, np.uint64) for _ in _LANES]
    for name in sorted(table.columns):
        bits = _bits(table[name], name)
        rows = [_mixed(so_far * lane + bits + lane) for so_far, lane in zip(rows, _LANES, strict=True)]
    first, second = (int(lane.sum(dtype=np.uint64)) for lane in rows)
    return first, second


def _bits(column: pl.Series, name: str) -> Bits:
    """Return what stands in a column as bits: text by its content, numbers and times as they are."""
    salt = _WORDS.numbers("column", pl.Series([name]))
    if column.dtype.is_float():
        made = (column.fill_null(np.nan).cast(pl.Float64).to_numpy() + 0.0).view(np.uint64)
    elif column.dtype.is_temporal() or column.dtype.is_integer():
        there = column.to_physical().cast(pl.Int64)
        made = there.fill_null(np.iinfo(np.int64).min).to_numpy().view(np.uint64)
    else:
        plain = isinstance(column.dtype, pl.Enum) and not column.null_count()
        made = _WORDS.numbers("text", column if plain else column.cast(pl.String).fill_null(_NONE))
    return _mixed(made ^ salt)


def _mixed(bits: Bits) -> Bits:
    """Return these bits well mixed (SplitMix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
