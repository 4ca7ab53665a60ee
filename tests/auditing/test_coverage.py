"""Coverage: what cannot be compared is told and why, and what methods legitimately do is left alone."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.auditing.coverage.covered import coverage
from kakurenbo.catalogue import entries
from kakurenbo.mappings import common_vocabulary
from shops import light_shop

METHODS = [
    *((entry.what, entry.example) for entry in entries("method", "purchases")),
    (kb.methods.Balanced, {"clusters": 12, "min_size": 4}),
    (kb.methods.Deal, {"min_size": 8}),
    (kb.methods.Delete, {"share": 0.9}),
    (kb.methods.Noise, {"quantity_spread": 3.0, "price_spread": 3.0}),
    (kb.methods.Coarsen, {"times": "week", "price_bands": 1}),
    (kb.methods.Alter, {"share": 0.8}),
]


@pytest.fixture(scope="module")
def shop():
    return light_shop(120, 5)


def changed(data, **columns):
    return data.with_records(data.under(None).with_columns(**columns), master=data.master)


def told(original, released):
    """Return what cannot be compared, by role, after the mapping that attackers infer."""
    return plainly(common_vocabulary(original, released).original, released)


def plainly(original, released):
    """Return what cannot be compared, by role, where nothing is mapped."""
    covered = coverage(original, released)
    roles = ["goods", "time", "price", "quantity"]
    assert [one.role for one in covered] == [role for role in roles if role in released.roles]
    return {one.role: one for one in covered if not one.comparable}


def times(role, factor):
    made = pl.col(role) * factor
    return made.round(2) if role == "price" else made.round(0).clip(lower_bound=1).cast(pl.Int64)


def replaced(data, codes):
    return pl.col("goods").replace_strict(dict(zip(data.goods, codes, strict=True)))


@pytest.mark.parametrize(("method", "example"), METHODS)
def test_what_methods_do_stays_comparable(shop, method, example):
    released = method(**example).release(shop, seed=2).data
    assert told(shop, released) == {}


def test_a_copy_is_comparable_altogether(shop):
    for one in coverage(shop, shop):
        assert (one.values, one.records, one.comparable, one.change) == (1, 1, True, "")


def test_fresh_codes_other_numbers_and_another_clock_are_told_in_words(shop):
    rng = np.random.default_rng(0)
    fresh = replaced(shop, [f"SKU-{number}" for number in rng.permutation(10**6)[: len(shop.goods)]])
    later = pl.col("time").dt.offset_by("400d")
    released = changed(
        shop, goods=fresh, time=later, price=times("price", 1.37), quantity=times("quantity", 1.37)
    )
    assert set(told(shop, released)) == {"goods"}
    found = plainly(shop, released)
    assert found["goods"].why == "none of the released goods is one of the original's"
    assert (found["goods"].values, found["goods"].records, found["goods"].change) == (0, 0, "rewritten")
    assert found["time"].why == "the times lie 400 days later than the original's"
    assert (found["time"].change, found["time"].by) == ("shifted", 400)
    for role, words in (("price", "prices"), ("quantity", "quantities")):
        assert found[role].why == f"{words} are about 1.37 times the original's"
        assert found[role].by == pytest.approx(1.37, abs=0.01)


def test_permuted_codes_cover_everything_and_mean_nothing(shop):
    for seed in range(3):
        codes = np.random.default_rng(seed).permutation(shop.goods.to_list())
        found = told(shop, changed(shop, goods=replaced(shop, codes)))
        assert set(found) == {"goods"}
        assert (found["goods"].values, found["goods"].change) == (1, "permuted")
        assert "in other numbers" in found["goods"].why


def test_codes_permuted_among_goods_of_as_many_buyers_are_told_by_how_they_are_bought(shop):
    """Whoever keeps the numbers of buyers still sells at other prices, quantities and times."""
    rng = np.random.default_rng(1)
    buyers = shop.records.group_by("goods").agg(n=pl.col("customer").n_unique()).sort("goods")
    order = np.lexsort((rng.random(buyers.height), buyers["n"].to_numpy()))
    names = np.array(buyers["goods"].cast(pl.String).to_list())
    found = told(shop, changed(shop, goods=replaced(shop, names[order][np.argsort(np.roll(order, 1))])))
    assert "at other prices" in found["goods"].why


def test_few_goods_are_never_called_permuted():
    table = {
        "customer": [f"c{i % 40}" for i in range(400)],
        "goods": [f"g{min(i % 17, 9)}" for i in range(400)],
    }
    data = kb.Purchases.from_frame(pl.DataFrame(table), customer="customer", goods="goods")
    swapped = changed(data, goods=replaced(data, data.goods.to_list()[::-1]))
    (goods,) = coverage(data, swapped)
    assert goods.comparable


@pytest.mark.parametrize(
    ("moved", "days", "words"),
    [
        ("3h", 0.125, "3 hours later"), ("1d", 1, "1 day later"), ("-30d", -30, "30 days earlier"),
        ("10y", 3653, "3,653 days later"),
    ],
)  # fmt: skip
def test_a_clock_that_was_moved_is_told_by_how_much(shop, moved, days, words):
    released = changed(shop, time=pl.col("time").dt.offset_by(moved))
    assert told(shop, released) == {}
    found = plainly(shop, released)
    assert set(found) == {"time"}
    assert found["time"].by == pytest.approx(days, abs=1)
    assert words in found["time"].why


def test_times_on_some_days_of_the_original_without_its_numbers_are_told(shop):
    """Months marked by their sixth day: such days there are, but not everybody came on them."""
    released = changed(shop, time=pl.col("time").dt.truncate("1mo").dt.offset_by("5d"))
    assert told(shop, released)["time"].change == "moved"


def test_times_with_noise_lie_where_they_lay(shop):
    rng = np.random.default_rng(4)
    noise = pl.Series(rng.integers(-20 * 24, 20 * 24, len(shop)))
    assert told(shop, changed(shop, time=pl.col("time") + pl.duration(hours=noise))) == {}


@pytest.mark.parametrize("factor", [0.5, 0.8, 1.1, 2, 100])
def test_a_factor_is_told_with_what_it_is(shop, factor):
    released = changed(shop, price=times("price", factor), quantity=times("quantity", factor))
    assert told(shop, released) == {}
    found = plainly(shop, released)
    assert set(found) == {"price", "quantity"}
    assert [one.by for one in found.values()] == [pytest.approx(factor, rel=0.02)] * 2


@pytest.mark.parametrize("people", [6, 20, 60])
@pytest.mark.parametrize("first", ["anybody", "small", "large"])
def test_a_part_of_the_people_is_no_other_vocabulary(shop, people, first):
    """Who buys by the dozen has other quantities than most, and no factor on them."""
    mean = shop.under(None).group_by("customer").agg(pl.col("quantity").mean()).sort("quantity", "customer")
    chosen = {
        "anybody": mean["customer"].sample(people, seed=people),
        "small": mean["customer"].head(people),
        "large": mean["customer"].tail(people),
    }
    assert told(shop, shop.of(chosen[first])) == {}


def small_table(rng):
    """Return a table of any shape but large: few people, records, goods, days or numbers."""
    people, each, goods, days, most = (
        int(rng.choice(sizes)) for sizes in ([1, 3, 10, 60], [1, 4, 20], [1, 5, 30, 300], [1, 60], [2, 10])
    )
    rows = people * each
    table = pl.DataFrame(
        {
            "customer": rng.integers(0, people, rows),
            "goods": np.minimum(rng.zipf(1.3, rows), goods),
            "time": np.datetime64("2020-01-01T08:00", "us") + rng.integers(0, days * 1440, rows) * 60_000_000,
            "price": np.round(np.exp(rng.normal(1, 1, rows)), 2) + 0.01,
            "quantity": rng.integers(1, most, rows),
        }
    )
    return kb.Purchases.from_frame(table, **{name: name for name in table.columns})


@pytest.mark.campaign
@pytest.mark.parametrize("tables", [5, *in_campaign(25)])
def test_small_tables_are_no_reason_for_alarm(tables):
    """From little nothing is told: neither another spelling, nor a factor, nor another meaning."""
    rng, methods, tried = np.random.default_rng(0), kb.methods, 0
    some = [
        methods.Delete(share=0.8), methods.Noise(quantity_spread=2, price_spread=2),
        methods.Coarsen(times="month", price_bands=3), methods.Alter(share=0.4), methods.KMeans(clusters=1),
    ]  # fmt: skip
    for seed in range(tables):
        data = small_table(rng)
        for method in some:
            try:
                released = method.release(data, seed=seed).data
            except kb.KakurenboError:  # such as nothing being left
                continue
            assert common_vocabulary(data, released).of("goods") is None
            assert told(data, released) == {}
            tried += 1
    assert tried > 3.2 * tables


def test_cut_goods_and_months_are_comparable_after_the_mapping(shop):
    cut = pl.col("goods").str.slice(0, 4)
    released = changed(shop, goods=cut, time=pl.col("time").dt.truncate("1mo"))
    assert told(shop, released) == {}
    plain = {one.role for one in coverage(shop, released) if not one.comparable}
    assert plain == {"goods", "time"}
