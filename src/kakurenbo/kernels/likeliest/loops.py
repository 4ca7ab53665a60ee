"""The compiled loops behind `kernels.likeliest`: list after list, or record after record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled
from kakurenbo.kernels.scan.best import ROUNDED, highest
from kakurenbo.kernels.scan.by_records import add_rows, at_most, beginnings, room, worth

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    People = npt.NDArray[np.int32]

CLOSE = 1e-9  # two sums of logarithms this close, relatively, are a tie
_LARGE = 1e200  # a product that is turned into its logarithm before it can overflow


@compiled
def search(
    bounds: Integers,
    keys: Integers,
    postings: tuple[Integers, People, Floats],
    people: int,
    least: float,
) -> tuple[Integers, People, Floats]:
    """Return (counts, who, score) of the likeliest released people of every target.

    Target t knows the records bounds[t]:bounds[t+1], whose keys are rows of `keys`, -1 for none. Key c is
    held by people[starts[c]:starts[c+1]], each with that share of his records. Where `least` is 0, what is
    held is added up as it is.
    """
    targets = len(bounds) - 1
    counts, scores = np.zeros(targets, np.int64), np.zeros(targets)
    who = np.empty(max(targets, 16), np.int32)
    total, now, product = np.zeros(people), np.zeros(people), np.zeros(people)
    touched, seen = np.empty(people, np.int32), np.empty(people, np.int32)
    used = 0
    for target in range(targets):
        records = keys[bounds[target] : bounds[target + 1]]
        if least > 0:
            many = _score(records, postings, least, (total, now, product), (touched, seen))
        else:
            many = _add(records, postings, total, touched)
        best = 0.0
        for i in range(many):
            best = max(best, total[touched[i]])
        for i in range(many):
            if total[touched[i]] >= best * (1 - CLOSE):
                if used == len(who):
                    who = np.concatenate((who, np.empty(len(who), np.int32)))
                who[used] = touched[i]
                used += 1
                counts[target] += 1
        scores[target] = best
        for i in range(many):
            total[touched[i]] = 0.0
    return counts, who[:used], scores


@compiled
def _add(records: Integers, postings: tuple[Integers, People, Floats], total: Floats, touched: People) -> int:
    """Add up for everybody what he holds of these records' keys; return how many hold any."""
    starts, holders, shares = postings
    many = 0
    for r in range(len(records)):
        for g in range(records.shape[1]):
            key = records[r, g]
            if key < 0:
                continue
            for p in range(starts[key], starts[key + 1]):
                if total[holders[p]] == 0.0:
                    touched[many] = holders[p]
                    many += 1
                total[holders[p]] += shares[p]
    return many


@compiled
def _score(
    records: Integers,
    postings: tuple[Integers, People, Floats],
    least: float,
    sums: tuple[Floats, Floats, Floats],
    people: tuple[People, People],
) -> int:
    """Add up for everybody who matches a record by how much its logarithm lies above that of no match.

    `total` gets the sums of the people in touched[:many]; many is returned. Ratios are multiplied, and the
    logarithm is taken of the product.
    """
    starts, holders, shares = postings
    total, now, product = sums
    touched, seen = people
    many, scale = 0, 1 / (records.shape[1] * least)
    for r in range(len(records)):
        count = 0
        for g in range(records.shape[1]):
            key = records[r, g]
            if key < 0:
                continue
            for p in range(starts[key], starts[key + 1]):
                if now[holders[p]] == 0.0:
                    seen[count] = holders[p]
                    count += 1
                now[holders[p]] += shares[p]
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


@compiled
def search_by_records(
    known: tuple[Integers, Integers],
    records: tuple[People, People, Integers],
    postings: tuple[Integers, People, Floats],
    least: float,
    width: int,
    first: int,
    last: int,
) -> tuple[Floats, Integers, People, Floats]:
    """Return the best score of every target among people first..last, and (target, who, score) of the best.

    What each different record counts for each of a few people is worked out once and lies in the cache; a
    target only adds up the rows of his, numbers[bounds[t]:bounds[t+1]]; see `scan.records.shared` for
    records. Who was the best for a while may still be among them.
    """
    bounds, numbers = known
    starts, holders, _ = postings
    count = len(records[2])
    values, total, most = np.empty((count, width)), np.empty(width), np.empty(count)
    best, used = np.zeros(len(bounds) - 1), 0
    which, who = np.empty(len(bounds) + 15, np.int64), np.empty(len(bounds) + 15, np.int32)
    scores = np.empty(len(bounds) + 15)
    bases, begin = room(len(records[0]), width), beginnings(starts, holders, first)
    for shift in range(first, last, width):
        many = min(width, last - shift)
        worth(records, postings, least, begin, shift, many, values, most, bases)
        for target in range(len(best)):
            mine = numbers[bounds[target] : bounds[target + 1]]
            if at_most(mine, most) < best[target] * (1 - CLOSE) * ROUNDED:
                continue
            add_rows(mine, values, total)
            best[target] = max(best[target], highest(total[:many]))
            if best[target] == 0.0:
                continue
            for i in range(many):
                if total[i] >= best[target] * (1 - CLOSE):
                    if used == len(who):
                        which, who = np.append(which, which), np.append(who, who)
                        scores = np.append(scores, scores)
                    which[used], who[used], scores[used] = target, shift + i, total[i]
                    used += 1
    return best, which[:used].copy(), who[:used].copy(), scores[:used].copy()
