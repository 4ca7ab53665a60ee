"""Who is signed in: a random secret in a cookie, and on our side its hash, the person, and when it ends.

Whoever reads the store learns no cookie. The secret changes whenever somebody signs in or changes a password,
so a session that was planted in a browser beforehand leads nowhere. A session ends when it was not used for a
while, and in any case after some days.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from kakurenbo.web.csrf import GUEST
from kakurenbo.web.visit import Visit, visit_of

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

_COOKIE: Final = "session"
_BYTES: Final = 32
_SEEN_EVERY: Final = dt.timedelta(minutes=5)  # a request alone is no reason to write


@dataclass(frozen=True)
class Session:
    """Somebody who is signed in.

    Attributes:
        key: the hash of the cookie's secret.
        person: the id of whom it is.
        created: when he signed in.
        seen: when he was last seen, to some minutes.
        expires: when it ends at the latest.
    """

    key: str
    person: str
    created: dt.datetime
    seen: dt.datetime
    expires: dt.datetime


class SessionStore(Protocol):
    """Where sessions are kept."""

    def load(self, key: str) -> Session | None:
        """Return a session by its key."""

    def save(self, session: Session) -> None:
        """Keep a session, in the place of one with the same key."""

    def drop(self, key: str) -> None:
        """Forget a session, if there is one."""

    def drop_all(self, person: str, *, but: str | None = None) -> None:
        """Forget the sessions of a person, one key apart."""


@runtime_checkable
class TouchedStore(SessionStore, Protocol):
    """A store that can note when somebody was seen without keeping a session that has ended meanwhile.

    Without it a request that is under way while somebody signs out may bring his session back.
    """

    def touch(self, key: str, seen: dt.datetime) -> None:
        """Note when somebody was seen, if there is such a session still."""


class MemorySessions:
    """Sessions that end with the process: for tests, and for one process that may forget."""

    def __init__(self) -> None:
        self._kept: dict[str, Session] = {}
        self._lock = Lock()

    def load(self, key: str) -> Session | None:
        """Return a session by its key."""
        return self._kept.get(key)

    def save(self, session: Session) -> None:
        """Keep a session, in the place of one with the same key."""
        with self._lock:
            self._kept[session.key] = session

    def touch(self, key: str, seen: dt.datetime) -> None:
        """Note when somebody was seen, if there is such a session still."""
        with self._lock:
            if key in self._kept:
                self._kept[key] = replace(self._kept[key], seen=seen)

    def drop(self, key: str) -> None:
        """Forget a session, if there is one."""
        with self._lock:
            self._kept.pop(key, None)

    def drop_all(self, person: str, *, but: str | None = None) -> None:
        """Forget the sessions of a person, one key apart."""
        with self._lock:
            self._kept = {key: one for key, one in self._kept.items() if one.person != person or key == but}


def sign_in(request: HTTPConnection, person_id: str) -> None:
    """Begin a session for a person under a new secret; the one before it ends."""
    visit = visit_of(request)
    _end(visit)
    token, now = secrets.token_urlsafe(_BYTES), visit.site.clock()
    visit.token = token
    visit.session = Session(_key(token), person_id, now, now, now + visit.site.longest)
    visit.site.sessions.save(visit.session)
    visit.set_cookie(_COOKIE, token, int(visit.site.longest.total_seconds()))
    visit.drop_cookie(GUEST)


def sign_out(request: HTTPConnection) -> None:
    """End the session."""
    visit = visit_of(request)
    _end(visit)
    visit.drop_cookie(_COOKIE)


def sign_out_everywhere(request: HTTPConnection, person_id: str, *, but_here: bool = True) -> None:
    """End all sessions of a person, as after a changed password; here he goes on under a new secret."""
    visit_of(request).site.sessions.drop_all(person_id)
    if but_here:
        sign_in(request, person_id)


def resume(visit: Visit) -> Session | None:
    """Return the session that a visit's cookie stands for, if it has not ended."""
    token = visit.cookie(_COOKIE)
    session = visit.site.sessions.load(_key(token)) if token else None
    if session is None:
        return None
    now = visit.site.clock()
    if now >= session.expires or now - session.seen >= visit.site.idle:
        visit.site.sessions.drop(session.key)
        return None
    if now - session.seen >= min(_SEEN_EVERY, visit.site.idle / 2):
        session = replace(session, seen=now)
        _seen(visit.site.sessions, session)
    visit.token, visit.session = token, session
    return session


def _seen(store: SessionStore, session: Session) -> None:
    if isinstance(store, TouchedStore):
        store.touch(session.key, session.seen)
    else:
        store.save(session)


def _end(visit: Visit) -> None:
    if visit.session is not None:
        visit.site.sessions.drop(visit.session.key)
    visit.session = visit.token = visit.person = None


def _key(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
