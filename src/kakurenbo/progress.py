"""How far a long job is, and the wish that it stop.

Whoever starts a job hands it a `Progress`. The job names each step before it is done; the starter shows the
steps where people look, and may ask from any thread that the job stop. The next step then raises `Stopped`.
Results are written after the last step and appear whole or not at all, so a job that stops leaves nothing
half-written.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kakurenbo.errors import Stopped

if TYPE_CHECKING:
    from collections.abc import Callable


_SECONDS_TO_TELL, _SHARE_TO_TELL = 5.0, 0.01


@dataclass(frozen=True)
class Step:
    """What is being done, and the share of the whole job that was done before it (0 to 1, None: unknown)."""

    message: str
    share: float | None = None


class TimeLeft:
    """How long a job will still take, told by the share it did since its shares last began anew."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._share = self._first = 0.0
        self._begun = clock()

    def after(self, step: Step) -> float | None:
        """Return the seconds that are left; None while too little was done to tell."""
        if step.share is None:
            return None
        now = self._clock()
        if step.share < self._share:
            self._begun, self._first = now, step.share
        self._share = step.share
        taken, done = now - self._begun, step.share - self._first
        if taken < _SECONDS_TO_TELL or done < _SHARE_TO_TELL:
            return None
        return taken * (1 - step.share) / done


class Progress:
    """Where a job tells its steps, and learns that it is to stop; without `show` nobody watches."""

    def __init__(
        self, show: Callable[[Step], None] | None = None, *, stopping: threading.Event | None = None
    ) -> None:
        self._show = show
        self._stopping = stopping or threading.Event()

    def step(self, message: str, share: float | None = None) -> None:
        """Show the next step; raise `Stopped` instead of letting it begin, where a stop was asked for."""
        if self._show is not None:
            self._show(Step(message, share))
        if self.stopped:
            raise Stopped("The job was stopped between two steps, as asked.", code="stopped")

    def stop(self) -> None:
        """Ask the job to stop before its next step; any thread may."""
        self._stopping.set()

    @property
    def stopped(self) -> bool:
        """Whether a stop was asked for."""
        return self._stopping.is_set()

    def unseen(self) -> Progress:
        """Return a view for work done beside this job: it shows nothing, and stops where this does."""
        return Progress(stopping=self._stopping)

    def part(self, start: float, end: float) -> Progress:
        """Return a view for a part of the job: its shares from 0 to 1 are the whole's from start to end."""

        def show(step: Step) -> None:
            inside = None if step.share is None else start + (end - start) * step.share
            if self._show is not None:
                self._show(Step(step.message, inside))

        return Progress(show, stopping=self._stopping)
