"""What the pages keep in the contest's database: who is signed in, and how often something was tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sqlalchemy import case, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from kakurenbo.contest.database.models import Attempt, User, WebSession

if TYPE_CHECKING:
    import datetime as dt

    from sqlalchemy.orm import Session as Transaction

    from kakurenbo.contest.contest import Contest
    from kakurenbo.web.sessions import Session


class ContestSessions:
    """Sessions of browsers: `kakurenbo.web.sessions.SessionStore`."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest

    def load(self, key: str) -> Session | None:
        """Return a session by its key."""
        from kakurenbo.web.sessions import Session  # noqa: PLC0415 - needs an extra

        query = select(WebSession, User.token).join(User).where(WebSession.digest == key)
        with self._contest.database.reading() as session:
            row = session.execute(query).first()
        if row is None:
            return None
        kept, person = row
        return Session(key, person, kept.created, kept.seen, kept.expires)

    def save(self, session: Session) -> None:
        """Keep a session, in the place of one with the same key; those that have ended are forgotten."""
        with self._contest.database.writing(durable=False) as transaction:
            transaction.execute(delete(WebSession).where(WebSession.expires <= self._contest.clock()))
            person = transaction.scalar(select(User.id).where(User.token == session.person))
            if person is not None:
                transaction.merge(
                    WebSession(digest=session.key, user_id=person, created=session.created, seen=session.seen,
                               expires=session.expires)
                )  # fmt: skip

    def touch(self, key: str, seen: dt.datetime) -> None:
        """Note when somebody was seen; a session that was ended in the meantime stays ended."""
        with self._contest.database.writing(durable=False) as transaction:
            transaction.execute(update(WebSession).where(WebSession.digest == key).values(seen=seen))

    def drop(self, key: str) -> None:
        """Forget a session, if there is one."""
        with self._contest.database.writing() as transaction:
            transaction.execute(delete(WebSession).where(WebSession.digest == key))

    def drop_all(self, person: str, *, but: str | None = None) -> None:
        """Forget the sessions of a person, one key apart."""
        users = select(User.id).where(User.token == person)
        statement = delete(WebSession).where(WebSession.user_id.in_(users))
        with self._contest.database.writing() as transaction:
            transaction.execute(statement if but is None else statement.where(WebSession.digest != but))


class ContestAttempts:
    """Counts of tries, in all processes together: `kakurenbo.web.limits.AttemptStore`."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest

    def add(self, key: str, window: int, expires: dt.datetime) -> int:
        """Count one more try in a window, and return how many there are."""
        with self._contest.database.writing(durable=False) as transaction:
            if window % 16 == 0:
                transaction.execute(delete(Attempt).where(Attempt.expires <= self._contest.clock()))
            return _counted(transaction, key, window, expires)

    def forget(self, key: str) -> None:
        """Forget all tries of a key."""
        with self._contest.database.writing(durable=False) as transaction:
            transaction.execute(delete(Attempt).where(Attempt.key == key))


def _counted(transaction: Transaction, key: str, window: int, expires: dt.datetime) -> int:
    """Add one to the count of a window, or begin a new one, in one statement."""
    insert = sqlite.insert if transaction.get_bind().dialect.name == "sqlite" else postgresql.insert
    new = insert(Attempt).values(key=key, window=window, count=1, expires=expires)
    count = case((Attempt.window == window, Attempt.count + 1), else_=1)
    changed = {"window": window, "count": count, "expires": expires}
    statement = new.on_conflict_do_update(index_elements=[Attempt.key], set_=changed).returning(Attempt.count)
    return cast("int", transaction.scalar(statement))
