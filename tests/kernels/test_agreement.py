"""Agreement against a slow obvious count, and levels that are learnt."""

import math

import numpy as np
import pytest

from kakurenbo.kernels.agreement import CandidateUnits, Comparison, Levels, TargetUnits, agreeing, learn
from kakurenbo.kernels.agreement import search as searching

STEPS = ((0.0, 1.0, 2.0), (0.0, 5.0, 50.0))


def made(rng, targets, people, blocks=4):
    """Return units of targets and of people at random, laid out by block, in two blockings."""
    bounds = np.concatenate([[0], np.cumsum(rng.integers(0, 5, targets))])
    sought = rng.integers(-1, blocks, (bounds[-1], 2)) + np.array([0, blocks])
    sought[sought < np.array([0, blocks])] = -1
    who = rng.integers(0, people, 40)
    block, values = rng.integers(0, blocks, (2, 40)), rng.integers(0, 9, (40, 2)).astype(float)
    orders = [np.argsort(one, kind="stable") for one in block]
    sizes = np.concatenate([np.bincount(one, minlength=blocks) for one in block])
    places = np.concatenate(orders)
    held = (
        np.repeat(np.arange(len(sizes)), sizes), who[places].astype(np.int32), values[places],
        np.bincount(who, minlength=people).astype(float), len(sizes),
    )  # fmt: skip
    return (bounds, sought, rng.integers(0, 9, (bounds[-1], 2)).astype(float)), held


def level(difference, steps):
    return next((place for place, step in enumerate(steps) if abs(difference) <= step), len(steps))


def slow(sought, held, levels, target, person):
    """Return the sum over the target's units of log(1 + odds x likelihood ratio), in plain words."""
    total, (bounds, blocks, known), (where, who, shown, lengths, _) = 0.0, sought, held
    for unit in range(bounds[target], bounds[target + 1]):
        ratio = 0.0
        for way, block in enumerate(blocks[unit]):
            if block < 0:
                continue
            weights = {
                place: math.prod(
                    levels.weights[way, f, level(known[unit, f] - shown[place, f], steps)]
                    for f, steps in enumerate(levels.steps)
                )
                for place in np.flatnonzero(where == block)
            }
            everybody = sum(weights.values())
            mine = sum(weight for place, weight in weights.items() if who[place] == person)
            if mine:
                mean = mine / lengths[person]
                ratio += levels.odds[way] * mean / (everybody / lengths.sum())
        total += math.log1p(ratio)
    return total


@pytest.mark.parametrize("room", [1, 40, 10**6])
@pytest.mark.parametrize("seed", range(5))
def test_likelihoods_are_what_a_slow_count_says(seed, room, monkeypatch):
    """However few of the gains are held at once, and whether equal units are worked out once or not."""
    monkeypatch.setattr(searching, "_ROOM", room)
    rng = np.random.default_rng(seed)
    sought, held = made(rng, 6, 7)
    levels = Levels(np.array(STEPS), rng.random((2, 2, 4)) + 0.01, np.array([0.7, 2.0]))
    expected = np.array([[slow(sought, held, levels, t, p) for p in range(7)] for t in range(6)])
    units = TargetUnits.of(*sought)
    comparison = Comparison(units, CandidateUnits.of(*held), levels)
    scores = np.concatenate([rows for _, rows in comparison.likelihoods(units)])
    assert scores == pytest.approx(expected)
    best, surety = agreeing(comparison, units)
    for target, row in enumerate(expected):
        tied = best.indices[best.indptr[target] : best.indptr[target + 1]]
        top = np.flatnonzero(row >= row.max() * (1 - 1e-9)) if row.max() > 0 else []
        assert tied.tolist() == list(top)
        assert surety[target] == pytest.approx(1 / np.exp(row - row.max()).sum())


