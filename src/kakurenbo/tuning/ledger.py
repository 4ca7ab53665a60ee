"""The file of a search: a SQLite file of our own layout, which only one run has open at a time.

Whose file it is stands in its header (SQLite's `application_id`), which is read before SQLite may touch it,
so somebody else's file, its journals included, stays as it is to the last byte. Every row carries a digest of
its place and content: a byte that changed on the disk is a damage that is told, never another number. A row
is one transaction; a run that is killed, or a disk that is full, leaves the rows before it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from kakurenbo.errors import ParameterError, WriteError
from kakurenbo.tuning.lock import Lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MAGIC: Final = b"SQLite format 3\0"
_APPLICATION: Final = 0x6B616B75  # "kaku"
_LAYOUT: Final = 1
_HEADER, _LAYOUT_AT, _APPLICATION_AT = 100, 60, 68  # where SQLite's header has user_version, application_id
_LONGEST: Final = 16_000_000  # characters of a row
_TABLES: Final = tuple(
    f"CREATE TABLE {name} ({key}, content TEXT NOT NULL, digest TEXT NOT NULL)"
    for name, key in (
        ("checks", "number INTEGER, draw INTEGER"),
        ("study", "name TEXT PRIMARY KEY"),
        ("trials", "number INTEGER PRIMARY KEY"),
    )
)
_REFUSED: Final = {
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOLFS,
}  # fmt: skip


@dataclass
class Ledger:
    """An open file of a search, to be closed by whoever opened it."""

    lock: Lock
    connection: sqlite3.Connection

    @classmethod
    def opened(cls, path: Path) -> Ledger:
        """Open the study of a file, or begin one where there is none."""
        with _plain_refusals():
            path = path.resolve()
            recognise(path)  # before a lock is put beside what may be a stranger's
            lock = Lock.taken(path)
            try:
                return cls(lock, _connected(path))
            except BaseException:
                lock.release()
                raise

    def close(self) -> None:
        """Close the file and let others at it."""
        self.connection.close()
        self.lock.release()

    def begun(self) -> Any | None:  # noqa: ANN401 - any JSON
        """Return what the search was begun with, or None where it has not begun."""
        return next(iter(self._rows("study", "name").values()), None)

    def begin(self, document: object) -> None:
        """Keep what the search is begun with."""
        self._add("study", ("begun",), document)

    def trials(self) -> list[Any]:
        """Return all trials in order."""
        rows = self._rows("trials", "number")
        if list(rows) != [(number,) for number in range(len(rows))]:
            raise _damaged()
        return list(rows.values())

    def add_trial(self, number: int, document: object) -> None:
        """Keep a trial."""
        self._add("trials", (number,), document)

    def checks(self) -> dict[tuple[int, int], Any]:
        """Return the fresh draws, by trial and draw."""
        return {(number, draw): row for (number, draw), row in self._rows("checks", "number, draw").items()}

    def add_check(self, number: int, draw: int, document: object) -> None:
        """Keep a fresh draw."""
        self._add("checks", (number, draw), document)

    def _add(self, table: str, place: tuple[Any, ...], document: object) -> None:
        content = json.dumps(document, ensure_ascii=False, allow_nan=False)
        row = (*place, content, _digest(table, place, content))
        with _plain_refusals(), self.connection:
            marks = ", ".join("?" * len(row))
            self.connection.execute(f"INSERT INTO {table} VALUES ({marks})", row)  # noqa: S608 - a table of ours

    def _rows(self, table: str, key: str) -> dict[tuple[Any, ...], Any]:
        with _plain_refusals():
            rows = self.connection.execute(f"SELECT * FROM {table} ORDER BY {key}").fetchall()  # noqa: S608 - the same
        for *place, content, digest in rows:
            if digest != _digest(table, tuple(place), content):
                raise _damaged()
        return {tuple(place): json.loads(content) for *place, content, _ in rows}


def recognise(path: Path) -> None:
    """Refuse a path that holds anything but a study of ours, or nothing; SQLite is not asked."""
    try:
        kind = path.stat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise WriteError("The folder for the study's file does not exist.", code="write") from None
        return
    if not stat.S_ISREG(kind.st_mode):
        raise ParameterError("The study must be a plain file; choose another name.", code="parameter")
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if not header:
        return
    if not header.startswith(_MAGIC):
        raise ParameterError("The study's file is no SQLite file; choose another name.", code="exists")
    if len(header) < _HEADER:
        raise _damaged()
    if _number(header, _APPLICATION_AT) != _APPLICATION:
        raise ParameterError(
            "The study's file belongs to another program and was left as it is; choose another name.",
            code="exists",
        )
    if _number(header, _LAYOUT_AT) != _LAYOUT:
        raise ParameterError(
            "The study was kept by another version of this program; choose another name.", code="file-broken"
        )


def _number(header: bytes, place: int) -> int:
    return int.from_bytes(header[place : place + 4], "big")


def _connected(path: Path) -> sqlite3.Connection:
    """Return a connection to a study that is whole, made where there was none, for its owner's eyes only."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    recognise(path)
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    address = f"file:{quote(os.fsencode(path))}?mode=rw"  # a name may hold ?, # and %
    connection = sqlite3.connect(address, uri=True)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
        connection.execute("PRAGMA schema_version")  # undoes what a killed run had half written
        if path.stat().st_size == 0:
            _lay_out(connection)
        _require_whole(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _lay_out(connection: sqlite3.Connection) -> None:
    script = (f"PRAGMA application_id = {_APPLICATION}", f"PRAGMA user_version = {_LAYOUT}", *_TABLES)
    connection.executescript("; ".join(("BEGIN IMMEDIATE", *script, "COMMIT")))


def _require_whole(connection: sqlite3.Connection) -> None:
    """Refuse a file whose pages do not fit together, or whose tables are not ours and nothing else."""
    answer = connection.execute("PRAGMA quick_check(1)").fetchone()
    tables = connection.execute(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    ).fetchall()
    if answer != ("ok",) or tuple(sql for (sql,) in tables) != _TABLES:
        raise _damaged()


def _digest(table: str, place: tuple[Any, ...], content: object) -> str:
    return hashlib.blake2b(
        repr((table, place, content)).encode("utf-8", "replace"), digest_size=16
    ).hexdigest()


def _damaged() -> ParameterError:
    return ParameterError(
        "The study's file is damaged and cannot be read; begin a new one in another file.",
        code="file-broken",
    )


@contextlib.contextmanager
def _plain_refusals() -> Iterator[None]:
    """Turn what the system or SQLite says into one plain sentence: a refusal to write, or a damaged file."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter for damaged words within an error
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        if code & 0xFF not in _REFUSED or code == sqlite3.SQLITE_IOERR_SHORT_READ:
            raise _damaged() from None
        why = "no space left on device" if code & 0xFF == sqlite3.SQLITE_FULL else "the system refused"
        raise WriteError(
            f"The study's file could not be written: {why}. What is in it can be resumed.", code="write"
        ) from None
    except OSError as error:
        reason = (error.strerror or "the system refused").lower()
        raise WriteError(f"The study's file could not be opened: {reason}.", code="write") from None
