"""Releases whose names and people do not pair one to one, audited as they come."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.auditing.audit import audit
from kakurenbo.measures import Likeness, RecordsAdded
from shops import light_shop


@pytest.fixture(scope="module")
def shop():
    return light_shop(40, seed=4)


@pytest.fixture(scope="module")
def by_season(shop):
    """A pseudonym for each half year, a fake who bought what another did, and two people under one name."""
    records = shop.under(None).with_columns(person="customer")
    half = pl.when(pl.col("time").dt.month() <= 6).then(pl.lit("s")).otherwise(pl.lit("w"))
    records = records.with_columns(customer=pl.col("customer") + half)
    couple = shop.customers.tail(2).to_list()
    shared = records.with_columns(
        customer=pl.when(pl.col("person").is_in(couple)).then(pl.lit("zz")).otherwise("customer")
    )
    whose = shared.select(released="customer", original="person").unique()
    fake = shared.filter(pl.col("person") == shop.customers[0]).with_columns(customer=pl.lit("nobody"))
    whole = pl.concat([shared, fake]).drop("person")
    whose = pl.concat([whose, pl.DataFrame({"released": ["nobody"], "original": [None]})])
    released = shop.with_records(whole.with_columns(receipt=pl.lit("r")), master=None)
    return released, kb.Owners(whose["released"], whose["original"])


@pytest.mark.campaign
def test_the_audit_counts_names_and_persons(shop, by_season):
    released, owners = by_season
    result = audit(shop, released, owners, seed=1)
    rows = next(f for f in result.attacks if f.attack == "rows" and f.knowledge == "full records")
    assert (rows.people, rows.persons) == (len(owners.names) - 1, 40)
    assert rows.rate.value > 0.9
    assert rows.persons_rate.value > 0.95
    assert result.people.people == 40
    assert sum(count for _, count in result.people.by_attackers) == 40
    table = result.people.table
    assert table.height == len(owners.released) - 1
    found = table.filter(pl.col("attackers") > 0)["original"].n_unique()
    assert result.people.found == found
    assert result.excess.mean == pytest.approx(0, abs=0.1), "a person's names count together"


def test_measures_follow_a_person_through_all_his_names(shop, by_season):
    released, owners = by_season
    before, after = {}, {}
    for who, what in shop.under(None).select("customer", "goods").iter_rows():
        before.setdefault(who, set()).add(what)
    for name, what in released.under(None).select("customer", "goods").iter_rows():
        for who in owners.frame.filter(pl.col("released") == name)["original"].drop_nulls():
            after.setdefault(who, set()).add(what)
    plain = np.mean([len(before[who] & after[who]) / len(before[who] | after[who]) for who in before])
    assert Likeness().of(shop, released, owners).value == pytest.approx(plain)
    couple = shop.records["customer"].cast(pl.String).is_in(shop.customers.tail(2).to_list()).sum()
    assert RecordsAdded().of(shop, released, owners).value == couple, "each of two has the other's beside his"


def test_an_owner_for_every_name_is_a_pairing():
    owners = kb.Owners(pl.Series(["x", "y"]), pl.Series(["1", "2"]))
    assert owners.one_to_one
    assert owners.as_secret() == kb.Pairing.of({"x": "1", "y": "2"})
    with pytest.raises(kb.InputError):
        kb.Owners(pl.Series(["x", "y"]), pl.Series(["1", "1"])).as_secret()
    with pytest.raises(kb.InputError):
        kb.Owners(pl.Series(["x", "x"]), pl.Series(["1", "2"])).as_secret()


def test_microdata_with_fakes_is_audited_and_what_follows_rows_is_left_out():
    people = kb.demo.households(60, seed=1)
    copy = people.with_columns()
    names = people.ids
    owners = kb.Owners(names, pl.Series([None, *names[1:]], dtype=pl.String))
    result = audit(people, copy, owners, seed=1)
    assert {finding.persons for finding in result.attacks} == {59}
    assert "excess" in {skipped.name for skipped in result.skipped}
    assert "u5-loss" in {skipped.name for skipped in result.skipped}
