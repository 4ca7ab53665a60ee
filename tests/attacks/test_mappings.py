"""The common vocabulary: cuts, affixes and rounded times are seen through, and nothing else is made up."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.catalogue import entries
from kakurenbo.mappings import EVERY, Clock, Spelling, common_vocabulary
from shops import light_shop

COARSE = {
    "coarsen": {"time", "price"},
    "coarsen-master": {"master"},
    "generalize": {"goods"},
    "push-away": {"quantity"},
}  # what they do is a mapping
METHODS = [entry.what for entry in entries("method", "purchases")]


def changed(data, goods=None, every=None):
    """Return the data with goods rewritten by a polars expression, and times rounded down by polars."""
    records = data.under(None)
    if goods is not None:
        records = records.with_columns(goods=goods)
    if every is not None:
        records = records.with_columns(pl.col("time").dt.truncate(every))
    return data.with_records(records, master=data.master)


def same(one, other):
    return one.under(None).equals(other.under(None)) and one.goods.equals(other.goods)


@pytest.fixture(scope="module")
def shop():
    """A shop whose goods have codes of several lengths, as real ones do."""
    data, rng = light_shop(60, 3), np.random.default_rng(3)
    numbers = rng.permutation(np.arange(20000, 30000))[: len(data.goods)]
    codes = [f"{number}{'ABC'[number % 3] * (number % 2)}" for number in numbers]
    return changed(data, pl.col("goods").replace_strict(dict(zip(data.goods, codes, strict=True))))


@pytest.mark.parametrize("period", [None, *EVERY])
@pytest.mark.parametrize("cut", [None, 2, 3, 4])
def test_cut_goods_and_rounded_times_are_inferred_exactly(shop, cut, period):
    goods = None if cut is None else pl.col("goods").str.slice(0, cut)
    released = changed(shop, goods, None if period is None else EVERY[period])
    made = common_vocabulary(shop, released)
    assert same(made.original, released)
    said = [] if cut is None else [f"goods cut to {cut} characters"]
    assert list(made.inferred) == said + ([] if period is None else [f"times by {period}"])


@pytest.mark.parametrize(
    ("before", "cut", "after"),
    [("SKU-", None, ""), ("", None, "_x"), ("2", None, "2"), ("SKU-2", 3, ""), ("a b", 4, "/?id=22")],
)
def test_what_stands_before_and_after_the_codes_is_inferred_too(shop, before, cut, after):
    goods = pl.lit(before) + pl.col("goods").str.slice(0, cut) + pl.lit(after)
    released = changed(shop, goods)
    assert same(common_vocabulary(shop, released).original, released)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.about.name)
def test_nothing_is_inferred_about_goods_from_what_our_own_methods_do(shop, method):
    released = method(**method.about.example).release(shop, seed=1).data
    made = common_vocabulary(shop, released)
    assert {mapping.role for mapping in made.mappings} <= COARSE.get(method.about.name, set())
    if not made.mappings:
        assert made.original is shop


def test_other_codes_are_no_spelling_of_these(shop):
    """Numbers of the same kind cover some of the codes by chance."""
    rng = np.random.default_rng(0)
    fresh = [f"SKU-{number}" for number in rng.permutation(np.arange(20000, 30000))[: len(shop.goods)]]
    other = pl.col("goods").replace_strict(dict(zip(shop.goods, fresh, strict=True)))
    assert common_vocabulary(shop, changed(shop, other)).original is shop


def test_a_parent_code_that_is_also_a_good_is_told_from_a_cut():
    """In a hierarchy every cut code is a code; only how often it occurs tells which was released."""
    codes = [*["A", "B"] * 2, *["AA", "AB", "BA", "BB"] * 20]
    table = pl.DataFrame({"customer": [f"c{i % 9}" for i in range(len(codes))], "goods": codes})
    data = kb.Purchases.from_frame(table, customer="customer", goods="goods")
    released = changed(data, pl.col("goods").str.slice(0, 1))
    assert common_vocabulary(data, released).of("goods") == Spelling(cut=1)
    assert common_vocabulary(data, data).original is data


def test_months_of_january_alone_are_not_taken_for_years():
    """All of them are the first of a year; how many records there are tells that they are months."""
    days = pl.datetime_range(pl.datetime(2010, 1, 1), pl.datetime(2011, 12, 31), "7h", eager=True)
    table = pl.DataFrame({"customer": "c", "goods": "g", "time": days})
    data = kb.Purchases.from_frame(table, customer="customer", goods="goods", time="time")
    january = data.with_records(data.under(None).filter(pl.col("time").dt.month() == 1))
    assert common_vocabulary(data, changed(data, every="1y")).of("time") == Clock("year")
    assert common_vocabulary(january, changed(january, every="1mo")).of("time") == Clock("month")
    assert common_vocabulary(data, changed(january, every="1w")).of("time") == Clock("week")


def test_the_goods_of_few_people_among_many_are_still_the_same(shop):
    some = changed(shop.of(shop.customers.head(12)), pl.col("goods").str.slice(0, 3))
    assert common_vocabulary(shop, some).of("goods") == Spelling(cut=3)


def test_writing_works_on_goods_and_not_on_rows(shop):
    made = Spelling("x", 2, "y").apply(shop)
    assert made.goods.to_list() == sorted({f"x{code[:2]}y" for code in shop.goods})
    assert made.customers.equals(shop.customers)


@pytest.mark.parametrize("cut", [2, *in_campaign(1, 3)])
def test_online_retail_is_seen_through(cut, real):
    data = kb.datasets.online_retail(real("online_retail.parquet"))
    for every, said in ((None, ()), ("1mo", ("times by month",)), ("1q", ("times by quarter",))):
        released = changed(data, pl.col("goods").str.slice(0, cut), every)
        made = common_vocabulary(data, released)
        assert same(made.original, released)
        assert made.inferred == (f"goods cut to {cut} character{'s' * (cut > 1)}", *said)
