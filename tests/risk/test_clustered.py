"""Intervals for people who are found together, and for the worst of many attackers, by simulation."""

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.risk.exposure.nearness import clusters
from kakurenbo.theory.maximum import held_out, worst
from kakurenbo.theory.rate import Rate

BRANCHES, EACH, RELEASES = 40, 10, 2000
BRANCH = np.repeat(np.arange(BRANCHES), EACH)


def found(rng, p, alike):
    """Draw who is found: a branch has a rate of its own around p; wholly alike, it is 0 or 1."""
    if alike == 1:
        rate = (rng.random(BRANCHES) < p).astype(float)
    elif alike == 0:
        rate = np.full(BRANCHES, p)
    else:
        rate = rng.beta(p * (1 / alike - 1), (1 - p) * (1 / alike - 1), BRANCHES)
    return (rng.random(BRANCHES * EACH) < rate[BRANCH]).astype(float)


@pytest.mark.parametrize(
    ("p", "alike"), [(0.1, 1), (0.3, 1), (0.5, 1), (0.1, 0.2), (0.3, 0.2), (0.5, 0.2), (0.2, 0)]
)
def test_people_found_together_are_covered_in_95_percent_of_releases(p, alike):
    rng = np.random.default_rng(7)
    rates = [Rate.clustered(found(rng, p, alike), BRANCH) for _ in range(RELEASES)]
    assert 0.93 <= np.mean([rate.low <= p <= rate.high for rate in rates]) <= 0.97


def test_taking_them_for_independent_is_what_fails():
    rng = np.random.default_rng(8)
    rates = [Rate.estimated(found(rng, 0.3, 1).sum(), BRANCHES * EACH) for _ in range(500)]
    assert np.mean([rate.low <= 0.3 <= rate.high for rate in rates]) < 0.7


def test_one_large_group_among_small_ones_is_allowed_for():
    """Two groups of 60 among 38 of 5: leaving a group out in turn sees what counting groups does not."""
    rng = np.random.default_rng(9)
    group = np.repeat(np.arange(40), [60, 60] + [5] * 38)
    covered = 0
    for _ in range(RELEASES):
        rate = Rate.clustered((rng.random(40) < 0.5)[group].astype(float), group)
        covered += rate.low <= 0.5 <= rate.high
    assert covered / RELEASES >= 0.9


chances = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 1 / 3, 1.0]), st.integers(0, 4)), min_size=1, max_size=30
)


@given(chances)
def test_never_narrower_than_for_independent_people(people):
    chance, group = map(np.array, zip(*people, strict=True))
    plain = Rate.estimated(min(math.fsum(chance), len(chance)), len(chance))
    wide = Rate.clustered(chance, group)
    assert wide.value == pytest.approx(plain.value)
    assert wide.low <= plain.low + 1e-12
    assert plain.high <= wide.high + 1e-12
    assert 0 <= wide.low <= wide.value <= wide.high <= 1
    assert Rate.widest(chance, [group]).high >= wide.high
    assert Rate.widest(chance, []) == plain


def test_everybody_for_himself_is_nearly_the_plain_interval():
    chance = (np.arange(400) < 60).astype(float)
    own, plain = Rate.clustered(chance, np.arange(400)), Rate.estimated(60, 400)
    assert (own.low, own.high) == pytest.approx((plain.low, plain.high), abs=5e-4)


def test_where_nothing_varies_a_group_counts_as_one_and_a_single_group_as_nothing():
    none, everybody = np.zeros(400), np.ones(400)
    assert Rate.clustered(none, BRANCH).high == pytest.approx(Rate.estimated(0, BRANCHES).high, abs=0.01)
    assert Rate.clustered(everybody, BRANCH).low == pytest.approx(1 - Rate.clustered(none, BRANCH).high)
    assert Rate.clustered(none, np.zeros(400)) == Rate.estimated(0, 400)
    with pytest.raises(ValueError, match="from 0 to 1"):
        Rate.clustered([2.0], [0])
    with pytest.raises(ValueError, match="a group for each"):
        Rate.clustered([0.5, 0.5], [0])


