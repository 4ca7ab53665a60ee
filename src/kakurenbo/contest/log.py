"""The audit log: who did what, when, and to what. It holds ids and names of things, never a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from kakurenbo.contest.database.models import Event
from kakurenbo.contest.records import EventView

if TYPE_CHECKING:
    import datetime as dt

    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest


def write(session: Session, at: dt.datetime, who: str, what: str, about: str = "") -> None:
    """Add a line within a transaction, so that it is there if and only if what it tells happened."""
    session.add(Event(at=at, who=who[:80], what=what[:40], about=about[:240]))


def note(contest: Contest, who: str, what: str, about: str = "") -> None:
    """Add a line in a transaction of its own."""
    with contest.database.writing() as session:
        write(session, contest.clock(), who, what, about)


def read(contest: Contest, *, what: str | None = None, most: int = 200, skip: int = 0) -> list[EventView]:
    """Return lines of the log, newest first."""
    query = select(Event).order_by(Event.id.desc()).limit(most).offset(skip)
    if what is not None:
        query = query.where(Event.what == what)
    with contest.database.reading() as session:
        return [EventView(line.at, line.who, line.what, line.about) for line in session.scalars(query)]
