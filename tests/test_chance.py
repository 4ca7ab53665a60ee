"""Chance by (seed, purpose, id): the same people get the same draws, wherever they stand."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.chance import WIDTH, Chance

PEOPLE = pl.Series([f"c{i}" for i in range(4000)])
NOBODY = pl.Series([], dtype=pl.String)


@given(order=st.permutations(range(20)), seed=st.integers(0, 9))
def test_a_draw_follows_its_id_through_any_order_and_any_block(order, seed):
    people = PEOPLE.head(20)
    whole = dict(zip(people, Chance(seed).uniform("x", people), strict=True))
    moved = people.gather(order)
    assert dict(zip(moved, Chance(seed).uniform("x", moved), strict=True)) == whole
    block = people.gather(order[:5])
    assert dict(zip(block, Chance(seed).uniform("x", block), strict=True)).items() <= whole.items()


def test_encoded_and_plain_ids_draw_alike():
    encoded = PEOPLE.cast(pl.Enum(PEOPLE.sort()))
    assert (Chance(1).numbers("x", encoded) == Chance(1).numbers("x", PEOPLE)).all()


def test_seeds_purposes_turns_and_parts_draw_apart():
    chance = Chance(1)
    draws = [
        chance.uniform("x", PEOPLE),
        Chance(2).uniform("x", PEOPLE),
        chance.uniform("y", PEOPLE),
        chance.uniform("x", PEOPLE, np.full(len(PEOPLE), 1)),
        chance.under("step", 1).uniform("x", PEOPLE),
        Chance().uniform("x", PEOPLE),
    ]
    for i, first in enumerate(draws):
        for second in draws[:i]:
            assert abs(np.corrcoef(first, second)[0, 1]) < 5 / np.sqrt(len(PEOPLE))


def test_draws_are_even_and_normal_ones_normal():
    from scipy import stats  # noqa: PLC0415 - slow to load

    turns = np.arange(20_000)
    one = pl.Series(["c1"] * len(turns))
    for drawn, shape in (
        (Chance(3).uniform("x", PEOPLE), "uniform"),
        (Chance(3).uniform("x", one, turns), "uniform"),
        (Chance(3).normal("x", one, turns), "norm"),
    ):
        assert stats.kstest(drawn, shape).pvalue > 1e-4
    below = Chance(3).below("x", one, np.full(len(turns), 7), turns)
    assert np.bincount(below) == pytest.approx(np.full(7, len(turns) / 7), rel=0.1)


def test_streams_repeat_with_the_seed_and_differ_by_purpose():
    first = Chance(1).stream("clusters").random(5)
    assert (first == Chance(1).stream("clusters").random(5)).all()
    assert (first != Chance(1).stream("other").random(5)).all()


def test_tokens_are_distinct_of_one_width_and_repeat_with_the_seed():
    drawn = Chance(1).tokens("name", PEOPLE, avoid=NOBODY)
    assert drawn.n_unique() == len(PEOPLE)
    assert set(drawn.str.len_chars()) == {WIDTH}
    assert drawn.equals(Chance(1).tokens("name", PEOPLE, avoid=NOBODY))


def test_an_id_in_use_is_never_drawn():
    first = Chance(2).tokens("name", PEOPLE.head(10), avoid=NOBODY)
    second = Chance(2).tokens("name", PEOPLE.head(10), avoid=first)
    assert not set(first) & set(second)
    assert len(second) == 10


def test_equal_tokens_are_both_drawn_again(monkeypatch):
    monkeypatch.setattr("kakurenbo.chance.WIDTH", 2)  # 961 tokens for 300 people: many are equal at first
    people = PEOPLE.head(300)
    drawn = Chance(1).tokens("name", people, avoid=NOBODY)
    assert drawn.n_unique() == 300
    turned = Chance(1).tokens("name", people.reverse(), avoid=NOBODY).reverse()
    assert turned.equals(drawn)


def test_tokens_carry_no_order():
    drawn = Chance(3).tokens("name", PEOPLE, avoid=NOBODY)
    ranks = drawn.rank("ordinal").to_numpy()
    assert abs(np.corrcoef(ranks, np.arange(4000))[0, 1]) < 5 / np.sqrt(4000)
