"""A one-to-one assignment draws lots among equals; its rate is the mean over the lots, not one of them."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.microdata.euclid import Euc1, Euc2
from kakurenbo.attacks.microdata.sort import IdentifySort
from kakurenbo.attacks.microdata.within import Within
from kakurenbo.attacks.purchases.likeness import JaccardAttack
from kakurenbo.data.guess import Guess


def households(copies, people=6):
    """Return `people` different households, each there several times, and a shuffled release of them."""
    values = np.repeat(np.arange(people), copies)
    table = pl.DataFrame({"age": values % 2, "income": values.astype(float)})
    order = np.random.default_rng(7).permutation(len(values))
    secret = kb.Pairing.of({str(new + 1): str(old + 1) for new, old in enumerate(order.tolist())})
    original, released = (
        kb.Microdata.from_frame(frame, qi=["age"], sa=["income"]) for frame in (table, table[order])
    )
    return original, released, secret


@pytest.mark.parametrize("attack", [Euc1, Euc2, IdentifySort, Within])
@pytest.mark.parametrize("copies", [1, 2, 5])
def test_equal_people_share_the_hits_of_their_crowd(attack, copies):
    original, released, secret = households(copies)
    guess = attack(reading="assignment").guess(original, released, seed=1)
    found = kb.reidentification(secret, guess)
    assert found.rate.value == pytest.approx(1 / copies)
    assert found.by_person["chance"].to_list() == pytest.approx([1 / copies] * len(secret))
    assert guess.is_bijection, "the one guess that is written is an assignment"


def test_equal_originals_tie_where_the_released_differ():
    """Two people bought the same; one of them is released with a dummy. Nobody can tell which."""
    before = pl.DataFrame({"customer": ["a", "a", "b", "b", "c"], "goods": ["x", "y", "x", "y", "z"]})
    after = pl.DataFrame(
        {"customer": ["1", "1", "2", "2", "2", "3"], "goods": ["x", "y", "x", "y", "w", "z"]}
    )
    shops = [kb.Purchases.from_frame(one, customer="customer", goods="goods") for one in (before, after)]
    secret = kb.Pairing.of({"1": "a", "2": "b", "3": "c"})
    found = kb.reidentification(secret, JaccardAttack(reading="assignment").guess(*shops, seed=1))
    assert found.by_person["chance"].to_list() == pytest.approx([0.5, 0.5, 1])


def test_who_is_left_over_by_lot_still_counts_with_his_chance():
    """Three equal released people share two places: each has 2/3 of a place, and 1/3 of being himself."""
    people, places = pl.Series(["1", "2", "3"]), pl.Series(["a", "b", "c"])
    crowds = np.array([0, 0, 0]), np.array([0, 0, 1])
    guess = Guess.paired(people, places, crowds, np.array([1, -1, 0]))
    assert guess.abstained == 1
    chance = guess.expected(kb.Pairing(people, places))["chance"].to_list()
    assert chance == pytest.approx([1 / 3, 1 / 3, 0])
