"""People put into blocks by the workers: parts of blocks leave every partition, whole blocks arrive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.data.blocks import block_of
from kakurenbo.data.checks import ids
from kakurenbo.spark import pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa


@dataclass(frozen=True)
class Dealt:
    """Blocks on their way to other blocks: `parts.value` says which part everybody gets."""

    parts: Any
    blocks: int
    count: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the records of a partition by the parts of their customers."""
        for number, body in pieces.gathered(batches):
            if number < self.blocks:
                plain = pieces.unpacked(body).with_columns(pl.col(pl.Enum).cast(pl.String))
                dealt = plain.join(self.parts.value, on="customer", maintain_order="left")
                yield from by_number(dealt, "part")


def placed(records: pl.DataFrame, blocks: int) -> Iterator[pa.RecordBatch]:
    """Yield records in parts of blocks, by the ids of their customers."""
    people = records.select(pl.col("customer").unique())
    where = people.with_columns(block=pl.Series(block_of(people["customer"], blocks), dtype=pl.Int32))
    yield from by_number(records.join(where, on="customer", maintain_order="left"), "block")


def by_number(records: pl.DataFrame, column: str) -> Iterator[pa.RecordBatch]:
    """Yield records in pieces by the number that a column gives them."""
    for (number,), part in records.partition_by(column, as_dict=True, include_key=False).items():
        yield from pieces.in_pieces(int(number), pieces.packed(part))


def settled(blocks: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the parts that arrived at one place as a block: whole, sorted, encoded; and notes as they are."""
    parts: dict[int, list[pl.DataFrame]] = {}
    for number, body in pieces.gathered(batches):
        if number == blocks:
            yield from pieces.in_pieces(number, body)
        else:
            parts.setdefault(number, []).append(pieces.unpacked(body))
    for number in sorted(parts):
        yield from pieces.in_pieces(number, pieces.packed(_block(pl.concat(parts.pop(number)))))


def receipts(blocks: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the receipts of every block, each once in it."""
    for number, body in pieces.gathered(batches):
        if number < blocks:
            named = pieces.unpacked(body).select(pl.col("receipt").unique())
            yield from named.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()


def _block(records: pl.DataFrame) -> pl.DataFrame:
    coded = records.with_columns(ids.encode(records[role]).alias(role) for role in ("customer", "goods"))
    return coded.sort("customer", *(name for name in coded.columns if name != "customer"))
