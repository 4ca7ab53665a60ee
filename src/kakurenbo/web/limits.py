"""What may not be tried without end: counted by address and by account in windows of fixed length.

The store gets hashes and never an address or a name. A count by account stops those who guess one person's
password from many addresses; a count by address those who guess many persons'.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final, Protocol

from kakurenbo.web.refusals import Refusal
from kakurenbo.web.visit import Visit, visit_of

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection


@dataclass(frozen=True)
class Limit:
    """How often something may be tried.

    Attributes:
        name: what is tried.
        seconds: the length of a window.
        by_address: how often within it from one address.
        by_account: how often within it for one account.
    """

    name: str
    seconds: int
    by_address: int | None = None
    by_account: int | None = None


SIGN_IN: Final = Limit("sign-in", seconds=300, by_address=60, by_account=10)
SIGN_UP: Final = Limit("sign-up", seconds=3600, by_address=60)
JOIN: Final = Limit("join", seconds=3600, by_address=60, by_account=20)
SUBMIT: Final = Limit("submit", seconds=60, by_address=600, by_account=60)
TOKEN: Final = Limit("token", seconds=3600, by_account=30)


class AttemptStore(Protocol):
    """Where tries are counted."""

    def add(self, key: str, window: int, expires: dt.datetime) -> int:
        """Count one more try in a window, and return how many there are; after `expires` none counts."""

    def forget(self, key: str) -> None:
        """Forget all tries of a key."""


class MemoryAttempts:
    """Tries that are counted in one process."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[int, int, dt.datetime]] = {}
        self._lock = Lock()

    def add(self, key: str, window: int, expires: dt.datetime) -> int:
        """Count one more try in a window, and return how many there are."""
        with self._lock:
            self._tidy(expires)
            known, count, _ = self._counts.get(key, (window, 0, expires))
            count = count + 1 if known == window else 1
            self._counts[key] = (window, count, expires)
            return count

    def forget(self, key: str) -> None:
        """Forget all tries of a key."""
        with self._lock:
            self._counts.pop(key, None)

    def _tidy(self, now: dt.datetime) -> None:
        """Forget windows that are long over, when there are many."""
        if len(self._counts) > 10_000:
            day = dt.timedelta(days=1)
            self._counts = {key: kept for key, kept in self._counts.items() if kept[2] + day > now}


def check(request: HTTPConnection, limit: Limit, account: str | None = None) -> None:
    """Count a try, and refuse it where there were too many."""
    visit = visit_of(request)
    asked = [("address", visit.address, limit.by_address), ("account", account, limit.by_account)]
    counts = [
        (_count(visit, limit, kind, who), most)
        for kind, who, most in asked
        if who is not None and most is not None
    ]
    if any(count > most for count, most in counts):
        wait = math.ceil(limit.seconds - visit.site.clock().timestamp() % limit.seconds)
        raise Refusal(
            429,
            "Too many tries. Please try again in {n} seconds.",
            n=wait,
            headers={"Retry-After": str(wait)},
        )


def forgive(request: HTTPConnection, limit: Limit, account: str) -> None:
    """Forget what was counted for an account, once it turned out to be its owner."""
    visit = visit_of(request)
    visit.site.attempts.forget(_key(visit, limit, "account", account))


def _count(visit: Visit, limit: Limit, kind: str, who: str) -> int:
    window = int(visit.site.clock().timestamp() // limit.seconds)
    expires = dt.datetime.fromtimestamp((window + 1) * limit.seconds, dt.UTC)
    return visit.site.attempts.add(_key(visit, limit, kind, who), window, expires)


def _key(visit: Visit, limit: Limit, kind: str, who: str) -> str:
    return visit.sign("attempt", f"{limit.name}:{kind}:{who.casefold()}")
