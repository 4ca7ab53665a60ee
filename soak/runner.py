"""Runs the cases of a part in processes of their own, which may die or hang without stopping the campaign.

Each thread here looks after one process, which tries every `jobs`-th case and says what came of each. A
process that ends early, or says nothing for longer than the part's patience, failed at the case it was at;
another one goes on with the next.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from soak import preload

if TYPE_CHECKING:
    from soak.part import Part

_MOST_TOLD = 20
_START = 240.0  # seconds a process may take to import everything, on a machine with other work


@dataclass
class Tally:
    """What a part came to."""

    name: str
    tried: int = 0
    failures: list[tuple[int, str]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, number: int, why: str | None, counts: dict[str, int]) -> None:
        """Take in one case, and tell what failed."""
        with self._lock:
            self.tried += 1
            self.counts.update(counts)
            if why is not None:
                self.failures.append((number, why))
                if len(self.failures) <= _MOST_TOLD:
                    print(f"  {self.name} {number}: {why}", flush=True)


def run(
    part: type[Part], *, seconds: float, seed: int, jobs: int, most: int | None = None, first: int = 0
) -> Tally:
    """Try cases from the first on until the time is over, all have been tried, or `most` is reached."""
    tally, began = Tally(part.name), time.monotonic()
    limit = min(n for n in (part.total, most, sys.maxsize) if n is not None)
    with ThreadPoolExecutor(jobs) as threads, tempfile.TemporaryDirectory(prefix="soak-") as place:
        tasks = [
            threads.submit(
                _look_after, part, tally, range(first + start, limit, jobs), began + seconds, seed, place
            )
            for start in range(jobs)
        ]
        for task in tasks:
            task.result()
    tally.seconds = time.monotonic() - began
    return tally


def _look_after(  # noqa: PLR0917 - one thread's work
    part: type[Part], tally: Tally, numbers: range, end: float, seed: int, place: str
) -> None:
    """Keep a process at work on these numbers until the end."""
    while numbers and time.monotonic() < end:
        with _started(part, numbers, seed, place) as process:
            answer = _answer(process, _START)
            while answer is not None and numbers and time.monotonic() < end:
                answer = _answer(process, part.patience)
                told = {"why": _ending(process, part), "counts": {}} if answer is None else answer
                tally.add(numbers[0], **told)
                numbers = numbers[1:]
            process.kill()
            if answer is None and not tally.tried:
                raise RuntimeError(f"the part {part.name} cannot be started")


def _started(part: type[Part], numbers: range, seed: int, place: str) -> subprocess.Popen[bytes]:
    words = [
        f"{part.__module__}:{part.__name__}",
        *map(str, (numbers.start, numbers.stop, numbers.step, seed)),
        place,
    ]
    environment = {**os.environ, "POLARS_MAX_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    if part.preloaded:
        environment |= preload.environment()
    return subprocess.Popen(
        [sys.executable, "-m", "soak.worker", *words], stdout=subprocess.PIPE, env=environment
    )


def _answer(process: subprocess.Popen[bytes], patience: float) -> dict[str, Any] | None:
    """Return what the process says of its next case, or None where it hangs or has ended."""
    if process.stdout is None:
        raise AssertionError("it was started with a pipe")
    ready, _, _ = select.select([process.stdout], [], [], patience)
    line = process.stdout.readline() if ready else b""
    return json.loads(line) if line else None


def _ending(process: subprocess.Popen[bytes], part: type[Part]) -> str:
    try:
        code = process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        return f"still at it after {part.patience:.0f} s"
    return (
        f"the process died of {signal.Signals(-code).name}" if code < 0 else f"the process ended with {code}"
    )
