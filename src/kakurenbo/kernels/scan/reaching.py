"""Adding up keys for those alone who can reach a score that somebody is known to have; compiled."""

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
    Lists = tuple[Integers, People, Floats]
    Rows = tuple[People, Bits]

_LOOKED_FOR = 12  # holders that are gone through in a list while somebody is looked for in it
_SEVERAL = 2  # keys that all must hold; the holders of one alone are met anyhow
_WORD = 64  # people in a word of bits
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)  # its 64 stretches of six bits all differ: they tell a bit's place
_PLACE = np.empty(_WORD, np.int64)
_PLACE[(np.uint64(1) << np.arange(_WORD, dtype=np.uint64)) * _DE_BRUIJN >> np.uint64(58)] = np.arange(_WORD)


@compiled
def reaching(
    keys: People,
    postings: Lists,
    ends: tuple[Floats, Floats],
    rows: Rows,
    bar: float,
    total: Floats,
    touched: People,
    both: Bits,
) -> int:
    """Add up what everybody holds of these keys who can reach the bar; return how many do, in `touched`.

    Rare keys should come first. A key without which nobody reaches the bar is held by all who do: where there
    are several, only those who hold all of them are looked at. Else people are taken from lists as long as
    all that is left could lift a newcomer to the bar (as MaxScore does in text search). Sums are made in the
    order of the keys either way. The totals of all others are 0 again.

    Args:
        keys: what is known of a target.
        postings: who holds each key, and what that counts.
        ends: the least and the most that anybody holds of each key who holds it.
        rows: who holds the keys that many have, as bits; see `in_bits`.
        bar: the score to be reached.
        total: of everybody, all 0.
        touched: room for everybody.
        both: room for a row of bits.
    """
    rest = np.zeros(len(keys) + 1)
    for i in range(len(keys) - 1, -1, -1):
        rest[i] = rest[i + 1] + ends[1][keys[i]]
    if rest[0] < bar:
        return 0
    spare = rest[0] - bar
    many = _holding(keys, postings, ends[1], rows, spare, touched, both)
    if many >= 0:
        return _summed(keys, postings, ends, rest, bar, total, touched, many)
    return _met(keys, postings, rest, bar, total, touched)


@compiled
def _holding(
    keys: People, postings: Lists, most: Floats, rows: Rows, spare: float, touched: People, both: Bits
) -> int:
    """Find who holds all keys that count for more than can be spared, ascending; -1 where these are few."""
    starts, holders, _ = postings
    rarest, fewest, needed = -1, len(touched) + 1, 0
    for key in keys:
        if most[key] > spare:
            needed += 1
            if starts[key + 1] - starts[key] < fewest:
                rarest, fewest = key, starts[key + 1] - starts[key]
    if needed < _SEVERAL:
        return -1
    if rows[0][rarest] >= 0:  # so have all others, which more people hold
        both[:] = rows[1][rows[0][rarest]]
        for key in keys:
            if most[key] > spare:
                both &= rows[1][rows[0][key]]
        return _listed(both, touched)
    many = fewest
    touched[:many] = holders[starts[rarest] : starts[rarest + 1]]
    for key in keys:
        if most[key] > spare and key != rarest:
            many = _holders(key, postings, rows, touched, many)
    return many


@compiled
def _holders(key: int, postings: Lists, rows: Rows, touched: People, many: int) -> int:
    """Keep those who hold a key; return how many."""
    kept = 0
    for i in range(many):
        if _holds(touched[i], key, postings, rows):
            touched[kept] = touched[i]
            kept += 1
    return kept


@compiled
def _listed(both: Bits, touched: People) -> int:
    """List the people whose bits are set, ascending; return how many."""
    many = 0
    for word in range(len(both)):
        left = both[word]
        while left:
            lowest = left & (~left + np.uint64(1))
            touched[many] = word * _WORD + _PLACE[(lowest * _DE_BRUIJN) >> np.uint64(58)]
            many += 1
            left ^= lowest
    return many


