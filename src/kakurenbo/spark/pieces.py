"""What travels between Spark and the workers' Python: bytes in pieces, each with the number of its block.

Spark's own machine looks at no record: it moves rows of (block, piece, body). The body of a block, its pieces
put together again, is a table in Arrow's file format, or whatever a worker has to say. So a shuffle moves few
large rows instead of many small ones, and a table comes back with the very types it had.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

SCHEMA = "block int, piece int, body binary"
_SIZE = 4 << 20  # bytes of a piece


def packed(table: pl.DataFrame) -> bytes:
    """Return a table as bytes."""
    body = io.BytesIO()
    table.write_ipc(body, compression="lz4")
    return body.getvalue()


def unpacked(body: bytes) -> pl.DataFrame:
    """Return the table that was packed."""
    return pl.read_ipc(io.BytesIO(body))


def in_pieces(block: int, body: bytes) -> Iterator[pa.RecordBatch]:
    """Yield a body cut into pieces, one row each."""
    import pyarrow as pa  # noqa: PLC0415 - an extra

    whole = pa.int32()
    for piece, start in enumerate(range(0, max(len(body), 1), _SIZE)):
        row = {
            "block": pa.array([block], whole),
            "piece": pa.array([piece], whole),
            "body": pa.array([body[start : start + _SIZE]], pa.binary()),
        }
        yield pa.RecordBatch.from_pydict(row)


def gathered(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, bytes]]:
    """Yield every body of a partition with its block."""
    rows = (
        row
        for batch in batches
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    )
    yield from joined(rows)


def joined(rows: Iterable[tuple[int, int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield every body with its block: the pieces of one follow one another, the first is number 0."""
    block, bodies = -1, list[bytes]()
    for number, piece, body in rows:
        if piece == 0 and bodies:
            yield block, b"".join(bodies)
            bodies = []
        block = number
        bodies.append(body)
    if bodies:
        yield block, b"".join(bodies)
