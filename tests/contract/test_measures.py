"""What every measure obeys, over the catalogue: registering a measure tests it."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.catalogue import entries
from strategies import purchases_of, rows

MEASURES = entries("measure", "purchases")
METHODS = entries("method", "purchases")


def each(selected):
    return pytest.mark.parametrize("entry", selected, ids=lambda entry: entry.name)


@each([entry for entry in MEASURES if "best-on-copy" in entry.obeys])
@given(table=rows, seed=st.integers(0, 9))
def test_a_copy_has_the_best_value(entry, table, seed):
    shop = purchases_of(table)
    release = kb.methods.Pseudonymize().release(shop, seed=seed)
    found = entry.what().of(shop, release.data, release.pairing)
    assert found.value == {"lower": 0, "higher": 1}[found.better]


@each(MEASURES)
@given(table=rows, seed=st.integers(0, 99))
def test_order_changes_nothing(entry, table, seed):
    shop = purchases_of(table)
    release = kb.methods.Alter(share=0.5).release(shop, seed=seed)
    before = entry.what().of(shop, release.data, release.pairing)
    shuffled = [
        data.with_records(data.records.sample(fraction=1, shuffle=True, seed=seed), master=data.master)
        for data in (shop, release.data)
    ]
    assert entry.what().of(*shuffled, release.pairing).value == pytest.approx(before.value, abs=1e-12)


@pytest.fixture(scope="module", params=METHODS, ids=lambda method: method.name)
def made(request):
    """A shop and its release by every method in turn: made once, for all measures."""
    shop = kb.demo.shop(30, seed=1)
    return shop, request.param.what(**request.param.example).release(shop, seed=1)


@each(MEASURES)
def test_every_measure_works_on_every_method(entry, made):
    shop, release = made
    if not release.data.shown.issuperset(entry.what.about.needs):
        with pytest.raises(kb.InputError, match="which the data lacks"):
            entry.what().of(shop, release.data, release.pairing)
        return
    found = entry.what().of(shop, release.data, release.pairing)
    assert math.isfinite(found.value)
    assert found.value >= 0
    assert found.unit
    if found.unit == "share" and not entry.name.endswith("cmae"):
        assert found.value <= 1


@each(MEASURES)
def test_what_is_needed_and_missing_is_one_clear_error(entry, small_frame):
    bare = kb.Purchases.from_frame(small_frame, customer="who", goods="what")
    release = kb.methods.Pseudonymize().release(bare, seed=1)
    what = entry.what
    if what.about.needs:
        with pytest.raises(kb.InputError) as error:
            what().of(bare, release.data, release.pairing)
        assert error.value.code == "roles"
    elif what.about.secret:
        with pytest.raises(kb.ParameterError):
            what().of(bare, release.data)
    else:
        assert what().of(bare, release.data).value >= 0


def test_records_are_followed_through_the_pairing(small):
    kept = small.records.filter(pl.col("goods") != "rice")
    secret = kb.Pairing.of({"x": "ann", "y": "bob", "z": "cem"})
    names = {"ann": "x", "bob": "y", "cem": "z"}
    renamed = pl.col("customer").cast(pl.String).replace_strict(names)
    released = small.with_records(pl.concat([kept, kept.head(1)]).with_columns(customer=renamed))
    assert kb.CATALOGUE
    values = {
        entry.name: entry.what().of(small, released, secret).value
        for entry in MEASURES
        if entry.name in {"delta-m", "records-added", "records-deleted", "likeness"}
    }
    # one record of cem's is gone, one of ann's stands twice
    assert values == {
        "delta-m": 0,
        "records-added": 1,
        "records-deleted": 1,
        "likeness": pytest.approx((1 + 1 + 2 / 3) / 3),
    }
