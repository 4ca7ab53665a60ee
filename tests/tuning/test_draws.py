"""Fresh draws are counted, told with the time left, and part of the time that was given."""

import dataclasses
import math
from types import SimpleNamespace

import pytest

from kakurenbo.plan import Plan, Step
from kakurenbo.progress import Progress
from kakurenbo.report import tuning as tables
from kakurenbo.tuning.draws import Checking, checked
from kakurenbo.tuning.results import DEAL, Outcome, Trial
from kakurenbo.tuning.search import Budget
from kakurenbo.tuning.study import Study
from sample_tuned import purchases, strict

LIMIT = 0.2


def trial(number, risk=0.1, seconds=2.0):
    plan = Plan("purchases", (Step("compact", {"min_size": number + 2}),))
    outcome = Outcome(risk, "jaccard", 0.1 * number, seconds=seconds)
    return Trial(number, "search", {}, plan, outcome, float(number))


class Crew:
    """Finds in every fresh draw more than the limit."""

    jobs = 1

    def measure(self, tasks):
        return (Outcome(0.5, "jaccard", 0.1) for _ in tasks)


def checks(seconds, plans=12):
    study, steps = Study(5, SimpleNamespace()), []
    study.trials += [trial(number) for number in range(plans)]
    checking = Checking(study, Crew(), seconds, Progress(steps.append))
    return checked(checking, LIMIT), study, steps


def test_every_fresh_draw_is_counted_and_told_with_the_time_left():
    finalists, study, steps = checks(math.inf)
    assert len(finalists) == 12
    assert len(study.checks) == 36
    said = [step.message.partition(": ")[2] for step in steps[1:]]
    assert said[0].startswith("1 of 9, ")
    assert said[-1] == "36 of 36, 0 s left"
    assert all(words.endswith(" left") for words in said)
    shares = [step.share for step in steps]
    assert shares == sorted(shares)
    assert study.clock == study.checked > 11.0


def test_when_the_time_is_over_no_more_than_the_first_are_checked():
    finalists, study, _ = checks(0.0)
    assert len(finalists) == 3
    assert len(study.checks) == 9


@pytest.mark.parametrize(
    ("seconds", "jobs", "held"), [(math.inf, 1, 0), (100, 1, 30), (100, 3, 10), (40, 1, 20)]
)
def test_a_search_leaves_time_for_fifteen_fresh_draws(seconds, jobs, held):
    study = Study(5, SimpleNamespace())
    study.trials.append(trial(0, seconds=2.0))
    budget = Budget(100, seconds)
    assert budget.reserve(study, jobs) == pytest.approx(held)
    if math.isfinite(seconds):
        assert not budget.over(study, seconds - held - 0.1, jobs)
        assert budget.over(study, seconds - held + 0.1, jobs)


def test_a_plan_over_the_limit_is_advised_nowhere():
    """`deal` may keep the limit in fresh draws though its one draw did not: the table shows the former."""
    whole = purchases()
    lucky = Trial(3, DEAL, {}, whole.trials[3].plan, Outcome(0.15, "jaccard", 0.1), 1.0)
    result = dataclasses.replace(whole, finalists=(*whole.finalists, lucky))
    assert result.chosen is lucky
    (row,) = [row for row in tables.frontier(result).rows if "advised" in row[-1]]
    assert row[1] == "15.00%"
    none = strict()
    said = [none.headline, none.why, *tables.conditions(none), *map(str, tables.frontier(none).rows)]
    said += [column.name for column in tables.measures(none).columns]
    assert not any("advised" in words for words in said)
    assert any("nearest" in words for words in said)


def test_a_plan_exactly_at_the_limit_is_advised():
    whole = purchases()
    least = min(trial.worse for trial in whole.finalists)
    assert dataclasses.replace(whole, max_risk=least).verdict == "yes"
    assert dataclasses.replace(whole, max_risk=math.nextafter(least, 0)).verdict == "no"
