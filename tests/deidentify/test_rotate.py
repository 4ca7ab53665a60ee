"""Rotate: names that change, and a secret in which a person has several."""

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.cli.audit import _earlier
from kakurenbo.cli.main import run
from kakurenbo.data.owners import followed
from kakurenbo.tuning.laboratory import Laboratory
from kakurenbo.tuning.space import Space
from shops import light_shop
from strategies import purchases_of, rows

M = kb.methods


def parts(shop, every):
    """How many (customer, period) there are."""
    return shop.under(None).select("customer", pl.col("time").dt.truncate(every)).n_unique()


def test_everybody_has_a_name_for_each_period_and_the_facts_count_both():
    shop = kb.demo.shop(30, seed=1)
    for by, every in (("week", "1w"), ("month", "1mo"), ("quarter", "1q"), ("year", "1y")):
        release = M.Rotate(by=by).release(shop, seed=1)
        assert len(release.pairing) == parts(shop, every) == release.facts.extras["names"]
        assert release.pairing.persons == 30 == release.facts.extras["persons"]


def test_a_period_is_that_of_the_times_as_they_have_become():
    shop = kb.demo.shop(30, seed=1)
    release = M.Chain(methods=(M.Coarsen(times="month"), M.Rotate(by="week"))).release(shop, seed=1)
    assert len(release.pairing) == parts(shop, "1mo") < parts(shop, "1w")


@pytest.mark.parametrize(("by", "lacks"), [("month", "time"), ("receipt", "receipt")])
def test_a_period_needs_times_and_a_receipt_receipts(by, lacks, small_frame):
    roles = {"receipt": "slip", "time": "when"}
    del roles[lacks]
    shop = kb.Purchases.from_frame(small_frame, customer="who", goods="what", **roles)
    with pytest.raises(kb.InputError, match=lacks):
        M.Rotate(by=by).release(shop)


def test_two_ids_and_periods_that_read_alike_are_two_names():
    table = pl.DataFrame({"c": ["a\0b", "a"], "g": ["x", "x"], "r": ["c", "b\0c"]})
    shop = kb.Purchases.from_frame(table, customer="c", goods="g", receipt="r")
    assert len(M.Rotate(by="receipt").release(shop, seed=1).pairing) == 2


def test_what_is_kept_of_the_master_stands_with_every_name():
    shop = kb.demo.shop(30, seed=1)
    release = M.Rotate(by="month").release(shop, seed=1)
    back = release.data.master.join(release.pairing.frame, left_on="customer", right_on="released")
    said = dict(zip(shop.master["customer"], shop.master.drop("customer").rows(), strict=True))
    assert back.height == len(release.pairing)
    assert all(said[row["original"]] == tuple(row[name] for name in shop.master.columns[1:])
               for row in back.iter_rows(named=True))  # fmt: skip


@given(table=rows, data=st.data())
def test_a_block_gets_the_names_it_has_in_the_whole(table, data):
    shop = purchases_of(table)
    block = pl.Series(data.draw(st.lists(st.sampled_from(shop.customers.to_list()), min_size=1, unique=True)))
    whole, alone = (M.Rotate(by="month").release(part, seed=1) for part in (shop, shop.of(block)))
    assert alone.pairing.to_dict().items() <= whole.pairing.to_dict().items()


def test_names_given_anew_and_false_pairings_are_followed_through_a_chain():
    shop = kb.demo.shop(12, seed=1)
    shifted = kb.cheats.Shift().release(shop, seed=1)
    chained = M.Chain(methods=(kb.cheats.Shift(), M.Delete(share=0.2), M.Rotate(by="month"))).release(
        shop, seed=1
    )
    twice = M.Chain(methods=(M.Rotate(by="quarter"), M.Rotate(by="month"))).release(shop, seed=1)
    assert twice.pairing.persons == 12
    assert len(twice.pairing) == parts(shop, "1mo")

    def declared(release):
        """Who each record is said to be of, by what stands in it."""
        held = release.data.under(release.pairing).select("customer", "goods", "time", "price", "quantity")
        return set(held.rows())

    assert declared(chained) <= declared(shifted)


def test_a_person_is_followed_through_all_his_names():
    shop = kb.demo.shop(20, seed=1)
    release = M.Rotate(by="receipt").release(shop, seed=1)
    whole, secret = followed(release.data, release.pairing)
    assert secret.released.equals(shop.customers.sort())
    assert kb.measures.Likeness().of(shop, release.data, release.pairing).value == 1
    assert len(whole) == len(shop)


def test_the_tuner_offers_it_by_what_the_data_shows_and_counts_persons_where_more_are_found():
    shop = light_shop(40, seed=1)
    knobs = [knob.name for slot in Space.of(shop).slots for offer in slot.offers
             if offer.method == "rotate" for knob in offer.knobs]  # fmt: skip
    assert knobs == ["rotate.by", "rotate.receipts"]
    assert M.Rotate.tuned({"by": "month", "receipts": "together"}, 40) == {"by": "month"}
    assert M.Rotate.tuned({"by": "month", "receipts": "apart"}, 40) == {"by": "receipt"}
    assert M.Rotate.tuned({"receipts": "together"}, 40) == {"by": "receipt"}, (
        "without times there is no other"
    )


def test_a_trial_counts_persons_where_more_of_them_are_found_than_of_names():
    shop = light_shop(20, seed=1)
    release = M.Rotate(by="month").release(shop, seed=1)
    outcome = Laboratory(shop, "2 records").judge(release, 1)
    found = Panel.of(shop, "2 records").run(release.data, release.pairing, seed=1)
    names, persons = (max(getattr(one, rate).value for one in found) for rate in ("rate", "persons_rate"))
    assert names < persons == outcome.risk
    assert outcome.facts["names"] == len(release.pairing)


def test_hide_seek_score_and_measure_from_the_command_line(tmp_path, monkeypatch, capsys):
    def answer(*words, code=0):
        assert run([*words, "--json"]) == code, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    monkeypatch.chdir(tmp_path)
    shop = light_shop(9, seed=1)
    shop.to_frame().write_csv("t.csv")
    roles = [word for role in shop.roles for word in (f"--{role}", role)]
    made = answer(
        "deidentify", "rotate", "t.csv", "--by", "month", "--out", "out", "--secret", "s.csv", *roles
    )
    answer("attack", "renamed", "t.csv", "out", "--out", "guess", *roles)
    scored = answer("score", "--secret", "s.csv", "--guess", "guess")
    assert (scored["people"], scored["persons"]) == (made["names"], 9) == (parts(shop, "1mo"), 9)
    assert scored["rate"] > 0.9
    assert scored["persons_rate"] == 1
    assert answer("measure", "likeness", "t.csv", "out", "--secret", "s.csv", *roles)["value"] == 1
    named = {role: role for role in shop.roles}
    [(_, secret)] = _earlier([Path("out")], [Path("s.csv")], Path("t.csv"), named, shop, {})
    assert (len(secret.names), len(secret.persons)) == (made["names"], 9)
