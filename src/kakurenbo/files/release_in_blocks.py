"""The release folder beyond memory: the same files, to the byte, written block by block.

Rows of a release stand in the order of their own content, so blocks cannot just be appended. Every released
block is divided at the same rows into stretches of that order, which are spilled aside; then the stretches
are sorted one after another and appended. People are in blocks by chance, so the first block says where to
divide.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from kakurenbo.data.pairing import Pairing
from kakurenbo.files import outputs, release_folder
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.layout import Layout
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Facts, Release
    from kakurenbo.provenance import Provenance

_SPILLED = "stretches"
_WIDEST = 1 << 62


class Told(Protocol):
    """What is told of all blocks of a release together."""

    @property
    def facts(self) -> Facts:
        """What the method tells of its work."""

    @property
    def trees(self) -> Mapping[str, Hierarchy]:
        """What the words of the release stand for."""

    @property
    def drawn(self) -> tuple[Any, ...]:
        """The names that were drawn."""


class InBlocks(Protocol):
    """A release that is made block by block: `deidentify.in_blocks.ReleaseInBlocks`."""

    @property
    def provenance(self) -> Provenance:
        """What made it."""

    def parts(
        self, work: Callable[[Release[Purchases]], Any], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Any]:
        """Yield what comes of every block."""

    def redrawn(self, drawn: Iterable[Any]) -> InBlocks | None:
        """Return the release with clashing names drawn again, None where none clash."""

    def told(self, parts: Iterable[Any]) -> Told:
        """Return what is told of all parts together."""


@dataclass(frozen=True)
class Written:
    """What was written: the records, and what the method tells of its work."""

    records: int
    facts: Facts


def write_in_blocks(
    release: InBlocks,
    blocks: int,
    folder: str | Path,
    *,
    secret: str | Path,
    overwrite: bool = False,
    allow_exposed: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Make a release block by block and write it and its secret, apart from each other.

    Memory holds a block, and the ids of everybody. There is no data sheet: it measures whole tables.

    Args:
        release: what to make and write.
        blocks: how many the table has; so many stretches are sorted, however people were put together.
        folder: as for `write_release`, and the other options too.
        secret: the file for the pairing.
        overwrite: replace an existing release folder of ours.
        allow_exposed: write the secret even where it may be published.
        progress: told how far it is.
    """
    made: list[Written] = []

    def write(place: Path) -> Pairing:
        spilled, layout = _spilled(release, blocks, place / _SPILLED, progress or Progress())
        path = place / f"transactions.{layout.format}"
        ordered = spilled.ordered((progress or Progress()).part(0.7, 1.0))
        if layout.format == "parquet":
            sorted_files = [spilled.kept(number, rows) for number, rows in enumerate(ordered)]
            release_folder.write_parquet(pl.concat([pl.scan_ipc(file) for file in sorted_files]), path)
        else:
            release_folder.write_texts(ordered, layout, path)
        master = pl.concat(spilled.masters) if spilled.masters else None
        release_folder.write_beside(master, spilled.told.trees, layout, place)
        shutil.rmtree(spilled.folder)
        made.append(Written(spilled.records, spilled.told.facts))
        return Pairing(*pl.concat(spilled.pairs))

    outputs.check_places(release_folder.outputs_of(folder, secret), allow_exposed=allow_exposed)
    release_folder.put(write, release.provenance, folder, secret, overwrite=overwrite)
    return made[-1]


@dataclass(frozen=True, eq=False)
class _LaidOut:
    """A released block as it is written, with its part of the secret."""

    rows: pl.DataFrame
    master: pl.DataFrame | None
    pairs: pl.DataFrame
    layout: Layout


def _lay_out(release: Release[Purchases]) -> _LaidOut:
    data = release.data
    return _LaidOut(release_folder.laid_out(data), data.master, release.pairing.frame, data.layout)


@dataclass(frozen=True, eq=False)
class _Spilled:
    """A release on disk, in stretches that follow each other.

    Attributes:
        folder: where the stretches lie.
        stretches: how many there are.
        told: what is told of the release.
        pairs: the secret, in parts.
        masters: the master, in parts.
        records: how many there are.
    """

    folder: Path
    stretches: int
    told: Told
    pairs: list[pl.DataFrame]
    masters: list[pl.DataFrame]
    records: int

    def ordered(self, progress: Progress) -> Iterator[pl.DataFrame]:
        """Yield the stretches, each sorted."""
        for number in range(self.stretches):
            progress.step("sorting and writing", number / self.stretches)
            files = sorted(self.folder.glob(f"{number:06d}-*.ipc"))
            if files:
                yield release_folder.in_order(pl.concat([pl.read_ipc(file) for file in files]))
                for file in files:
                    file.unlink()

    def kept(self, number: int, rows: pl.DataFrame) -> Path:
        """Keep a sorted stretch, and return where."""
        path = self.folder / f"sorted-{number:06d}.ipc"
        rows.write_ipc(path)
        return path


def _spilled(release: InBlocks, blocks: int, folder: Path, progress: Progress) -> tuple[_Spilled, Layout]:
    """Make the release and spill it; where names clash between blocks, once more with others."""
    while True:
        folder.mkdir()
        told, pairs, masters, layout, cuts, records = [], [], [], None, None, 0
        for number, part in enumerate(release.parts(_lay_out, progress=progress.part(0.0, 0.7))):
            made: _LaidOut | None = part.made
            told.append(replace(part, made=None))
            if made is None:
                continue
            cuts = cuts or _Cuts.of(made.rows, blocks)
            for stretch, rows in cuts.divided(made.rows):
                rows.write_ipc(folder / f"{stretch:06d}-{number:06d}.ipc", compression="lz4")
            pairs.append(made.pairs)
            masters += [] if made.master is None else [made.master]
            layout, records = made.layout, records + made.rows.height
        whole = release.told(told)
        again = release.redrawn(whole.drawn)
        if again is None and layout is not None and cuts is not None:
            return _Spilled(folder, cuts.stretches, whole, pairs, masters, records), layout
        release = again or release
        shutil.rmtree(folder)


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
        return cls(release_folder.in_order(rows)[places].select(named))

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
        numbers, width = np.zeros(rows.height, dtype=np.int64), 1
        for column in self.rows:
            values = column.drop_nulls().unique().sort()
            base = 2 * len(values) + 2
            if width * base > _WIDEST:
                break
            numbers, width = numbers * base + _placed(rows[column.name], values), width * base
        return numbers


def _placed(column: pl.Series, values: pl.Series) -> NDArray[np.int64]:
    """Return where values stand among some others: in a gap, or on one of them; what is missing last."""
    missing = column.is_null().to_numpy()
    if not len(values):
        return missing.astype(np.int64)
    held = column.fill_null(values[0])
    before, upto = (
        values.search_sorted(held, side=side).to_numpy().astype(np.int64) for side in ("left", "right")
    )
    return np.where(missing, 2 * len(values) + 1, before + upto)
