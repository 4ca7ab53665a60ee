"""Blocks: a table cut into whole customers, the same cut wherever it stands."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.data.aside import Aside
from kakurenbo.data.blocks import InMemory, block_count, block_of
from kakurenbo.data.purchases import Purchases
from strategies import purchases_of, rows

PARTS = {"customer": pl.String, "part": pl.Int64}


@given(table=rows, records=st.integers(1, 5))
def test_blocks_hold_everybody_whole_and_once(table, records):
    shop = purchases_of(table)
    blocks = InMemory.of(shop, records)
    parts = list(blocks.map(lambda block: block.under(None)))
    people = [set(part["customer"]) for part in parts]
    assert sum(map(len, people)) == len(set.union(*people)) == len(shop.customers)
    together = pl.concat(parts)
    assert together.sort(together.columns).equals(shop.by_content())


def test_where_a_customer_is_depends_on_his_id_alone():
    people = pl.Series([f"{number}" for number in range(500)])
    places = block_of(people, 7)
    assert set(places) == set(range(7))
    assert (block_of(people.reverse(), 7)[::-1] == places).all()
    assert block_of(pl.Series(["17"]), 7)[0] == places[17]


def test_a_table_has_as_many_blocks_as_it_needs():
    assert [block_count(records, 10) for records in (1, 10, 11, 100)] == [1, 1, 2, 10]


@pytest.mark.parametrize("way", [InMemory.regrouped, lambda blocks, parts: Aside.of(blocks, parts, bucket=2)])
@given(table=rows, data=st.data())
def test_people_are_regrouped_whole_by_the_part_they_are_given(way, table, data):
    people = purchases_of(table).customers
    master = pl.DataFrame({"customer": people, "town": [f"of {person}" for person in people]})
    shop = replace(purchases_of(table), master=master)
    numbers = st.lists(st.integers(-1, 3), min_size=len(shop.customers), max_size=len(shop.customers))
    part_of = dict(zip(shop.customers, data.draw(numbers), strict=True))
    some = {person: part for person, part in part_of.items() if part >= 0}
    parts = pl.DataFrame({"customer": list(some), "part": list(some.values())}, schema=PARTS)
    regrouped = way(InMemory.of(shop, 2), parts.sample(fraction=1, shuffle=True, seed=1))
    blocks = list(regrouped.map(Purchases.by_content))
    wanted = [[person for person in some if some[person] == part] for part in sorted(set(some.values()))]
    assert [sorted(set(block["customer"])) for block in blocks] == list(map(sorted, wanted))
    for block, people in zip(blocks, wanted, strict=True):
        own = shop.by_content().filter(pl.col("customer").is_in(people))
        assert block.equals(own)
    assert list(regrouped.map(_towns)) == [[f"of {person}" for person in sorted(people)] for people in wanted]


def test_what_lies_aside_is_its_owners_alone_and_goes_when_it_is_done_with():
    shop = kb.demo.shop(20, seed=1)
    aside = Aside.of(InMemory(shop, 3), pl.DataFrame({"customer": shop.customers, "part": [0, 1] * 10}))
    folder = aside.folder
    assert folder.stat().st_mode & 0o077 == 0
    assert any(folder.iterdir())
    del aside
    assert not folder.exists()


def _towns(block):
    return block.master.sort("customer")["town"].to_list()


@given(table=rows, records=st.integers(1, 5), people=st.integers(1, 4))
def test_some_people_are_drawn_whole_and_alike_from_any_blocks(table, records, people):
    shop = purchases_of(table)
    some = InMemory.of(shop, records).some(people, seed=1)
    assert len(some.customers) == min(people, len(shop.customers))
    assert some.by_content().equals(shop.of(some.customers.cast(pl.String)).by_content())
    assert some.by_content().equals(InMemory.of(shop).some(people, seed=1).by_content())
