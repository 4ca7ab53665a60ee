"""Told scores as an oracle: bots that ask a thousand times gain nothing where nothing is told."""

import numpy as np
import pytest

from campaign import one_in
from kakurenbo.contest.bots import oracle
from kakurenbo.contest.bots.trial import PEOPLE, QUERIES, Oracle, Telling, World, mean_and_error, tried
from kakurenbo.contest.rules import PRESETS, Rules, Seek

BOTS = [oracle.climb, oracle.split, oracle.split_named, oracle.split_again, oracle.vote]
CANDIDATES = (PEOPLE, 8)  # anybody may be meant, or one of eight look-alikes
DEFAULT = Telling(Seek())
NAKED = Telling(None, fills=False)
POINT = 0.01


def gain(bot, telling, candidates, contests=3, queries=QUERIES):
    outcomes = [
        tried(bot, telling, candidates=candidates, seed=seed, queries=queries) for seed in range(contests)
    ]
    return mean_and_error([outcome.gain for outcome in outcomes])[0]


@pytest.mark.parametrize("preset", PRESETS)
def test_by_default_nothing_is_told(preset):
    assert Rules.preset(preset).seek.tells == "nothing"


@pytest.mark.parametrize("bot", one_in(2, BOTS))
@pytest.mark.parametrize("candidates", CANDIDATES)
def test_where_nothing_is_told_a_bot_does_the_same_whoever_is_hidden(bot, candidates):
    """Its guess does not depend on the truth at all: that is a gain of zero, not a small one."""
    guesses = []
    for seed in (1, 2):
        world = World.made(PEOPLE, candidates, np.random.default_rng(5))
        truth = np.random.default_rng(seed).permutation(PEOPLE)
        hidden = Oracle(World(truth, world.candidates, world.labels), DEFAULT, seed)
        guesses.append(bot(hidden, world.candidates, QUERIES, np.random.default_rng(7)))
        assert 0 < len(hidden.asked) <= QUERIES
    assert (guesses[0] == guesses[1]).all()


@pytest.mark.parametrize("bot", one_in(2, BOTS))
def test_by_default_a_thousand_questions_gain_at_most_a_point_over_chance(bot):
    assert gain(bot, DEFAULT, PEOPLE) <= POINT


def test_without_the_defence_group_testing_gains_tens_of_points():
    assert gain(oracle.split, NAKED, PEOPLE) > 0.25
    assert gain(oracle.split_named, NAKED, PEOPLE) > 0.25
    assert gain(oracle.split, NAKED, 8, contests=1) > 0.8


def test_without_the_defence_hill_climbing_and_voting_gain_too():
    assert gain(oracle.climb, NAKED, PEOPLE) > 0.025
    assert gain(oracle.climb, NAKED, 8) > 0.2
    assert gain(oracle.vote, NAKED, 8) > 0.4


@pytest.mark.campaign
def test_filled_blanks_take_bisecting_away_from_whoever_leaves_blanks():
    exact = Telling(None)
    assert gain(oracle.split, exact, PEOPLE) < 0.02
    assert gain(oracle.split_again, exact, PEOPLE) < 0.04
    assert gain(oracle.split_named, exact, PEOPLE) > 0.25, (
        "and not from whoever names people he knows are wrong"
    )


@pytest.mark.parametrize("bot", one_in(2, BOTS))
@pytest.mark.parametrize("tells", ["ladder", "rounded"])
def test_steps_and_rounded_scores_tell_nothing_to_whoever_knows_nothing(bot, tells):
    assert gain(bot, Telling(Seek(tells=tells)), PEOPLE, contests=2) <= POINT


@pytest.mark.parametrize("bot", one_in(2, BOTS))
def test_a_ladder_leaks_a_few_points_to_a_thousand_questions(bot):
    telling = Telling(Seek(tells="ladder", step=0.1, share=0.25))
    assert gain(bot, telling, 8, contests=4) < 0.05


def test_rounded_scores_leak_without_a_quota_and_little_with_it():
    telling = Telling(Seek(tells="rounded", decimals=1, share=0.25))
    assert gain(oracle.vote, telling, 8) > 0.1
    assert gain(oracle.vote, telling, 8, contests=20, queries=Seek().tries) < 0.03


def test_the_same_guess_is_filled_alike_only_where_nothing_of_it_is_written_anew():
    world = World.made(40, 40, np.random.default_rng(1))
    blank = np.full(40, oracle.BLANK)
    answers = {Oracle(world, Telling(None), 3)(blank) for _ in range(5)}
    assert len(answers) == 1
    asked = Oracle(world, Telling(None), 3)
    assert len({asked(blank) for _ in range(20)}) > 1
    misses = Oracle(world, NAKED, 3)
    assert {misses(blank) for _ in range(3)} == {0.0}


def test_worlds_are_permutations_within_their_candidates():
    world = World.made(48, 8, np.random.default_rng(2))
    assert sorted(world.truth) == list(range(48))
    assert (world.candidates == world.truth[:, None]).any(axis=1).all()
    assert np.bincount(world.labels).tolist() == [8] * 6
