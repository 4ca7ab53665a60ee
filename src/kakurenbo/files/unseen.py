"""Look at what was released beside what was read: columns without a role, other files, parts of files.

A release folder holds its tables and, if we made it, their manifest and data sheet. Everything else in it is
foreign: other files, hidden ones, folders and links, further sheets of a workbook, metadata of a Parquet
file. Foreign things are named and searched for the original's ids, but never obeyed: `kakurenbo.toml` in a
release is one.
"""

from __future__ import annotations

import gzip
import re
import stat
import zipfile
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.checks.values import as_text
from kakurenbo.data.table import ByKind
from kakurenbo.data.unseen import ForeignFile, UnreadColumn, Unseen
from kakurenbo.errors import KakurenboError
from kakurenbo.files import datasheet, manifest, parts, places, tables
from kakurenbo.files.options import SETTINGS
from kakurenbo.files.recognise import Original

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.source import Said, Source
    from kakurenbo.data.table import Data

_AT_ONCE = 16  # columns loaded together
_COMPARED = 256  # columns that are compared; further ones are only named
_SHORT = 100  # characters of a constant that cannot hold much
_NAME = 60
_PIECE = 1 << 20
_PIECES = 64
_INSIDE = 50  # files of a folder that are looked into
_DELETED = "deleted"
_PAIRING = re.compile(r'\W*(released"?\W+"?original|original"?\W+"?released)\W*$')
_PARTS = re.compile(
    r"\[Content_Types\]\.xml|(.*/)?_rels/.*|docProps/(app|core)\.xml|xl/theme/.*|xl/tables/.*|"
    r"xl/(workbook|styles|sharedStrings|metadata|calcChain)\.xml"
)
_USUAL = {  # what writers of Parquet say of the columns, and of themselves
    "ARROW:schema", "pandas", "org.apache.spark.version", "org.apache.spark.sql.parquet.row.metadata",
}  # fmt: skip
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")


def unseen(released: Data, original: Data) -> Unseen:
    """Return what of a release no attacker saw.

    Args:
        released: the release; what it was read from is looked at again.
        original: its original, whose ids and values are looked for.
    """
    rows = {reason: n for reason, n in released.left_out.items() if n and reason != _DELETED}
    known, source = Original(original), released.source
    columns = [
        UnreadColumn(shown(column.name, known, f"column {place}"), *known.within(column))
        for place, column in enumerate(_extra(released, original), 1)
        if not _says_nothing(column)
    ]
    words = tuple(_people_among_words(released, original))
    if source is None:
        return Unseen(rows, tuple(columns), words)
    columns += _unread(source, known)
    if source.said is not None:
        return _told(source.said, Unseen(rows, tuple(columns), words), known)
    folder = source.place if places.is_folder(source.place) else None
    listed = None if folder is None else manifest.read_manifest(folder)
    foreign = [] if folder is None else list(_foreign(folder, source, listed, known))
    foreign += [other for path in source.tables for other in _between_parts(path, known)]
    foreign += [part for path in source.tables for part in _within(path, known)]
    foreign += words
    return Unseen(
        rows, tuple(columns), tuple(foreign),
        () if listed is None else tuple(_changed(source, listed)),
        None if listed is None else listed.reproducible,
        None if listed is None else listed.plan,
    )  # fmt: skip


def _told(said: Said, seen: Unseen, known: Original) -> Unseen:
    """Return what nobody saw of a folder on a cluster's storage: files are named, not looked into."""
    foreign = (ForeignFile(shown(name, known, f"file {place}")) for place, name in enumerate(said.beside, 1))
    return replace(
        seen, files=(*foreign, *seen.files), changed=said.changed, labelled=said.reproducible, plan=said.plan
    )


def shown(name: str, known: Original, place: str) -> str:
    """Return a name as it may stand in a report, or its place where it tells of a person."""
    if known.named_in(name):
        return f"{place} (its name tells of a person)"
    plain = "".join(sign if sign.isprintable() else "?" for sign in name)
    return plain if len(plain) <= _NAME else f"{plain[:_NAME]}..."


