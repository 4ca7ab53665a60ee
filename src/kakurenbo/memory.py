"""Memory that nobody holds any more, given back to the system.

The C library keeps what was freed for the next who asks, in a heap for every thread. After work of many
threads on large tables that may be half a gigabyte which no table is in, and which everything after it is
counted on top of.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable


def give_back() -> None:
    """Give freed memory back, where the C library has a way to; it takes milliseconds."""
    trim = _trim()
    if trim is not None:
        trim(0)


@lru_cache
def _trim() -> Callable[[int], int] | None:
    """Return glibc's `malloc_trim`, None of another C library."""
    try:
        return cast("Callable[[int], int]", ctypes.CDLL(None).malloc_trim)
    except (OSError, AttributeError, TypeError):
        return None
