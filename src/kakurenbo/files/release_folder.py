"""The release folder and its secret: a pair that appears together, and never the release alone.

Rows are sorted by their own content and only columns with a role are written: neither order nor a forgotten
column tells anything. The secret lies outside the folder, so that handing over the folder never hands over
the secret, and `release.json` in the folder says what belongs to it (`manifest.py`).

Order matters, because a run may be killed after any step (docs/decisions/0023-outputs.md has the table):

1. the release is filled aside, made durable, and named ready;
2. a note of the secret's SHA-256, the folder and the manifest's SHA-256 is left beside the secret;
3. the secret appears, durable, under a name that was free;
4. the release appears by one rename, or exchanged for the old one;
5. the note goes, after the answer was told.

An error before step 4 removes the secret of this run. After it nothing is removed, and what went wrong is
told. A note whose writer is dead says whether the secret is an orphan: it is, if the release is still aside,
or has appeared and is withdrawn first. If it is neither, somebody has moved the release: the secret stays.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import polars as pl

from kakurenbo.data.checks import times
from kakurenbo.data.table import ByKind
from kakurenbo.errors import InputError, ParameterError, WriteError
from kakurenbo.files import datasheet, disk, hierarchy, manifest, outputs
from kakurenbo.files.aside import PRIVATE, aside_file, aside_folder, discard, located, tidy
from kakurenbo.files.atomic import refusals
from kakurenbo.files.interrupts import held
from kakurenbo.files.pairings import as_bytes
from kakurenbo.files.pending import Journal, Note, digest
from kakurenbo.files.stretches import in_order
from kakurenbo.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from kakurenbo.data.checks.numbers import NumberForm
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.layout import Column, Layout
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release
    from kakurenbo.data.table import Data
    from kakurenbo.files.aside import Aside
    from kakurenbo.sheet.record import DataSheet

_GROUP = 1 << 17  # rows of a Parquet file that are kept together


def write_release(
    release: Release[Data],
    folder: str | Path,
    *,
    secret: str | Path,
    sheet: DataSheet | None = None,
    overwrite: bool = False,
    allow_exposed: bool = False,
) -> None:
    """Write a release and its secret pairing apart from each other.

    Args:
        release: what to write.
        folder: the release folder; it must not exist, unless `overwrite` exchanges it in one step.
        secret: the file for the pairing, outside the folder, mode 0600; never overwritten.
        sheet: what the release says of itself; without it the folder has no data sheet.
        overwrite: replace an existing release folder, if this program wrote it and it is unchanged.
        allow_exposed: write the secret even inside a release or a git work tree, where it may be published.
    """

    def write(place: Path) -> Pairing:
        fill(release.data, place)
        datasheet.put(sheet, place)
        return release.pairing

    outputs.check_places(outputs_of(folder, secret), allow_exposed=allow_exposed)
    put(write, release.provenance, folder, secret, overwrite=overwrite)


def put(
    write: Callable[[Path], Pairing],
    made: Provenance,
    folder: str | Path,
    secret: str | Path,
    *,
    overwrite: bool = False,
) -> None:
    """Let a release be written aside, and put it in place with its secret, in the order above.

    Args:
        write: fills a folder with everything but the manifest, and returns the secret.
        made: what made the release.
        folder: where it appears.
        secret: where the secret does.
        overwrite: as for `write_release`.
    """
    target, hidden = located(folder), located(secret)
    with refusals(target), Journal(hidden) as journal:
        earlier = _Earlier.claimed(journal)
        earlier.check(target, overwrite=overwrite)
        for place in (target, hidden, journal.path):
            tidy(place, manifest.is_release if place == target else None, keep=earlier.aside)
        with aside_folder(target) as aside:
            pairing = write(aside.path)
            seal(aside.path, made)
            disk.sync_tree(aside.path)
            aside.ready()
            _put(aside, as_bytes(pairing), journal, earlier)


def check(folder: Path, secret: Path, *, overwrite: bool = False) -> None:
    """Refuse, before any work, a pair that could not be written after it."""
    target, hidden = located(folder), located(secret)
    with refusals(target), Journal(hidden) as journal:
        _Earlier.claimed(journal).check(target, overwrite=overwrite)


def outputs_of(folder: str | Path, secret: str | Path) -> list[outputs.Output]:
    """Return the two outputs of a release; whether they may be there is told by `check`."""
    return [
        outputs.Output("out", Path(folder), paired=True),
        outputs.Output("secret", Path(secret), private=True, paired=True),
    ]


def seal(folder: Path, made: Provenance) -> None:
    """Write the manifest of what stands in a folder."""
    listed = manifest.Manifest.of(folder, reproducible=bool(made.reproducible), plan=made.plan)
    text = listed.to_json()
    (folder / manifest.NAME).write_text(text, encoding="utf-8")


def renew(folder: str | Path, sheet: DataSheet) -> None:
    """Give a release of ours another data sheet, in one step; its tables stay as they are.

    Args:
        folder: a release folder that nobody has changed.
        sheet: what it says of itself from now on.
    """
    target = located(folder)
    with refusals(target):
        tidy(target, manifest.is_release)
        listed = manifest.read_manifest(target) if manifest.is_release(target) else None
        if listed is None:
            raise ParameterError(
                f"{target.name} is not a release folder that this program wrote, or was changed since, so it "
                "gets no data sheet.",
                code="parameter",
            )
        with aside_folder(target) as aside:
            for name in listed.files:
                if name not in datasheet.NAMES:
                    shutil.copyfile(target / name, aside.path / name)
            datasheet.put(sheet, aside.path)
            seal(aside.path, Provenance(listed.plan, listed.reproducible))
            disk.sync_tree(aside.path)
            aside.ready()
            _finish(target, aside.replace(manifest.is_release))


@dataclass(frozen=True)
class _Earlier:
    """What an earlier run, killed on the way, left of the same pair: nothing, in most cases."""

    note: Note | None
    secret: Path

    @classmethod
    def claimed(cls, journal: Journal) -> _Earlier:
        """Take over the note of a killed run; that of a living one is refused."""
        journal.claim()
        return cls(journal.note, journal.target)

    @property
    def folder(self) -> Path | None:
        return Path(self.note.folder) if self.note and self.note.folder else None

    @property
    def aside(self) -> Path | None:
        return self.folder.parent / self.note.aside if self.folder and self.note else None

    @property
    def appeared(self) -> bool:
        """Whether its release is in place."""
        return self._stands_at(self.folder)

    @property
    def is_orphan(self) -> bool:
        """Whether the secret is that run's, and its release in our hands, so that nobody needs the secret."""
        return (
            self.note is not None
            and digest(self.secret) in self.note.digests
            and (self.appeared or self._stands_at(self.aside))
        )

    def _stands_at(self, place: Path | None) -> bool:
        return (
            place is not None
            and self.note is not None
            and manifest.is_release(place)
            and digest(place / manifest.NAME) == self.note.manifest
        )

    def check(self, target: Path, *, overwrite: bool) -> None:
        """Refuse a secret that somebody may need, and a folder that may not be replaced."""
        orphan = self.is_orphan
        if os.path.lexists(self.secret) and not (orphan and (self.folder == target or not self.appeared)):
            raise ParameterError(
                f"The secret's file {self.secret.name} exists already, and a secret is never overwritten: it "
                "may be the only key to a release. Choose another name, or move it away.",
                code="exists",
            )
        if not os.path.lexists(target):
            return
        if orphan and self.appeared and not (self.aside and self.aside.exists()):
            return
        if not overwrite:
            raise ParameterError(
                f"{target.name} exists already; choose another name, or say that it may be overwritten.",
                code="exists",
            )
        if not manifest.is_release(target):
            raise ParameterError(
                f"{target.name} is not a release that this program wrote, or was changed since, so it is not "
                "overwritten. Choose another name, or move it away.",
                code="exists",
            )

    def withdraw(self) -> None:
        """Take back the release that had appeared, and then the secret: the reverse of how they came."""
        if not self.is_orphan or self.folder is None or self.aside is None:
            return
        if self.appeared:
            if not self.aside.exists():
                disk.rename_new(self.folder, self.aside)
            elif not disk.exchange(self.aside, self.folder):
                raise FileExistsError
            disk.sync_folder(self.folder.parent)
        self.secret.unlink()
        disk.sync_folder(self.secret.parent)


