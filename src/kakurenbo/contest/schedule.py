"""The schedule: which phase the contest is in, by the server's clock, and how the organiser moves it.

A phase lasts until the next one begins. Whatever depends on the phase is decided in one transaction that
locks the schedule (`locked`), then reads the clock, then looks: many may share the lock, moving the schedule
and publishing take it alone, so neither overlaps with a submission that is being decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sqlalchemy import func, select

from kakurenbo.contest import log
from kakurenbo.contest.database import models
from kakurenbo.contest.records import Scheduled, Where
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Sequence

    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import User
    from kakurenbo.contest.rules import PhaseName


def now_in(contest: Contest) -> Where:
    """Return the phase of this moment."""
    with contest.database.reading() as session:
        return where(unlocked(session), contest.clock())


def schedule(contest: Contest) -> list[Scheduled]:
    """Return all phases in order, with their times."""
    with contest.database.reading() as session:
        return [Scheduled(_name(row), row.starts) for row in unlocked(session)]


def move(contest: Contest, phase: PhaseName, starts: dt.datetime | None, by: User) -> list[Scheduled]:
    """Let a phase begin at another time; a time that has passed means now.

    Phases before it that would begin later are passed over. What made something public cannot be undone:
    hiding does not begin again after releases were published, nothing begins again after the end.

    Args:
        contest: the contest.
        phase: which one; the first cannot be without a time.
        starts: None takes its time away, until the organiser gives it one.
        by: the organiser.
    """
    if not by.organiser:
        raise ParameterError("Only an organiser moves phases.", code="denied")
    if starts is not None and starts.tzinfo is None:
        raise ParameterError("A time needs its zone.", code="parameter")
    with contest.database.writing() as session:
        rows = locked(session, alone=True)
        now = contest.clock()
        _moved(session, rows, phase, starts, now)
        log.write(
            session, now, by.name, "move", f"{phase} {'' if starts is None else starts.isoformat()}".strip()
        )
        return [Scheduled(_name(row), row.starts) for row in rows]


def locked(session: Session, *, alone: bool = False) -> Sequence[models.Phase]:
    """Lock the schedule for the rest of the transaction, shared with others or alone, and return its rows."""
    query = select(models.Phase).order_by(models.Phase.place).with_for_update(read=not alone)
    return session.scalars(query).all()


def where(rows: Sequence[models.Phase], now: dt.datetime) -> Where:
    """Return the phase at a moment: the last that has begun."""
    begun = [row for row in rows if row.starts is not None and row.starts <= now]
    current = begun[-1] if begun else None
    later = [row for row in rows if current is None or row.place > current.place]
    following = next((row for row in later if row.starts is not None), None)
    return Where(
        phase=None if current is None else _name(current),
        since=None if current is None else current.starts,
        until=None if following is None else following.starts,
        next=_name(following or later[0]) if later else None,
        now=now,
    )


def require(rows: Sequence[models.Phase], now: dt.datetime, allowed: Collection[str], what: str) -> PhaseName:
    """Return the phase of this moment; refuse what is not possible in it."""
    phase = where(rows, now).phase
    if phase is None or phase not in allowed:
        raise ParameterError(f"{what} is not possible in this phase of the contest.", code="closed")
    return phase


def _moved(
    session: Session, rows: Sequence[models.Phase], phase: str, starts: dt.datetime | None, now: dt.datetime
) -> None:
    row = next((row for row in rows if row.name == phase), None)
    if row is None or (starts is None and row.place == 0):
        raise ParameterError("There is no such phase, or it cannot be without a time.", code="parameter")
    _not_taken_back(session, rows, row, starts, now)
    row.starts = starts = None if starts is None else max(starts, now)
    if starts is None:
        return
    for other in rows:
        if other.starts is not None and other.place < row.place:
            other.starts = min(other.starts, starts)
        if other.starts is not None and other.place > row.place and other.starts < starts:
            raise ParameterError(
                f"The phase {other.name} would begin before it: move that one first.", code="parameter"
            )


def _not_taken_back(
    session: Session,
    rows: Sequence[models.Phase],
    row: models.Phase,
    starts: dt.datetime | None,
    now: dt.datetime,
) -> None:
    """Refuse to leave the final, and to leave seeking for hiding after releases were published."""
    current = where(rows, now).phase
    if current == "final":
        raise ParameterError("The contest has ended: its phases cannot be moved any more.", code="closed")
    begun = row.starts is not None and row.starts <= now
    again = begun and (starts is None or starts > now)
    if again and current == "seek" and session.scalar(select(func.count()).select_from(models.Release)):
        raise ParameterError("Releases were published: hiding cannot begin again.", code="closed")


def unlocked(session: Session) -> Sequence[models.Phase]:
    """Return the rows of the schedule for a look that decides nothing."""
    return session.scalars(select(models.Phase).order_by(models.Phase.place)).all()


def _name(row: models.Phase) -> PhaseName:
    return cast("PhaseName", row.name)
