"""Blocks on a real cluster: the same as in memory, read once, with refusals and accidents told as ours."""

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.errors import InputError, KakurenboError
from shops import NAMED
from works import Refuse, content, crash


@pytest.fixture(scope="module")
def blocks(spark):
    return spark[0]


def test_the_blocks_are_those_of_memory_in_the_same_order(blocks, memory):
    assert len(blocks) == len(memory[0]) > 2
    for there, here in zip(blocks.map(content), memory[0].map(content), strict=True):
        assert there.equals(here)
    whole = memory[0].whole
    assert blocks.whole.counts == whole.counts
    assert blocks.whole.goods.equals(whole.goods)
    assert blocks.whole.roles == whole.roles
    assert blocks.whole.shown == whole.shown


def test_a_refusal_in_a_block_is_raised_as_it_was_meant(blocks):
    with pytest.raises(InputError, match="Not today") as refused:
        list(blocks.map(Refuse("unmeasurable")))
    assert (refused.value.code, refused.value.column) == ("unmeasurable", "goods")


def test_an_accident_tells_no_value_and_no_traceback(blocks, shop):
    with pytest.raises(KakurenboError) as told:
        list(blocks.map(crash))
    assert told.value.code == "cluster"
    assert not any(person in str(told.value) for person in shop.customers)
    assert "ValueError" in str(told.value)


def test_rows_that_are_no_purchase_are_refused_or_dropped_with_a_count(session, shop, tmp_path):
    path, frame = tmp_path / "bad.csv", shop.to_frame()
    bad = pl.int_range(pl.len()) % 50 == 0
    frame.with_columns(quantity=pl.when(bad).then(-1).otherwise("quantity")).write_csv(path)
    with pytest.raises(InputError, match=f"of {frame.height} rows") as refused:
        kb.spark.read(str(path), session=session, policy="refuse", **NAMED)
    assert (refused.value.code, refused.value.column) == ("not-positive", "quantity")
    made = kb.spark.read(str(path), session=session, policy="drop", **NAMED)
    memory = kb.read_purchases(path, policy="drop", **NAMED)
    assert made.whole.dropped == memory.dropped
    assert made.whole.counts == memory.counts
    assert made.whole.layout == memory.layout
    made.close()
