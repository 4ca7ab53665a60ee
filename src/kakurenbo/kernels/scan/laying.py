"""The compiled loops that lay a block out: keys become numbers, and records who holds each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled
from kakurenbo.kernels.scan.best import mix

if TYPE_CHECKING:
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]
    People = npt.NDArray[np.int32]
    Bits = npt.NDArray[np.uint64]


@compiled
def stir(keys: Bits, part: Bits, step: np.uint64) -> None:
    """Take a part into the keys of records, in its order among their parts."""
    for row in range(len(keys)):
        keys[row] = mix(keys[row] * step + part[row] + step)


@compiled
def fill(keys: Bits, slots: People) -> None:
    """Put the places of these distinct keys into the slots of an open-addressing table."""
    mask = np.uint64(len(slots) - 1)
    for place in range(len(keys)):
        at = keys[place] & mask
        while slots[at] >= 0:
            at = (at + np.uint64(1)) & mask
        slots[at] = place


@compiled
def find(hashes: Bits, keys: Bits, slots: People) -> People:
    """Return the place of every hash among the keys, -1 where it is not among them."""
    mask, places = np.uint64(len(slots) - 1), np.empty(len(hashes), np.int32)
    for row in range(len(hashes)):
        at = hashes[row] & mask
        while slots[at] >= 0 and keys[slots[at]] != hashes[row]:
            at = (at + np.uint64(1)) & mask
        places[row] = slots[at]
    return places


@compiled
def number(hashes: Bits, keys: Bits, slots: People, room: int) -> tuple[People, Bits]:
    """Return the place of every hash among the keys, others numbered on from there, and those others."""
    mask, own = np.uint64(len(slots) - 1), np.full(room, -1, np.int32)
    mine, known = np.uint64(room - 1), len(keys)
    others = np.empty(len(hashes), np.uint64)
    codes = np.empty(len(hashes), np.int32)
    count = 0
    for row in range(len(hashes)):
        key = hashes[row]
        at = key & mask
        while slots[at] >= 0 and keys[slots[at]] != key:
            at = (at + np.uint64(1)) & mask
        if slots[at] >= 0:
            codes[row] = slots[at]
            continue
        at = key & mine
        while own[at] >= 0 and others[own[at]] != key:
            at = (at + np.uint64(1)) & mine
        if own[at] < 0:
            own[at] = count
            others[count] = key
            count += 1
        codes[row] = known + own[at]
    return codes, others[:count].copy()


@compiled
def distinct(hashes: Bits, room: int) -> tuple[People, Integers]:
    """Return the number of every hash in the order they come, and the first row of each."""
    mask, slots = np.uint64(room - 1), np.full(room, -1, np.int32)
    numbers, first = np.empty(len(hashes), np.int32), np.empty(len(hashes), np.int64)
    count = 0
    for row in range(len(hashes)):
        at = hashes[row] & mask
        while slots[at] >= 0 and hashes[first[slots[at]]] != hashes[row]:
            at = (at + np.uint64(1)) & mask
        if slots[at] < 0:
            slots[at], first[count] = count, row
            count += 1
        numbers[row] = slots[at]
    return numbers, first[:count].copy()


@compiled
def tally(people: People, codes: People, count: int) -> tuple[Integers, Integers]:
    """Return how many people have each of the first so many codes, and how many records; people ascend."""
    holders, having = np.zeros(count, np.int64), np.zeros(count, np.int64)
    last = np.full(count, -1, np.int32)
    for row in range(len(codes)):
        code = codes[row]
        if code < count:
            having[code] += 1
            if last[code] != people[row]:
                last[code] = people[row]
                holders[code] += 1
    return holders, having


@compiled
def turn(people: People, codes: People, pieces: Integers, count: int) -> tuple[Integers, People, Integers]:
    """Return (starts, who, held): who holds each code, how often; people ascend, so equals are neighbours."""
    starts = np.zeros(count + 1, np.int64)
    for code in codes:
        starts[code + 1] += 1
    for code in range(count):
        starts[code + 1] += starts[code]
    place = starts[:-1].copy()
    who, held = np.empty(len(codes), np.int32), np.empty(len(codes), np.int64)
    for row in range(len(codes)):
        at = place[codes[row]]
        who[at] = people[row]
        held[at] = pieces[row] if len(pieces) else 1
        place[codes[row]] += 1
    used, begins = 0, np.zeros(count + 1, np.int64)
    for code in range(count):
        first = used
        for p in range(starts[code], starts[code + 1]):
            if used > first and who[used - 1] == who[p]:
                held[used - 1] += held[p]
            else:
                who[used], held[used] = who[p], held[p]
                used += 1
        begins[code + 1] = used
    return begins, who[:used].copy(), held[:used].copy()
