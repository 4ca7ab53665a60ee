"""Work shared out to threads: one thing after another, few of them waiting, stretches of many, or beside."""

from __future__ import annotations

import os
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

_AT_ONCE = 2
_PARTS = 4  # for every processor, so that the quicker need not wait for the slower
_HELD = 3  # one more than are worked on, so that the quicker of two need not wait for the slower

_HERE = threading.local()  # `most` is set in a thread that has some of the processors

Given = TypeVar("Given")
Made = TypeVar("Made")


def in_order(work: Callable[[Given], Made], things: Iterable[Given], most: int = _HELD) -> Iterator[Made]:
    """Yield what the work makes of each thing, in their order; an only thing has all processors.

    When the taker goes away, what has not begun does not begin.

    Args:
        work: what is done, by two threads; compiled loops, polars and numpy leave room for the other.
        things: taken one by one, as there is room for them.
        most: things and results that are held at a time; small ones may be more.
    """
    coming = iter(things)
    first = list(islice(coming, _AT_ONCE))
    if len(first) < _AT_ONCE:
        yield from map(work, first)
        return
    coming = chain(first, coming)
    del first  # things may be large
    waiting: deque[Future[Made]] = deque()
    pool = ThreadPoolExecutor(_AT_ONCE, initializer=take, initargs=(processors() // _AT_ONCE,))
    try:
        for thing in coming:
            waiting.append(pool.submit(work, thing))
            if len(waiting) == most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def in_parts(work: Callable[[int, int], Made], count: int, *, few: int = 1) -> list[Made]:
    """Return what the work makes of stretches first..last of so many things, shared out to the processors.

    Args:
        work: what is done, best by compiled loops; what is made of a thing must not hang on its stretch.
        count: how many things there are.
        few: below so many they are done before threads have started.
    """
    crew = processors()
    if crew == 1 or count < few:
        return [work(0, count)]
    cuts = [count * part // (_PARTS * crew) for part in range(_PARTS * crew + 1)]
    with ThreadPoolExecutor(crew) as pool:
        return list(pool.map(work, cuts[:-1], cuts[1:]))


def processors() -> int:
    """Return how many processors there are for this thread: its share, where it works beside others."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(count, getattr(_HERE, "most", count))


def take(most: int) -> None:
    """Work with so many processors at most, from now on in this thread: others have the rest."""
    _HERE.most = max(most, 1)


@contextmanager
def meanwhile(work: Callable[[], Made], *, apart: bool = True) -> Iterator[Callable[[], Made]]:
    """Do some work in a thread of its own while the block goes on; what is yielded waits for what it made.

    Args:
        work: what is done; it is waited for where the block ends early, too.
        apart: whether it is; else it is done before the block begins.
    """
    if not apart:
        made = work()
        yield lambda: made
        return
    pool = ThreadPoolExecutor(1)
    try:
        yield pool.submit(work).result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def ahead(things: Iterator[Given]) -> Iterator[Given]:
    """Yield things while the next one is being made in another thread."""
    pool = ThreadPoolExecutor(1)

    def following() -> list[Given]:
        return list(islice(things, 1))

    try:
        coming = pool.submit(following)
        while here := coming.result():
            coming = pool.submit(following)
            yield here.pop()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
