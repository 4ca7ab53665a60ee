"""Times and words in the database, so that SQLite and PostgreSQL take and compare them alike.

Times are whole microseconds since 1970 in UTC. Words are text that any database can hold: what none of ours
would write, a NUL or half a letter, is replaced, so that whoever sends it finds nothing instead of a fault.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, String
from sqlalchemy.types import TypeDecorator

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect

_START = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_STEP = dt.timedelta(microseconds=1)


class Moment(TypeDecorator[dt.datetime]):
    """An aware time in Python, a whole number in the database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Return what is stored."""
        return None if value is None else (value - _START) // _STEP

    def process_result_value(self, value: int | None, dialect: Dialect) -> dt.datetime | None:  # noqa: ARG002
        """Return what was stored."""
        return None if value is None else _START + value * _STEP


class Word(TypeDecorator[str]):
    """Text, of a length at most where one is given."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return what is stored or compared."""
        return None if value is None else value.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
