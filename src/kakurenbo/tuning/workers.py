"""Many trials at once: a crew of processes, each with the data and its attackers prepared once.

Processes are started by spawn and get the data once. Results come in the order they were asked for, whoever
finishes first, so the number of processes changes nothing but the time.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Self

from kakurenbo.errors import ParameterError
from kakurenbo.tuning.trials import Laboratory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from kakurenbo.data.table import Table
    from kakurenbo.plan import Plan
    from kakurenbo.tuning.records import Outcome

    Task = tuple[Plan, int]

_laboratory: dict[str, Laboratory] = {}


class Crew:
    """Tries plans, in this process or in several others; leaving its `with` block ends the others."""

    def __init__(self, laboratory: Laboratory, knowledge: str | None, jobs: int | None) -> None:
        self.laboratory = laboratory
        self.jobs = jobs or getattr(os, "process_cpu_count", os.cpu_count)() or 1
        self._start: Any = (laboratory.data, knowledge)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        if self.jobs > 1:
            self._pool = ProcessPoolExecutor(
                self.jobs, multiprocessing.get_context("spawn"), _prepare, self._start
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def measure(self, tasks: Sequence[Task]) -> Iterator[Outcome]:
        """Yield the outcome of every (plan, seed), in their order."""
        if self._pool is None:
            yield from (self.laboratory.measure(plan, seed) for plan, seed in tasks)
            return
        try:
            yield from self._pool.map(_measure, tasks)
        except BrokenProcessPool:
            raise ParameterError(
                "The worker processes ended early: out of memory, or started from a script without "
                "`if __name__ == '__main__':`. Use fewer jobs, or jobs=1 to work in this process alone.",
                code="parameter",
            ) from None


def _prepare(data: Table, knowledge: str | None) -> None:
    """Make a worker ready: an interrupt is the parent's business, and without a parent there is no work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _laboratory["mine"] = Laboratory.of(data, knowledge)


def _end_with_parent() -> None:
    """Wait for the parent's end, however sudden, and end too: a worker must not outlive its search."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _measure(task: Task) -> Outcome:
    return _laboratory["mine"].measure(*task)
