"""Adding up records that were worked out once for everybody; compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled
from kakurenbo.kernels.scan.best import ROUNDED, highest, place

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    People = npt.NDArray[np.int32]
    Bits = npt.NDArray[np.uint64]


@compiled
def by_records(
    known: tuple[Integers, Integers, Integers],
    records: tuple[People, People, Integers],
    postings: tuple[Integers, People, Floats],
    least: float,
    close: float,
    sizes: Floats,
    own: tuple[Integers, Integers],
    bits: tuple[Bits, Bits],
    reached: Floats,
    width: int,
    first: int,
    last: int,
    out: tuple[Floats, Floats, Integers, Integers, Bits, Bits],
) -> None:
    """Write who of people first..last fits every target best, where many targets know the same records.

    What each distinct record counts for each of a few people is worked out once and lies in the cache; then
    a target only adds up the rows of his. Row t of `out` is about target whose[t], who knows the records
    numbers[bounds[t]:bounds[t+1]], as `records.shared` lays them out. Where somebody is known to score
    reached[t], few people are looked at whose best values together are less.
    """
    bounds, numbers, whose = known
    starts, holders, _ = postings
    values, total = np.empty((len(records[2]), width)), np.empty(width)
    most, seen = np.empty(len(records[2])), np.empty(width, np.int32)
    bases, begin = room(len(records[0]), width), beginnings(starts, holders, first)
    for shift in range(first, last, width):
        many = min(width, last - shift)
        worth(records, postings, least, begin, shift, many, values, most, bases)
        for target in range(len(bounds) - 1):
            mine = numbers[bounds[target] : bounds[target + 1]]
            if at_most(mine, most) < reached[target] * (1 - close) * ROUNDED:
                continue
            add_rows(mine, values, total)
            best = highest(total[:many])
            if best > 0:
                bar, tied = best * (1 - close), 0
                for i in range(many):
                    if total[i] >= bar:
                        seen[tied] = i
                        tied += 1
                here = (total[:many], seen[:tied], shift)
                place((target, whose[target]), best, here, close, sizes, own, bits, out)


@compiled
def beginnings(starts: Integers, holders: People, first: int) -> Integers:
    """Return where in each key's list those from this person on begin."""
    begin = np.empty(len(starts) - 1, np.int64)
    for key in range(len(begin)):
        begin[key] = starts[key] + np.searchsorted(holders[starts[key] : starts[key + 1]], first)
    return begin


@compiled
def at_most(records: Integers, most: Floats) -> float:
    """Return what nobody can score more than, given the most of every record."""
    could = 0.0
    for record in records:
        could += most[record]
    return could


@compiled
def add_rows(records: Integers, values: Floats, total: Floats) -> None:
    """Add up what these records count for everybody."""
    total[:] = 0.0
    for record in records:
        row = values[record]
        for i in range(len(total)):
            total[i] += row[i]


@compiled
def worth(
    records: tuple[People, People, Integers],
    postings: tuple[Integers, People, Floats],
    least: float,
    begin: Integers,
    shift: int,
    many: int,
    values: Floats,
    most: Floats,
    bases: tuple[Floats, Floats],
) -> None:
    """Work out what every record counts for so many people from shift on, and move the beginnings on.

    `most` gets what each counts at most. Records are those of `records.shared`: what they have in common is
    worked out once, in the room of `bases`, and only for who holds more of a record is it worked out again.
    """
    coarse, fine, which = records
    sums, logarithms = bases
    scale = 1 / ((coarse.shape[1] + fine.shape[1]) * least)
    end = _ends(begin, postings, shift + many)
    tops = _in_common(coarse, postings, (begin, end), (shift, many), scale, bases)
    now, seen = np.zeros(many), np.empty(many, np.int64)
    _, holders, held = postings
    for record in range(len(fine)):
        values[record] = logarithms[which[record]]
        count, best = 0, tops[which[record]]
        for key in fine[record]:
            if key < 0:
                continue
            for p in range(begin[key], end[key]):
                i = holders[p] - shift
                if now[i] == 0.0:
                    seen[count] = i
                    count += 1
                now[i] += held[p]
        for i in seen[:count]:
            values[record, i] = np.log((sums[which[record], i] + now[i]) * scale + 1)
            best = max(best, values[record, i])
            now[i] = 0.0
        most[record] = best
    begin[:] = end


@compiled
def _in_common(
    coarse: People,
    postings: tuple[Integers, People, Floats],
    stretches: tuple[Integers, Integers],
    people: tuple[int, int],
    scale: float,
    bases: tuple[Floats, Floats],
) -> Floats:
    """Work out sums and logarithms of what records have in common; return the most that each counts."""
    (begin, end), (shift, many), (sums, logarithms) = stretches, people, bases
    sums[:] = 0.0
    tops = np.empty(len(coarse))
    for base in range(len(coarse)):
        row = sums[base]
        for key in coarse[base]:
            if key >= 0:
                _onto(row, begin[key], end[key], postings, shift)
        for i in range(many):
            logarithms[base, i] = np.log(row[i] * scale + 1) if row[i] != 0.0 else 0.0
        tops[base] = highest(logarithms[base, :many])
    return tops


@compiled
def _ends(begin: Integers, postings: tuple[Integers, People, Floats], until: int) -> Integers:
    """Return where in each key's list those from this person on begin, given where to look from."""
    starts, holders, _ = postings
    end = np.empty_like(begin)
    for key in range(len(begin)):
        at = begin[key]
        while at < starts[key + 1] and holders[at] < until:
            at += 1
        end[key] = at
    return end


@compiled
def _onto(row: Floats, first: int, last: int, postings: tuple[Integers, People, Floats], shift: int) -> None:
    """Add what a stretch of a list is held to the people of a row."""
    for p in range(first, last):
        row[postings[1][p] - shift] += postings[2][p]


@compiled
def room(bases: int, width: int) -> tuple[Floats, Floats]:
    """Return room for what records have in common, of so many people; zeros beyond the last of them."""
    return np.zeros((bases, width)), np.zeros((bases, width))
