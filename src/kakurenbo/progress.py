"""Progress and stopping: what a long job tells while it works, and how it is asked to end.

A job calls `step` between its parts. The command line shows the step, a page can show it, and whoever asked for
a stop gets it there: the job ends with `Stopped` between two parts and leaves nothing half-written.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kakurenbo.errors import KakurenboError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Step:
    """What is being done, and the share of the whole that is done, where it is known."""

    message: str
    share: float | None


class Progress:
    def __init__(self, show: Callable[[Step], None] | None = None) -> None:
        self._show = show
        self._stop = threading.Event()

    def step(self, message: str, share: float | None = None) -> None:
        if self._show:
            self._show(Step(message, share))
