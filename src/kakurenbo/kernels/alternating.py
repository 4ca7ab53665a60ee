"""Random draws among equally good assignments; compiled.

All best assignments consist of the same tight pairs, so they are the perfect matchings of one graph. Small
parts of it are listed. Elsewhere a walk leads from one assignment to another: a row gives up its column and
takes any of its columns at random; the row that had it looks for another one in the same way, and so on,
until one takes the column that was given up. The way back passes the same rows, each with as many columns to
choose from, so a walk is as likely as its reverse: in the long run all assignments come up equally often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bits = NDArray[np.uint64]
    Flags = NDArray[np.bool_]

_FEW = 6  # rows of a part of which all assignments are listed, if they are no more than draws
_MIXED = 16  # steps for each row before the first draw
_APART = 4  # a draw comes after so many times fewer walks
_LONGEST = 64  # steps for each row after which a walk is taken back
_STEP, _FIRST, _SECOND = (
    np.uint64(bits) for bits in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
_SHIFTS = np.array([30, 27, 31], np.uint64)


@compiled
def redraw(
    parts: tuple[Ints, Ints],
    choices: tuple[Ints, Ints, Ints],
    match: Ints,
    holder: Ints,
    state: Bits,
    draws: Ints,
) -> None:
    """Draw assignments part by part, where rows of one part never take columns of another.

    Args:
        parts: where each part begins in the rows that follow, and the rows, part by part.
        choices: where the columns of each row begin, where they end, and the columns that are tight with it.
        match: the column of each row, a perfect matching; changed.
        holder: the row of each column; changed.
        state: of the random numbers; changed.
        draws: draws x rows, where the columns are put.
    """
    begins, rows = parts
    taken = np.zeros(len(holder), np.bool_)
    for part in range(len(begins) - 1):
        members = rows[begins[part] : begins[part + 1]]
        if len(members) > _FEW or not _draw_listed(members, choices, taken, state, draws):
            _draw_walked(members, choices, match, holder, state, draws)


@compiled
def _draw_listed(
    members: Ints, choices: tuple[Ints, Ints, Ints], taken: Flags, state: Bits, draws: Ints
) -> bool:
    """Put every assignment of a part equally often, in random order; False where they exceed the draws."""
    listed = np.empty((len(draws), len(members)), np.int64)
    count = _list(members, choices, taken, listed)
    if not count:
        return False
    order, first = np.arange(len(draws)), _below(count, state)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, state)
        order[last], order[other] = order[other], order[last]
    for turn in range(len(order)):
        for place in range(len(members)):
            draws[order[turn], members[place]] = listed[(first + turn) % count, place]
    return True


@compiled
def _list(members: Ints, choices: tuple[Ints, Ints, Ints], taken: Flags, listed: Ints) -> int:
    """List the assignments of a part and return their number; 0 where there is no room for all of them."""
    begins, ends, columns = choices
    count, at, place = 0, begins[members], 0  # the column to be tried next at each place
    while place >= 0:
        if place < len(members) and at[place] < ends[members[place]]:
            column = columns[at[place]]
            at[place] += 1
            if not taken[column]:
                taken[column] = True
                place += 1
            continue
        if place < len(members):
            at[place] = begins[members[place]]
        elif count < len(listed):
            listed[count] = columns[at - 1]
            count += 1
        else:
            taken[columns[at - 1]] = False
            return 0
        place -= 1
        if place >= 0:
            taken[columns[at[place] - 1]] = False
    return count


@compiled
def _draw_walked(
    members: Ints,
    choices: tuple[Ints, Ints, Ints],
    match: Ints,
    holder: Ints,
    state: Bits,
    draws: Ints,
) -> None:
    """Walk until the first assignment is forgotten, then put one every few walks."""
    trail = np.empty((_LONGEST * len(members), 2), np.int64)
    walks, steps = 0, 0
    while steps < _MIXED * len(members):
        steps += _walk(members, choices, match, holder, state, trail)
        walks += 1
    for draw in range(len(draws)):
        for _ in range(max(1, walks // _APART)):
            _walk(members, choices, match, holder, state, trail)
        for row in members:
            draws[draw, row] = match[row]


@compiled
def _walk(
    members: Ints,
    choices: tuple[Ints, Ints, Ints],
    match: Ints,
    holder: Ints,
    state: Bits,
    trail: Ints,
) -> int:
    """Walk from a random row until its column is taken; return the number of steps."""
    begins, ends, columns = choices
    row = members[_below(len(members), state)]
    missing = match[row]
    for step in range(len(trail)):
        trail[step, 0], trail[step, 1] = row, match[row]
        column = columns[begins[row] + _below(ends[row] - begins[row], state)]
        former = holder[column]
        match[row], holder[column] = column, row
        if column == missing:
            return step + 1
        row = former
    for step in range(len(trail) - 1, -1, -1):
        row, column = trail[step, 0], trail[step, 1]
        match[row], holder[column] = column, row
    return len(trail)


@compiled
def _below(bound: int, state: Bits) -> int:
    """Return the next number of SplitMix64, below a bound."""
    state[0] += _STEP
    bits = state[0]
    bits = (bits ^ (bits >> _SHIFTS[0])) * _FIRST
    bits = (bits ^ (bits >> _SHIFTS[1])) * _SECOND
    return int((bits ^ (bits >> _SHIFTS[2])) % np.uint64(bound))
