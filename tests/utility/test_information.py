"""What a record still tells: against entropy in plain Python."""

import math
from collections import Counter
from dataclasses import replace

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.chance import Chance
from kakurenbo.data.hierarchy import Hierarchy
from shops import light_shop


def entropy(values):
    counts = Counter(values)
    return -sum(n / len(values) * math.log2(n / len(values)) for n in counts.values())


def test_the_bits_that_words_and_months_take_away():
    shop = light_shop(20, seed=3)
    tree = Hierarchy.of({good: good[:1] for good in shop.goods})
    records = shop.under(None)
    coarse = records.with_columns(pl.col("goods").str.head(1), pl.col("time").dt.truncate("1mo"))
    released = replace(shop.with_records(coarse), hierarchies={"goods": tree})
    goods, words = (entropy(frame["goods"].to_list()) for frame in (records, coarse))
    days, months = (entropy(frame["time"].dt.date().to_list()) for frame in (records, coarse))
    measured = kb.measures.Information().of(shop, released)
    assert measured.value == pytest.approx(1 - (words + months) / (goods + days))
    assert measured.detail["kept of goods"] == pytest.approx(words / goods)


def test_a_column_that_is_left_out_tells_nothing():
    shop = light_shop(20, seed=3)
    bare = kb.methods.Omit(columns=("time",)).change(shop, Chance(1)).data
    records = shop.under(None)
    goods, days = entropy(records["goods"].to_list()), entropy(records["time"].dt.date().to_list())
    assert kb.measures.Information().of(shop, bare).value == pytest.approx(days / (goods + days))
