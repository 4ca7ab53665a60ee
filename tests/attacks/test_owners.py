"""Owners: a receipt is its likeliest owner's, whether everybody is at hand or some people are asked about."""

import math
from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.purchases import receipts
from kakurenbo.attacks.purchases.receipts import asked_of_some
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.learning.attribution import attribution
from kakurenbo.auditing.learning.claimers import Supposing, supposing
from kakurenbo.auditing.learning.outsiders import of_file
from kakurenbo.auditing.learning.purchases import asking, control_of
from kakurenbo.auditing.search import search
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.chance import Chance
from kakurenbo.data.blocks import InMemory
from kakurenbo.progress import Progress
from shops import light_shop

SEED = 5
RUNGS = ("1 record", "4 records", "a receipt", "a month", "half of the records", "goods")
METHODS = {
    "receipts": kb.methods.Deal(min_size=6, of="receipts"),
    "records": kb.methods.Deal(min_size=6),
    "names": kb.methods.Pseudonymize(),
    "months": kb.methods.Coarsen(times="month"),
}


@pytest.fixture(scope="module")
def shop():
    return light_shop(40, seed=3)


@pytest.fixture(scope="module", params=METHODS)
def release(request, shop):
    return METHODS[request.param].release(shop, seed=2)


def members(shop):
    return [who for who in asking(shop, RUNGS) if who.name == "owners"]


def everybody(shop, release):
    return Tables(shop, release.data, Chance(SEED))


def asked(shop, release, people, blocks):
    """Ask which receipts are of these people, who are at hand with a few others, and with a name or two."""
    names, near = release.data.customers.head(2), pl.concat([people, shop.customers.head(8)]).unique()
    tables = Tables(shop.of(near), release.data.of(names), Chance(SEED))
    both = InMemory(shop, blocks), InMemory(release.data, blocks)
    attacks = {who.key: who.attack for who in members(shop)}
    return asked_of_some(
        attacks, tables, people, len(shop.customers), both, alike=None, progress=Progress()
    )  # fmt: skip


def given(tables, attributed, people):
    """Return what stands on the receipts given to each of these people."""
    rows = tables.released.under(None).drop("customer", "receipt").with_columns(owner=attributed.owner)
    number = {name: place for place, name in enumerate(tables.original.customers)}
    return [
        rows.filter(pl.col("owner") == number[name]).drop("owner").sort("time", "goods", "price", "quantity")
        for name in people
    ]


def alike(some, others):
    return all(one.equals(other) for one, other in zip(some, others, strict=True))


@pytest.mark.parametrize(("people", "blocks", "at_a_time"), [(40, 1, 10**6), (40, 3, 200), (12, 3, 10**6)])
def test_some_people_are_given_in_blocks_what_they_are_given_beside_all_others(
    shop, release, people, blocks, at_a_time, monkeypatch
):
    monkeypatch.setattr(receipts, "GATHERED", at_a_time)
    some = shop.customers.gather(Chance(1).order("some", shop.customers)[:people])
    tables, found = everybody(shop, release), asked(shop, release, some, blocks)
    assert found.people.equals(some)
    for who in members(shop):
        whole = who.attack.located(tables, np.arange(40))
        part = found.of[who.key]
        assert (whole is None) == (part is None), who.called
        if whole is not None:
            assert alike(given(tables, whole, some), given(found.tables, part, some)), who.called
            if people == 40:
                told, there = (
                    attribution(Supposing(one, who, "", np.arange(40), how))
                    for one, how in ((tables, whole), (found.tables, part))
                )
                assert told == there


def test_where_little_is_held_the_first_people_are_answered_for(shop, monkeypatch):
    release = METHODS["records"].release(shop, seed=2)
    plain = asked(shop, release, shop.customers, 3)
    monkeypatch.setattr(receipts, "KEPT", sum(len(one.owner) for one in plain.of.values() if one) // 20)
    few = asked(shop, release, shop.customers, 3)
    assert 0 < len(few.people) < 20
    for key, whole in plain.of.items():
        assert alike(given(plain.tables, whole, few.people), given(few.tables, few.of[key], few.people))


def test_who_owns_a_receipt_by_plain_arithmetic(shop):
    release = METHODS["receipts"].release(shop, seed=2)
    attack, tables = kb.attacks.OwnersAttack(share=0.5), everybody(shop, release)
    grains = [(), ("month",), ("day",), ("quantity",), ("price",), ("time", "price", "quantity")]

    def traces(row):
        values = row | {"month": (row["time"].year, row["time"].month), "day": row["time"].date()}
        return [(row["goods"], part, *(values[name] for name in part)) for part in grains]

    has, all_of_it, length = defaultdict(Counter), Counter(), Counter()
    for row in attack.known(tables).under(None).iter_rows(named=True):
        has[row["customer"]].update(traces(row))
        all_of_it.update(traces(row))
        length[row["customer"]] += 1
    total, score = sum(length.values()), defaultdict(Counter)
    for row in release.data.under(None).iter_rows(named=True):
        for who in has:
            ratio = sum(
                has[who][trace] / length[who] * total / all_of_it[trace]
                for trace in traces(row) if all_of_it[trace]
            )  # fmt: skip
            score[row["receipt"]][who] += math.log(1 + ratio / len(grains))
    owner = attack.fit(tables).owner
    for row, number in zip(release.data.under(None).iter_rows(named=True), owner, strict=True):
        (first, best), (_, second) = score[row["receipt"]].most_common(2)
        alone = best > math.log(len(has)) and second < best * (1 - 1e-9)
        assert number == (shop.customers.to_list().index(first) if alone else -1)


@pytest.fixture(scope="module")
def sampled(shop):
    """Return a release, twelve people drawn from all, and what was found of them in three blocks."""
    release = METHODS["receipts"].release(shop, seed=2)
    both = InMemory(shop, 3), InMemory(release.data, 3)
    drawn = AuditInput.of(*both, release.pairing, 12, Chance(SEED), Progress())
    spoken = vocabulary(drawn.original, drawn.released)
    tables = Tables(spoken.original, drawn.released, Chance(SEED), drawn.original)
    found = search(drawn, tables, members(shop), recode=spoken.alike, compare=False)
    return release, tables, found


def learnt_by(supposed):
    return {claim.key: claimed.learnt.share.tolist() for one in supposed for claim, claimed in one.claims()}


def test_as_much_is_learnt_of_a_sample_as_of_the_same_people_among_all(shop, sampled):
    release, _, found = sampled
    people, who = found.given.original.customers, members(shop)
    whole = AuditInput.whole(shop, release.data, None)
    among = search(whole, everybody(shop, release), who, people=people, compare=False)
    part, all_of_it = (learnt_by(supposing(one, who, people)) for one in (found, among))
    assert part == pytest.approx(all_of_it, abs=1e-9)
    half = [share for (key, *_), share in part.items() if key[0] == "half of the records"]
    assert len(half) == 4
    assert min(map(np.mean, half)) > 0.8


def test_people_outside_are_given_in_blocks_what_they_are_given_in_the_whole(shop, sampled):
    release, tables, found = sampled
    others, who = light_shop(6, seed=9), members(shop)
    whole = everybody(shop, release)
    outside = of_file(tables.original, tables.released, others, None)
    in_all = of_file(shop, release.data, others, None)
    part = control_of(tables, outside, who, found.given, found.recode)
    all_of_it = control_of(whole, in_all, who)
    assert part.keys() == all_of_it.keys()
    for key, claimed in part.items():
        assert claimed.learnt.share == pytest.approx(all_of_it[key].learnt.share, abs=1e-9)
