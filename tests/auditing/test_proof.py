"""The proof fails on broken attackers, and on nothing else: not on odd tables, not on few people."""

import datetime as dt
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.attacks.microdata.euclid import IdentifySa21
from kakurenbo.attacks.purchases.likeness import JaccardAttack
from kakurenbo.attacks.purchases.view import PART_VALUES
from kakurenbo.auditing.audit import audit
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.prove import prove
from kakurenbo.auditing.results import Proof
from kakurenbo.chance import Chance
from kakurenbo.data.guess import Guess


def history(people, each, goods=30, days=60, columns=("customer", "goods", "time", "quantity"), seed=0):
    """Return purchases as a till writes them: by time, customers interleaved."""
    rng, rows = np.random.default_rng(seed), people * each
    table = pl.DataFrame(
        {
            "customer": [f"c{i}" for i in rng.permutation(np.repeat(np.arange(people), each))],
            "goods": [f"g{i}" for i in np.minimum(rng.zipf(1.3, rows), goods)],
            "time": [
                dt.date(2020, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, days, rows)
            ],
            "quantity": rng.integers(1, 3, rows),
        }
    )
    table = table.sort("time", maintain_order=True).select(columns)
    return kb.Purchases.from_frame(table, **{name: name for name in columns})


TABLES = {
    "interleaved": lambda: history(40, 6),
    "goods alone": lambda: history(40, 6, columns=("customer", "goods")),
    "one day": lambda: history(40, 6, days=1),
    "two records": lambda: history(40, 2),
    "one record": lambda: history(40, 1),
    "few goods": lambda: history(150, 4, goods=6),
    "three": lambda: history(3, 5),
    "one": lambda: history(1, 5),
}


def on_controls(data, seed=1):
    """Return (attacker, what he finds on the controls of all these people) of everybody."""
    members = Panel.of(data).members
    found = controls.on_controls(data, members, Chance(seed).under("proof"), seed=seed)
    return [(who, found[who.key]) for who in members if who.key in found]


@pytest.mark.parametrize(
    "table",
    [
        "interleaved",
        *in_campaign("goods alone", "three", "one day", "two records", "one record", "few goods", "one"),
    ],
)
def test_good_attackers_pass_on_any_table(table):
    proof = prove(TABLES[table](), seed=1)
    assert proof.failed == ()
    assert proof.attackers


@pytest.mark.campaign
def test_people_who_differ_in_numbers_alone_are_no_fault_of_the_cosine():
    """Each buys one of three goods, once or many times: in proportions all buyers of a good are equal."""
    rng = np.random.default_rng(0)
    times = rng.integers(1, 9, 40)
    table = pl.DataFrame(
        {
            "customer": np.repeat([f"c{i}" for i in range(40)], times),
            "goods": np.repeat(rng.choice(["g", "h", "i"], 40), times),
            "time": dt.date(2020, 1, 1),
        }
    )
    data = kb.Purchases.from_frame(table, customer="customer", goods="goods", time="time")
    assert all(found.holds for _, found in on_controls(data))


@pytest.mark.parametrize(
    ("part", "rung"),
    [
        ("day", "goods+day"),
        pytest.param("goods", "goods", marks=pytest.mark.campaign),
        pytest.param("month", "goods+month", marks=pytest.mark.campaign),
    ],
)
def test_a_view_that_sees_nothing_does_not_excuse_itself(part, rung, monkeypatch):
    """What could be found is counted from the records, so misread columns are caught."""
    data = history(60, 3, goods=5)
    others = [who.key for who in attackers(data) if who.knowledge != rung]
    monkeypatch.setitem(PART_VALUES, part, pl.col("customer").cast(pl.String).str.slice(0, 0))
    assert prove(data, seed=1, without=others).failed


@pytest.mark.parametrize("people", [3, *in_campaign(1, 2, 5, 7, 12)])
def test_in_a_copy_of_few_people_all_are_found(people):
    data = history(people, 8)
    result = audit(data, kb.methods.Pseudonymize().release(data, seed=1), seed=1)
    assert result.worst.rate.value == 1
    assert result.people.found == people


def test_an_attacker_who_was_not_tried_is_not_proven(monkeypatch):
    data = history(20, 6)
    monkeypatch.setattr("kakurenbo.auditing.audit.prove", lambda *_, **__: Proof(20, ()))
    result = audit(data, kb.methods.Pseudonymize().release(data, seed=1), max_risk=1, seed=1)
    assert result.verdict == "no"
    assert "could not try" in result.reasons[1]
    assert {finding["rate"] for finding in result.to_dict()["attacks"]} == {None}


def test_whoever_has_most_records_is_in_the_sample():
    """One in a thousand has four records: the attackers who know four of them must still be tried."""
    many = pl.DataFrame({"customer": [*range(900), 7, 7, 7], "goods": [*range(900), 901, 902, 903]})
    data = kb.Purchases.from_frame(many, customer="customer", goods="goods")
    for seed in range(5):
        drawn = controls.sample(data, 30, Chance(seed))
        assert len(drawn.customers) == 30
        assert "7" in drawn.customers


