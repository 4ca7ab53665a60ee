"""Giving memory back."""

import ctypes
import resource
from pathlib import Path

import pytest

from kakurenbo import memory


def test_memory_is_given_back_where_the_c_library_can_and_nothing_fails_where_not(monkeypatch):
    memory.give_back()

    def none(_):
        raise OSError

    memory._trim.cache_clear()
    monkeypatch.setattr(ctypes, "CDLL", none)
    try:
        memory.give_back()
    finally:
        memory._trim.cache_clear()


@pytest.mark.skipif(memory._trim() is None, reason="the C library has no malloc_trim")
def test_what_was_freed_between_held_blocks_goes_back():
    def resident():
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()

    held = [bytes(100_000) for _ in range(2_000)]  # below the size that is mapped apart
    del held[:-1]  # the last keeps the heap from shrinking by itself
    before = resident()
    memory.give_back()
    assert resident() < before - 100_000_000