def test_levels_are_learnt_from_who_is_sure():
    """One feature is kept, one is blurred, one is drawn anew: they weigh much, something and nothing."""
    rng, people, each = np.random.default_rng(1), 60, 12
    true = rng.random((people * each, 3)) * 1000
    shown = true + np.stack([np.zeros(len(true)), rng.normal(0, 20, len(true)), np.zeros(len(true))], axis=1)
    shown[:, 2] = rng.random(len(true)) * 1000
    owner, block = np.repeat(np.arange(people), each), np.zeros((len(true), 1), np.int64)
    bounds = np.arange(0, len(true) + 1, each)
    held = CandidateUnits.of(block[:, 0], owner.astype(np.int32), shown, np.full(people, float(each)), 1)
    steps = [(0.001, 10.0, 40.0)] * 3
    levels = learn(TargetUnits.of(bounds, block, true), held, steps, np.arange(people))
    kept, blurred, anew = levels.weights[0]
    assert kept[0] > 100
    assert kept[3] < 0.05
    assert blurred[0] < 2 * blurred[1]
    assert blurred[1] > 5
    assert blurred[3] < 1
    assert anew == pytest.approx(np.ones(4), abs=0.6)
    nobody = np.full_like(block, -1)
    both = learn(TargetUnits.of(bounds, np.hstack([block, nobody]), true), held, steps, np.arange(people))
    assert both.weights[1] == pytest.approx(np.ones((3, 4)))
    units = TargetUnits.of(bounds, block, true)
    best, surety = agreeing(Comparison(units, held, levels), units)
    assert (best.indices == np.arange(people)).all()
    assert surety.min() > 0.99


def test_units_are_told_apart_by_block_and_values_and_counted_for_everybody():
    units = TargetUnits.of(np.array([0, 2, 3]), np.array([[0], [1], [0]]), np.array([[5.0], [5.0], [5.0]]))
    assert len(units.values) == 2
    assert units.unit.tolist() == [units.unit[2], 1 - units.unit[2], units.unit[0]]
    held = CandidateUnits.of(
        np.array([0, 0, 0, 0, 1]), np.array([7, 2, 7, 7, 7], np.int32),
        np.array([[1.0], [1.0], [1.0], [2.0], [1.0]]), np.full(8, 3.0), 2,
    )  # fmt: skip
    assert held.starts.tolist() == [0, 2, 3]
    assert held.values.ravel().tolist() == [1.0, 2.0, 1.0]
    assert held.bounds.tolist() == [0, 2, 3, 4]
    assert held.who.tolist() == [2, 7, 7, 7]
    assert held.counts.tolist() == [1.0, 2.0, 1.0, 1.0]
    assert held.sizes.tolist() == [4, 1]
    assert held.total == 24.0
    assert units.pairs(held.sizes).tolist() == [4, 1, 4]
    assert units.where(np.array([False, True, True])).pairs(held.sizes).tolist() == [1, 4]


@pytest.mark.parametrize("seed", range(5))
def test_parts_of_the_people_are_compared_as_all_of_them_given_what_all_weigh(seed):
    """Two parts of the candidates, each by itself: the same likelihoods, and the same masses in sum."""
    rng = np.random.default_rng(seed)
    sought, (block, who, values, lengths, blocks) = made(rng, 6, 7)
    levels = Levels(np.array(STEPS), rng.random((2, 2, 4)) + 0.01, np.array([0.7, 2.0]))
    units = TargetUnits.of(*sought)
    whole = Comparison(units, CandidateUnits.of(block, who, values, lengths, blocks), levels)
    parts = []
    for people in (np.array([0, 2, 5, 6]), np.array([1, 3, 4])):
        here, place = np.isin(who, people), np.searchsorted(people, who).astype(np.int32)
        given = block[here], place[here], values[here], lengths[people], blocks, float(lengths.sum())
        parts.append((people, CandidateUnits.of(*given)))
    masses = sum(Comparison(units, part, levels).masses() for _, part in parts)
    assert masses == pytest.approx(whole.masses())
    assert masses.sum() > 0
    together = np.zeros((6, 7))
    for people, part in parts:
        compared = Comparison(units, part, levels, masses)
        together[:, people] = np.concatenate([rows for _, rows in compared.likelihoods(units)])
    assert together == pytest.approx(np.concatenate([rows for _, rows in whole.likelihoods(units)]))
