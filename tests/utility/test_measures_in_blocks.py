"""Measures and excess of tables in blocks: on everybody as in memory, on some with an interval."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.sampling import drawn, jackknife, parts_of, sample
from kakurenbo.errors import ParameterError
from kakurenbo.kernels import distances
from kakurenbo.measures import DeltaM, Information, Likeness, Popularity, RecordsDeleted, SmallestGroup
from kakurenbo.progress import Progress
from kakurenbo.risk.excess.judge import Excess, limits_and_verdict
from shops import light_shop

SHOP = light_shop(150, seed=3).without(["price"])  # how prices are written takes longest to tell
RELEASE = kb.methods.Delete(share=0.2).release(SHOP, seed=1)
BOTH = (InMemory.of(SHOP, 500), InMemory.of(RELEASE.data, 500))


@pytest.mark.parametrize("measure", [DeltaM(), Likeness(), Popularity(), SmallestGroup()])
def test_on_everybody_a_measure_is_that_of_the_table_in_memory(measure):
    found = measure.of_blocks(*BOTH, RELEASE.pairing, targets=None, seed=1)
    whole = measure.of(SHOP, RELEASE.data, RELEASE.pairing)
    assert found.value == pytest.approx(whole.value, rel=1e-12)
    assert found.low == found.value == found.high
    assert found.people == found.everybody == 150


@pytest.mark.campaign
@settings(max_examples=2)
@given(records=st.integers(120, 2200))
def test_the_sample_is_the_same_in_blocks_of_any_size(records):
    cut = (InMemory.of(SHOP, records), InMemory.of(RELEASE.data, records))
    few = {"targets": 40, "seed": 2}
    assert Likeness().of_blocks(*cut, RELEASE.pairing, **few) == Likeness().of_blocks(
        *BOTH, RELEASE.pairing, **few
    )


@pytest.mark.campaign
def test_a_mean_over_people_is_covered():
    truth = Likeness().of(SHOP, RELEASE.data, RELEASE.pairing).value
    found = [Likeness().of_blocks(*BOTH, RELEASE.pairing, targets=50, seed=seed) for seed in range(8)]
    assert sum(one.low <= truth <= one.high for one in found) >= 6  # 95 %: 1 in 170 that it is fewer


def test_a_count_is_scaled_to_everybody():
    found = RecordsDeleted().of_blocks(*BOTH, RELEASE.pairing, targets=50, seed=0)
    people = drawn(SHOP.customers, 50, Chance(0))
    mine = RELEASE.pairing.frame.filter(RELEASE.pairing.original.is_in(people.implode()))["released"]
    lost = len(SHOP.of(people)) - len(RELEASE.data.of(mine))
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(3 * lost)


def test_without_a_secret_names_are_drawn_apart_and_that_is_told():
    found = Information().of_blocks(*BOTH, targets=50, seed=1)
    assert not found.paired
    assert found.people == 50
    with pytest.raises(ParameterError, match="give the secret"):
        Likeness().of_blocks(*BOTH, targets=50)


def test_every_part_is_left_out_once():
    some = sample(*BOTH, RELEASE.pairing, 43, Chance(1))
    parts = list(parts_of(some, 10, Chance(1)))
    gone = [set(some.original.customers) - set(part.original.customers) for part in parts]
    assert sum(map(len, gone)) == len(set.union(*gone)) == 43
    assert {len(part) for part in gone} == {4, 5}
    for part in parts:
        part.owners.check(part.original, part.released)


def test_the_jackknife_of_a_mean_is_its_standard_error():
    values = np.random.default_rng(1).normal(size=10)
    without = [float(np.delete(values, place).mean()) for place in range(10)]
    assert jackknife(without) == pytest.approx(2.262157 * values.std(ddof=1) / math.sqrt(10), rel=1e-5)


def excess(judge, both, pairing, people):
    return limits_and_verdict(judge, *both, pairing, people=people, chance=Chance(4), progress=Progress())


def test_excess_of_everybody_in_blocks_is_that_of_the_table():
    known, verdict = excess(Excess(solves=0), BOTH, RELEASE.pairing, None)
    assert verdict.to_dict() == Excess(solves=0).judge(SHOP, RELEASE.data, RELEASE.pairing).to_dict()
    assert verdict.to_dict()["sampled_people"] == 0
    assert (known.nearest.people, known.nearest.low) == (150, known.nearest.high)


@pytest.fixture(scope="module")
def of_everybody():
    """How near everybody's nearest is, and the limits that follow."""
    rows = SHOP.baskets(quantity=True).matrix
    return distances.nearest_other(rows, rows, "multiset"), Excess(r=(0, 5)).limits(SHOP)


@pytest.mark.campaign
@settings(max_examples=3)
@given(records=st.integers(1, 2200))
def test_excess_of_a_sample_bounds_that_of_everybody(of_everybody, records):
    nearest, whole = of_everybody
    cut = (InMemory.of(SHOP, records), InMemory.of(RELEASE.data, records))
    known, verdict = excess(Excess(r=(0, 5)), cut, RELEASE.pairing, 60)
    mine = nearest[SHOP.customers.is_in(drawn(SHOP.customers, 60, Chance(4)).implode()).to_numpy()]
    assert known.nearest.value == pytest.approx(mine.mean())
    assert known.nearest.low <= nearest.mean() <= known.nearest.high
    assert all(ours <= all_of[1] for (_, ours), all_of in zip(known.s_lower, whole.s_lower, strict=True))
    assert known.minimum >= whole.minimum
    assert verdict.verdict == "accepted"
    assert verdict.distance == pytest.approx(150 * verdict.mean.value)


def test_a_shuffled_pairing_is_excessive_in_a_sample_too():
    pairing = RELEASE.pairing
    shuffled = kb.Pairing(pairing.released, pairing.original.gather(np.roll(np.arange(len(pairing)), 7)))
    known, verdict = excess(Excess(), BOTH, shuffled, 60)
    assert verdict.excessive
    assert "of 60 of 150 people" in verdict.reason
    assert "it may be as far as a shuffled pairing" in verdict.reason
    for strict in (Excess(approach="I"), Excess(reading="strict")):
        with pytest.raises(ParameterError, match="approach II"):
            excess(strict, BOTH, pairing, 60)
    some = SHOP.of(SHOP.customers.head(60))
    themselves = kb.Pairing(some.customers, some.customers)
    with pytest.raises(ParameterError, match="approach II"):
        Excess(approach="I").judge(some, some, themselves, known)
