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
    records: People,
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
    numbers[bounds[t]:bounds[t+1]], each a row of `records`, which hold keys by grain. Where somebody is known
    to score reached[t], few people are looked at whose best values together are less.
    """
    bounds, numbers, whose = known
    starts, holders, _ = postings
    values, total = np.empty((len(records), width)), np.empty(width)
    most, seen = np.empty(len(records)), np.empty(width, np.int32)
    begin = beginnings(starts, holders, first)
    for shift in range(first, last, width):
        many = min(width, last - shift)
        worth(records, postings, least, begin, shift, many, values, most)
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
    records: People,
    postings: tuple[Integers, People, Floats],
    least: float,
    begin: Integers,
    shift: int,
    many: int,
    values: Floats,
    most: Floats,
) -> None:
    """Work out what every record counts for so many people from shift on, and move the beginnings on.

    `most` gets what each counts at most. Records are rows of keys by grain, -1 for none.
    """
    starts, holders, held = postings
    scale = 1 / (records.shape[1] * least)
    end = np.empty_like(begin)
    for key in range(len(begin)):
        at = begin[key]
        while at < starts[key + 1] and holders[at] < shift + many:
            at += 1
        end[key] = at
    values[:] = 0.0
    for record in range(len(records)):
        row = values[record]
        for g in range(records.shape[1]):
            key = records[record, g]
            if key < 0:
                continue
            for p in range(begin[key], end[key]):
                row[holders[p] - shift] += held[p]
        for i in range(many):
            if row[i] != 0.0:
                row[i] = np.log(row[i] * scale + 1)
        most[record] = highest(row)
    begin[:] = end
