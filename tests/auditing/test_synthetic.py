"""Rows that are nobody's: what they give away beside people who were not used, and what is said without."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo import report
from kakurenbo.auditing.learning.records import difference
from kakurenbo.auditing.results import Audit, Tried
from kakurenbo.auditing.synthetic import synthetic
from kakurenbo.chance import Chance
from kakurenbo.risk.synthetic.points import Points, nearest
from kakurenbo.risk.synthetic.singling import about_one
from kakurenbo.theory.rate import Rate

PEOPLE = 300


def drawn(people: int, seed: int) -> kb.Microdata:
    """Draw people of one population: an illness goes with age, an income with schooling."""
    rng = np.random.default_rng(seed)
    school, age = rng.integers(1, 6, people), rng.integers(18, 90, people)
    ill = np.where(rng.random(people) < 0.6, age // 20, rng.integers(0, 5, people))
    income = np.round(np.exp(rng.normal(10, 0.3, people) + 0.2 * school))
    town = rng.choice(list("abcdefgh"), people)
    frame = pl.DataFrame({"age": age, "school": school, "town": town, "income": income, "ill": ill})
    return kb.Microdata.from_frame(frame, qi=["age", "school", "town"], sa=["income", "ill"])


@pytest.fixture(scope="module")
def original() -> kb.Microdata:
    return drawn(PEOPLE, 1)


@pytest.fixture(scope="module")
def outsiders() -> kb.Microdata:
    return drawn(PEOPLE, 2)


def test_copies_give_everybody_away_and_fresh_people_nobody(original, outsiders):
    copied = synthetic(original, original, outsiders, Chance(1))
    fresh = synthetic(original, drawn(500, 3), outsiders, Chance(1))
    assert copied.copies.exact == 1
    assert fresh.copies.exact == 0
    assert copied.copies.nearer == 1
    assert fresh.copies.nearer == pytest.approx(0.5, abs=0.1)
    assert {told.attack for told in copied.membership} == {"nearest", "density"}
    for told in copied.membership:
        assert told.auc > 0.9
    for told in fresh.membership:
        assert told.auc == pytest.approx(0.5, abs=0.1)
        assert told.advantage < 0.1
    for tried in (*copied.inferred, *copied.singled_out):
        assert tried.risk > 0.9
        assert tried.risk == pytest.approx(
            (tried.rate.value - tried.control.value) / (1 - tried.control.value)
        )
    for tried in (*fresh.inferred, *fresh.singled_out):
        assert abs(tried.advantage.value) < 0.1
        assert tried.advantage.low < 0 < tried.advantage.high


def test_a_few_copies_among_fresh_rows_are_seen(original, outsiders):
    rows = pl.concat([original.records[:60], drawn(240, 4).records])
    part = kb.Microdata.from_frame(rows, qi=original.qi, sa=original.sa)
    made = synthetic(original, part, outsiders, Chance(1))
    assert made.copies.exact == pytest.approx(0.2)
    assert max(told.caught for told in made.membership) == pytest.approx(0.2, abs=0.05)


def test_nearest_rows_and_lone_values_by_hand():
    here = Points(np.array([[0.0, 1.0]]), np.array([[0.0, 1.0]]))
    there = Points(np.array([[5.0, 1.0], [0.0, 2.0], [2.0, 1.0]]), np.array([[5.0, 1.0], [0.0, 2.0], [4, 1]]))
    near = nearest(here, there, np.array([10.0, 0.0]))
    assert (near.first[0], near.second[0], near.which[0]) == pytest.approx((0.1, 0.25, 2))
    rows = Points(np.array([[1.0], [1.0], [3.0]]), np.array([[1.0], [1.0], [3.0]]))
    said = about_one(rows, np.array([True]), 10, np.random.default_rng(1))
    spans = sorted(zip(said.low[:, 0].tolist(), said.high[:, 0].tolist(), strict=True))
    assert spans == [(-np.inf, 1.0), (3.0, 3.0), (3.0, np.inf)]
    assert said.holds_for(rows).tolist().count(1) == 2


def test_an_audit_without_a_pairing_says_no_to_copies_and_why(original, outsiders):
    result = kb.audit(original, original, control=outsiders, seed=1)
    assert result.verdict == "no"
    said = " ".join(result.reasons)
    assert "infers ill" in said
    assert "singles people out by" in said
    assert "who was used" in said
    page = report.markdown(result)
    again = Audit.from_json(result.to_json())
    assert again.synthetic == result.synthetic
    assert "What rows give away that are nobody's" in page
    assert "| ill |" in page


def test_an_audit_of_fresh_rows_says_yes_with_people_outside_and_tells_what_is_missing_without(
    original, outsiders
):
    rows = drawn(200, 5)
    judged = kb.audit(original, rows, control=outsiders, seed=1)
    assert judged.verdict == "yes"
    assert any("people who were not used" in reason for reason in judged.reasons)
    alone = kb.audit(original, rows, seed=1)
    assert alone.synthetic.membership == ()
    assert all(tried.advantage is None for tried in alone.synthetic.singled_out)
    assert any("who" in reason and "not used" in reason for reason in alone.reasons)


def test_a_few_lucky_attempts_decide_nothing():
    rate, control = Rate.estimated(4, 16), Rate.estimated(1, 16)
    lucky = Tried("statements", 16, rate, control, 0.0, difference(rate, control), 0.2)
    rate, control = Rate.estimated(250, 1000), Rate.estimated(62, 1000)
    sure = Tried("statements", 1000, rate, control, 0.0, difference(rate, control), 0.2)
    assert not lucky.above(0.1)
    assert sure.above(0.1)
    assert not sure.above(0.2)
