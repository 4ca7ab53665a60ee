"""What follows from counts is the same of blocks of any size as of the whole, whoever is drawn."""

import pickle
from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo import measures as m
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.owners import Owners
from kakurenbo.utility.purchases.counted import UNIT, added, in_units

EXACT = [
    m.BasketSize(), m.Cohorts(), m.CoPurchase(count=40), m.DeltaM(), m.Popularity(), m.RepeatRate(),
    m.RfmSegments(), m.Sales(), m.TopGoods(count=20), m.U1(), m.U1(cell="price", normaliser="total"), m.U2(),
    m.U2(cell="records"), m.U3(),
]  # fmt: skip
COARSE = kb.methods.Chain(
    methods=(kb.methods.Generalize(crowd=4), kb.methods.Coarsen(times="month", price_bands=3))
)
METHODS = (kb.methods.Delete(share=0.2), COARSE, kb.methods.Rotate(by="quarter"))


@cache
def made(number):
    """Return a shop, a release of it, and what every measure says of the whole."""
    shop = kb.demo.shop(12, seed=5)
    release = METHODS[number].release(shop, seed=2)
    return shop, release, [measure.of(shop, release.data, release.pairing) for measure in EXACT]


@pytest.mark.campaign
@settings(max_examples=4)
@given(number=st.integers(0, 2), before=st.integers(1, 4), after=st.integers(1, 4))
def test_in_any_number_of_blocks_it_is_the_same_as_of_the_whole(number, before, after):
    shop, release, wholes = made(number)
    cut = InMemory(shop, before), InMemory(release.data, after)
    for measure, whole in zip(EXACT, wholes, strict=True):
        found = measure.of_blocks(*cut, release.pairing, targets=5, seed=1)
        assert (found.value, dict(found.detail)) == (whole.value, dict(whole.detail)), measure
        assert found.low == found.value == found.high
        assert found.people == found.everybody


def test_a_name_of_several_people_counts_for_each_and_a_fake_for_nobody():
    shop = kb.Purchases.from_frame(
        pl.DataFrame({"c": ["a", "b", "d"], "g": ["x", "y", "x"], "p": [1.0, 2.0, 5.0], "q": [1, 1, 1]}),
        customer="c", goods="g", price="p", quantity="q",
        master=pl.DataFrame({"c": ["a", "b", "d"], "sex": ["f", "m", "m"]}), keep_master=["sex"],
    )  # fmt: skip
    names = Owners(pl.Series(["a", "a", "b", "d"]), pl.Series(["a", "b", "d", None]))
    # f: 1 before, 1 after; m: 7 before, 1 + 2 after
    assert m.U2(normaliser="total").of(shop, shop, names).value == pytest.approx(4 / 8)
    assert m.U2(normaliser="total").of_blocks(*[InMemory(shop, 2)] * 2, names).value == pytest.approx(4 / 8)


def test_words_that_nobody_drawn_has_bought_are_known_all_the_same(monkeypatch):
    monkeypatch.setattr("kakurenbo.measure.TARGETS", 3)
    shop, release, _ = made(1)
    found = m.Popularity().of_blocks(InMemory.of(shop, 500), InMemory.of(release.data, 500), release.pairing)
    assert found.value == 0  # every good has its word, and every buyer stays


def test_money_adds_up_the_same_in_any_order():
    amounts = np.random.default_rng(2).lognormal(size=1000).round(2)
    tables = [pl.DataFrame({"k": 0, "money": in_units(pl.Series(part))}) for part in np.split(amounts, 10)]
    one, other = (added(part)["money"].item() for part in (tables, tables[::-1]))
    assert one == other
    assert one * UNIT == pytest.approx(sum(amounts), abs=1e-6)
    assert pickle.loads(pickle.dumps(added(tables)))["money"].item() == one  # noqa: S301 - our own
    large = pl.DataFrame({"k": 0, "money": in_units(pl.Series([1e33, 1.0]))})  # fractions
    assert added([*tables, large])["money"].item() * UNIT == pytest.approx(1e33)
