"""Small files on any storage that Spark knows: what stands in a folder, and how it is read and written.

Tables go through the workers. What stands beside one (which files there are, what the words of a release
stand for, its manifest) is small, and is read and written by the driver through the storage's own door.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kakurenbo.files import hierarchy
from kakurenbo.spark.session import translated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

    from kakurenbo.data.checks.spelling import Spelling
    from kakurenbo.data.hierarchy import Hierarchy

TABLE = "transactions.parquet"  # the folder of part files in a release
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):/+(.*)", re.DOTALL)


def address(place: str | Path) -> str:
    """Return a path as Spark takes it: a scheme gets back the stroke that a local path loses."""
    there = _SCHEME.fullmatch(str(place))
    if there is None or there[1] == "file" or "://" in str(place):
        return str(place)
    return f"{there[1]}://{there[2]}"


def is_elsewhere(place: str | Path) -> bool:
    """Tell whether a path is one of a storage, and not of this machine."""
    return _SCHEME.fullmatch(here(place)) is not None


def here(place: str | Path) -> str:
    """Return a path without the scheme that says that it is one of this machine."""
    there = _SCHEME.fullmatch(str(place))
    return f"/{there[2]}" if there is not None and there[1] == "file" else str(place)


def listed(session: SparkSession, folder: str) -> list[str]:
    """Return the names of what stands in a folder, none where it is no folder."""
    with translated():
        system, path = _opened(session, folder)
        if not (system.exists(path) and system.getFileStatus(path).isDirectory()):
            return []
        return sorted(str(one.getPath().getName()) for one in system.listStatus(path))


def size(session: SparkSession, file: str) -> int:
    """Return how many bytes a file has."""
    with translated():
        system, path = _opened(session, file)
        return int(system.getFileStatus(path).getLen())


def read(session: SparkSession, file: str) -> bytes:
    """Return what stands in a small file."""
    with translated():
        system, path = _opened(session, file)
        stream = system.open(path)
        body = _jvm(session).org.apache.commons.io.IOUtils.toByteArray(stream)
        stream.close()
    return bytes(body)


def sha256(session: SparkSession, file: str) -> str:
    """Return the SHA-256 of a file of any size, which goes by the driver and is not kept there."""
    with translated():
        system, path = _opened(session, file)
        stream = system.open(path)
        made = _jvm(session).org.apache.commons.codec.digest.DigestUtils.sha256Hex(stream)
        stream.close()
    return str(made)


def write(session: SparkSession, file: str, body: bytes) -> None:
    """Write a small file that does not exist."""
    with translated():
        system, path = _opened(session, file)
        stream = system.create(path, False)
        stream.write(bytearray(body))
        stream.close()


def write_words(session: SparkSession, folder: str, trees: Mapping[str, Hierarchy], goods: str) -> None:
    """Write what the words of a release stand for beside its table."""
    for name, table in hierarchy.listed(trees, goods):
        write(session, f"{folder}/{name}", table.write_csv().encode())


def read_words(session: SparkSession, folder: str, spelling: Spelling) -> dict[str, Hierarchy]:
    """Read what the words of a release stand for."""
    with tempfile.TemporaryDirectory() as here:
        for name in listed(session, folder):
            if hierarchy.is_one(name):
                Path(here, name).write_bytes(read(session, f"{folder}/{name}"))
        return hierarchy.read_all(hierarchy.found_in(Path(here)), encoding="utf-8", spelling=spelling)


def _opened(session: SparkSession, place: str) -> tuple[Any, Any]:
    """Return the storage of a path, and the path as it takes it."""
    path = _jvm(session).org.apache.hadoop.fs.Path(place)
    return path.getFileSystem(session.sparkContext._jsc.hadoopConfiguration()), path  # noqa: SLF001 - pyspark has no other way


def _jvm(session: SparkSession) -> Any:  # noqa: ANN401 - Java
    return session.sparkContext._jvm  # noqa: SLF001 - pyspark has no other way
