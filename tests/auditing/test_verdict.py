"""What is held against a limit: the rate measured, whatever its interval; what is at the limit keeps it."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

import sample_audit
from kakurenbo.auditing.results import Shown, Synthetic, Tried
from kakurenbo.auditing.verdict import holding, judge
from kakurenbo.theory.rate import Rate


@pytest.mark.parametrize(("end", "over"), [("low", True), ("high", False)])
def test_the_rate_itself_is_held_against_the_limit(end, over):
    made = sample_audit.kept_limits()
    rate = made.worst.exposed
    assert rate.low < rate.value < rate.high
    limit = (rate.value + getattr(rate, end)) / 2
    verdict, reasons = judge(replace(made, limits=replace(made.limits, max_risk=limit)))
    assert any("The worst attacker" in reason for reason in reasons) == over
    assert verdict == ("no" if over else "yes")


@pytest.mark.parametrize(
    ("limit", "measured", "worse"),
    [
        ("max_risk", lambda made: made.worst.exposed.value, -math.inf),
        ("max_learnt", lambda made: made.worst_lesson.advantage.value, -math.inf),
        ("min_utility", lambda made: made.kept, math.inf),
    ],
)
def test_what_is_exactly_at_a_limit_keeps_it(limit, measured, worse):
    made = sample_audit.kept_limits()
    at = measured(made)
    for value, verdict in ((at, "yes"), (math.nextafter(at, worse), "no")):
        asked = {"mean": value} if limit == "min_utility" else value
        assert judge(replace(made, limits=replace(made.limits, **{limit: asked})))[0] == verdict


def test_own_ids_of_as_many_people_as_may_be_found_are_within_the_limit():
    made = sample_audit.kept_limits()
    at = made.limits.max_risk
    for share, verdict in ((at, "yes"), (math.nextafter(at, 1), "no")):
        assert judge(replace(made, own_ids=(Shown("note", "", share),)))[0] == verdict


def test_who_is_at_both_limits_is_named_among_those_for_whom_they_are_kept():
    made = sample_audit.kept_limits()
    found, learnt = (replace(one, knowledge="1 record") for one in (made.worst, made.worst_lesson))
    limits = replace(made.limits, max_risk=found.exposed.value, max_learnt=learnt.advantage.value)
    at = replace(made, attacks=(found,), learnt=(learnt,), ladder=(("1 record", ""),), limits=limits)
    assert holding(at) == ("1 record",)
    for limit in ("max_risk", "max_learnt"):
        above = math.nextafter(getattr(limits, limit), -math.inf)
        assert holding(replace(at, limits=replace(limits, **{limit: above}))) == ()


@pytest.mark.parametrize("part", ["inferred", "singled_out", "membership"])
def test_what_nobodys_rows_give_away_may_be_as_much_as_the_limit(part):
    made = sample_audit.kept_limits()
    at = made.limits.max_learnt
    for added, verdict in ((at, "yes"), (math.nextafter(at, 1), "no")):
        tried = Tried("income", 9, Rate.known(0.5), Rate.known(0.5), 0.0, Rate.known(added), None)
        told = SimpleNamespace(attack="nearest", advantage=added, caught=0.0, caught_tenth=0.0)
        none = Synthetic(300, 2, (), (), (), copies=None)
        given = replace(none, **{part: (told if part == "membership" else tried,)})
        assert judge(replace(made, synthetic=given))[0] == verdict
