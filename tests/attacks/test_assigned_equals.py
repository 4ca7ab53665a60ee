"""A one-to-one assignment draws lots among those who tie; its rate is the mean over the lots, not one."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.microdata.euclid import Euc1, Euc2
from kakurenbo.attacks.microdata.sort import IdentifySort
from kakurenbo.attacks.microdata.within import Within
from kakurenbo.attacks.purchases.likeness import JaccardAttack
from kakurenbo.chance import Chance
from kakurenbo.data.guess import Guess
from kakurenbo.kernels.assignment import DRAWS
from kakurenbo.risk.found import Spread


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


def look_alikes(groups):
    """Return shops of pairs of people who differ, and fit one of two released ones as well as the other."""
    rows = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "z")]
    after = [("a", "x"), ("a", "y"), ("a", "z"), ("b", "x")]
    shops = [
        kb.Purchases.from_frame(
            pl.DataFrame({
                name: [f"{pair[place]}{group}" for group in range(groups) for pair in table]
                for place, name in enumerate(("customer", "goods"))
            }),
            customer="customer", goods="goods",
        )
        for table in (rows, after)
    ]  # fmt: skip
    return *shops, kb.Pairing(shops[0].customers, shops[0].customers)


def test_who_ties_without_being_equal_is_found_as_often_as_in_all_pairings():
    """Each pair is the right way around in one of two pairings, whatever the others do."""
    *shops, secret = look_alikes(3)
    for seed in range(5):
        guess = JaccardAttack(reading="assignment").guess(*shops, seed=seed)
        found = kb.reidentification(secret, guess)
        assert found.by_person["chance"].to_list() == [0.5] * 6
        assert found.rate.value == 0.5
        assert guess.is_bijection, "the one guess that is written is an assignment"
        single = kb.reidentification(secret, kb.Pairing(guess.released, guess.original))
        assert single.hits in {0, 2, 4, 6}
        assert single.spread is None


def test_the_spread_is_from_the_unluckiest_to_the_luckiest_draw():
    *shops, secret = look_alikes(2)
    found = kb.reidentification(secret, JaccardAttack(reading="assignment").guess(*shops, seed=1))
    assert found.spread == Spread(low=0, high=1, draws=DRAWS)
    wrong = kb.Pairing.of({"a0": "a1", "b0": "a0", "a1": "b0", "b1": "b1"})
    found = kb.reidentification(wrong, JaccardAttack(reading="assignment").guess(*shops, seed=1))
    assert found.rate.value == 0.25
    assert found.spread == Spread(low=0, high=0.5, draws=DRAWS), "b0 is a0, or b1 is b1, or both"


def test_nothing_is_drawn_where_one_pairing_is_the_best():
    shop = kb.demo.shop(20, seed=1)
    secret = kb.Pairing(shop.customers, shop.customers)
    guess = JaccardAttack(reading="assignment").guess(shop, shop, seed=1)
    found = kb.reidentification(secret, guess)
    assert (found.rate.value, found.spread, guess.draws, guess.tied) == (1, None, None, 0)


def test_the_spread_counts_people_where_more_of_them_are_found_than_names():
    """Two names of one person and one of another; by hand, draw by draw."""
    names, people = pl.Series(["n1", "n2", "n3"]), pl.Series(["a", "b"])
    draws = np.array([[0, 1, 1], [1, 0, 0], [0, 0, 1]])  # finds n1 n3, n2, and all three
    guess = Guess.paired(names, people, (np.arange(3), np.arange(2)), draws)
    owners = kb.Pairing.of({"n1": "a", "n2": "a", "n3": "b"})
    found = kb.reidentification(owners, guess)
    assert found.by_person["chance"].to_list() == pytest.approx([2 / 3, 2 / 3, 2 / 3])
    assert found.rate.value == pytest.approx(2 / 3)
    assert found.spread == Spread(low=0.5, high=1, draws=3)


def test_an_answer_given_for_certain_is_in_every_draw():
    people = pl.Series(["2", "1"])  # sorted by the guess, and the draws with them
    guess = Guess.paired(
        people, pl.Series(["b", "a"]), (np.arange(2), np.arange(2)), np.array([[0, 1], [1, 0]])
    )
    secret = kb.Pairing.of({"1": "a", "2": "b"})
    assert kb.reidentification(secret, guess).spread == Spread(low=0, high=1, draws=2)
    told = guess.answering(pl.DataFrame({"released": ["1"], "answer": ["a"]}))
    assert kb.reidentification(secret, told).spread == Spread(low=0.5, high=1, draws=2)
    assert kb.reidentification(secret, told).hits == 1.5
    silent = guess.without(pl.Series(["1"]))
    assert kb.reidentification(secret, silent).spread == Spread(low=0, high=0.5, draws=2)


@pytest.mark.parametrize("everywhere", [False, True])
def test_who_is_left_over_differs_from_draw_to_draw(everywhere):
    """Three equal originals, two of them released; a row that fits nobody gets the one left over."""
    original = kb.Microdata.from_frame(
        pl.DataFrame({"age": [1, 1, 1], "income": [5.0] * 3}), qi=["age"], sa=["income"]
    )
    released = kb.Microdata.from_frame(
        pl.DataFrame({"age": [1, 1, 2], "income": [5.0] * 3}), qi=["age"], sa=["income"]
    )
    attack = (Euc2 if everywhere else Euc1)(reading="assignment")
    guess = attack.guess(original, released, seed=1)
    assert (guess.abstained == 0) == everywhere
    assert guess.original.drop_nulls().n_unique() == (3 if everywhere else 2)
    chances = kb.reidentification(kb.Pairing.of({name: name for name in "123"}), guess).by_person["chance"]
    assert chances.to_list() == pytest.approx([1 / 3, 1 / 3, 1 / 3 if everywhere else 0])


def test_the_rate_does_not_depend_on_who_drew():
    """Whole records after `deal` tie so much that one draw finds any of nobody to six people of sixty."""
    shop = kb.demo.shop(60, seed=1)
    release = kb.methods.Deal(min_size=8).release(shop, seed=1)
    attack = kb.attacks.RowsAttack(reading="assignment")
    tables = Tables(shop, release.data, Chance(1))
    found, single = [], []
    for seed in range(6):
        guess = attack.named(tables, Chance(seed))
        found.append(kb.reidentification(release.pairing, guess))
        single.append(
            kb.reidentification(release.pairing, kb.Pairing(guess.released, guess.original)).rate.value
        )
    rates = [one.rate.value for one in found]
    assert max(rates) - min(rates) < 1 / 60, "less than one person"
    assert max(single) - min(single) > 2 / 60
    assert all(one.spread.low <= rate <= one.spread.high for one, rate in zip(found, single, strict=True))
