"""Prices and quantities in the words of a release: factors, constants, rounding and bands."""

import decimal
from decimal import Decimal

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.auditing.coverage.covered import coverage
from kakurenbo.mappings import common_vocabulary
from kakurenbo.mappings.rounding import Rounding
from shops import light_shop

M = kb.methods


@pytest.fixture(scope="module")
def shop():
    return light_shop(60, 3)


def changed(data, **columns):
    return data.with_records(data.under(None).with_columns(**columns), master=data.master)


def banded(data, role, count, how):
    """Put numbers in bands of about equal count, by plain numpy; what stands for a band is made by `how`."""
    numbers = data.records[role].to_numpy()
    band = np.searchsorted(
        np.unique(np.quantile(numbers, np.arange(1, count) / count)), numbers, side="right"
    )
    stands = np.array([round(float(how(numbers[band == one])), 2) for one in range(band.max() + 1)])
    return changed(data, **{role: pl.Series(stands[band]).cast(data.records[role].dtype)})


def whole(made):
    return made.round(0).clip(lower_bound=1).cast(pl.Int64)


PRICE, QUANTITY = pl.col("price"), pl.col("quantity")
WRITTEN = [
    ({"price": (PRICE * 1.37).round(2)}, "prices multiplied by 1.37"),
    ({"price": PRICE * 1.37}, "prices multiplied by 1.37"),
    ({"price": PRICE / 1.2}, "prices multiplied by 0.833333"),
    ({"price": (PRICE * 1.02).round(2)}, "prices multiplied by 1.02"),
    ({"price": (PRICE * 110.4567).round(2)}, "prices multiplied by 110.457"),
    ({"price": PRICE + 5}, "prices 5 more"),
    ({"price": PRICE.round(0).clip(lower_bound=1)}, "prices rounded to whole numbers"),
    ({"price": PRICE.floor().clip(lower_bound=0.01)}, "prices rounded down to whole numbers"),
    ({"price": ((PRICE / 10).round(0) * 10).clip(lower_bound=1)}, "prices rounded to multiples of 10"),
    ({"price": PRICE.round_sig_figs(1)}, "prices rounded to 1 significant digit"),
    ({"quantity": QUANTITY * 3}, "quantities multiplied by 3"),
    ({"quantity": QUANTITY + 2}, "quantities 2 more"),
    ({"quantity": ((QUANTITY / 5).ceil() * 5).cast(pl.Int64)}, "quantities rounded up to multiples of 5"),
]


@pytest.mark.parametrize(("columns", "words"), WRITTEN, ids=[words for _, words in WRITTEN])
def test_what_was_done_to_all_numbers_alike_is_inferred_exactly(shop, columns, words):
    released = changed(shop, **columns)
    made = common_vocabulary(shop, released)
    assert made.inferred == (words,)
    assert made.original.under(None).equals(released.under(None))


@pytest.mark.parametrize(
    ("way", "counted"),
    [
        ("all halves up", decimal.ROUND_HALF_UP),
        ("all halves to even", decimal.ROUND_HALF_EVEN),
        ("down to", decimal.ROUND_FLOOR),
        ("up to", decimal.ROUND_CEILING),
    ],
)
def test_cents_are_rounded_as_who_counts_in_decimals_rounds_them(way, counted):
    cents = range(1, 1000)
    tenths = [(Decimal(count) / 100).quantize(Decimal("0.1"), counted) for count in cents]
    made = Rounding(0.1, way=way).of(np.array(cents) / 100)
    assert made.tolist() == [float(one) for one in tenths]


@pytest.mark.parametrize("how", [np.median, np.mean, np.min, np.max])
@pytest.mark.parametrize("count", [2, 3, 10])
def test_bands_are_inferred_whatever_stands_for_them(shop, count, how):
    released = banded(shop, "price", count, how)
    made = common_vocabulary(shop, released)
    assert made.inferred == (f"prices in {count} bands",)
    assert made.original.records["price"].equals(released.records["price"])


