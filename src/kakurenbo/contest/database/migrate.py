"""Bringing a database to the version of this program, once, whoever comes first."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from alembic.config import Config
    from sqlalchemy.engine import Connection

    from kakurenbo.contest.database.engine import Database

_LOCK = 1717  # of all who would migrate at once


def upgrade(database: Database, revision: str = "head") -> None:
    """Run the migrations that are missing, in one transaction."""
    from alembic import command  # noqa: PLC0415 - 0.2 s

    with (
        as_file(files("kakurenbo.contest.database") / "migrations") as scripts,
        _alone(database) as connection,
    ):
        command.upgrade(config(str(scripts), connection), revision)


@contextmanager
def _alone(database: Database) -> Iterator[Connection]:
    """Begin a transaction in which nobody else migrates."""
    try:
        with database.engine.execution_options(writes=True).begin() as connection:
            if not database.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            yield connection
    except DBAPIError:  # its message holds the address
        raise ParameterError("The database cannot be reached, or is none of ours.", code="contest") from None


def config(scripts: str, connection: Connection) -> Config:
    """Return alembic's settings; they are ours, and stand in no file."""
    from alembic.config import Config  # noqa: PLC0415 - the same

    settings = Config(attributes={"connection": connection})
    settings.set_main_option("script_location", scripts.replace("%", "%%"))
    return settings
