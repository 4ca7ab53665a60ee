"""Copies in disguise: attackers survive what they say they survive, and a rung knows who is left on it."""

import datetime as dt
from functools import cache

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign, one_in
from kakurenbo.attacks.purchases.likeness import JaccardAttack
from kakurenbo.attacks.purchases.totals import TotalsAttack
from kakurenbo.auditing.coverage.covered import coverage
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.proof.transformations import (
    fresh_codes,
    multiplying,
    permuted_codes,
    shifting,
    shown,
    written,
)
from kakurenbo.auditing.proof.transformed import prove_transformed
from kakurenbo.mappings import Clock, Scale, Spelling, common_vocabulary
from kakurenbo.mappings.bands import Bands
from kakurenbo.mappings.rounding import Rounding
from shops import light_shop

BLINDING = [
    fresh_codes(), permuted_codes(), shifting(400), multiplying("price", 1.37), multiplying("quantity", 0.6),
]  # fmt: skip
TRANSFORMATIONS = [
    *BLINDING, written(Spelling("SKU-", None, "_x")), written(Clock("month", dt.timedelta(days=-17))),
    *in_campaign(
        written(Spelling(cut=3)), written(Clock(later=dt.timedelta(hours=30))),
        written(Scale("price", 1.37)), written(Scale("quantity", 3.0)),
        written(Scale("price", coarse=Rounding(1.0, least=1.0))),
        written(Scale("price", coarse=Bands((4.0, 9.0), (2.5, 6.0, 14.0)))), shifting(-1),
    ),
]  # fmt: skip


def words(one):
    return getattr(one, "words", None)


@pytest.fixture(scope="module")
def shop():
    return light_shop(40, 7)


@pytest.fixture(scope="module")
def proved(shop):
    """Return a function that tries the whole panel on a transformation, each once."""
    return cache(lambda one: prove_transformed(shop, [one], seed=1))


def changed(data, **columns):
    return data.with_records(data.under(None).with_columns(**columns), master=data.master)


def shows(original, released):
    vocabulary = common_vocabulary(original, released)
    return shown(vocabulary, coverage(vocabulary.original, released))


@pytest.mark.parametrize("one", one_in(3, TRANSFORMATIONS), ids=words)
def test_attackers_survive_what_they_say_they_survive(proved, one):
    proof = proved(one)
    assert proof.failed == ()
    assert proof.shows == (one.words,)
    assert any(tried.declared and tried.attainable > 0.5 for tried in proof.attackers)
    assert all(tried.declared for tried in proof.attackers) == one.undone
    assert not one.undone or all(proof.rungs.values()), "what the common vocabulary undoes blinds nobody"


def test_whose_rungs_are_left_follows_from_what_they_compare(proved):
    """An independent list of the rungs on which a disguise leaves nobody who sees through it."""
    blind = {one.words: {name for name, left in proved(one).rungs.items() if not left} for one in BLINDING}
    by_goods = {"goods+method", "goods+month", "goods+day", "goods+quantity"}
    for words in ("goods in other codes", "codes of goods dealt anew"):
        assert by_goods <= blind[words]
        assert not blind[words] & {"order", "receipts", "totals", "master", "goods", "full records"}
    assert {"goods+day"} <= blind["the clock moved by 400 days"]
    assert not blind["the clock moved by 400 days"] & {"goods", "totals", "goods+quantity"}
    assert blind["prices multiplied by 1.37"] == {"totals"}
    assert "totals" in blind["quantities multiplied by 0.6"]


def test_every_attack_says_by_what_it_goes(shop):
    reads = {who.attack.about.name: who.attack.reads(shop) for who in attackers(shop)}
    assert reads["order"] == {"customer"}
    assert reads["totals"] == {"price", "quantity"}
    assert reads["multiset"] == {"goods", "quantity"}
    assert {"goods", "time", "price", "quantity"} <= reads["likelihood"]
    people = kb.demo.households(30, seed=1)
    for who in attackers(people):
        assert who.attack.reads(people), who.attack.about.name


def test_who_says_too_much_fails_his_proof(shop, monkeypatch):
    monkeypatch.setattr(JaccardAttack, "reads", lambda *_: frozenset())
    failed = prove_transformed(shop, [fresh_codes()], seed=1).failed
    assert {one.attack for one in failed} == {"jaccard"}


def test_what_is_found_by_luck_alone_is_not_survival():
    """Of people who can hardly be told apart anybody finds as many in disguise: that is no evidence."""
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"customer": np.arange(60), "goods": rng.choice([*"abcdefgh"], 60)})
    data = kb.Purchases.from_frame(table, customer="customer", goods="goods")
    proof = prove_transformed(data, [permuted_codes()], seed=1)
    assert not any(one.survived for one in proof.attackers if "goods" in one.knowledge)


def test_a_release_that_shows_nothing_costs_nothing(shop, monkeypatch):
    released = kb.methods.Noise(quantity_spread=0.5, price_spread=0.5).release(shop, seed=1).data
    monkeypatch.setattr("kakurenbo.auditing.proof.transformed.Panel", None)
    proof = prove_transformed(shop, shows(shop, released), seed=1)
    assert (proof.shows, proof.people, proof.attackers, proof.rungs, proof.failed) == ((), 0, (), {}, ())


def test_a_release_shows_what_was_done_to_it():
    shop = light_shop(120, 5)
    made = [
        (fresh_codes(), "goods in other codes"), (permuted_codes(), "codes of goods dealt anew"),
        (shifting(400), "times moved 400 days later"), (written(Clock("week")), "times by week"),
        (written(Spelling("x", 4)), 'goods cut to 4 characters, with "x" before the code'),
        (multiplying("price", 2.5), "prices multiplied by 2.5"),
        (multiplying("quantity", 3), "quantities multiplied by 3"),
    ]  # fmt: skip
    for one, words in made:
        released = one.apply(shop, kb.chance.Chance(3))
        assert [shown_one.words for shown_one in shows(shop, released)] == [words]
    blind = changed(shop, time=pl.col("time").dt.truncate("1mo").dt.offset_by("5d"))
    assert [one.role for one in shows(shop, blind) if not one.undone] == ["time"]


def test_totals_survive_other_goods_and_find_as_many(shop, proved):
    (totals,) = [one for one in proved(BLINDING[0]).attackers if one.attack == "totals"]
    assert TotalsAttack().survives(shop, ["goods", "time"])
    assert not TotalsAttack().survives(shop, ["price"])
    assert totals.found == pytest.approx(totals.attainable)
