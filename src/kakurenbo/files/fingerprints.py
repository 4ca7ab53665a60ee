"""Fingerprints beyond memory: the SHA-256 that a table has in memory, taken of its blocks.

It is made of the rows in their order, so they are put in order first (`stretches`), in a folder that its
owner alone can read and that goes at the end. People of a master who bought nothing are in no block, so a
table that has such people has another fingerprint in blocks.
"""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.blocks import Blocks, InMemory, block_count
from kakurenbo.files.stretches import Stretches
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Table


@dataclass(frozen=True, eq=False)
class Content:
    """What a block has that a fingerprint is taken of."""

    records: pl.DataFrame
    master: pl.DataFrame | None
    trees: Mapping[str, Hierarchy]


def content(data: Purchases) -> Content:
    """Return what a fingerprint is taken of; as work on blocks, too."""
    return Content(_named(data.under(None)), data.master, data.hierarchies)


def fingerprint(data: Table | Blocks, progress: Progress | None = None) -> str:
    """Return the fingerprint of a table, in blocks or not."""
    if isinstance(data, InMemory):
        return data.data.fingerprint()
    if not isinstance(data, Blocks):
        return data.fingerprint()
    parts = data.map(content, doing="taking the fingerprint")
    return of_parts(parts, block_count(data.whole.counts["records"]), progress)


def of_parts(parts: Iterable[Content], stretches: int, progress: Progress | None = None) -> str:
    """Return the fingerprint of a table that comes in parts, sorted in about so many stretches."""
    digest, masters = hashlib.sha256(), list[pl.DataFrame]()
    trees: dict[str, Hierarchy] = {}
    with tempfile.TemporaryDirectory(prefix="kakurenbo-order-") as folder:
        sorting = Stretches(Path(folder) / "rows", stretches)
        for part in parts:
            sorting.add(part.records)
            masters += [] if part.master is None else [part.master]
            trees = {**part.trees, **trees}
        ordered = sorting.ordered(progress or Progress(), "taking the fingerprint")
        for line in _lines(ordered):
            digest.update(line)
    master = [pl.concat(masters)] if masters else []
    for table in (*master, *(trees[name].frame for name in sorted(trees))):
        named = _named(table)
        for line in _lines([named.sort(named.columns)]):
            digest.update(line)
    return digest.hexdigest()


def _named(table: pl.DataFrame) -> pl.DataFrame:
    return table.select(sorted(table.columns))


def _lines(parts: Iterable[pl.DataFrame]) -> Iterator[bytes]:
    for place, rows in enumerate(parts):
        yield rows.write_csv(include_header=place == 0).encode()
