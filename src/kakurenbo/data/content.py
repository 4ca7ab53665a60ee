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

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases

    Bits = NDArray[np.uint64]

_LANES = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1342543DE82EF95))
_NONE = "\0none"
_EIGHT = 8  # bytes of a word
_PADDING = pl.Series([b"\0" * _EIGHT])


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
    salt = _words(pl.Series([name]))
    if column.dtype.is_float():
        made = (column.fill_null(np.nan).cast(pl.Float64).to_numpy() + 0.0).view(np.uint64)
    elif column.dtype.is_temporal() or column.dtype.is_integer():
        there = column.to_physical().cast(pl.Int64)
        made = there.fill_null(np.iinfo(np.int64).min).to_numpy().view(np.uint64)
    else:
        made = _texts(column)
    return _mixed(made ^ salt)


def _texts(column: pl.Series) -> Bits:
    """Return the bits of a column of texts; of names in a list, each that is used is looked at once."""
    if not isinstance(column.dtype, pl.Enum) or column.null_count():
        return _words(column.cast(pl.String).fill_null(_NONE))
    codes, names = column.to_physical().to_numpy(), column.dtype.categories
    bits, there = np.zeros(len(names), np.uint64), np.zeros(len(names), np.bool_)
    there[codes] = True
    bits[there] = _words(names.filter(pl.Series(there)))
    made: Bits = bits[codes]
    return made


def _words(texts: pl.Series) -> Bits:
    """Return bits for each text, of its length and its bytes, eight at a time: the same everywhere."""
    length = texts.str.len_bytes()
    made, left = _mixed(length.to_numpy().astype(np.uint64)), texts.cast(pl.Binary)
    for start in range(0, int(length.max() or 0), _EIGHT):  # type: ignore[arg-type]  # of whole numbers
        chunk = left.bin.slice(start, _EIGHT)
        numbers = (chunk + _PADDING).bin.head(_EIGHT).bin.reinterpret(dtype=pl.UInt64, endianness="little")
        longer = length.to_numpy() > start
        made = np.where(longer, _mixed(made * _LANES[0] + numbers.to_numpy()), made)
    return made


def _mixed(bits: Bits) -> Bits:
    """Return these bits well mixed (SplitMix64); one array is made, and worked on in its place."""
    bits = bits ^ (bits >> np.uint64(30))
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    bits ^= bits >> np.uint64(27)
    bits *= np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return bits
