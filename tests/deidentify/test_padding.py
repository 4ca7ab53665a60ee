import datetime as dt

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.data.release import Facts
from kakurenbo.deidentify.purchases.padding import pad


def test_a_dummy_has_the_papers_format():
    """000 figure 5: user, receipt and time of the latest record, the good with its price, quantity 1."""
    frame = pl.DataFrame({
        "u": ["u1", "u1", "u1", "u2", "u2"],
        "r": ["100", "100", "300", "500", "600"],
        "t": [dt.datetime(2011, 1, d, 9, 30) for d in (1, 1, 5, 2, 8)],
        "g": ["A", "B", "C", "A", "B"],
        "p": [1.0, 2.0, 7.5, 1.1, 2.0],
        "q": [5, 6, 7, 8, 9],
    })  # fmt: skip
    shop = kb.Purchases.from_frame(
        frame, customer="u", receipt="r", time="t", goods="g", price="p", quantity="q"
    )
    changed = pad(shop, np.array([0, 0]))
    added = changed.data.under(None).filter(pl.col("customer") == "u2").filter(pl.col("goods") == "C")
    assert added.select("receipt", "time", "price", "quantity").rows() == [
        ("600", dt.datetime(2011, 1, 8, 9, 30), 7.5, 1)
    ]
    assert changed.facts == Facts(added=1, groups=1, smallest_group=2, largest_group=2)


def test_the_toy_of_000_figure_4_unites_three_customers():
    frame = pl.DataFrame(
        {
            "u": ["1", "1", "2", "2", "2", "3", "3"],
            "g": ["g1", "g2", "g1", "g3", "g5", "g4", "g5"],
        }
    )
    shop = kb.Purchases.from_frame(frame, customer="u", goods="g")
    changed = pad(shop, np.zeros(3, dtype=np.int64)).data
    assert changed.baskets().sizes.tolist() == [5, 5, 5]


def test_a_dummy_costs_what_the_good_usually_costs(small):
    changed = pad(small, np.zeros(3, dtype=np.int64)).data.under(None)
    assert set(changed.filter(pl.col("goods") == "tea")["price"]) == {3.0}


def test_bare_purchases_can_be_padded_too():
    frame = pl.DataFrame({"u": ["a", "b"], "g": ["x", "y"]})
    shop = kb.Purchases.from_frame(frame, customer="u", goods="g")
    assert len(kb.methods.Compact(min_size=2).release(shop, seed=1).data) == 4


@pytest.mark.parametrize("times", ["day", "week", "month"])
def test_coarser_times_are_rounded_down(times):
    shop = kb.demo.shop(20, seed=1)
    after = kb.methods.Coarsen(times=times).release(shop, seed=1).data.records["time"]
    assert (after.dt.hour() == 0).all()
    if times == "week":
        assert set(after.dt.weekday()) == {1}
    if times == "month":
        assert set(after.dt.day()) == {1}


def test_price_bands_leave_as_many_prices_as_bands():
    shop = kb.demo.shop(20, seed=1)
    assert kb.methods.Coarsen(price_bands=4).release(shop, seed=1).data.records["price"].n_unique() == 4


def test_noise_keeps_numbers_valid_and_moves_them():
    shop = kb.demo.shop(40, seed=1)
    data = kb.methods.Noise(quantity_spread=1.0, price_spread=0.5).release(shop, seed=1).data
    assert data.records["quantity"].min() >= 1
    assert data.records["price"].min() >= 0.01
    assert data.records["price"].sum() != shop.records["price"].sum()
    assert len(data) == len(shop)


def test_alter_replaces_about_the_share_asked_for():
    shop = kb.demo.shop(60, seed=1)
    release = kb.methods.Alter(share=0.25).release(shop, seed=1)
    changed = release.facts.altered
    assert changed == round(0.25 * len(shop))
    assert set(release.data.goods) <= set(shop.goods)


def test_missing_roles_are_refused():
    shop = kb.Purchases.from_frame(pl.DataFrame({"u": ["a"], "g": ["x"]}), customer="u", goods="g")
    for method in (
        kb.methods.Noise(price_spread=1),
        kb.methods.Noise(quantity_spread=1),
        kb.methods.Coarsen(times="day"),
        kb.methods.Coarsen(price_bands=2),
    ):
        with pytest.raises(kb.InputError) as error:
            method.release(shop)
        assert error.value.code == "roles"


def test_a_chain_adds_up_what_its_methods_did():
    shop = kb.demo.shop(40, seed=1)
    chain = kb.methods.Chain(
        methods=(
            kb.methods.Delete(share=0.1),
            kb.Balanced(clusters=5, min_size=4),
            kb.methods.Coarsen(times="month"),
        )
    )
    release = chain.release(shop, seed=1)
    assert release.facts.deleted == round(0.1 * len(shop))
    assert len(release.data) == len(shop) - release.facts.deleted + release.facts.added
    assert release.facts.groups == 5
    assert release.pairing.is_bijection
    with pytest.raises(kb.ParameterError):
        kb.methods.Chain(methods=())
