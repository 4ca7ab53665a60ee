"""The compiled loops behind `kernels.agreement`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.compiled import compiled

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]
    People = npt.NDArray[np.int32]
    Side = tuple[Integers, Floats]
    Held = tuple[Integers, People, Floats, Floats]
    Told = tuple[Floats, Floats, Floats]
    Room = tuple[Floats, Floats, Floats, People, People]

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
def met(one: Floats, block: int, held: Held, told: tuple[Floats, Floats], here: Floats) -> float:
    """Add the weight of every unit in a block to whose it is; return the sum of all."""
    starts, holders, _, features = held
    steps, weights = told
    mass = 0.0
    for place in range(starts[block], starts[block + 1]):
        gain = weight(one, features[place], steps, weights)
        mass += gain
        here[holders[place]] += gain
    return mass


@compiled
def score(first: int, last: int, known: Side, held: Held, told: Told, room: Room) -> int:
    """Add up, for everybody who agrees with one of these units, log(1 + odds x likelihood ratio).

    The ratio of a unit and a person is the mean weight over his units, divided by that over all units; where
    units are compared in several blockings, the ratios are added up by their odds. `total` gets the sums of
    the people in touched[:many]; many is returned.
    """
    blocks, values = known
    starts, holders, lengths, _ = held
    steps, weights, odds = told
    total, now, here, touched, seen = room
    many, everybody = 0, lengths.sum()
    for unit in range(first, last):
        count = 0
        for way in range(blocks.shape[1]):
            block = blocks[unit, way]
            if block < 0:
                continue
            mass = met(values[unit], block, held, (steps, weights[way]), here)
            for place in range(starts[block], starts[block + 1]):
                person = holders[place]
                if here[person] > 0.0:
                    if now[person] == 0.0:
                        seen[count] = person
                        count += 1
                    now[person] += odds[way] * everybody / mass * here[person] / lengths[person]
                    here[person] = 0.0
        for i in range(count):
            person = seen[i]
            if total[person] == 0.0:
                touched[many] = person
                many += 1
            total[person] += np.log1p(now[person])
            now[person] = 0.0
    return many


@compiled
def made(people: int) -> Room:
    """Return room for the sums over so many people."""
    return (
        np.zeros(people), np.zeros(people), np.zeros(people),
        np.empty(people, np.int32), np.empty(people, np.int32),
    )  # fmt: skip


@compiled
def search(bounds: Integers, known: Side, held: Held, told: Told) -> tuple[Integers, People, Floats, Floats]:
    """Return (counts, who, score, surety) of the people who agree best with every target.

    The surety is the chance of the best, all people being alike before: his part of all likelihoods.
    """
    targets, people = len(bounds) - 1, len(held[2])
    counts, scores, surety = np.zeros(targets, np.int64), np.zeros(targets), np.zeros(targets)
    who = np.empty(max(targets, 16), np.int32)
    room = made(people)
    total, touched, used = room[0], room[3], 0
    for target in range(targets):
        many = score(bounds[target], bounds[target + 1], known, held, told, room)
        best = 0.0
        for i in range(many):
            best = max(best, total[touched[i]])
        mass = (people - many) * np.exp(-best)
        for i in range(many):
            mass += np.exp(total[touched[i]] - best)
            if total[touched[i]] >= best * (1 - CLOSE):
                if used == len(who):
                    who = np.concatenate((who, np.empty(len(who), np.int32)))
                who[used] = touched[i]
                used += 1
                counts[target] += 1
        scores[target], surety[target] = best, 1 / mass
        for i in range(many):
            total[touched[i]] = 0.0
    return counts, who[:used], scores, surety


@compiled
def everybody(bounds: Integers, known: Side, held: Held, told: Told, out: Floats) -> None:
    """Write how well every target agrees with every person: targets x people."""
    room = made(len(held[2]))
    total, touched = room[0], room[3]
    for target in range(len(bounds) - 1):
        many = score(bounds[target], bounds[target + 1], known, held, told, room)
        for i in range(many):
            out[target, touched[i]] = total[touched[i]]
            total[touched[i]] = 0.0


@compiled
def gaps(one: Floats, other: Floats, steps: Floats, amount: float, counts: Floats) -> None:
    """Count at which levels two units agree."""
    for feature in range(steps.shape[0]):
        counts[feature, level(one[feature] - other[feature], steps[feature])] += amount


@compiled
def shown(
    unit: int, person: int, known: Side, held: Held, told: Told, sums: tuple[Floats, Floats, Floats]
) -> None:
    """Fill in, blocking by blocking, the likelihood ratio of a unit and a person, and his weight in it.

    `apart` counts at which levels the unit agrees with anybody's in its block.
    """
    blocks, values = known
    starts, holders, lengths, features = held
    steps, weights, odds = told
    ratio, mine, apart = sums
    for way in range(len(odds)):
        ratio[way], mine[way], mass = 0.0, 0.0, 0.0
        block = blocks[unit, way]
        if block < 0:
            continue
        for place in range(starts[block], starts[block + 1]):
            gain = weight(values[unit], features[place], steps, weights[way])
            mass += gain
            if holders[place] == person:
                mine[way] += gain
            gaps(values[unit], features[place], steps, 1.0, apart[way])
        if mass > 0.0:
            ratio[way] = odds[way] * mine[way] / lengths[person] * lengths.sum() / mass


@compiled
def tally(
    bounds: Integers, best: Integers, surety: Floats, known: Side, held: Held, told: Told
) -> tuple[Floats, Floats, Floats]:
    """Return (agreed, apart, shares): at which levels units of one person agree, and those of anybody.

    Target t is taken to be best[t] with some surety. Of each of his units every unit of that person in its
    block is the same by its weight, and none of them is by 1. `shares` counts units by the blocking in which
    they were met, at the end those met in none.
    """
    blocks, values = known
    starts, holders, _, features = held
    steps, weights, _ = told
    agreed, apart = np.zeros(weights.shape), np.zeros(weights.shape)
    ways = len(weights)
    shares, ratio, mine = np.zeros(ways + 1), np.zeros(ways), np.zeros(ways)
    for target in range(len(bounds) - 1):
        if surety[target] == 0.0:
            continue
        for unit in range(bounds[target], bounds[target + 1]):
            shown(unit, best[target], known, held, told, (ratio, mine, apart))
            sure = surety[target] / (1.0 + ratio.sum())
            shares[ways] += sure
            shares[:ways] += sure * ratio
            for way in range(ways):
                if mine[way] == 0.0:
                    continue
                block = blocks[unit, way]
                for place in range(starts[block], starts[block + 1]):
                    if holders[place] == best[target]:
                        gain = weight(values[unit], features[place], steps, weights[way])
                        part = sure * ratio[way] * gain / mine[way]
                        gaps(values[unit], features[place], steps, part, agreed[way])
    return agreed, apart, shares
