"""Blocks put together anew: people are dealt to files by the part they are given, in one pass.

Parts are many and small, and a file for what each block holds of each part would be too little. So parts lie
in buckets of about as many records as two blocks; a bucket is read once and divided in memory, and
two parts are worked on at a time. The folder is
readable by its owner alone, and it goes when nobody uses it any more.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np
import polars as pl

from kakurenbo.data.blocks import RECORDS, Blocks, Whole
from kakurenbo.progress import Progress
from kakurenbo.threads import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases

Made = TypeVar("Made")
_Rows: TypeAlias = tuple[pl.DataFrame, pl.DataFrame | None]
_BUCKET = 2 * RECORDS
_WAITING = 4  # parts are small


@dataclass(frozen=True, eq=False)
class Aside(Blocks):
    """Blocks by part, in a folder of their own.

    Attributes:
        known: what is known of the whole.
        table: one of the blocks without its records: the form that all have.
        people: how many each part holds.
        buckets: the bucket of every part.
        folder: where they lie.
    """

    known: Whole
    table: Purchases
    people: NDArray[np.int64]
    buckets: NDArray[np.int64]
    folder: Path = field(repr=False)

    @classmethod
    def of(cls, blocks: Blocks, parts: pl.DataFrame, bucket: int = _BUCKET) -> Aside:
        """Deal the people of blocks to files, by the part they are given.

        Args:
            blocks: the purchases; their work runs on this machine.
            parts: as for `Blocks.regrouped`.
            bucket: about how many records one holds.
        """
        counts, people = blocks.whole.counts, np.bincount(parts["part"].to_numpy())
        before = (np.cumsum(people) - people) * (counts["records"] / counts["customers"])
        buckets = (before // bucket).astype(np.int64)
        places = parts.select(
            pl.col("customer").cast(pl.String), pl.col("part").cast(pl.Int64),
            bucket=pl.Series(buckets[parts["part"].to_numpy()]),
        )  # fmt: skip
        folder = Path(tempfile.mkdtemp(prefix="kakurenbo-parts-"))
        try:
            tables = list(blocks.map(_Dealt(places, folder), doing="putting like with like"))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        made = cls(blocks.whole, tables[0], people, buckets, folder)
        weakref.finalize(made, shutil.rmtree, folder, ignore_errors=True)
        return made

    @property
    def whole(self) -> Whole:
        """What is known of all, those who were left out included."""
        return self.known

    def __len__(self) -> int:
        return len(self.people)

    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        """Yield what the work makes of every part, two of them at a time."""
        steps, there = progress or Progress(), int((self.people > 0).sum())

        def made_of(rows: _Rows) -> Made:
            return work(self.table.with_records(rows[0], master=rows[1]))

        for place, made in enumerate(in_order(made_of, self._parts(), _WAITING)):
            steps.step(doing or "going through the blocks", place / there)
            yield made

    def _parts(self) -> Iterator[_Rows]:
        """Yield the records and the master of every part that has people, bucket after bucket."""
        for bucket in np.unique(self.buckets[self.people > 0]).tolist():
            records, masters = self._read("records", bucket), self._read("master", bucket)
            for part in sorted(records):
                yield records.pop(part), masters.pop(part, None)

    def _read(self, name: str, bucket: int) -> dict[int, pl.DataFrame]:
        """Return a bucket's rows by part."""
        files = sorted(self.folder.glob(f"{name}-{bucket}-*"))
        if not files:
            return {}
        parts = pl.concat([pl.read_parquet(file, glob=False) for file in files]).partition_by(
            "part", include_key=False, as_dict=True
        )
        return {int(number): rows for (number,), rows in parts.items()}


@dataclass(frozen=True, eq=False)
class _Dealt:
    """Writes a block's records and master to the files of the buckets; returns the form of the block.

    Attributes:
        places: customer, part and bucket.
        folder: where the files go, each under a name of its own.
    """

    places: pl.DataFrame
    folder: Path

    def __call__(self, data: Purchases) -> Purchases:
        self._write("records", data.under(None))
        if data.master is not None:
            self._write("master", data.master)
        return replace(data, records=data.records.clear(), master=None)

    def _write(self, name: str, rows: pl.DataFrame) -> None:
        placed = rows.join(self.places, on="customer")
        for (bucket,), inside in placed.partition_by("bucket", include_key=False, as_dict=True).items():
            prefix = f"{name}-{bucket}-"
            with tempfile.NamedTemporaryFile(prefix=prefix, dir=self.folder, delete=False) as file:
                inside.write_parquet(file, compression="lz4")