def test_our_own_coarsening_is_read_with_what_comes_beside_it(shop):
    coarse = M.Coarsen(times="month", price_bands=3).release(shop, seed=1).data
    for released in (coarse, M.Delete(share=0.5).release(coarse, seed=2).data):
        assert common_vocabulary(shop, released).inferred == ("times by month", "prices in 3 bands")


COARSER = [
    ({"quantity_bands": 2}, "quantities in 2 bands"),
    ({"quantity_unit": 5}, "quantities rounded to multiples of 5"),
    ({"quantity_unit": 10}, "quantities rounded to multiples of 10"),
    ({"quantity_digits": 1}, "quantities rounded to 1 significant digit"),
    ({"price_unit": 5}, "prices rounded to multiples of 5"),
    ({"price_digits": 1}, "prices rounded to 1 significant digit"),
    ({"amount_bands": 10}, "prices by amounts in 10 bands"),
    ({"amount_bands": 3, "quantity_bands": 2}, "prices by amounts in 3 bands", "quantities in 2 bands"),
]


@pytest.mark.parametrize(("parameters", "words"), [(one[0], one[1:]) for one in COARSER], ids=str)
def test_our_own_bands_and_roundings_are_read_exactly(shop, parameters, words):
    wide = changed(shop, quantity=QUANTITY * QUANTITY + pl.col("goods").rank("dense") % 7)
    method = M.Coarsen(**parameters)
    released = method.change(wide, None).data
    made = common_vocabulary(wide, released)
    assert made.inferred == words
    assert made.original.under(None).equals(released.under(None))
    assert all(one.comparable and one.records == 1 for one in coverage(made.original, released))


def test_a_factor_is_seen_through_deletion(shop):
    dear = changed(shop, price=(PRICE * 1.37).round(2), quantity=QUANTITY * 3)
    made = common_vocabulary(shop, M.Delete(share=0.5).release(dear, seed=1).data)
    assert made.inferred == ("prices multiplied by 1.37", "quantities multiplied by 3")


def test_a_factor_beside_noise_is_told_by_the_goods_and_noise_alone_is_none(real):
    data = kb.read_purchases(real("tc400.csv"))
    for seed in range(3):
        noise = M.Noise(price_spread=0.3, quantity_spread=0.3).release(data, seed=seed).data
        assert common_vocabulary(data, noise).original is data
        (scale,) = common_vocabulary(data, changed(noise, price=(PRICE * 1.37).round(2))).mappings
        assert scale.factor == pytest.approx(1.37, rel=0.01)


NOTHING = [
    M.Pseudonymize(), M.Delete(share=0.5), M.Delete(share=0.9), M.Alter(share=0.8),
    M.Noise(price_spread=0.05, quantity_spread=0.05), M.Noise(price_spread=1, quantity_spread=1),
    M.Deal(min_size=8, of="receipts"), M.Deal(min_size=8),
    M.Compact(min_size=8), M.Balanced(clusters=7, min_size=8),
]  # fmt: skip


@pytest.mark.parametrize("method", NOTHING, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_releases_that_keep_the_words_are_left_alone(shop, method, seed):
    assert common_vocabulary(shop, method.release(shop, seed=seed).data).original is shop


@pytest.mark.parametrize("people", [6, 12, 30])
def test_other_people_are_no_other_words(people):
    data = light_shop(120, 5)
    for seed in range(4):
        some = data.of(data.customers.sample(people, seed=seed))
        assert common_vocabulary(data, some).original is data


def test_online_retail_is_read_by_its_distinct_numbers(real):
    data = kb.datasets.online_retail(real("online_retail.parquet"))
    released = changed(data, price=(PRICE * 1.37).round(2).clip(lower_bound=0.01), quantity=QUANTITY * 3)
    made = common_vocabulary(data, released)
    assert made.inferred == ("prices multiplied by 1.37", "quantities multiplied by 3")
    assert made.original.under(None).equals(released.under(None))