def test_only_the_attacker_that_failed_is_distrusted(monkeypatch):
    """Two attackers of one rung and name differ in the attribute they know: one of them is blind."""
    rerank = IdentifySa21.rerank

    def half_blind(self, tables, chance):
        if self.s == ("food",):
            return rerank(self, tables, chance)
        people, released = len(tables.original), tables.released.ids
        anybody = chance.below("anybody", released, np.full(len(released), people))
        return Guess.certain(released, tables.original.ids, anybody)

    monkeypatch.setattr(IdentifySa21, "rerank", half_blind)
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"age": rng.integers(0, 9, 50), "food": rng.random(50), "rent": rng.random(50)})
    data = kb.Microdata.from_frame(table, qi=["age"], sa=["food", "rent"])
    release = kb.methods.PseudonymizeMicrodata().release(data, seed=1)
    result = audit(data, release, seed=1)
    proven = {one.parameters["s"][0]: one.proven for one in result.attacks if one.attack == "identify-sa21"}
    assert proven == {"food": True, "rent": False}


def test_an_error_inside_an_assignment_skips_its_attacker_and_nobody_else(monkeypatch):
    """Assignments run in other threads: what is refused there is told like everything else."""
    named = JaccardAttack.named

    def refusing(self, tables, chance):
        if self.reading == "assignment":
            raise kb.InputError("Too much of it.", code="limit")
        return named(self, tables, chance)

    monkeypatch.setattr(JaccardAttack, "named", refusing)
    data = history(20, 6)
    release = kb.methods.Pseudonymize().release(data, seed=1)
    ran = Panel.of(data).attack(release.data, release.pairing, seed=1)
    assert ("goods: jaccard", "Too much of it.") in {(one.name, one.why) for one in ran.skipped}
    readings = {(one.attack, one.reading) for one in ran.findings}
    assert ("jaccard", "nearest") in readings
    assert ("jaccard", "assignment") not in readings
    assert ("weighted", "nearest") in readings


def test_a_master_that_is_silent_is_told_from_one_that_says_nothing():
    """A missing value is not an empty text: who knows the master can tell the two apart."""
    data = history(4, 2)
    people = data.customers
    said = pl.DataFrame({"customer": people, "town": [None, "", "\1", "x"], "name": ["", "\1", "", None]})
    named = replace(data, master=said)
    tried = {who.knowledge: found for who, found in on_controls(named) if who.reading == "nearest"}
    assert tried["master"].attainable == 1
    assert tried["master"].copy == 1


@pytest.mark.parametrize("seed", [0, *in_campaign(*range(1, 12))])
def test_many_people_of_few_records_and_goods_are_no_fault_of_the_meter(seed):
    """Most of them are somebody's equals, and claim one another: what can be found is counted after that."""
    columns = ("customer", "goods", "time", "quantity") if seed % 2 else ("customer", "goods")
    tried = on_controls(history(120, 2, goods=5, columns=columns, seed=seed), seed)
    assert tried
    assert all(found.holds for _, found in tried)


@pytest.mark.parametrize("data", [history(60, 6, seed=4), *in_campaign(history(90, 3, goods=8, seed=5))])
def test_what_can_be_found_by_claims_and_by_receipts_is_said_exactly(data, monkeypatch):
    """Ties are averaged on both sides, so the independent count meets these attackers to the last digit."""
    monkeypatch.setattr("kakurenbo.auditing.proof.distinct._AT_ONCE", 100)  # several pieces
    settled = {"likelihood", "evidence", "rows"}
    tried = [
        (who, found) for who, found in on_controls(data) if who.reading == "target" and who.name in settled
    ]
    assert {who.name for who, _ in tried} == settled
    assert sum(found.copy > 0.1 for _, found in tried) > 10
    for who, found in tried:
        assert found.copy == pytest.approx(found.attainable, abs=1e-9), who


@pytest.mark.campaign
def test_what_can_be_found_by_attributing_receipts_is_said_exactly(monkeypatch):
    monkeypatch.setattr("kakurenbo.auditing.proof.distinct._AT_ONCE", 100)  # several pieces
    tried = [found for who, found in on_controls(history(60, 6, seed=4)) if who.name == "owners"]
    assert {one.parameters["unit"] for one in tried} == {"receipt", "moment"}
    for owners in tried:
        assert owners.copy == pytest.approx(owners.attainable, abs=1e-9)
        assert owners.copy > 0.1


def test_who_looks_at_proportions_cannot_tell_twice_as_much_apart():
    """Pairing everybody at once, those of equal proportions are any of each other, in whatever order."""
    table = pl.DataFrame({"customer": [*"aabbbbc"], "goods": [*"xyxyxyz"], "time": dt.date(2020, 1, 1)})
    data = kb.Purchases.from_frame(table, customer="customer", goods="goods", time="time")
    attack = kb.attacks.RowsAttack(columns=("goods", "day"), reading="assignment")
    scored = kb.reidentification(controls.copy(data).pairing, attack.guess(data, data, seed=1))
    assert scored.rate.value == pytest.approx(2 / 3)
