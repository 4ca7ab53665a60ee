"""Agreement and visits see what is left of blurred records: on real data, on odd tables, and not in noise."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases import agreement
from kakurenbo.attacks.search import units
from kakurenbo.chance import Chance
from kakurenbo.data.release import Release
from kakurenbo.demo import shop
from kakurenbo.mappings import common_vocabulary
from kakurenbo.methods import Alter, Chain, Coarsen, Delete, Noise, Pseudonymize

BLURRED = Noise(quantity_spread=0.3, price_spread=0.3)
MONTHS = Coarsen(times="month")


def found(attack, original, release, seed=1):
    known = common_vocabulary(original, release.data).original
    tables = Tables(known, release.data, Chance(seed), original)
    guess = attack.named(tables, tables.chance)
    return kb.reidentification(release.pairing, guess).rate.value


def changed(release, *columns, **named):
    records = release.data.under(None).with_columns(*columns, **named)
    return Release(release.data.with_records(records), release.pairing)


@pytest.fixture(scope="module")
def tc400(real):
    return kb.read_purchases(real("tc400.csv"))


@pytest.fixture(scope="module")
def blurred_prefixes(tc400):
    """Goods cut to three characters, months, noise."""
    release = Chain(methods=(BLURRED, MONTHS)).release(tc400, seed=11)
    return changed(release, pl.col("goods").cast(pl.String).str.slice(0, 3))


@pytest.mark.parametrize(("k", "independent"), [(1, 0.29), (2, 0.67), (4, 0.93)])
def test_few_records_are_found_in_noise_and_months(k, independent, tc400, blurred_prefixes):
    attack = kb.attacks.AgreementAttack(points=k, reading="target")
    assert found(attack, tc400, blurred_prefixes) > independent - 0.05


def test_one_record_with_its_minute_finds_who_has_other_goods(tc400):
    release = Chain(methods=(Alter(share=1.0), BLURRED, Delete(share=0.3))).release(tc400, seed=11)
    assert found(kb.attacks.AgreementAttack(points=1, reading="target"), tc400, release) > 0.94


@pytest.mark.campaign
def test_a_few_altered_records_in_months_are_found_by_all_there_is(tc400):
    plan = Chain(methods=(Delete(share=0.8), Alter(share=0.8), BLURRED, MONTHS))
    assert found(kb.attacks.AgreementAttack(reading="assignment"), tc400, plan.release(tc400, seed=11)) > 0.8


def test_months_and_lines_are_enough(tc400):
    release = Chain(methods=(Alter(share=1.0), BLURRED, Coarsen(times="month", price_bands=3)))
    assert found(kb.attacks.VisitsAttack(), tc400, release.release(tc400, seed=11)) > 0.935


def test_numbers_that_count_up_with_time_are_a_clock(tc400):
    release = Chain(methods=(Alter(share=1.0), BLURRED)).release(tc400, seed=11)
    numbered = changed(release, receipt=pl.struct("time", "receipt").rank("dense").cast(pl.String))
    blurred = changed(numbered, pl.col("time").dt.truncate("1y"), quantity=pl.lit(1))
    attack = kb.attacks.VisitsAttack(by="order")
    assert found(attack, tc400, blurred) > 0.95
    shuffled = changed(blurred, receipt=pl.col("receipt").hash(seed=1).cast(pl.String))
    assert found(attack, tc400, shuffled) < 0.05


def test_numbers_that_do_not_count_up_are_left_alone():
    people = shop(40, seed=3)
    release = Pseudonymize().release(people, seed=3)
    numbered = changed(release, receipt=pl.struct("time", "receipt").rank("dense").cast(pl.String))
    attack = kb.attacks.VisitsAttack(by="order")
    assert attack.idle(Tables(people, release.data, Chance(1))).startswith("numbers of receipts")
    assert not attack.idle(Tables(people, numbered.data, Chance(1)))
    assert not kb.attacks.VisitsAttack().idle(Tables(people, release.data, Chance(1)))


def test_gaps_stay_where_the_clock_is_moved_for_each_person():
    people = shop(60, seed=3)
    release = Alter(share=1.0).release(people, seed=3)
    days = pl.duration(days=pl.col("customer").hash(seed=1) % 100)
    moved = changed(release, pl.col("time") + days)
    assert found(kb.attacks.VisitsAttack(by="gaps"), people, moved) > 0.9
    assert found(kb.attacks.VisitsAttack(by="times"), people, moved) < 0.5


def test_a_card_statement_finds_people_and_tells_nothing_of_goods_beforehand():
    people = shop(60, seed=3)
    release = Pseudonymize().release(people, seed=3)
    attack = kb.attacks.VisitsAttack(knows="amounts")
    assert found(attack, people, release) == 1.0
    tables = Tables(people, release.data, Chance(1))
    assert len(attack.told(tables)) == 0
    places = attack.locate(tables, np.arange(60))
    owner = dict(zip(release.pairing.released, release.pairing.original, strict=True))
    names = release.data.customers.gather(places.best.indices)
    assert [owner[name] for name in names] == people.customers.to_list()


@pytest.mark.parametrize("columns", [("customer", "goods"), ("customer", "goods", "time")])
def test_whatever_is_not_shown_is_not_needed(columns):
    people = shop(30, seed=5).under(None).select(columns)
    data = kb.Purchases.from_frame(people, **{name: name for name in columns})
    release = Pseudonymize().release(data, seed=1)
    assert found(kb.attacks.AgreementAttack(), data, release) == 1.0
    if "time" in columns:
        assert found(kb.attacks.VisitsAttack(), data, release) > 0.9


def test_who_agrees_in_nothing_claims_nobody():
    """Goods in other codes and another clock: nobody is claimed, and no pair is written down."""
    people = shop(30, seed=5)
    parts = ("customer", "goods", "time")
    data = kb.Purchases.from_frame(people.under(None).select(parts), **{part: part for part in parts})
    release = Pseudonymize().release(data, seed=1)
    strange = changed(
        release, pl.col("goods").cast(pl.String) + "x" + pl.col("goods").hash().cast(pl.String),
        time=pl.col("time") + pl.duration(days=pl.col("customer").hash() % 9000 + 9000),
    )  # fmt: skip
    tables = Tables(data, strange.data, Chance(1))
    attack = kb.attacks.AgreementAttack(points=2, reading="target")
    guess = attack.named(tables, tables.chance)
    assert guess.links.height == 30
    assert guess.abstained == 30


def test_what_little_is_known_is_never_left_out(tc400, blurred_prefixes, monkeypatch):
    """Where too many records are compared, some of those are left out who have many, never the few known."""
    attack = kb.attacks.AgreementAttack(points=4, reading="target")
    monkeypatch.setattr(units, "MANY", 10_000)
    monkeypatch.setattr(agreement, "MANY", 10_000)
    assert found(attack, tc400, blurred_prefixes) > 0.93