@compiled
def _holds(person: int, key: int, postings: Lists, rows: Rows) -> bool:
    """Whether a person holds a key."""
    row = rows[0][key]
    if row >= 0:
        word = rows[1][row, person // _WORD]
        return bool((word >> np.uint64(person % _WORD)) & np.uint64(1))
    return _at(person, key, postings) >= 0


@compiled
def _at(person: int, key: int, postings: Lists) -> int:
    """Return where a person stands in the list of a key, -1 where he does not hold it."""
    starts, holders, _ = postings
    begin, end = starts[key], starts[key + 1]
    p = begin + np.searchsorted(holders[begin:end], person)
    return p if p < end and holders[p] == person else -1


@compiled
def _summed(
    keys: People,
    postings: Lists,
    ends: tuple[Floats, Floats],
    rest: Floats,
    bar: float,
    total: Floats,
    touched: People,
    many: int,
) -> int:
    """Add up what these people hold, who ascend; return how many reach the bar."""
    spare, first, sure = rest[0] - bar, 0, 0.0
    while first < len(keys) and ends[1][keys[first]] > spare and ends[0][keys[first]] == ends[1][keys[first]]:
        sure += ends[1][keys[first]]  # which all of them hold, and as much of it
        first += 1
    for j in range(many):
        total[touched[j]] = sure
    for i in range(first, len(keys)):
        many = _left(bar - rest[i], total, touched, many)
        _onto(keys[i], postings, total, touched[:many])
    return _left(bar, total, touched, many)


@compiled
def _onto(key: int, postings: Lists, total: Floats, people: People) -> None:
    """Add what these people, who ascend, hold of a key."""
    starts, holders, held = postings
    begin, end = starts[key], starts[key + 1]
    if len(people) * _LOOKED_FOR < end - begin:
        for person in people:
            p = _at(person, key, postings)
            if p >= 0:
                total[person] += held[p]
        return
    j = 0
    for p in range(begin, end):
        while j < len(people) and people[j] < holders[p]:
            j += 1
        if j < len(people) and people[j] == holders[p]:
            total[people[j]] += held[p]


@compiled
def _met(keys: People, postings: Lists, rest: Floats, bar: float, total: Floats, touched: People) -> int:
    """Add up what those hold who are met while a newcomer could reach the bar; return how many reach it."""
    starts, holders, held = postings
    many = 0
    for i in range(len(keys)):
        begin, end = starts[keys[i]], starts[keys[i] + 1]
        if rest[i] >= bar:
            for p in range(begin, end):
                person = holders[p]
                if total[person] == 0.0:
                    touched[many] = person
                    many += 1
                total[person] += held[p]
            continue
        many = _left(bar - rest[i], total, touched, many)
        if many * _LOOKED_FOR < end - begin:
            for j in range(many):
                p = _at(touched[j], keys[i], postings)
                if p >= 0:
                    total[touched[j]] += held[p]
            continue
        for p in range(begin, end):
            person = holders[p]
            if total[person] != 0.0:
                total[person] += held[p]
    return _left(bar, total, touched, many)


@compiled
def _left(bar: float, total: Floats, touched: People, many: int) -> int:
    """Keep those who are not below the bar; return how many."""
    kept = 0
    for i in range(many):
        person = touched[i]
        if total[person] >= bar:
            touched[kept] = person
            kept += 1
        else:
            total[person] = 0.0
    return kept


@compiled
def held_between(postings: Lists) -> tuple[Floats, Floats]:
    """Return the least and the most that anybody holds of each key who holds it; 0 where nobody does."""
    starts, _, held = postings
    low, most = np.zeros(len(starts) - 1), np.zeros(len(starts) - 1)
    for key in range(len(most)):
        for p in range(starts[key], starts[key + 1]):
            most[key] = max(most[key], held[p])
            low[key] = held[p] if p == starts[key] else min(low[key], held[p])
    return low, most


@compiled
def in_bits(postings: Lists, people: int) -> Rows:
    """Return the row of every key or -1, and rows of bits that say who holds the keys that many have.

    Those have one that one person in 64 holds: all rows take no more room than the lists.
    """
    starts, holders, _ = postings
    words = people // _WORD + 1
    rows, count = np.full(len(starts) - 1, -1, np.int32), 0
    for key in range(len(rows)):
        if starts[key + 1] - starts[key] >= words:
            rows[key] = count
            count += 1
    bits = np.zeros((count, words), np.uint64)
    for key in range(len(rows)):
        if rows[key] >= 0:
            for person in holders[starts[key] : starts[key + 1]]:
                bits[rows[key], person // _WORD] |= np.uint64(1) << np.uint64(person % _WORD)
    return rows, bits


@compiled
def own_scores(
    known: tuple[Integers, People],
    postings: Lists,
    least: float,
    own: tuple[Integers, Integers],
) -> Floats:
    """Return what the best of every target's own scores for him, 0 where there is none."""
    (bounds, keys), held = known, postings[2]
    scores, scale = np.zeros(len(bounds) - 1), 0.0 if least == 0.0 else 1 / (keys.shape[1] * least)
    for target in range(len(scores)):
        for i in range(own[0][target], own[0][target + 1]):
            score = 0.0
            for r in range(bounds[target], bounds[target + 1]):
                record = 0.0
                for key in keys[r]:
                    p = _at(own[1][i], key, postings)
                    if p >= 0:
                        record += held[p]
                score += record if least == 0.0 else np.log(record * scale + 1)
            scores[target] = max(scores[target], score)
    return scores