def _extra_of_purchases(released: Purchases, original: Purchases) -> Iterator[pl.Series]:
    """Yield released columns that the original has nothing to compare with."""
    for role in released.roles:
        if role not in original.roles:
            yield released.records[role].alias(released.layout.name_of(role))
    there = original.attributes.columns
    for column in released.attributes:
        if column.name not in there:
            yield column


def _extra_of_microdata(released: Microdata, original: Microdata) -> Iterator[pl.Series]:
    for column in released.records:
        if column.name not in {*original.qi, *original.sa}:
            yield column


_extra: ByKind[Iterator[pl.Series]] = ByKind(purchases=_extra_of_purchases, microdata=_extra_of_microdata)


def _says_nothing(column: pl.Series) -> bool:
    """Tell whether a column says the same, and little, in every row."""
    texts = as_text(column)
    return texts.n_unique() <= 1 and len(texts.head(1).fill_null("").item() if len(texts) else "") <= _SHORT


def _unread(source: Source, known: Original) -> Iterator[UnreadColumn]:
    """Yield the columns without a role, with what they hold; a few are loaded at a time."""
    if not source.unread:
        return
    if not source.tables:  # on a cluster nobody looks into them
        yield from (
            UnreadColumn(shown(name, known, f"unread column {place}"))
            for place, name in enumerate(source.unread, 1)
        )
        return
    table = tables.open_any(source.tables[0], **source.opened)
    places = {name: place for place, name in enumerate(table.names, 1)}
    compared, others = source.unread[:_COMPARED], source.unread[_COMPARED:]
    for first in range(0, len(compared), _AT_ONCE):
        names = compared[first : first + _AT_ONCE]
        try:
            columns = table.load(names).get_columns()
        except KakurenboError:
            others = (*names, *others)
            continue
        for column in columns:
            if not _says_nothing(column):
                name = shown(column.name, known, f"column {places[column.name]}")
                yield UnreadColumn(name, *known.within(column))
    for name in others:
        yield UnreadColumn(shown(name, known, f"column {places[name]}"))


def _foreign(
    folder: Path, source: Source, listed: manifest.Manifest | None, known: Original
) -> Iterator[ForeignFile]:
    names = {path.name for path in folder.iterdir()}
    ours = {path.name for path in (*source.tables, *source.trees) if not path.is_symlink()}
    ours |= datasheet.recognised(folder)
    if listed is not None and names >= set(listed.files):
        ours.add(manifest.NAME)
    yield from _others(folder, ours, known)


def _between_parts(table: Path, known: Original) -> Iterator[ForeignFile]:
    """Yield what stands between the parts of a table and is none."""
    if table.is_dir():
        ours = {part.name for part in parts.parts_of(table) if not part.is_symlink()}
        mark = table / parts.COMMITTED
        if not mark.is_symlink() and mark.is_file() and not mark.stat().st_size:
            ours.add(mark.name)
        yield from _others(table, ours, known, f"{table.name}/")


def _others(folder: Path, ours: set[str], known: Original, within: str = "") -> Iterator[ForeignFile]:
    """Yield what stands in a folder and is none of ours, nor no more than the checksum of something ours."""
    there = sorted(folder.iterdir())
    foreign = set(parts.others((path.name for path in there), ours))
    for place, path in enumerate(there, 1):
        if path.name in foreign or not (path.name in ours or parts.is_checksum(path)):
            name = shown(path.name, known, f"file {place}")
            yield ForeignFile(f"{within}{name}", _what(path, known))


def _people_among_words(released: Data, original: Data) -> Iterator[ForeignFile]:
    """Yield the hierarchies of a release whose words are ids of people, goods of the same code aside."""
    people = original.people.cast(pl.String)
    for name, tree in released.hierarchies.items():
        words = tree.words
        if name == "goods" and "goods" in original.shown:
            words = words.filter(words.is_in(_goods_of(original).implode()).not_())
        count = int(people.is_in(words.implode()).sum())
        if count:
            yield ForeignFile(f"hierarchy of {name}", f"holds {count:,} of the ids of people")


_goods_of: ByKind[pl.Series] = ByKind(
    purchases=lambda data: data.goods, microdata=lambda _: pl.Series(dtype=pl.String)
)


