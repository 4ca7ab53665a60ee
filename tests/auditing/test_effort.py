"""Time that is short is spent where a rate can rise, and what was not tried is never called safe."""

import pytest

import kakurenbo as kb
from kakurenbo.auditing.panel import effort as efforts
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.errors import ParameterError
from shops import light_shop


@pytest.fixture(scope="module")
def people():
    return light_shop(40, seed=3)


@pytest.fixture(scope="module")
def named(people):
    return kb.methods.Pseudonymize().release(people, seed=2)


@pytest.fixture(scope="module")
def dealt(people):
    return kb.methods.Deal(min_size=20, of="records").release(people, seed=2)


def test_where_everybody_is_found_nobody_else_is_asked(people, named):
    panel = Panel.of(people)
    hurried = panel.attack(named.data, named.pairing, seed=1, effort=efforts.Effort(60))
    calm = panel.attack(named.data, named.pairing, seed=1)
    spared = [left for left in hurried.skipped if "nearly everybody" in left.why]
    assert spared
    assert len(hurried.outcomes) + len(hurried.skipped) == len(calm.outcomes) + len(calm.skipped)
    for rung in {finding.knowledge for finding in calm.findings}:
        best, soon = (
            max(finding.rate.value for finding in ran.findings if finding.knowledge == rung)
            for ran in (calm, hurried)
        )
        assert soon >= min(best, 0.99)


@pytest.mark.campaign
def test_what_time_was_too_short_for_is_named_and_not_called_safe(people, dealt, monkeypatch):
    asked = iter([False] * 30)
    over = property(lambda self: self.hurried and next(asked, True))
    monkeypatch.setattr(efforts.Effort, "over", over)
    made = kb.audit(people, dealt, max_risk=1.0, max_learnt=1.0, minutes=5, trust_pairing=True, seed=1)
    assert made.attacks
    assert made.late
    assert {left.why for left in made.late} == {efforts.LATE}
    assert made.verdict != "yes"
    if made.verdict == "not measured":
        assert "were not tried within 5 minutes" in " ".join(made.reasons)


def test_without_an_end_all_are_tried(people, dealt):
    made = Panel.of(people).attack(dealt.data, dealt.pairing, seed=1)
    assert not any(left.late for left in made.skipped)


@pytest.mark.parametrize("minutes", [0, -1, float("nan")])
def test_no_time_is_refused(people, named, minutes):
    with pytest.raises(ParameterError, match="minutes"):
        kb.audit(people, named, minutes=minutes)
