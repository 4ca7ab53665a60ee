"""The compiled loops behind `kernels.likeliest`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

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
