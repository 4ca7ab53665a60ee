"""Work on one thing after another in two threads at most, results in order, few of them waiting."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

_AT_ONCE = 2

Given = TypeVar("Given")
Made = TypeVar("Made")


def in_order(work: Callable[[Given], Made], things: Iterable[Given]) -> Iterator[Made]:
    """Yield what the work makes of each thing, in their order; no more than two are under way or waiting.

    When the taker goes away, what has not begun does not begin.
    """
    waiting: deque[Future[Made]] = deque()
    pool = ThreadPoolExecutor(_AT_ONCE)
    try:
        for thing in things:
            waiting.append(pool.submit(work, thing))
            if len(waiting) == _AT_ONCE:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
