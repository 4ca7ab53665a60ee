"""Records set aside on the way to their blocks, in runs that are each sorted by where their customer goes.

How many blocks there will be is known only when the last row was read, since rows that are no purchase do not
count. But the block of a customer is his draw times that number: whoever comes before another with many
blocks does not come after him with few. So a run is sorted by blocks of a very fine cut, and any coarser
block is one stretch of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from kakurenbo.data.blocks import draws_of, placed

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

FINE = 1 << 14  # blocks of the fine cut
RECORDS = 2_000_000  # of a run, about
_CHUNK = 1 << 15


@dataclass
class Runs:
    """The records of all batches so far, with numbers for customers and goods."""

    folder: Path
    _waiting: list[pl.DataFrame] = field(default_factory=list)
    _draws: list[NDArray[np.float64]] = field(default_factory=list)
    _runs: list[tuple[Path, NDArray[np.int64]]] = field(default_factory=list)

    def add(self, records: pl.DataFrame, newcomers: pl.Series) -> None:
        """Add the records of a batch; `newcomers` are its customers who have the next numbers."""
        if len(newcomers):
            self._draws.append(draws_of(newcomers))
        if records.height:
            self._waiting.append(records)
        if sum(frame.height for frame in self._waiting) >= RECORDS:
            self._write()

    @property
    def draws(self) -> NDArray[np.float64]:
        """What places every customer, by his number."""
        self._draws = [np.concatenate(self._draws)]
        return self._draws[0]

    def finish(self) -> None:
        """Write what is waiting."""
        if self._waiting:
            self._write()

    def _write(self) -> None:
        frame = pl.concat(self._waiting, rechunk=True)
        self._waiting = []
        places = placed(self.draws, FINE).astype(np.uint16)[frame["customer"].to_numpy()]
        order = np.argsort(places, kind="stable")
        path = self.folder / f"{len(self._runs):05}.arrow"
        frame[order].write_ipc(path, compression="uncompressed", record_batch_size=_CHUNK)
        starts = np.zeros(FINE + 1, dtype=np.int64)
        np.cumsum(np.bincount(places, minlength=FINE), out=starts[1:])
        self._runs.append((path, starts))

    def stretch(self, block: int, blocks: int) -> pl.DataFrame:
        """Return the records of a block in the order they came, among some of its neighbours'."""
        first = max(block * FINE // blocks - 1, 0)
        last = min(-(-(block + 1) * FINE // blocks) + 1, FINE)
        parts = [
            pl.scan_ipc(path, glob=False).slice(int(starts[first]), int(starts[last] - starts[first]))
            for path, starts in self._runs
        ]
        return pl.concat(parts, rechunk=True).collect()