def _what(path: Path, known: Original) -> str:
    """Return what a foreign file is, in a few words; links are not followed and devices not opened."""
    kind = path.lstat().st_mode
    if stat.S_ISLNK(kind):
        return "a link"
    if stat.S_ISDIR(kind):
        inside = sorted(path.rglob("*"))
        regular = [file for file in inside if stat.S_ISREG(file.lstat().st_mode)]
        return f"a folder with {len(inside):,} entries{_held(_all(regular), known, ', which holds')}"
    if not stat.S_ISREG(kind):
        return "no regular file"
    if path.name == SETTINGS:
        return f"settings, which were not obeyed{_held(_pieces(path), known, ', and hold')}"
    if _is_pairing(path):
        return f"a pairing of released and original ids{_held(_pieces(path), known, ', which holds')}"
    return _held(_pieces(path), known, "holds")


def _held(pieces: Iterator[str], known: Original, verb: str) -> str:
    count = known.count(pieces)
    return f"{verb} {count:,} of {known.word}" if count else ""


def _is_pairing(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            first = file.read(256).decode("utf-8", "ignore").lstrip("\ufeff").splitlines()
    except OSError:
        return False
    return bool(first) and _PAIRING.match(first[0].lower()) is not None


def _all(files: list[Path]) -> Iterator[str]:
    for file in files[:_INSIDE]:
        yield from _pieces(file)


def _pieces(path: Path) -> Iterator[str]:
    """Yield the text of a file, packed or not, a piece at a time and no more than can be looked at soon."""
    try:
        if path.suffix.lower() == ".parquet":
            for column in tables.open_parquet(path).load(tables.open_parquet(path).names).get_columns():
                yield "\n".join(as_text(column).drop_nulls().unique().head(_PIECE))
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for entry in archive.infolist():
                    with archive.open(entry) as file:
                        yield from _read(file)
        elif path.suffix.lower() == ".gz":
            with gzip.open(path) as file:
                yield from _read(file)
        else:
            with path.open("rb") as file:
                yield from _read(file)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, KakurenboError):
        return


def _read(file: IO[bytes] | gzip.GzipFile) -> Iterator[str]:
    rest = b""
    for _ in range(_PIECES):
        piece = file.read(_PIECE)
        if not piece:
            break
        head, _, tail = (rest + piece).rpartition(b"\n")
        yield head.replace(b"\0", b"").decode("utf-8", "ignore")
        rest = tail if len(tail) < _PIECE else tail[-_PIECE:]
    yield rest.replace(b"\0", b"").decode("utf-8", "ignore")


def _within(path: Path, known: Original) -> Iterator[ForeignFile]:
    """Yield what a table's own file, or its parts, carry beside the table."""
    ending = tables.ending_of(path)
    if ending == tables.PARQUET:
        yield from _metadata(path, known)
    elif ending == ".xlsx":
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            first = min(filter(_SHEET.fullmatch, names), default="")
            for place, name in enumerate(names, 1):
                with archive.open(name) as file:
                    what = "" if name == first else _held(_read(file), known, "holds")
                if name != first and (what or not _PARTS.fullmatch(name)):
                    part = shown(name, known, f"part {place}")
                    yield ForeignFile(f"{path.name}: {part}", what)


def _metadata(path: Path, known: Original) -> Iterator[ForeignFile]:
    said: dict[str, set[str]] = {}
    for part in parts.parts_of(path):
        for key, value in pl.read_parquet_metadata(part).items():
            said.setdefault(key, set()).add(value)
    for place, (key, values) in enumerate(sorted(said.items()), 1):
        what = _held(iter([key, *sorted(values)]), known, "holds")
        if what or key not in _USUAL:
            yield ForeignFile(f"{path.name}: metadata {shown(key, known, str(place))}", what)


def _changed(source: Source, listed: manifest.Manifest) -> Iterator[str]:
    """Yield the tables that are not as they were when the manifest was written."""
    for path in (*source.tables, *source.trees):
        if parts.sha256(path) != listed.files.get(path.name):
            yield path.name
