"""The compiled loops behind suppression: who may have a trace back, and how many combinations are rare."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Shorts = NDArray[np.int32]
    Bools = NDArray[np.bool_]


class Held(NamedTuple):
    """Who has which traces: entries in the order of people, each person's by trace."""

    person_ptr: Ints
    traces: Shorts
    owners: Shorts
    trace_ptr: Ints
    places: Shorts  # the entries once more, in the order of traces


@compiled
def give_back(held: Held, kept: Bools, order: Ints, k: int, m: int) -> int:
    """Give every trace in turn to the largest set of its holders that may have it; return what was given."""
    counts, again = np.zeros(len(held.trace_ptr) - 1, np.int64), np.zeros(len(held.trace_ptr) - 1, np.int64)
    given = 0
    for trace in order:
        entries = held.places[held.trace_ptr[trace] : held.trace_ptr[trace + 1]]
        asking = ~kept[entries]
        if len(entries) < k or not asking.any():
            continue
        kept[entries] = True
        _count(held, kept, entries, counts)
        while _step_back(held, kept, entries, asking, counts, k, m):
            if m < 3 or not _step_back_from_threes(held, kept, entries, asking, counts, again, k):
                break
        _clear(held, entries, counts)
        given += asking.sum()
    return given


@compiled
def _count(held: Held, kept: Bools, entries: Shorts, counts: Ints) -> None:
    """Count how many of those who have this trace have each trace."""
    for entry in entries:
        if kept[entry]:
            _add(held, kept, held.owners[entry], counts, 1)


@compiled
def _add(held: Held, kept: Bools, person: int, counts: Ints, one: int) -> None:
    for other in range(held.person_ptr[person], held.person_ptr[person + 1]):
        if kept[other]:
            counts[held.traces[other]] += one


@compiled
def _clear(held: Held, entries: Shorts, counts: Ints) -> None:
    for entry in entries:
        person = held.owners[entry]
        for other in range(held.person_ptr[person], held.person_ptr[person + 1]):
            counts[held.traces[other]] = 0


@compiled
def _leave(held: Held, kept: Bools, entries: Shorts, asking: Bools, place: int, counts: Ints) -> None:
    """Let one of those who ask step back."""
    _add(held, kept, held.owners[entries[place]], counts, -1)
    kept[entries[place]] = asking[place] = False


@compiled
def _step_back(held: Held, kept: Bools, entries: Shorts, asking: Bools, counts: Ints, k: int, m: int) -> bool:
    """Let step back whoever has it, or a pair with it, with fewer than k; return whether any still ask."""
    trace, changed = held.traces[entries[0]], True
    while changed:
        changed = False
        for place in range(len(entries)):
            if asking[place] and (
                counts[trace] < k or (m > 1 and _has_rare(held, kept, held.owners[entries[place]], counts, k))
            ):
                _leave(held, kept, entries, asking, place, counts)
                changed = True
    return bool(asking.any())


@compiled
def _has_rare(held: Held, kept: Bools, person: int, counts: Ints, k: int) -> bool:
    for other in range(held.person_ptr[person], held.person_ptr[person + 1]):
        if kept[other] and counts[held.traces[other]] < k:
            return True
    return False


@compiled
def _step_back_from_threes(
    held: Held, kept: Bools, entries: Shorts, asking: Bools, counts: Ints, again: Ints, k: int
) -> bool:
    """Let step back whoever has a combination of three with fewer than k; return whether anybody did.

    Of those who have the trace and a second one it is counted who has each third one.
    """
    seconds, members = _beside(held, kept, entries)
    stepped, first = False, 0
    while first < len(seconds):
        last = first
        while last < len(seconds) and held.traces[seconds[last]] == held.traces[seconds[first]]:
            last += 1
        for place in range(first, last):
            if kept[entries[members[place]]]:
                _later(held, kept, seconds[place], again, 1)
        for place in range(first, last):
            member = members[place]
            if asking[member] and _rare_later(held, kept, seconds[place], again, k):
                _later(held, kept, seconds[place], again, -1)
                _leave(held, kept, entries, asking, member, counts)
                stepped = True
        for place in range(first, last):
            if kept[entries[members[place]]]:
                _later(held, kept, seconds[place], again, -1)
        first = last
    return stepped


@compiled
def _beside(held: Held, kept: Bools, entries: Shorts) -> tuple[Ints, Ints]:
    """Return the other entries of those who have this trace, by trace, and whose each is among them."""
    size = 0
    for entry in entries:
        person = held.owners[entry]
        size += held.person_ptr[person + 1] - held.person_ptr[person] if kept[entry] else 0
    others, members, size = np.empty(size, np.int64), np.empty(size, np.int64), 0
    for member, entry in enumerate(entries):
        person = held.owners[entry]
        for other in range(held.person_ptr[person], held.person_ptr[person + 1]):
            if kept[entry] and kept[other] and other != entry:
                others[size], members[size] = other, member
                size += 1
    order = np.argsort(held.traces[others[:size]], kind="mergesort")
    return others[order], members[order]


@compiled
def _later(held: Held, kept: Bools, entry: int, counts: Ints, one: int) -> None:
    """Count the traces that the same person has after this one."""
    for other in range(entry + 1, held.person_ptr[held.owners[entry] + 1]):
        if kept[other]:
            counts[held.traces[other]] += one


@compiled
def _rare_later(held: Held, kept: Bools, entry: int, counts: Ints, k: int) -> bool:
    for other in range(entry + 1, held.person_ptr[held.owners[entry] + 1]):
        if kept[other] and counts[held.traces[other]] < k:
            return True
    return False


@compiled
def rare(held: Held, k: int, m: int) -> int:
    """Return how many combinations of up to m traces some but fewer than k people have."""
    traces = len(held.trace_ptr) - 1
    kept, counts = np.ones(len(held.traces), np.bool_), np.zeros(traces, np.int64)
    found = 0
    for trace in range(traces):
        entries = held.places[held.trace_ptr[trace] : held.trace_ptr[trace + 1]]
        found += 0 < len(entries) < k
        if m > 1:
            found += _rare_after(held, kept, entries, counts, k)
        if m > 2:
            seconds = _beside(held, kept, entries)[0]
            first = 0
            while first < len(seconds):
                last = first
                while last < len(seconds) and held.traces[seconds[last]] == held.traces[seconds[first]]:
                    last += 1
                if held.traces[seconds[first]] > trace:
                    found += _rare_after(held, kept, seconds[first:last], counts, k)
                first = last
    return found


@compiled
def _rare_after(held: Held, kept: Bools, entries: Ints | Shorts, counts: Ints, k: int) -> int:
    """Return how many traces stand after these entries, some but fewer than k times; `counts` stays zero."""
    for entry in entries:
        _later(held, kept, entry, counts, 1)
    found = 0
    for entry in entries:
        for other in range(entry + 1, held.person_ptr[held.owners[entry] + 1]):
            found += 0 < counts[held.traces[other]] < k
            counts[held.traces[other]] = 0
    return found
