"""Scores: what the numbers of a release add up to under the rules."""

import pytest

from contest.judged_shop import rules
from kakurenbo.contest.judging.faults import Faults
from kakurenbo.contest.judging.records import Judged, Score
from kakurenbo.contest.judging.remembered import Remembered
from kakurenbo.contest.judging.scoring import score, with_guess

LOSSES = {"a": 0.2, "b": 0.6}
ATTACKS = {"x": (0.1, 0.3), "y": (0.5, 0.1)}


def scored(laid_open=(), **how):
    asked = rules()
    return score(
        asked.model_copy(update={"scoring": asked.scoring.model_copy(update=how)}), LOSSES, ATTACKS, laid_open
    )


def test_the_worst_measure_and_the_worst_attack_by_default():
    assert scored() == Score(0.6, 0.3, pytest.approx(0.45))


def test_means_and_weights():
    assert scored(utility="mean", security="mean") == Score(0.4, 0.25, pytest.approx(0.325))
    assert scored(utility_weight=0.75).total == pytest.approx(0.75 * 0.6 + 0.25 * 0.3)


def test_what_is_learnt_counts_where_the_rules_say_so():
    assert scored((0.9, 0.2)).security == 0.3
    assert scored((0.9, 0.2), learnt_counts=True).security == 0.9
    assert scored((), learnt_counts=True).security == 0.3


def test_nothing_asked_for_costs_nothing():
    assert score(rules(), {}, {}) == Score(0.0, 0.0, 0.0)


def test_a_guess_is_one_more_attack():
    judged = Judged(attacks=ATTACKS, score=Score(0.6, 0.3, (0.6 + 0.3) / 2))
    assert with_guess(rules(), judged, (0.8, 0.6)).score == Score(0.6, 0.7, pytest.approx(0.65))
    assert with_guess(rules(), judged, (0.1, 0.1)).score == judged.score
    assert with_guess(rules(), judged, (0.1, 0.1)).attacks == {**ATTACKS, "guess": (0.1, 0.1)}


def test_faults_come_back_in_order_and_the_rest_is_counted():
    faults = Faults(4)
    faults.at("T.csv", "missing", [3, 5], column=2)
    faults.add("P.csv", "header", line=1)
    faults.add("T.csv", "kept")
    faults.at("T.csv", "missing-id", range(1, 4), column=1)
    assert [(one.file, one.line, one.column) for one in faults.listed()] == [
        ("T.csv", None, None), ("T.csv", 1, 1), ("T.csv", 2, 1), ("T.csv", 3, 1), ("T.csv", None, None),
    ]  # fmt: skip
    assert faults.count == 7
    assert faults.listed()[-1].fault.startswith("3 further")
    assert not Faults(1)


def test_only_so_many_things_are_remembered():
    made = []
    kept = Remembered(2)

    def thing(name):
        return kept.once(name, lambda: made.append(name) or name)

    assert [thing(name) for name in "abacab"] == list("abacab")
    assert made == list("abcb")
    kept.forget()
    thing("a")
    assert made == list("abcba")
