"""Looking targets up one by one; compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled
from kakurenbo.kernels.scan.best import ROUNDED, highest, place
from kakurenbo.kernels.scan.reaching import reaching

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    People = npt.NDArray[np.int32]
    Bits = npt.NDArray[np.uint64]

_LINED_UP = 6  # times, that it is quicker to go through everybody in a row than through who holds something
_RECORDS = 16  # whose product is taken before its logarithm: factors up to 10^19 cannot overflow


@compiled
def search(  # noqa: C901, PLR0912 - one loop, so that its arrays are made once
    known: tuple[Integers, People],
    postings: tuple[Integers, People, Floats],
    common: tuple[People, Floats],
    least: float,
    close: float,
    sizes: Floats,
    own: tuple[Integers, Integers],
    bits: tuple[Bits, Bits],
    reached: Floats,
    ends: tuple[Floats, Floats],
    rows: tuple[People, Bits],
    first: int,
    last: int,
    out: tuple[Floats, Floats, Integers, Integers, Bits, Bits],
) -> None:
    """Write for targets first..last who fits best: score, size, ties, own among them, and some of them.

    Target t knows the records bounds[t]:bounds[t+1] whose keys are rows of `keys`. Where `least` is 0, what
    is held is added up as it is; else the logarithm of what a record is held, above that of nothing. Each row
    of `sizes` is a rule of its own: among equal scores the smaller is the better. The ties kept, of the first
    targets alone, are those of the lowest draws, which depend on the target and the person and nothing else.
    `reached` is what somebody is known to score for each target, 0 where nothing is known: where keys are
    added up as they are, who cannot reach it is not looked at: see `reaching`, for `ends` and `rows` too.
    """
    bounds, keys = known
    starts = postings[0]
    people = sizes.shape[1]
    total, now, product = np.zeros(people), np.zeros(people), np.ones(people)
    touched, seen = np.empty(people, np.int32), np.empty(people, np.int32)
    both = np.empty(rows[1].shape[1], np.uint64)
    for target in range(first, last):
        records = keys[bounds[target] : bounds[target + 1]]
        work = 0
        for r in range(records.shape[0]):
            for g in range(records.shape[1]):
                work += starts[records[r, g] + 1] - starts[records[r, g]]
        dense = 2 * work >= people * records.shape[0] if least > 0 else _LINED_UP * work >= people
        bar, many = reached[target] * (1 - close) * ROUNDED, people
        if bar > 0 and least == 0.0:
            dense = False
            many = reaching(records.ravel(), postings, ends, rows, bar, total, touched, both)
            best = 0.0
            for i in range(many):
                best = max(best, total[touched[i]])
        elif dense:
            _of_all(records, postings, common, least, (total, now, product))
            best = highest(total)
        else:
            if least > 0:
                many = _score(records, postings, least, (total, now, product), (touched, seen))
            else:
                many = _add(records, postings, total, touched)
            best = 0.0
            for i in range(many):
                best = max(best, total[touched[i]])
        if best > 0:
            bar, tied = best * (1 - close), 0
            for i in range(many):
                person = i if dense else touched[i]
                if total[person] >= bar:
                    seen[tied] = person
                    tied += 1
            place((target, target), best, (total, seen[:tied], 0), close, sizes, own, bits, out)
        if dense:
            total[:] = 0.0
            continue
        for i in range(many):
            total[touched[i]] = 0.0


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
            if total[person] == 0.0 and product[person] == 1.0:
                touched[many] = person
                many += 1
            product[person] *= now[person] * scale + 1
            now[person] = 0.0
        if r % _RECORDS == _RECORDS - 1 or r == records.shape[0] - 1:
            for i in range(many):
                if product[touched[i]] != 1.0:
                    total[touched[i]] += np.log(product[touched[i]])
                    product[touched[i]] = 1.0
    return many


@compiled
def _of_all(
    records: People,
    postings: tuple[Integers, People, Floats],
    common: tuple[People, Floats],
    least: float,
    sums: tuple[Floats, Floats, Floats],
) -> None:
    """Add up the same for everybody at once; what a person does not hold adds nothing, so sums are equal."""
    total, now, product = sums
    people, scale = len(total), 0.0 if least == 0.0 else 1 / (records.shape[1] * least)
    for r in range(records.shape[0]):
        for g in range(records.shape[1]):
            _onto(total if least == 0.0 else now, records[r, g], postings, common)
        if least == 0.0:
            continue
        for person in range(people):
            product[person] *= now[person] * scale + 1
            now[person] = 0.0
        if r % _RECORDS == _RECORDS - 1 or r == records.shape[0] - 1:
            for person in range(people):
                if product[person] != 1.0:
                    total[person] += np.log(product[person])
                    product[person] = 1.0


@compiled
def _onto(
    sums: Floats, key: int, postings: tuple[Integers, People, Floats], common: tuple[People, Floats]
) -> None:
    """Add what everybody holds of a key: a row of those that many have, else the list of its holders."""
    starts, holders, held = postings
    rows, values = common
    if rows[key] >= 0:
        row = values[rows[key]]
        for person in range(len(sums)):
            sums[person] += row[person]
        return
    for p in range(starts[key], starts[key + 1]):
        sums[holders[p]] += held[p]


@compiled
def in_rows(postings: tuple[Integers, People, Floats], people: int, least: int) -> tuple[People, Floats]:
    """Return what everybody holds of the keys that so many have, as rows, and the row of every key or -1."""
    starts, holders, held = postings
    rows, count = np.full(len(starts) - 1, -1, np.int32), 0
    for key in range(len(rows)):
        if starts[key + 1] - starts[key] >= least:
            rows[key] = count
            count += 1
    values = np.zeros((count, people))
    for key in range(len(rows)):
        if rows[key] >= 0:
            for p in range(starts[key], starts[key + 1]):
                values[rows[key], holders[p]] = held[p]
    return rows, values
