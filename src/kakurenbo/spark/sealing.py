"""What a release on a storage says of itself: its manifest, and whether it is still so.

The manifest is that of a release folder (`files/manifest.py`), written last: a folder without one is not
whole. A table of part files is listed by one SHA-256, that of what `sha256sum part-*` prints in its folder.
The workers read the parts; what comes to the driver is a name and a digest each.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from kakurenbo.data.source import Said
from kakurenbo.files import datasheet, hierarchy, manifest, parts
from kakurenbo.spark import folders
from kakurenbo.spark.session import translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import SparkSession

    from kakurenbo.provenance import Provenance


def seal(session: SparkSession, folder: str, made: Provenance) -> None:
    """Write the manifest of a release whose table and words are written."""
    ours = {folders.TABLE, *filter(hierarchy.is_one, folders.listed(session, folder))}
    files = dict(_digests(session, folder, ours))
    listed = manifest.Manifest.listing(files, reproducible=bool(made.reproducible), plan=made.plan)
    folders.write(session, f"{folder}/{manifest.NAME}", listed.to_json().encode())


def said(session: SparkSession, table: str) -> Said:
    """Return what the folder around a table says of it."""
    folder, _, name = table.rpartition("/")
    there = folders.listed(session, folder)
    ours = {name, *filter(hierarchy.is_one, there), *_sheets(session, folder, there)}
    listed = _manifest(session, folder, there)
    if listed is None:
        return Said(tuple(_beside(session, table, there, ours)))
    asked = {*ours, *listed.files}
    digests = dict(_digests(session, folder, asked & set(there)))
    changed = sorted(name for name in asked if digests.get(name) != listed.files.get(name))
    beside = tuple(_beside(session, table, there, {*ours, manifest.NAME}))
    return Said(beside, tuple(changed), listed.reproducible, listed.plan)


def _manifest(session: SparkSession, folder: str, there: list[str]) -> manifest.Manifest | None:
    """Read a folder's manifest, if it has one of ours."""
    body = dict(_small(session, folder, there, [manifest.NAME]))
    return manifest.parsed(body[manifest.NAME]) if body else None


def _sheets(session: SparkSession, folder: str, there: list[str]) -> frozenset[str]:
    """Return which files are a data sheet, as a release of one machine has it."""
    with tempfile.TemporaryDirectory() as here:
        for name, body in _small(session, folder, there, datasheet.NAMES):
            Path(here, name).write_bytes(body)
        return datasheet.recognised(Path(here))


def _small(
    session: SparkSession, folder: str, there: list[str], names: Iterable[str]
) -> Iterator[tuple[str, bytes]]:
    """Yield the content of those of these files that are there and small."""
    for name in names:
        path = f"{folder}/{name}"
        if name in there and folders.size(session, path) <= manifest.LARGEST:
            yield name, folders.read(session, path)


def _digests(session: SparkSession, folder: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the SHA-256 of files, and of tables in parts."""
    for name in names:
        path = f"{folder}/{name}"
        yield (
            name,
            _of_parts(session, path) if folders.listed(session, path) else folders.sha256(session, path),
        )


def _of_parts(session: SparkSession, table: str) -> str:
    """Return one SHA-256 for all part files of a table."""
    from pyspark.sql import functions as sql  # noqa: PLC0415 - an extra

    with translated():
        files = session.read.format("binaryFile").option("pathGlobFilter", f"{parts.PART}*").load(table)
        rows = files.select("path", sql.sha2("content", 256).alias("digest")).collect()
    return parts.sha256_of_all((row["path"].rpartition("/")[2], row["digest"]) for row in rows)


def _beside(session: SparkSession, table: str, there: list[str], ours: set[str]) -> Iterator[str]:
    """Yield what stands in a release folder, and in that of its table, and is none of ours."""
    yield from parts.others(there, ours)
    inside = folders.listed(session, table)
    own = {name for name in inside if name.startswith(parts.PART)}
    name = table.rpartition("/")[2]
    yield from (f"{name}/{other}" for other in parts.others(inside, {*own, parts.COMMITTED}))
