"""Reaching the database: SQLite in a file by default, PostgreSQL by its address, with the same promises.

`reading()` sees one moment of the database from beginning to end. `writing()` is one transaction: all of it
is durable when the block ends, or nothing of it happened. On SQLite only one may write at a time, in all
processes; on PostgreSQL those may write together who lock different rows.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session

from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import URL, Connection, Engine

PATIENCE = 60  # seconds that a writer waits for the others
_CONNECTIONS = 40  # as many as the server has threads
_ONE_MOMENT = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={PATIENCE * 1000}", "foreign_keys=ON")


class Database:
    """The database of a contest.

    Args:
        url: `sqlite:///path` or `postgresql://user@host/name`.
    """

    def __init__(self, url: str) -> None:
        address = _address(url)
        self.engine = _engine(address)
        self._turn = threading.Lock()
        if self.is_sqlite:
            _make_private(Path(address.database or ""))
            event.listen(self.engine, "connect", _prepare)
            event.listen(self.engine, "begin", _begin)
        reads: dict[str, Any] = {} if self.is_sqlite else _ONE_MOMENT
        self._reader = self.engine.execution_options(writes=False, **reads)
        self._writers = {durable: self.engine.execution_options(durable=durable) for durable in (True, False)}

    @property
    def is_sqlite(self) -> bool:
        """Whether one file holds it, with one writer at a time."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Look at one moment of the database; nothing can be changed."""
        with self._reader.connect() as connection, Session(connection) as session:
            yield session

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Session]:
        """Change the database in one transaction, which is on the disk when the block has ended.

        Args:
            durable: False where it may be lost when the machine fails, not when the program does: it waits
                for no disk.
        """
        with (
            self._alone(),
            self._writers[durable].connect() as connection,
            Session(connection, expire_on_commit=False) as session,
            session.begin(),
        ):
            if not durable and not self.is_sqlite:
                session.execute(text("SET LOCAL synchronous_commit = off"))
            yield session

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let the threads of this process queue up in order instead of asking SQLite again and again."""
        if not self.is_sqlite:
            yield
            return
        with self._turn:
            yield

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def _address(url: str) -> URL:
    try:
        address = make_url(url)
    except ArgumentError:
        raise ParameterError("The database's address is none: write sqlite:/// and a path, or "
                             "postgresql://user@host/name.", code="contest") from None  # fmt: skip
    if address.drivername in {"postgres", "postgresql"}:
        return address.set(drivername="postgresql+psycopg")
    if address.drivername not in {"sqlite", "postgresql+psycopg"}:
        raise ParameterError("The database must be SQLite or PostgreSQL.", code="contest")
    if address.drivername == "sqlite" and not address.database:
        raise ParameterError(
            "A contest needs a database in a file: it must outlive the server.", code="contest"
        )
    return address


def _make_private(path: Path) -> None:
    """Make the file of SQLite before SQLite does, private from the first moment; what it adds is too."""
    try:
        path.touch(mode=0o600)
    except OSError:
        raise ParameterError("The database's file cannot be written.", code="contest") from None


def _engine(address: URL) -> Engine:
    # The values of a statement are people's: a fault of the database never prints them.
    try:
        return create_engine(
            address,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
            pool_timeout=PATIENCE,
            hide_parameters=True,
        )
    except ModuleNotFoundError:
        raise ParameterError("PostgreSQL asks for more than the core: pip install 'kakurenbo[postgres]'.",
                             code="extra") from None  # fmt: skip


def _prepare(connection: Any, record: Any) -> None:  # noqa: ANN401, ARG001 - what a driver is, SQLAlchemy knows
    """Set up a connection to SQLite: transactions begin where we say so, and end on the disk."""
    connection.isolation_level = None
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").close()


def _begin(connection: Connection) -> None:
    """Begin a transaction on SQLite; whoever will write says so at once, so that nobody has to step back."""
    options = connection.get_execution_options()
    if options.get("writes", True):
        connection.exec_driver_sql(
            f"PRAGMA synchronous={'FULL' if options.get('durable', True) else 'NORMAL'}"
        )
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql("BEGIN")
