"""Blocks: a table cut into whole customers, the same cut wherever it stands."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from kakurenbo.data.blocks import InMemory, block_count, block_of
from strategies import purchases_of, rows


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
