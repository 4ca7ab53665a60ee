"""The release folder beyond memory: the same files, to the byte, written block by block.

Rows of a release stand in the order of their own content, so blocks cannot just be appended: they are put in
order by `stretches`. What the data sheet says is noted of every block on its way.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from kakurenbo.data.pairing import Pairing
from kakurenbo.files import datasheet, outputs, release_folder
from kakurenbo.files.stretches import Stretches
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.layout import Layout
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Facts, Release
    from kakurenbo.provenance import Provenance
    from kakurenbo.sheet.record import DataSheet

_SPILLED = "stretches"


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


class Noting(Protocol):
    """Makes the data sheet of a release that nobody sees as a whole: `auditing.sheet.make`."""

    @property
    def work(self) -> Callable[[Release[Purchases]], Any]:
        """What is noted of a released block; it is picklable, and notes are small and go `beside` others."""

    def sheet(self, noted: Any, told: Told, pairing: Pairing, progress: Progress) -> DataSheet:  # noqa: ANN401 - as `work` returns
        """Return the sheet, given what was noted of all blocks."""


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
    noting: Noting | None = None,
    overwrite: bool = False,
    allow_exposed: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Make a release block by block and write it and its secret, apart from each other.

    Memory holds a block, and the ids of everybody.

    Args:
        release: what to make and write.
        blocks: how many blocks of a million records it would fill, about.
        folder: as for `write_release`, and the other options too.
        secret: the file for the pairing.
        noting: makes the data sheet; without it the folder has none.
        overwrite: replace an existing release folder of ours.
        allow_exposed: write the secret even where it may be published.
        progress: told how far it is.
    """
    made: list[Written] = []
    steps, work = progress or Progress(), _LayOut(None if noting is None else noting.work)

    def write(place: Path) -> Pairing:
        spilled = _spilled(release, blocks, place / _SPILLED, work, steps.part(0.0, 0.7))
        layout, path = spilled.layout, place / f"transactions.{spilled.layout.format}"
        ordered = spilled.stretches.ordered(steps.part(0.7, 0.9))
        if layout.format == "parquet":
            sorted_files = [spilled.kept(number, rows) for number, rows in enumerate(ordered)]
            scans = [pl.scan_ipc(file, glob=False) for file in sorted_files]
            release_folder.write_parquet(pl.concat(scans), path)
        else:
            release_folder.write_texts(ordered, layout, path)
        master = pl.concat(spilled.masters) if spilled.masters else None
        release_folder.write_beside(master, spilled.told.trees, layout, place)
        shutil.rmtree(spilled.stretches.folder)
        pairing = Pairing(*pl.concat(spilled.pairs))
        if noting is not None:
            sheet = noting.sheet(spilled.noted, spilled.told, pairing, steps.part(0.9, 1.0))
            datasheet.put(sheet, place)
        made.append(Written(spilled.records, spilled.told.facts))
        return pairing

    outputs.check_places(release_folder.outputs_of(folder, secret), allow_exposed=allow_exposed)
    release_folder.put(write, release.provenance, folder, secret, overwrite=overwrite)
    return made[-1]


@dataclass(frozen=True, eq=False)
class _LaidOut:
    """A released block as it is written, with its part of the secret, and the note that was taken of it."""

    rows: pl.DataFrame
    master: pl.DataFrame | None
    pairs: pl.DataFrame
    layout: Layout
    note: Any


@dataclass(frozen=True, eq=False)
class _LayOut:
    """The work on a released block."""

    note: Callable[[Release[Purchases]], Any] | None

    def __call__(self, release: Release[Purchases]) -> _LaidOut:
        data, note = release.data, None if self.note is None else self.note(release)
        return _LaidOut(release_folder.laid_out(data), data.master, release.pairing.frame, data.layout, note)


@dataclass(frozen=True, eq=False)
class _Spilled:
    """A release on disk, in stretches that follow each other.

    Attributes:
        stretches: its rows.
        told: what is told of the release.
        pairs: the secret, in parts.
        masters: the master, in parts.
        records: how many there are.
        layout: the form of its files.
        noted: what was noted of all blocks.
    """

    stretches: Stretches
    told: Told
    pairs: list[pl.DataFrame]
    masters: list[pl.DataFrame]
    records: int
    layout: Layout
    noted: Any

    def kept(self, number: int, rows: pl.DataFrame) -> Path:
        """Keep a sorted stretch, and return where."""
        path = self.stretches.folder / f"sorted-{number:06d}.ipc"
        rows.write_ipc(path)
        return path


def _spilled(release: InBlocks, blocks: int, folder: Path, work: _LayOut, progress: Progress) -> _Spilled:
    """Make the release and spill it; where names clash between blocks, once more with others."""
    while True:
        stretches = Stretches(folder, blocks)
        told, made, noted = [], list[_LaidOut](), None
        for part in release.parts(work, progress=progress):
            told.append(replace(part, made=None))
            if part.made is not None:
                stretches.add(part.made.rows)
                noted = part.made.note if noted is None else noted.beside(part.made.note)
                made.append(replace(part.made, rows=part.made.rows.clear(), note=None))
        whole = release.told(told)
        again = release.redrawn(whole.drawn)
        if again is None:
            return _Spilled(
                stretches, whole, [one.pairs for one in made],
                [one.master for one in made if one.master is not None], stretches.records,
                made[-1].layout, noted,
            )  # fmt: skip
        release = again
        shutil.rmtree(folder)
