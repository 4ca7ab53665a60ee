"""The compiled loops of a scan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    People = npt.NDArray[np.int32]
    Bits = npt.NDArray[np.uint64]

_LARGE = 1e200  # a product that is turned into its logarithm before it can overflow


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


@compiled
def mix(bits: np.uint64) -> np.uint64:
    """Return the output of SplitMix64 at this state."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@compiled
def search(  # noqa: C901, PLR0912 - one loop, so that its arrays are made once
    known: tuple[Integers, People],
    postings: tuple[Integers, People, Floats],
    least: float,
    close: float,
    sizes: Floats,
    own: tuple[Integers, Integers],
    bits: tuple[Bits, Bits],
    first: int,
    last: int,
    out: tuple[Floats, Floats, Integers, Integers, Bits, Bits],
) -> None:
    """Write for targets first..last who fits best: score, size, ties, own among them, and some of them.

    Target t knows the records bounds[t]:bounds[t+1] whose keys are rows of `keys`. Where `least` is 0, what
    is held is added up as it is; else the logarithm of what a record is held, above that of nothing. Each row
    of `sizes` is a rule of its own: among equal scores the smaller is the better. The ties kept, of the first
    targets alone, are those of the lowest draws, which depend on the target and the person and nothing else.
    """
    bounds, keys = known
    score, size, ties, mine, draws, kept = out
    rules, people = sizes.shape
    total, now, product = np.zeros(people), np.zeros(people), np.zeros(people)
    touched, seen = np.empty(people, np.int32), np.empty(people, np.int32)
    for target in range(first, last):
        records = keys[bounds[target] : bounds[target + 1]]
        if least > 0:
            many = _score(records, postings, least, (total, now, product), (touched, seen))
        else:
            many = _add(records, postings, total, touched)
        best = 0.0
        for i in range(many):
            best = max(best, total[touched[i]])
        bar, tied = best * (1 - close), 0
        if best > 0:
            for i in range(many):
                if total[touched[i]] >= bar:
                    seen[tied] = touched[i]
                    tied += 1
        for rule in range(rules):
            smallest = np.inf
            for i in range(tied):
                smallest = min(smallest, sizes[rule, seen[i]])
            count = 0
            for i in range(tied):
                if sizes[rule, seen[i]] == smallest:
                    count += 1
                    if target < draws.shape[1]:
                        keep(draws[rule, target], kept[rule, target], bits[0][target], bits[1][seen[i]])
            score[rule, target], size[rule, target], ties[rule, target] = best, smallest, count
            for i in range(own[0][target], own[0][target + 1]):
                person = own[1][i]
                if best > 0 and total[person] >= bar and sizes[rule, person] == smallest:
                    mine[rule, target] += 1
        for i in range(many):
            total[touched[i]] = 0.0


@compiled
def keep(draws: Bits, kept: Bits, target: np.uint64, person: np.uint64) -> None:
    """Keep a person among the few of the lowest draws, which are sorted."""
    draw = mix(target ^ person)
    last = len(draws) - 1
    if last < 0 or draw >= draws[last]:
        return
    while last > 0 and draws[last - 1] > draw:
        draws[last], kept[last] = draws[last - 1], kept[last - 1]
        last -= 1
    draws[last], kept[last] = draw, person


@compiled
def keep_all(
    indptr: Integers, indices: Integers, targets: Bits, people: Bits, draws: Bits, kept: Bits
) -> None:
    """Keep of the first targets' ties those of the lowest draws."""
    for target in range(min(len(indptr) - 1, len(draws))):
        for p in range(indptr[target], indptr[target + 1]):
            keep(draws[target], kept[target], targets[target], people[indices[p]])


@compiled
def _add(records: People, postings: tuple[Integers, People, Floats], total: Floats, touched: People) -> int:
    """Add up for everybody what he holds of these keys; return how many hold any."""
    starts, holders, held = postings
    many = 0
    for r in range(records.shape[0]):
        for g in range(records.shape[1]):
            key = records[r, g]
            for p in range(starts[key], starts[key + 1]):
                person = holders[p]
                if total[person] == 0.0:
                    touched[many] = person
                    many += 1
                total[person] += held[p]
    return many


@compiled
def _score(
    records: People,
    postings: tuple[Integers, People, Floats],
    least: float,
    sums: tuple[Floats, Floats, Floats],
    people: tuple[People, People],
) -> int:
    """Add up for everybody by how much the logarithm of each record lies above that of no match."""
    starts, holders, held = postings
    total, now, product = sums
    touched, seen = people
    many, scale = 0, 1 / (records.shape[1] * least)
    for r in range(records.shape[0]):
        count = 0
        for g in range(records.shape[1]):
            key = records[r, g]
            for p in range(starts[key], starts[key + 1]):
                person = holders[p]
                if now[person] == 0.0:
                    seen[count] = person
                    count += 1
                now[person] += held[p]
        for i in range(count):
            person = seen[i]
            if product[person] == 0.0:
                touched[many] = person
                many += 1
                product[person] = 1.0
            product[person] *= now[person] * scale + 1
            if product[person] > _LARGE:
                total[person] += np.log(product[person])
                product[person] = 1.0
            now[person] = 0.0
    for i in range(many):
        total[touched[i]] += np.log(product[touched[i]])
        product[touched[i]] = 0.0
    return many
