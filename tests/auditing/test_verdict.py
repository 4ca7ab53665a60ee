"""What is held against a limit: the rate that was measured, whatever its interval."""

from dataclasses import replace

import pytest

import sample_audit
from kakurenbo.auditing.verdict import judge


@pytest.mark.parametrize(("end", "over"), [("low", True), ("high", False)])
def test_the_rate_itself_is_held_against_the_limit(end, over):
    made = sample_audit.kept_limits()
    rate = made.worst.exposed
    assert rate.low < rate.value < rate.high
    limit = (rate.value + getattr(rate, end)) / 2
    verdict, reasons = judge(replace(made, limits=replace(made.limits, max_risk=limit)))
    assert any("The worst attacker" in reason for reason in reasons) == over
    assert verdict == ("no" if over else "yes")