def test_the_luckiest_of_forty_equal_attackers_is_read_down_to_what_they_all_find():
    rng = np.random.default_rng(10)
    p, raw, read, covered = 1 / 11, [], [], 0
    for _ in range(100):
        tried = (rng.random((40, 400)) < p).astype(float)
        rate = worst(tried, rng, splits=4)
        raw.append(tried.mean(axis=1).max())
        read.append(rate.value)
        covered += rate.low <= p <= rate.high
    assert 0.115 < np.mean(raw) < 0.13
    assert np.mean(read) == pytest.approx(p, abs=0.003)
    assert covered >= 90


def test_who_is_truly_the_worst_keeps_his_rate_and_is_covered():
    rng = np.random.default_rng(11)
    rates = []
    for _ in range(100):
        tried = (rng.random((40, 400)) < 0.1).astype(float)
        tried[17] = rng.random(400) < 0.5
        rates.append((worst(tried, rng, splits=2), tried[17].mean()))
    assert all(rate.value == pytest.approx(own) for rate, own in rates)
    assert sum(rate.low <= 0.5 <= rate.high for rate, _ in rates) >= 88


def test_halves_keep_groups_together():
    """Attackers who each find some branches whole: by people the choice would leak from half to half."""
    rng = np.random.default_rng(12)
    by_people, by_branch = [], []
    for _ in range(60):
        tried = (rng.random((40, BRANCHES)) < 0.1)[:, BRANCH].astype(float)
        by_people.append(held_out(tried, rng, splits=2).mean())
        by_branch.append(worst(tried, rng, [BRANCH], splits=2).value)
    assert np.mean(by_branch) == pytest.approx(0.1, abs=0.015)
    assert np.mean(by_people) > 0.18


def test_the_same_generator_gives_the_same_answer_and_one_person_cannot_be_halved():
    tried = np.random.default_rng(1).random((3, 20))
    first, second = (worst(tried, np.random.default_rng(5), [np.arange(20) // 2]) for _ in range(2))
    assert first == second
    assert held_out([[0.2], [0.7]], np.random.default_rng(0)).tolist() == [0.7]
    with pytest.raises(ValueError, match="a group for each"):
        held_out(tried, np.random.default_rng(0), [1, 2])


def shop(baskets, **master):
    rows = [(f"c{who:03}", f"g{good}") for who, goods in enumerate(baskets) for good in goods]
    people = pl.DataFrame({"who": [f"c{who:03}" for who in range(len(baskets))], **master})
    return kb.Purchases.from_frame(
        pl.DataFrame(rows, schema=["who", "what"], orient="row"), customer="who", goods="what",
        master=people if master else None,
    )  # fmt: skip


def test_people_released_alike_and_people_of_one_branch_are_groups():
    data = shop(
        [[who // 3] for who in range(60)],
        branch=[f"b{who // 5}" for who in range(60)],
        sex=["fm"[who % 2] for who in range(60)],
        number=list(range(60)),
        country=["no" if who < 50 else f"x{who % 9}" for who in range(60)],
    )
    assert [labels.tolist() for labels in clusters(data)] == [
        [who // 3 for who in range(60)],
        np.unique([f"b{who // 5}" for who in range(60)], return_inverse=True)[1].tolist(),
    ]


def test_nobody_alike_and_no_master_is_no_group():
    assert clusters(shop([[who] for who in range(30)])) == ()


def test_groups_of_microdata_stand_in_the_order_of_sorted_ids():
    age = [20 + who // 3 for who in range(36)]
    frame = pl.DataFrame({"id": [f"p{99 - who}" for who in range(36)], "age": age})
    data = kb.Microdata.from_frame(frame, qi=["age"], id="id")
    (labels,) = clusters(data)
    expected = frame.sort("id")["age"].to_numpy()
    assert np.array_equal(labels, expected - 20)
