"""Signals that end a run, and the short steps for which they wait.

Who stops a run, with Ctrl-C or as a service manager does (SIGTERM, SIGHUP), wants it to end soon and to leave
nothing behind: the first signal becomes an exception and the run tidies up, a second one kills at once. While
names change hands or a partial file is removed the first signal waits until that step is done.
"""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Terminated(BaseException):
    """The run was asked to end by a signal other than an interrupt from the keyboard."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


@dataclass
class _Waiting:
    """How many steps are being held, and the signal that came meanwhile."""

    depth: int = 0
    number: int | None = None


_waiting = _Waiting()


@contextmanager
def listening() -> Iterator[None]:
    """Turn the signals that end a program into exceptions; those that are ignored or handled stay so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [n for n in _ENDING if signal.getsignal(n) in {signal.SIG_DFL, signal.default_int_handler}]
    before = {number: signal.signal(number, _heard) for number in ours}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def held() -> Iterator[None]:
    """Let a signal wait until this step is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _waiting.depth += 1
    try:
        yield
    finally:
        _waiting.depth -= 1
        number = _waiting.number
        if number is not None and not _waiting.depth:
            _waiting.number = None
            _end(number)


def _heard(number: int, _frame: FrameType | None) -> None:
    for other in _ENDING:
        if signal.getsignal(other) is _heard:
            signal.signal(other, signal.SIG_DFL)  # the next one kills at once
    if _waiting.depth:
        _waiting.number = number
    else:
        _end(number)


def _end(number: int) -> None:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Terminated(number)
