"""Careless names and rows: found where order was kept, one in n where it was not."""

import random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.attacks import OrderMicrodata
from kakurenbo.attacks.order import natural, stretched
from strategies import purchases_of

many = settings(max_examples=100)  # rare cases are what this is about


def renamed(shop, names, *, shuffle):
    records = shop.under(None).with_columns(pl.col("customer").replace_strict(names))
    return shop.with_records(records.sample(fraction=1, shuffle=True, seed=1) if shuffle else records)


def found(secret, guess):
    return kb.reidentification(secret, guess).rate.value


@pytest.mark.parametrize(("old", "new"), [("{}", "{}"), ("C{}", "U{:04}"), ("id-{:05}-x", "{}")])
def test_names_given_in_order_give_everybody_away(old, new):
    shop = purchases_of([(who, who % 7, 0, who, 100, 1) for who in range(120)])
    shop = renamed(shop, {f"c{who}": old.format(7 * who) for who in range(120)}, shuffle=True)
    secret = {old.format(7 * who): new.format(who + 1) for who in range(120)}
    release = renamed(shop, secret, shuffle=True)
    pairing = kb.Pairing.of({new: old for old, new in secret.items()})
    assert found(pairing, kb.attacks.OrderAttack().guess(shop, release)) == 1
    assert found(pairing, kb.attacks.OrderAttack(by="rows").guess(shop, release)) < 0.1


def test_rows_left_in_their_order_give_everybody_away():
    shop = kb.demo.shop(100, seed=1)
    names = [f"t{number}" for number in range(100)]
    random.Random(1).shuffle(names)
    secret = dict(zip(shop.customers, names, strict=True))
    shop = shop.with_records(shop.records.sample(fraction=1, shuffle=True, seed=3))
    pairing = kb.Pairing.of({new: old for old, new in secret.items()})
    release = renamed(shop, secret, shuffle=False)
    assert found(pairing, kb.attacks.OrderAttack(by="rows").guess(shop, release)) == 1
    assert found(pairing, kb.attacks.OrderAttack(by="rows", share=0.1).guess(shop, release)) == 1
    assert found(pairing, kb.attacks.OrderAttack().guess(shop, release)) < 0.1


@pytest.mark.parametrize("by", ["names", "rows"])
def test_our_own_releases_tell_nothing_by_order(by):
    shop, people = kb.demo.shop(100, seed=1), kb.demo.households(300, seed=1)
    shops = [kb.methods.Pseudonymize().release(shop, seed=seed) for seed in range(20)]
    mean = sum(found(r.pairing, kb.attacks.OrderAttack(by=by).guess(shop, r.data)) for r in shops) / 20
    assert mean < 0.03
    release = kb.methods.KAnonymize(k=5).release(people, seed=1)
    assert found(release.pairing, OrderMicrodata(by=by).guess(people, release.data)) < 0.03


def test_microdata_by_name_and_by_row():
    frame = pl.DataFrame({"who": ["P10", "P9", "P100"], "age": [1, 2, 3]})
    known = kb.Microdata.from_frame(frame, qi=["age"], id="who")
    other = frame.with_columns(who=pl.Series(["2", "3", "1"]))
    released = kb.Microdata.from_frame(other, qi=["age"], id="who")
    by_name = OrderMicrodata().guess(known, released)
    assert by_name.to_dict() == {"1": "P9", "2": "P10", "3": "P100"}
    by_row = OrderMicrodata(by="rows").guess(known, released)
    assert by_row.to_dict() == {"2": "P10", "3": "P9", "1": "P100"}


@given(st.integers(1, 60), st.integers(1, 60))
@many
def test_places_are_stretched_from_end_to_end(places, onto):
    found = stretched(places, onto).tolist()
    exact = [j * (onto - 1) / max(places - 1, 1) for j in range(places)]
    assert all(abs(one - other) <= 0.5 for one, other in zip(found, exact, strict=True))
    assert found == sorted(found)
    assert found[0] == 0
    assert found[-1] == (onto - 1 if places > 1 else 0)
    assert places > onto or len(set(found)) == places


def test_one_to_one_leaves_over_who_stands_between():
    two, five = (kb.Microdata.from_frame(pl.DataFrame({"age": [1] * n}), qi=["age"]) for n in (2, 5))
    assert OrderMicrodata().guess(two, five).original.to_list() == ["1", "1", "2", "2", "2"]
    alone = OrderMicrodata(reading="assignment").guess(two, five)
    assert alone.original.to_list() == ["1", None, None, None, "2"]


@given(st.lists(st.integers(0, 10**6), min_size=1, unique=True))
@many
def test_numbers_in_names_are_sorted_as_numbers(numbers):
    names = [f"C{number:03}x" for number in numbers]
    assert sorted(names, key=natural) == [f"C{number:03}x" for number in sorted(numbers)]


def test_very_long_numbers_and_no_numbers_are_sorted_too():
    names = ["9" * 5000, "b", "10", "9", "a", ""]
    assert sorted(names, key=natural) == ["", "9", "10", "9" * 5000, "a", "b"]


def test_old_ids_sorted_as_text_are_tried_too():
    """1, 10, 2 is how many a program sorts ids before it counts up new names."""
    frame = pl.DataFrame({"who": ["1", "2", "10"], "age": [1, 2, 3]})
    known = kb.Microdata.from_frame(frame, qi=["age"], id="who")
    released = kb.Microdata.from_frame(
        frame.with_columns(who=pl.Series(["1", "3", "2"])), qi=["age"], id="who"
    )
    assert OrderMicrodata(by="text").guess(known, released).to_dict() == {"1": "1", "2": "10", "3": "2"}
