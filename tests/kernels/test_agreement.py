"""Agreement against a slow obvious count, and levels that are learnt."""

import math

import numpy as np
import pytest

from kakurenbo.kernels.agreement import Held, Levels, Sought, agreeing, learn, likelihoods

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
    held = Held(
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), who[places].astype(np.int32),
        np.bincount(who, minlength=people).astype(float), values[places],
    )  # fmt: skip
    return Sought(bounds, sought, rng.integers(0, 9, (bounds[-1], 2)).astype(float)), held


def level(difference, steps):
    return next((place for place, step in enumerate(steps) if abs(difference) <= step), len(steps))


def slow(sought, held, levels, target, person):
    """Return the sum over the target's units of log(1 + odds x likelihood ratio), in plain words."""
    total = 0.0
    for unit in range(sought.bounds[target], sought.bounds[target + 1]):
        ratio = 0.0
        for way, block in enumerate(sought.blocks[unit]):
            if block < 0:
                continue
            weights = {
                place: math.prod(
                    levels.weights[way, f, level(sought.values[unit, f] - held.values[place, f], steps)]
                    for f, steps in enumerate(levels.steps)
                )
                for place in range(held.starts[block], held.starts[block + 1])
            }
            everybody = sum(weights.values())
            mine = sum(weight for place, weight in weights.items() if held.who[place] == person)
            if mine:
                mean = mine / held.lengths[person]
                ratio += levels.odds[way] * mean / (everybody / held.lengths.sum())
        total += math.log1p(ratio)
    return total


@pytest.mark.parametrize("seed", range(5))
def test_likelihoods_are_what_a_slow_count_says(seed):
    rng = np.random.default_rng(seed)
    sought, held = made(rng, 6, 7)
    levels = Levels(np.array(STEPS), rng.random((2, 2, 4)) + 0.01, np.array([0.7, 2.0]))
    expected = np.array([[slow(sought, held, levels, t, p) for p in range(7)] for t in range(6)])
    scores = np.concatenate([rows for _, rows in likelihoods(sought, held, levels)])
    assert scores == pytest.approx(expected)
    best, surety = agreeing(sought, held, levels)
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
    held = Held(np.array([0, len(true)]), owner.astype(np.int32), np.full(people, float(each)), shown)
    steps = [(0.001, 10.0, 40.0)] * 3
    levels = learn(Sought(bounds, block, true), held, steps, np.arange(people))
    kept, blurred, anew = levels.weights[0]
    assert kept[0] > 100
    assert kept[3] < 0.05
    assert blurred[0] < 2 * blurred[1]
    assert blurred[1] > 5
    assert blurred[3] < 1
    assert anew == pytest.approx(np.ones(4), abs=0.6)
    best, surety = agreeing(Sought(bounds, block, true), held, levels)
    assert (best.indices == np.arange(people)).all()
    assert surety.min() > 0.99
