"""A table in parts: a folder of Parquet files that are one table, as a cluster writes it.

`shop.parquet/` holds `part-00000-....parquet` and so on, with what the cluster keeps for itself: `_SUCCESS`,
and a storage's checksums. As Spark does, whatever has a name that begins with neither `_` nor `.` is a part,
and parts follow one another by name. A table of one file has one part, itself.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from kakurenbo.errors import InputError, in_file
from kakurenbo.files import disk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

PART = "part-"  # how a cluster calls them
COMMITTED = "_SUCCESS"
_HIDDEN = ("_", ".")
_CHECKSUM = re.compile(r"\.(.+)\.crc")  # a storage's own, of the file that it names
_CHECKSUM_STARTS, _CHECKSUM_HEAD = b"crc\0", 8


def parts_of(table: Path) -> tuple[Path, ...]:
    """Return the files of a table, in their order."""
    if not table.is_dir():
        return (table,)
    parts = tuple(shown_in(table))
    if not parts:
        raise InputError("The folder holds no part of a table: no Parquet file at all.", code="no-table")
    for part in parts:
        with in_file(part):
            if not part.is_file():
                raise InputError(
                    "A table in parts is a folder of Parquet files alone; partitions by a column, or "
                    "whatever else is no file, are not read.",
                    code="path-unreadable",
                )
    return parts


def shown_in(folder: Path) -> Iterator[Path]:
    """Yield what stands in a folder, sorted by name and without what is hidden."""
    try:
        there = sorted(folder.iterdir())
    except OSError:
        raise InputError("The folder exists but cannot be read.", code="path-unreadable") from None
    yield from (path for path in there if not path.name.startswith(_HIDDEN))


def sha256(table: Path) -> str:
    """Return the SHA-256 of a table: of its file, or of all parts together."""
    if not table.is_dir():
        return disk.sha256(table)
    return sha256_of_all((part.name, disk.sha256(part)) for part in parts_of(table))


def sha256_of_all(digests: Iterable[tuple[str, str]]) -> str:
    """Return one SHA-256 for parts, each by its name and its own: that of what `sha256sum part-*` prints."""
    printed = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests))
    return hashlib.sha256(printed.encode()).hexdigest()


def others(names: Iterable[str], ours: Collection[str]) -> Iterator[str]:
    """Yield the names that are neither ours nor those of checksums of what is ours."""
    return (name for name in names if name not in ours and _checked_by(name) not in ours)


def is_checksum(path: Path) -> bool:
    """Tell whether a file is no more than the checksum of the one that it names: it has the length of one."""
    checked = path.with_name(_checked_by(path.name))
    if path.is_symlink() or not path.is_file() or not checked.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(_CHECKSUM_HEAD)
    each = int.from_bytes(head[len(_CHECKSUM_STARTS) :], "big")
    if not head.startswith(_CHECKSUM_STARTS) or not each:
        return False
    return path.stat().st_size == _CHECKSUM_HEAD + 4 * -(-checked.stat().st_size // each)


def _checked_by(name: str) -> str:
    """Return the name of the file that a checksum is of; of any other file its own."""
    of = _CHECKSUM.fullmatch(name)
    return name if of is None else of[1]
