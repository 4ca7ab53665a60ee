"""Beyond memory: in blocks of any size the release is the one that the whole table gets in memory."""

import pickle
from functools import partial

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo import chance as chances
from kakurenbo.catalogue import entries
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.data.pairing import Pairing
from kakurenbo.deidentify.fitted import Fitted, Through, keeps
from kakurenbo.deidentify.in_blocks import release_in_blocks
from kakurenbo.deidentify.purchases import crowds
from kakurenbo.errors import InputError, ParameterError
from strategies import purchases_of, rows

M = kb.methods
METHODS = [
    entry.what(**entry.example)
    for entry in entries("method", "purchases")
    if entry.what.about.reach != "whole"
]
METHODS += [
    M.Coarsen(times="week", price_bands=2, quantity_bands=2),
    M.Coarsen(amount_bands=3, quantity_unit=2),
    M.CoarsenMaster(columns=("country",), characters=1),
    M.Delete(share=0.4),
    M.Generalize(level=1, by="characters"),
    M.Generalize(crowd=3, by="characters", favour="goods"),
    M.Chain(methods=(M.Coarsen(times="month"), M.Generalize(crowd=2), M.Generalize(level=1))),
    M.Rotate(by="receipt"),
    M.Suppress(k=2, m=1),
    M.Suppress(k=2, m=3),
    M.Chain(methods=(M.Omit(columns=("time",)), M.Suppress(k=2, first="cheaper"), M.Delete(share=0.2))),
    M.Chain(methods=(M.Rotate(by="month"), M.Coarsen(price_bands=2), M.Delete(share=0.3))),
    M.Chain(methods=(M.Sample(share=0.6), M.Alter(share=0.5), M.Omit(columns=("receipt",)))),
]


def itself(release):
    return release


def released(method, shop, records):
    """The release that blocks of about so many records make, put together."""
    made = release_in_blocks(method, InMemory.of(shop, records), seed=3)
    made = made.settled()
    done = list(made.parts(itself))
    told, parts = made.told(done), [part.made for part in done if part.made is not None]
    pairs = pl.concat(part.pairing.frame for part in parts)
    rows = pl.concat(part.data.under(None) for part in parts)
    masters = [part.data.master for part in parts if part.data.master is not None]
    return rows.sort(rows.columns), Pairing(*pairs), told, masters


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.plan.name)
@settings(max_examples=4)
@given(table=rows, records=st.integers(1, 5))
def test_blocks_of_any_size_give_the_release_of_the_whole(method, table, records):
    shop = purchases_of(table)
    try:
        whole = method.release(shop, seed=3)
    except (InputError, ParameterError) as error:
        with pytest.raises(type(error)):
            released(method, shop, records)
        return
    content, pairing, told, masters = released(method, shop, records)
    assert content.equals(whole.data.by_content())
    assert pairing == whole.pairing
    assert told.facts == whole.facts
    assert {**told.trees}.keys() == whole.data.hierarchies.keys()
    if whole.data.master is not None:
        assert pl.concat(masters).sort("customer").equals(whole.data.master)


@settings(max_examples=10)
@given(table=rows, records=st.integers(1, 5))
def test_tokens_that_clash_between_blocks_are_drawn_again_as_in_memory(table, records):
    shop = purchases_of(table)
    old = chances.WIDTH
    chances.WIDTH = 1  # 31 tokens for up to 7 people and 21 receipts
    try:
        whole = M.Pseudonymize().release(shop, seed=3)
        content, pairing, _, _ = released(M.Pseudonymize(), shop, records)
    finally:
        chances.WIDTH = old
    assert pairing == whole.pairing
    assert content.equals(whole.data.by_content())


def test_a_token_that_is_an_old_id_of_another_block_is_drawn_again():
    first = chances.Chance(3).tokens("pseudonym", pl.Series(["a"]), avoid=pl.Series([""]))[0]
    table = pl.DataFrame({"c": ["a", first], "g": ["x", "y"]})
    shop = kb.Purchases.from_frame(table, customer="c", goods="g")
    whole = M.Pseudonymize().release(shop, seed=3)
    content, pairing, _, _ = released(M.Pseudonymize(), shop, 1)
    assert pairing == whole.pairing
    assert first not in content["customer"].to_list()


def test_what_does_not_run_in_blocks_says_why():
    shop = purchases_of([(0, 1, 0, 3, 100, 1), (1, 2, 0, 3, 100, 1)])
    with pytest.raises(ParameterError, match="in an order of all people"):
        release_in_blocks(kb.cheats.Shift(), InMemory.of(shop, 1))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.plan.name)
def test_the_work_can_be_sent_to_another_process(method):
    both = [(0, 2, 0, 3, 100, 1), (1, 2, 0, 3, 100, 1)]
    shop = purchases_of([(0, 1, 0, 3, 100, 1), *both, (1, 3, 1, 9, 120, 2)])
    fitted = method.fitted(InMemory(shop, 1), chances.Chance(1))
    assert isinstance(fitted, Fitted)
    again = pickle.loads(pickle.dumps(fitted.work))  # noqa: S301 - our own
    assert again(shop).data.by_content().equals(fitted.work(shop).data.by_content())


@given(table=rows, records=st.integers(1, 9))
@settings(max_examples=10)
def test_what_is_known_of_blocks_whose_records_stay_is_what_a_pass_tells(table, records):
    """Work that keeps records saves the pass; one that says nothing of it makes it."""
    chain = M.Chain(methods=(M.Omit(columns=("receipt",)), M.Coarsen(times="month", price_bands=2)))
    blocks = InMemory.of(purchases_of(table), records)
    work = chain.fitted(blocks, Chance(1)).work
    assert keeps(work)
    saved, told = Through(blocks, work).whole, Through(blocks, partial(work)).whole
    assert saved.counts == told.counts
    assert saved.goods.to_list() == told.goods.to_list()
    assert (saved.roles, saved.shown, saved.keep_master) == (told.roles, told.shown, told.keep_master)


def test_crowds_beyond_memory_refuse_more_times_than_can_be_held(monkeypatch):
    monkeypatch.setattr(crowds, "_MOST", 30)
    shop = kb.Purchases.from_frame(
        kb.demo.shop_frame(40, seed=1), customer="customer", goods="goods", time="time"
    )
    method = M.Generalize(crowd=3, by="characters")
    with pytest.raises(ParameterError, match="Coarsen times first") as told:
        method.release_in_blocks(InMemory.of(shop, 200), seed=1)
    assert told.value.parameter == "crowd"
    assert method.release(shop, seed=1).data.counts["customers"] == 40  # one block adds up as it goes
