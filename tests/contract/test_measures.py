"""What every measure obeys, over the catalogue: registering a measure tests it."""

import math

import polars as pl
import pytest
from hypothesis import strategies as st

import kakurenbo as kb
from drawn import drawn
from kakurenbo.auditing.utility import utility
from kakurenbo.catalogue import entries
from kakurenbo.mappings import common_vocabulary
from shops import light_shop
from strategies import TABLE, purchases_of, rows

MEASURES = entries("measure", "purchases")
METHODS = entries("method", "purchases")


def each(selected):
    return pytest.mark.parametrize("entry", selected, ids=lambda entry: entry.name)


def told(entry, *tables, refusals=("unmeasurable",), spoken=None):
    """What a measure says, or None where it says that there is too little to measure."""
    try:
        return entry.what().of(*tables, spoken=spoken)
    except kb.InputError as error:
        if error.code not in refusals:
            raise
        return None


def best(found):
    return found.value == {"lower": 0, "higher": 1}[found.better]


@drawn({"table": TABLE, "seed": 1}, table=rows, seed=st.integers(0, 9))
def test_a_copy_has_the_best_value(table, seed):
    shop = purchases_of(table)
    release = kb.methods.Pseudonymize().release(shop, seed=seed)
    spoken = common_vocabulary(shop, release.data).original
    for entry in MEASURES:
        found = told(entry, shop, release.data, release.pairing, spoken=spoken)
        assert found is None or "best-on-copy" not in entry.obeys or best(found), entry.name


@drawn({"table": TABLE, "seed": 1}, table=rows, seed=st.integers(0, 99))
def test_order_changes_nothing(table, seed):
    shop = purchases_of(table)
    release = kb.methods.Alter(share=0.5).release(shop, seed=seed)
    shuffled = [
        data.with_records(data.records.sample(fraction=1, shuffle=True, seed=seed), master=data.master)
        for data in (shop, release.data)
    ]
    spoken = [common_vocabulary(*tables).original for tables in ((shop, release.data), shuffled)]
    for entry in MEASURES:
        before = told(entry, shop, release.data, release.pairing, spoken=spoken[0])
        after = told(entry, *shuffled, release.pairing, spoken=spoken[1])
        assert (before is None) == (after is None), entry.name
        assert before is None or after.value == pytest.approx(before.value, abs=1e-12), entry.name


@pytest.fixture(scope="module")
def copied():
    """A shop in which every measure has something to measure, its copy, and what is kept of its use."""
    shop = kb.demo.shop(300, seed=1)
    copy = kb.methods.Pseudonymize().release(shop, seed=1)
    return shop, copy, *utility(shop, copy.data, copy.pairing)


@each(MEASURES)
def test_in_a_shop_of_some_size_everything_is_measured(entry, copied):
    shop, copy, kept, _ = copied
    if entry.what.about.kept == "risk":
        found = entry.what().of(shop, copy.data, copy.pairing)
    else:
        (found,) = [measure for measure in kept if measure.name == entry.name]
    assert "best-on-copy" not in entry.obeys or best(found)
    assert all(math.isfinite(figure) for figure in found.detail.values())


@pytest.fixture(scope="module", params=METHODS, ids=lambda method: method.name)
def made(request):
    """A shop and its release by every method in turn: made once, for all measures."""
    shop = light_shop(30, seed=1)
    release = request.param.what(**request.param.example).release(shop, seed=1)
    return shop, release, common_vocabulary(shop, release.data).original


@each(MEASURES)
def test_every_measure_works_on_every_method(entry, made):
    shop, release, spoken = made
    shown = release.data.shown.issuperset(entry.what.about.needs)
    refusals = ("unmeasurable",) if shown else ("roles",)
    found = told(entry, shop, release.data, release.pairing, spoken=spoken, refusals=refusals)
    if found is None:
        return
    assert shown
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
        found = told(entry, bare, release.data, refusals=("roles", "unmeasurable"))
        assert found is None or found.value >= 0


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


def test_what_a_measure_says_in_words_is_said_of_every_shop_of_some_size(copied):
    *_, kept, skipped = copied
    wordy = {entry.name for entry in MEASURES if entry.what.about.says}
    assert not skipped
    assert {"next-buyer", "repeat-rate", "rules", "sales"} <= wordy
    assert {measure.name for measure in kept if measure.said} == wordy
