"""What is learnt of attributes from released microdata, against plain loops and on cases known by heart."""

import random
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.people import SA, microdata_of, people_rows, shuffled

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.microdata.lookup import Sought
from kakurenbo.auditing.learning.attributes import RUNGS, learning_attributes
from kakurenbo.auditing.learning.membership import told_apart
from kakurenbo.auditing.learning.outsiders import left_out, of_file
from kakurenbo.chance import Chance
from kakurenbo.errors import InputError
from kakurenbo.plan import Plan, Step
from kakurenbo.progress import Progress

NOBODY = "nobody is known to be outside"
ages = st.one_of(
    st.integers(20, 24), st.sampled_from([(20, 22), (21, 24), (10, 40)]), st.just("*"), st.just("x")
)
towns = st.one_of(st.sampled_from("abcd"), st.just(frozenset("ab")), st.just("*"))
released_rows = st.lists(
    st.tuples(ages, towns, st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12
)


def written(cell):
    if isinstance(cell, tuple):
        return f"[{cell[0]}..{cell[1]}]"
    return "{" + ",".join(sorted(cell)) + "}" if isinstance(cell, frozenset) else str(cell)


def holds(cell, value):
    if cell == "*":
        return True
    if isinstance(cell, tuple):
        return cell[0] <= value <= cell[1]
    return value in cell if isinstance(cell, frozenset) else cell == value


def middle(values):
    low, high = np.quantile(values, [0.025, 0.975])
    return high - low


def far(cell, value, unit):
    """How far an age lies outside, from 0 to 1."""
    if cell in {"*", "x"}:
        return float(cell == "x")
    low, high = cell if isinstance(cell, tuple) else (cell, cell)
    return min(max(low - value, value - high, 0) / (unit or 1.0), 1.0)


def reference(original, released, known, *, cautious):
    """Yield for each way (share, precision) of everybody, by loops; none where nobody has a tie."""
    units = [middle([row[place] for row in original]) for place in (0, 2, 3)]
    made, ties = {}, Counter()
    for person, mine in zip(original, known, strict=True):
        scores = {"identify-rand": [], "within": [], "nearest": []}
        for row in released:
            apart = sum(
                min(abs(person[2 + place] - row[2 + place]) / (units[1 + place] or 1.0), 1.0)
                for place in mine
            )
            fits = holds(row[0], person[0]) + holds(row[1], person[1])
            equal = written(row[0]) == str(person[0]) and written(row[1]) == person[1]
            scores["identify-rand"].append(-apart if equal else -np.inf)
            scores["within"].append(fits - apart / (len(mine) + 1))
            outside = far(row[0], person[0], units[0]) + (not holds(row[1], person[1]))
            scores["nearest"].append(-outside - apart)
        for way, score in scores.items():
            best = max(score)
            rows = [
                row for row, one in zip(released, score, strict=True) if best > -np.inf and one >= best - 1e-9
            ]
            ties[way] += len(rows) > 1
            made.setdefault(way, []).append(claimed(person, rows, mine, units[1:], cautious=cautious))
    return {way: values for way, values in made.items() if ties[way] or not cautious}


def claimed(person, rows, mine, units, *, cautious):
    """Return (share, laid open, precision) of one person."""
    wanted = [place for place in (0, 1) if place not in mine]
    if not rows:
        return 0.0, 0.0, 1.0
    answers = []
    for row in [None] if cautious else rows:
        right = made = 0
        for place in wanted:
            values = [one[2 + place] for one in (rows if cautious else [row])]
            allowed = 0.05 * units[place] * (1 + 1e-9)
            if (max(values) - min(values)) / 2 <= allowed:
                made += 1
                right += abs((max(values) + min(values)) / 2 - person[2 + place]) <= allowed
        answers.append((right / len(wanted), right / made if made else 1.0))
    share, precision = np.mean(answers, axis=0)
    return share, share >= 0.5 - 1e-9, precision


@pytest.mark.campaign
@given(people_rows, released_rows, st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_lessons_are_what_loops_say(mine, theirs, seed):
    original = microdata_of(mine)
    released = microdata_of([(written(age), written(town), *rest) for age, town, *rest in theirs])
    chance = Chance(seed)
    made = learning_attributes(Tables(original, released, chance), NOBODY)
    drawn = [chance.uniform("known attributes", original.ids, np.full(len(mine), turn)) for turn in (0, 1)]
    got = {(one.knowledge, one.name): one for one in made.lessons}
    count = 0
    for rung in (0, 1):
        known = [[int(np.argmin([drawn[0][i], drawn[1][i]]))] if rung else [] for i in range(len(mine))]
        for cautious in (False, True):
            for way, values in reference(mine, theirs, known, cautious=cautious).items():
                one = got[RUNGS[rung], f"{way}, cautious" if cautious else way]
                share, laid_open, precision = np.mean(values, axis=0)
                assert (one.mean, one.laid_open.value, one.precision) == pytest.approx(
                    (share, laid_open, precision)
                )
                assert one.certain == pytest.approx(np.mean([value[0] >= 0.9 for value in values]))
                assert (one.recall, one.people, one.grain) == (one.mean, len(mine), "attributes")
                count += 1
    assert count == len(got)


def ward(diagnoses, seed=0):
    """Classes of five who share age and town, with a diagnosis each."""
    rng = np.random.default_rng(seed)
    rows = [(20 + who // 5 // 3, "abc"[who // 5 % 3], one, rng.normal()) for who, one in enumerate(diagnoses)]
    frame = pl.DataFrame(rows, schema=["age", "town", "diagnosis", "noise"], orient="row")
    return kb.Microdata.from_frame(frame, qi=["age", "town"], sa=["diagnosis"])


def test_a_class_with_one_diagnosis_is_laid_open_though_k_anonymous():
    rng = np.random.default_rng(1)
    shared = np.repeat(rng.integers(0, 10, 40), 5)
    original = ward(shared)
    released = kb.methods.KAnonymize(k=5).release(original, seed=1).data
    others = of_file(original, released, ward(rng.integers(0, 10, 200)))
    made = learning_attributes(Tables(original, released, Chance(1)), others)
    assert {one.name for one in made.lessons} >= {"within", "within, cautious"}
    for one in made.lessons:
        assert (one.laid_open.value, one.mean, one.precision, one.certain) == (1.0, 1.0, 1.0, 1.0)
        assert 0.02 < one.control_laid_open < 0.25
        assert one.advantage.value == pytest.approx(1 - one.control_laid_open)
    mixed = ward(np.tile(np.arange(5), 40))
    alike = learning_attributes(Tables(mixed, mixed, Chance(1)), NOBODY)
    by_name = {one.name: one for one in alike.lessons}
    assert by_name["within"].mean == pytest.approx(0.2)
    assert by_name["within, cautious"].mean == 0


def test_new_names_alone_lay_everybody_open():
    data = kb.demo.households(300, seed=2)
    plan, chance = Plan("microdata"), Chance(3)
    released = kb.methods.PseudonymizeMicrodata().release(data, seed=1).data
    apart = left_out(data, plan, chance)
    assert not isinstance(apart, str)
    assert len(apart.released) == 240
    assert len(apart.targets) == 60
    made = learning_attributes(Tables(data, released, chance), apart)
    worst = {rung: next(one for one in made.lessons if one.knowledge == rung) for rung in RUNGS}
    for one in worst.values():
        assert one.laid_open.value > 0.93
        assert one.control_laid_open < 0.15
        assert one.advantage.value == pytest.approx(one.laid_open.value - one.control_laid_open)
        assert one.advantage.low > 0.75
    assert made.control.kind == "plan"
    told = {one.knowledge: one for one in made.membership}
    assert told[RUNGS[1]].auc > 0.99
    assert told[RUNGS[1]].caught > 0.95


def test_without_a_release_the_best_constant_claim_is_the_control():
    data = microdata_of([(20 + i, "a", 0 if i < 15 else i, i) for i in range(20)])
    made = learning_attributes(Tables(data, data, Chance(1)), NOBODY)
    one = next(one for one in made.lessons if (one.knowledge, one.name) == (RUNGS[0], "within"))
    rents = range(20)
    most = max(sum(at <= rent <= at + 2 * 0.05 * middle(rents) for rent in rents) for at in rents)
    assert most == 2
    assert one.control == pytest.approx((15 + most) / 20 / 2)
    assert one.control_laid_open >= 15 / 20
    assert (made.control.kind, made.control.why, made.membership) == ("no release", NOBODY, ())


@pytest.mark.campaign
def test_shuffled_attributes_teach_nothing():
    """The advantage of a release whose attributes were dealt at random, each by itself: 0 in its interval."""
    rng = np.random.default_rng(5)
    draws, covered = 110, Counter()

    def people(count):
        return [
            (int(rng.integers(20, 24)), "abc"[rng.integers(3)], int(rng.integers(7)), int(rng.integers(7)))
            for _ in range(count)
        ]

    for seed in range(draws):
        rows = people(60)
        incomes, rents = (rng.permutation([row[place] for row in rows]).tolist() for place in (2, 3))
        original = microdata_of(rows)
        released = microdata_of(
            [(*row[:2], *dealt) for row, *dealt in zip(rows, incomes, rents, strict=True)]
        )
        outside = of_file(original, released, microdata_of(people(60)))
        for one in learning_attributes(Tables(original, released, Chance(seed)), outside).lessons:
            covered[one.knowledge, one.name] += one.advantage.low <= 0 <= one.advantage.high
    assert len(covered) == 12
    assert min(covered.values()) >= 0.91 * draws


def test_the_order_of_rows_and_the_size_of_blocks_change_nothing(monkeypatch):
    data = kb.demo.households(60, seed=5)
    table = data.records.with_columns(id=pl.Series([f"h{i}" for i in range(60)]))
    data = kb.Microdata.from_frame(table, qi=data.qi, sa=data.sa, id="id")
    released = kb.methods.KAnonymize(k=3).release(data, seed=1).data
    first = learning_attributes(Tables(data, released, Chance(1)), NOBODY)
    monkeypatch.setattr(Sought, "room", 7 * 60)
    again = learning_attributes(Tables(shuffled(data, random.Random(1)), released, Chance(1)), NOBODY)
    assert [(one.name, one.knowledge) for one in first.lessons] == [
        (one.name, one.knowledge) for one in again.lessons
    ]
    assert [one.mean for one in first.lessons] == pytest.approx([one.mean for one in again.lessons])


def test_each_half_of_the_work_is_told_before_it_is_done():
    data, steps = microdata_of([(20 + i, "a", i, 50 - i) for i in range(12)]), []
    learning_attributes(Tables(data, data, Chance(1)), NOBODY, progress=Progress(steps.append))
    assert [step.share for step in steps] == [0.0, 0.5]


def test_without_sensitive_attributes_nothing_can_be_learnt_and_huge_ones_do_no_harm():
    rows = [(20 + i, "a", 1e300 * (-1) ** i, 3.0) for i in range(12)]
    data = microdata_of(rows)
    made = learning_attributes(Tables(data, data, Chance(1)), NOBODY)
    assert all(one.mean == 1 for one in made.lessons if one.name == "identify-rand")
    bare = kb.Microdata.from_frame(data.records.drop(SA), qi=["age", "town"])
    assert learning_attributes(Tables(bare, bare, Chance(1)), NOBODY).lessons == ()
    outside = of_file(bare, bare, bare.with_columns(pl.col("age") + 100))
    assert learning_attributes(Tables(bare, bare, Chance(1)), outside).lessons == ()


def test_what_the_release_does_not_show_is_not_asked_for():
    data = microdata_of([(20 + i, "a", i, 50 - i) for i in range(12)])
    released = kb.Microdata.from_frame(data.records.drop("rent"), qi=["age", "town"], sa=["income"])
    made = learning_attributes(Tables(data, released, Chance(1)), NOBODY)
    assert {one.knowledge for one in made.lessons} == {RUNGS[0]}
    assert made.lessons[0].mean == 1


def test_a_plan_that_cannot_spare_anybody_says_so_and_others_need_the_columns():
    data = microdata_of([(20, "a", i, i) for i in range(5)])
    why = left_out(data, Plan("microdata", (Step("k-anonymize", {"k": 5}),)), Chance(1))
    assert isinstance(why, str)
    assert "cannot be carried out" in why
    with pytest.raises(InputError, match="no column"):
        of_file(data, data, kb.Microdata.from_frame(data.records.drop(SA), qi=["age", "town"]))


def test_members_are_told_by_how_well_they_match():
    inside, outside = np.array([3.0, 3.0, 1.0]), np.array([1.0, 0.0])
    assert told_apart(inside, outside) == pytest.approx((5.5 / 6, 2 / 3))
    assert told_apart(outside, outside)[0] == 0.5