def _put(aside: Aside, pairing: bytes, journal: Journal, earlier: _Earlier) -> None:
    """Put secret and release in place, in this order, and leave the note to be removed at the end."""
    target, hidden, old = aside.target, journal.target, None
    with held(), aside_file(hidden, PRIVATE) as key:
        key.write(pairing)
        earlier.withdraw()
        sealed = digest(aside.path / manifest.NAME)
        try:
            journal.write(Note((hashlib.sha256(pairing).hexdigest(),), str(target), aside.path.name, sealed))
            key.take()
            disk.sync_folder(hidden.parent)
            if os.path.lexists(target):
                old = aside.replace(manifest.is_release)
            else:
                aside.take()
        except BaseException:
            if not aside.in_place:
                if key.in_place:
                    hidden.unlink()
                journal.remove()
            raise
        _finish(target, old)
        if earlier.folder is not None:
            tidy(earlier.folder, manifest.is_release)
        journal.done()


def _finish(target: Path, old: Path | None) -> None:
    """Make the release durable and remove the old one; what fails now is told, and nothing is taken back."""
    try:
        disk.sync_folder(target.parent)
    except OSError as error:
        why = (error.strerror or "the system refused").lower()
        raise WriteError(
            f"{target.name} and its secret are in place, but may not outlast a power cut: {why}. The same "
            "command given again replaces both.",
            code="write",
        ) from None
    if old is not None:
        discard(old, target)


