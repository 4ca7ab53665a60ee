"""The compiled loops behind `kernels.agreement`.

Units are laid out so that nothing equal is compared twice: targets name the distinct units they have, and the
candidates' units of a block stand in cells of equal values, with a count for everybody who has some.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    People = npt.NDArray[np.int32]
    Distinct = tuple[Integers, Floats]  # blocks, values
    Cells = tuple[
        Integers, Floats, Integers, People, Floats, Floats, float
    ]  # starts, values, bounds, who, counts, lengths, total
    Levels = tuple[Floats, Floats, Floats]  # steps, weights, odds
    Table = tuple[Integers, People, Floats]  # bounds, who, gains

CLOSE = 1e-9  # two sums of logarithms this close, relatively, are a tie


@compiled
def level(difference: float, steps: Floats) -> int:
    """Return the first step that a difference does not exceed; the number of steps where it exceeds all."""
    size = abs(difference)
    for place in range(len(steps)):
        if size <= steps[place]:
            return place
    return len(steps)


@compiled
def weight(one: Floats, other: Floats, steps: Floats, weights: Floats) -> float:
    """Return how much likelier two units agree so far if they are one than if not, all features together."""
    product = 1.0
    for feature in range(steps.shape[0]):
        product *= weights[feature, level(one[feature] - other[feature], steps[feature])]
    return product


@compiled
def masses(units: Integers, distinct: Distinct, cells: Cells, levels: Levels) -> Floats:
    """Return the weight of all units that agree with each of these, blocking by blocking."""
    blocks, values = distinct
    starts, cell_values, bounds, _, counts, _, _ = cells
    steps, weights, _ = levels
    made = np.zeros((len(units), blocks.shape[1]))
    for place in range(len(units)):
        for way in range(blocks.shape[1]):
            block = blocks[units[place], way]
            if block < 0:
                continue
            for cell in range(starts[block], starts[block + 1]):
                size = counts[bounds[cell] : bounds[cell + 1]].sum()
                gain = weight(values[units[place]], cell_values[cell], steps, weights[way])
                made[place, way] += gain * size
    return made


@compiled
def add_ratios(
    unit: int, distinct: Distinct, cells: Cells, levels: Levels, known: Floats, sums: tuple[Floats, Floats],
    seen: People,
) -> int:  # fmt: skip
    """Add up the ratios of everybody who agrees with a unit, each blocking's by its odds; return how many do.

    The ratio of a unit and a person is the mean weight over the person's units, divided by that over all
    units, whose sum may be known beforehand, `known[unit, way]`, or is taken here. `sums[0]` gets the ratios
    of the people in seen[:count]; `sums[1]` is room, all zeros.
    """
    blocks, values = distinct
    starts, cell_values, bounds, who, counts, lengths, everybody = cells
    steps, weights, odds = levels
    ratio, here = sums
    count = 0
    for way in range(blocks.shape[1]):
        block = blocks[unit, way]
        if block < 0:
            continue
        mass = 0.0
        for cell in range(starts[block], starts[block + 1]):
            gain = weight(values[unit], cell_values[cell], steps, weights[way])
            for place in range(bounds[cell], bounds[cell + 1]):
                mass += gain * counts[place]
                here[who[place]] += gain * counts[place]
        if len(known):
            mass = known[unit, way]
        for place in range(bounds[starts[block]], bounds[starts[block + 1]]):
            person = who[place]
            if here[person] > 0.0:
                if ratio[person] == 0.0:
                    seen[count] = person
                    count += 1
                ratio[person] += odds[way] * everybody / mass * here[person] / lengths[person]
                here[person] = 0.0
    return count


@compiled
def gains(
    units: Integers, distinct: Distinct, cells: Cells, levels: Levels, known: Floats
) -> tuple[Integers, People, Floats]:
    """Return (counts, who, gain): for each of these units log(1 + ratio) of everybody who agrees with it."""
    people = len(cells[5])
    ratio, here, seen = np.zeros(people), np.zeros(people), np.empty(people, np.int32)
    counts, used = np.zeros(len(units), np.int64), 0
    who, gain = np.empty(1024, np.int32), np.empty(1024)
    for place in range(len(units)):
        count = add_ratios(units[place], distinct, cells, levels, known, (ratio, here), seen)
        while used + count > len(who):
            who = np.concatenate((who, np.empty_like(who)))
            gain = np.concatenate((gain, np.empty_like(gain)))
        for i in range(count):
            who[used + i] = seen[i]
            gain[used + i] = np.log1p(ratio[seen[i]])
            ratio[seen[i]] = 0.0
        counts[place] = count
        used += count
    return counts, who[:used], gain[:used]


@compiled
def cut(bounds: Integers, unit: Integers, sizes: Integers, room: int) -> Integers:
    """Return where to cut the targets so that the table of all units of a part has so much room, if it can.

    Args:
        bounds: target t has unit[bounds[t]:bounds[t+1]].
        unit: the distinct unit of each.
        sizes: how much room the row of each distinct unit takes.
        room: how much there is.
    """
    cuts, used = [0], 0
    part_of = np.full(len(sizes), -1, np.int64)
    for target in range(len(bounds) - 1):
        more = 0
        for place in range(bounds[target], bounds[target + 1]):
            if part_of[unit[place]] != len(cuts):
                part_of[unit[place]] = len(cuts)
                more += sizes[unit[place]]
        if used + more > room and target > cuts[-1]:
            cuts.append(target)
            used, more = 0, 0
            for place in range(bounds[target], bounds[target + 1]):
                if part_of[unit[place]] != len(cuts):
                    part_of[unit[place]] = len(cuts)
                    more += sizes[unit[place]]
        used += more
    cuts.append(len(bounds) - 1)
    return np.array(cuts)


@compiled
def best(
    bounds: Integers, unit: Integers, table: Table, people: int
) -> tuple[Integers, People, Floats, Floats]:
    """Return (counts, who, score, surety) of the people who agree best with every target.

    The surety is the chance of the best, all people being alike before: their part of all likelihoods.
    """
    rows, holders, gain = table
    targets = len(bounds) - 1
    counts, scores, surety = np.zeros(targets, np.int64), np.zeros(targets), np.zeros(targets)
    who, used = np.empty(max(targets, 16), np.int32), 0
    total, touched = np.zeros(people), np.empty(people, np.int32)
    for target in range(targets):
        many, highest = 0, 0.0
        for place in range(bounds[target], bounds[target + 1]):
            for row in range(rows[unit[place]], rows[unit[place] + 1]):
                person = holders[row]
                if total[person] == 0.0:
                    touched[many] = person
                    many += 1
                total[person] += gain[row]
        for i in range(many):
            highest = max(highest, total[touched[i]])
        mass = (people - many) * np.exp(-highest)
        for i in range(many):
            mass += np.exp(total[touched[i]] - highest)
            if total[touched[i]] >= highest * (1 - CLOSE):
                if used == len(who):
                    who = np.concatenate((who, np.empty_like(who)))
                who[used] = touched[i]
                used += 1
                counts[target] += 1
            total[touched[i]] = 0.0
        scores[target], surety[target] = highest, 1 / mass
    return counts, who[:used], scores, surety


@compiled
def totals(bounds: Integers, unit: Integers, table: Table, out: Floats) -> None:
    """Write how well every target agrees with every person: targets x people."""
    rows, holders, gain = table
    for target in range(len(bounds) - 1):
        for place in range(bounds[target], bounds[target + 1]):
            for row in range(rows[unit[place]], rows[unit[place] + 1]):
                out[target, holders[row]] += gain[row]


@compiled
def count_levels(one: Floats, other: Floats, steps: Floats, amount: float, counts: Floats) -> None:
    """Count at which levels two units agree."""
    for feature in range(steps.shape[0]):
        counts[feature, level(one[feature] - other[feature], steps[feature])] += amount


@compiled
def own_counts(person: int, block: int, cells: Cells, own: Floats) -> None:
    """Write how many units a person has in every cell of a block."""
    starts, _, bounds, who, counts, _, _ = cells
    for cell in range(starts[block], starts[block + 1]):
        own[cell - starts[block]] = 0.0
        for place in range(bounds[cell], bounds[cell + 1]):
            if who[place] == person:
                own[cell - starts[block]] = counts[place]


@compiled
def own_ratios(
    unit: int, person: int, distinct: Distinct, cells: Cells, levels: Levels,
    sums: tuple[Floats, Floats, Floats, Floats],
) -> None:  # fmt: skip
    """Fill in, blocking by blocking, the likelihood ratio of a unit and a person, and the person's weight.

    `apart` counts at which levels the unit agrees with anybody's in its block.
    """
    blocks, values = distinct
    starts, cell_values, bounds, _, counts, lengths, everybody = cells
    steps, weights, odds = levels
    ratio, mine, apart, own = sums
    for way in range(len(odds)):
        ratio[way], mine[way], mass = 0.0, 0.0, 0.0
        block = blocks[unit, way]
        if block < 0:
            continue
        own_counts(person, block, cells, own)
        for cell in range(starts[block], starts[block + 1]):
            gain = weight(values[unit], cell_values[cell], steps, weights[way])
            size = counts[bounds[cell] : bounds[cell + 1]].sum()
            mass += gain * size
            mine[way] += gain * own[cell - starts[block]]
            count_levels(values[unit], cell_values[cell], steps, size, apart[way])
        if mass > 0.0:
            ratio[way] = odds[way] * mine[way] / lengths[person] * everybody / mass


@compiled
def tally(
    bounds: Integers, unit: Integers, most_likely: Integers, surety: Floats, distinct: Distinct, cells: Cells,
    levels: Levels,
) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """Return (agreed, apart, shares): at which levels units of one person agree, and those of anybody.

    Target t is taken to be most_likely[t] with some surety. Of each of the target's units every unit of that
    person in its block is the same by its weight, and none of them is by 1. `shares` counts units by the
    blocking in which they were met, at the end those met in none.
    """
    blocks, values = distinct
    starts, cell_values = cells[0], cells[1]
    steps, weights, _ = levels
    agreed, apart = np.zeros(weights.shape), np.zeros(weights.shape)
    ways = len(weights)
    shares, ratio, mine = np.zeros(ways + 1), np.zeros(ways), np.zeros(ways)
    own = np.zeros(np.diff(starts).max()) if len(starts) > 1 else np.zeros(0)
    for target in range(len(bounds) - 1):
        if surety[target] == 0.0:
            continue
        for place in range(bounds[target], bounds[target + 1]):
            this = unit[place]
            own_ratios(this, most_likely[target], distinct, cells, levels, (ratio, mine, apart, own))
            sure = surety[target] / (1.0 + ratio.sum())
            shares[ways] += sure
            shares[:ways] += sure * ratio
            for way in range(ways):
                if mine[way] == 0.0:
                    continue
                block = blocks[this, way]
                own_counts(most_likely[target], block, cells, own)
                for cell in range(starts[block], starts[block + 1]):
                    count = own[cell - starts[block]]
                    if count > 0.0:
                        gain = count * weight(values[this], cell_values[cell], steps, weights[way])
                        part = sure * ratio[way] * gain / mine[way]
                        count_levels(values[this], cell_values[cell], steps, part, agreed[way])
    return agreed, apart, shares
