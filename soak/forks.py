"""A fork server: this process has imported everything, and each run of a command is a child of its own.

Nothing of polars has been used before the fork, so no thread of its pool is lost in it: what a part checks
afterwards, it checks in plain Python.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

import kakurenbo.kernels.nearest.loops  # noqa: F401 - imported before the fork, run after it
from kakurenbo.cli.main import commands, run
from soak.preload import Counter, Strike

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_PATIENCE = 60.0
commands()


@dataclass(frozen=True)
class Ended:
    """How a child ended.

    Attributes:
        code: its exit code, or the negative number of the signal that killed it.
        calls: how many calls were counted.
        said: what it wrote to standard output and error.
    """

    code: int
    calls: int
    said: str


@dataclass
class Child:
    """A command that is running."""

    process: int
    counter: Counter
    log: Path

    def wait(self) -> Ended:
        """Wait for its end; a child that hangs is killed and has the code of that."""
        end = time.monotonic() + _PATIENCE
        while True:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                break
            if time.monotonic() > end:
                os.kill(self.process, signal.SIGKILL)
                end += _PATIENCE
            time.sleep(0.002)
        said = self.log.read_text(encoding="utf-8", errors="replace")
        return Ended(os.waitstatus_to_exitcode(status), self.counter.value, said)


def start(
    words: Sequence[str],
    under: Path,
    strike: Strike | None = None,
    *,
    log: Path,
    before: Callable[[], None] | None = None,
) -> Child:
    """Start a command in a child, which is struck at a call on paths under a folder if so asked."""
    counter = Counter()
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        return Child(process, counter, log)
    code = 99
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(output, 1)
        os.dup2(output, 2)
        if before is not None:
            before()
        if strike is not None:
            counter.arm(strike, under)
        code = run([*words])
    except BaseException:  # noqa: BLE001 - a child never returns
        traceback.print_exc()
    finally:
        os._exit(code)


def forked(words: Sequence[str], under: Path, strike: Strike | None = None, *, log: Path) -> Ended:
    """Run a command in a child until its end."""
    return start(words, under, strike, log=log).wait()