def _purchases(data: Purchases, folder: Path) -> None:
    _write(laid_out(data), data.layout, folder / f"transactions.{data.layout.format}")
    write_beside(data.master, data.hierarchies, data.layout, folder)


def write_beside(
    master: pl.DataFrame | None, trees: Mapping[str, Hierarchy], layout: Layout, folder: Path
) -> None:
    """Write what stands beside the transactions of a release: the master, and what its words stand for."""
    if master is not None:
        named = master.rename({"customer": layout.name_of("customer")})
        _write(named, layout, folder / f"master.{layout.format}")
    _write_trees(trees, layout.name_of("goods"), folder, layout)


def _microdata(data: Microdata, folder: Path) -> None:
    layout = replace(data.layout, format="csv", header=True)
    table = data.with_ids
    forms = {column.name: column.number for column in layout.columns if column.number}
    written = (forms[column.name].write(column) for column in table if _is_number(column, forms))
    rows = table.with_columns(*written)
    named = data.id_column is not None  # else people are called by their rows, which are in order already
    _write_text(in_order(rows) if named else rows, layout, folder / "microdata.csv")
    _write_trees(data.hierarchies, "goods", folder, layout)


def _is_number(column: pl.Series, forms: Mapping[str, NumberForm]) -> bool:
    """Whether a column still holds the numbers that it came with; what was generalised is text."""
    return column.name in forms and column.dtype.is_numeric()


def _write_trees(trees: Mapping[str, Hierarchy], goods: str, folder: Path, layout: Layout) -> None:
    text = replace(layout, format="csv", header=True)
    for name, table in hierarchy.listed(trees, goods):
        _write_text(table, text, folder / name)


# Write the tables of data into an existing folder, in their layout.
fill: ByKind[None] = ByKind(purchases=_purchases, microdata=_microdata)


