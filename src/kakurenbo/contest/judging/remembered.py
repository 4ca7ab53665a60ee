"""What was made lately, kept for whoever asks for the same again: a worker judges hundreds of submissions."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Made = TypeVar("Made")


class Remembered(Generic[Made]):
    """Keeps so many of the things that were asked for last, by their keys; any thread may ask."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, Made] = OrderedDict()
        self._lock = threading.Lock()

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made under this key, or make it; two who ask at the same time may both make it."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        made = make()
        with self._lock:
            self._made[key] = made
            while len(self._made) > self._most:
                self._made.popitem(last=False)
        return made

    def forget(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._made.clear()
