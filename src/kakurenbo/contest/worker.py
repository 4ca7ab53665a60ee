"""Workers: processes that judge, on this machine or on others that share database and storage.

A worker may be killed at any moment: its lease runs out and another takes the job. While it judges, a thread
says that it is alive; a result that comes after the lease was given to another is dropped.
"""

from __future__ import annotations

import datetime as dt
import logging
import os
import platform
import secrets
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from kakurenbo.contest import jobs, submissions
from kakurenbo.contest.examine import examine
from kakurenbo.contest.publishing import publish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Lease, Outcome

Judge: TypeAlias = "Callable[[Contest, Lease], Outcome]"
LEASE = dt.timedelta(seconds=60)
_log = logging.getLogger("kakurenbo.contest.worker")
_HOUR = 3600.0


class Worker:
    """Judges one submission after the other.

    Args:
        contest: the contest.
        name: what the organiser sees; by default machine and process.
        lease: how long a job is held without a sign of life.
        judge: what judging is; another one in tests.
    """

    def __init__(
        self,
        contest: Contest,
        name: str | None = None,
        lease: dt.timedelta = LEASE,
        *,
        judge: Judge = examine,
    ) -> None:
        self.contest = contest
        self.name = name or f"{platform.node()}-{os.getpid()}-{secrets.token_hex(2)}"
        self.lease = lease
        self._judge = judge
        self._unpublished: set[str] = set()

    def run(self, stop: threading.Event, *, pause: float = 0.5) -> None:
        """Judge until told to stop; a fault of the database or the disk is waited out."""
        since = _HOUR
        while not stop.is_set():
            try:
                if self.run_once():
                    continue
                if since >= _HOUR:
                    submissions.sweep(self.contest)
                    since = 0.0
            except Exception as error:  # noqa: BLE001 - a worker that ends would leave the queue alone
                _log.error("worker %s: %s", self.name, type(error).__name__)
            stop.wait(pause)
            since += pause

    def run_once(self) -> bool:
        """Judge one submission, or publish what is to be; return whether there was anything to do."""
        lease = jobs.take(self.contest, self.name, self.lease)
        if lease is None:
            return publish(self.contest, self._unpublished) > 0
        with self._alive(lease):
            outcome = self._judged(lease)
        if outcome is not None:
            jobs.finish(self.contest, lease, outcome)
        return True

    def _judged(self, lease: Lease) -> Outcome | None:
        """Judge; a fault of ours gives the job back, and only its kind is told: a message may hold values."""
        try:
            return self._judge(self.contest, lease)
        except Exception as error:  # noqa: BLE001 - whatever it is, the next submission must be judged
            kind = type(error).__name__
            _log.error("submission %s, attempt %d: %s", lease.submission, lease.attempt, kind)
            jobs.fail(self.contest, lease, kind)
            return None

    @contextmanager
    def _alive(self, lease: Lease) -> Iterator[None]:
        """Say that the worker is alive, thrice in the length of a lease, until the block ends."""
        done = threading.Event()
        thread = threading.Thread(target=self._beat, args=(lease, done), daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _beat(self, lease: Lease, done: threading.Event) -> None:
        while not done.wait(self.lease.total_seconds() / 3):
            try:
                if not jobs.beat(self.contest, lease):
                    return
            except Exception as error:  # noqa: BLE001 - the next beat may come through
                _log.warning("worker %s: %s", self.name, type(error).__name__)