def laid_out(data: Purchases) -> pl.DataFrame:
    """Return the records as the columns of the layout."""
    as_text = data.layout.format == "csv"
    numbers = _numbers(data) if as_text else []
    return data.records.with_columns(*numbers).select(
        _column(column, as_text=as_text) for column in data.layout.columns
    )


def _numbers(data: Purchases) -> Iterator[pl.Series]:
    """Yield the prices and quantities as text of the form they came in."""
    for column in data.layout.columns:
        if column.number is not None and column.role in data.records.columns:
            yield column.number.write(data.records[column.role], positive=True).alias(str(column.role))


def _column(column: Column, *, as_text: bool) -> pl.Expr:
    if column.role is None:
        return pl.lit(column.constant).alias(column.name)
    value = pl.col(column.role)
    if column.role == "time":
        if column.pattern:
            value = times.written(value, column.pattern)
        elif as_text:
            value = value.dt.strftime("%Y-%m-%d %H:%M:%S")
    elif column.role in {"customer", "goods", "receipt"}:
        value = value.cast(pl.String)
    elif column.role == "price" and as_text and column.number is None:
        value = value.cast(pl.String).str.strip_suffix(".0")
    return value.alias(column.name)


def _write(table: pl.DataFrame, layout: Layout, path: Path) -> None:
    rows = in_order(table)
    if layout.format == "parquet":
        write_parquet(rows.lazy(), path)
    else:
        _write_text(rows, layout, path)


def write_parquet(rows: pl.LazyFrame, path: Path) -> None:
    """Write rows, in groups of one size: so the file is the same whether they come at once or in parts."""
    _to_file(lambda file: rows.sink_parquet(file, row_group_size=_GROUP, maintain_order=True), path)


def _write_text(rows: pl.DataFrame, layout: Layout, path: Path) -> None:
    write_texts([rows], layout, path)


def write_texts(parts: Iterable[pl.DataFrame], layout: Layout, path: Path) -> None:
    """Write a table that comes in parts, as text in the encoding of its layout."""

    def write(file: IO[bytes]) -> None:
        for place, rows in enumerate(parts):
            first = place == 0
            plain = file if layout.encoding == "utf-8" and not layout.mark else io.BytesIO()
            rows.write_csv(
                plain, include_header=layout.header and first, separator=layout.separator,
                line_terminator=layout.line_end,
            )  # fmt: skip
            if isinstance(plain, io.BytesIO):
                plain.seek(0)
                _encode(plain, layout, file, mark=layout.mark and first)

    _to_file(write, path)


def _encode(plain: io.BytesIO, layout: Layout, file: IO[bytes], *, mark: bool) -> None:
    """Write text of UTF-8 in another encoding; a character that it does not have is refused."""
    if mark:
        file.write("\ufeff".encode(layout.encoding))
    try:
        for line in plain:
            file.write(line.decode().encode(layout.encoding))
    except UnicodeEncodeError:
        raise InputError(
            f"The release holds a character that {layout.encoding.upper()}, the original's encoding, has "
            "not; save the original, with all that belongs to it, as UTF-8.",
            code="encoding",
            parameter="encoding",
        ) from None


def _to_file(write: Callable[[IO[bytes]], object], path: Path) -> None:
    """Let polars write a file; what the system refuses is raised as that, not as an error of polars.

    Polars does not expect to be interrupted in the middle of it, so a signal waits.
    """
    with held(), path.open("xb") as file:
        sink = _Sink(file)
        try:
            write(cast("IO[bytes]", sink))
        except BaseException:
            if sink.refused is not None:
                raise sink.refused from None
            raise


class _Sink(io.RawIOBase):
    """A file that remembers why it could not be written to."""

    def __init__(self, file: io.BufferedWriter) -> None:
        self._file = file
        self.refused: OSError | None = None

    def writable(self) -> bool:
        return True

    def write(self, content: Any, /) -> int:  # noqa: ANN401 - any buffer
        try:
            return self._file.write(content)
        except OSError as error:
            self.refused = error
            raise
