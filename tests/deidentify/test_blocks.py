"""Chance by id: what is drawn for a person does not depend on who else is in the table."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.chance import Chance
from people import microdata_of, people_rows
from strategies import purchases_of, rows

EACH_FOR_HIMSELF = [
    kb.methods.Noise(quantity_spread=0.5, price_spread=0.5),
    kb.methods.Coarsen(times="month"),
    kb.methods.Pseudonymize(),
]


@pytest.mark.parametrize("method", EACH_FOR_HIMSELF, ids=lambda method: type(method).__name__)
@given(table=rows, data=st.data())
def test_a_block_of_customers_is_changed_as_in_the_whole(method, table, data):
    shop = purchases_of(table)
    some = data.draw(st.lists(st.sampled_from(shop.customers.to_list()), min_size=1, unique=True))
    block = pl.Series(some)
    whole = method.change(shop, Chance(1)).data.of(block)
    alone = method.change(shop.of(block), Chance(1)).data
    assert alone.by_content().equals(whole.by_content())


@given(table=rows, data=st.data())
def test_a_block_gets_the_names_and_receipts_it_has_in_the_whole(table, data):
    shop = purchases_of(table)
    block = pl.Series(data.draw(st.lists(st.sampled_from(shop.customers.to_list()), min_size=1, unique=True)))
    whole, alone = (kb.methods.Pseudonymize().release(part, seed=1) for part in (shop, shop.of(block)))
    assert alone.pairing.to_dict().items() <= whole.pairing.to_dict().items()
    assert alone.data.by_content().equals(whole.data.of(alone.pairing.released).by_content())


@given(table=people_rows, data=st.data())
def test_a_block_of_rows_is_blurred_as_in_the_whole(table, data):
    people = microdata_of(table)
    block = pl.Series(data.draw(st.lists(st.sampled_from(people.ids.to_list()), min_size=1, unique=True)))
    method = kb.methods.NoiseMicrodata(scale=1.0, unit="absolute")
    whole = method.change(people, Chance(1)).data.of(block)
    assert method.change(people.of(block), Chance(1)).data.records.equals(whole.records)


def test_receipts_of_two_customers_stay_two_whatever_their_ids():
    table = pl.DataFrame({"c": ["a\0b", "a"], "g": ["x", "x"], "r": ["c", "b\0c"]})
    shop = kb.Purchases.from_frame(table, customer="c", goods="g", receipt="r")
    assert kb.methods.Pseudonymize().release(shop, seed=1).data.records["receipt"].n_unique() == 2
