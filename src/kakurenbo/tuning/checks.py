"""Checks: the best plans are drawn again before one is advised.

A search that tries a hundred plans once each finds the lucky ones too: a plan that hides people among six may
look, in one draw, as if it hid them among nine. So the plans that look best are drawn afresh three times, and
what counts for the advice is the **largest** risk and the mean loss of these draws; the draw that made the
plan look good does not count. The papers' plan is checked alike, for a fair comparison.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.tuning.results import no_worse, papers, preference
from kakurenbo.tuning.trials import draw

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.progress import Progress
    from kakurenbo.tuning.records import Outcome, Trial
    from kakurenbo.tuning.study import Study
    from kakurenbo.tuning.workers import Crew

DRAWS = 3
_AT_ONCE = 5
_ENOUGH = 20
_MESSAGE = "checking the best plans on fresh draws"


def checked(memory: Study, crew: Crew, max_risk: float, progress: Progress) -> tuple[Trial, ...]:
    """Return the finalists as their checks show them, the papers' plan among them.

    Plans within the limit are checked in order of preference, five at a time, until one holds the limit and
    loses no more than the papers' plan in its own measures; after twenty any that holds the limit is enough.
    """
    progress.step(_MESSAGE, 0)
    done = [trial for trial in memory.trials if not trial.outcome.failed]
    raw = papers(done)
    found = _check(memory, crew, [] if raw is None else [raw], progress)
    rival = next((trial for trial in found if trial.risk <= max_risk), None)
    within = sorted(
        (trial for trial in done if trial.risk <= max_risk and trial is not raw),
        key=lambda one: preference(one, raw if rival is not None else None),
    )
    for first in range(0, len(within), _AT_ONCE):
        holding = [trial for trial in found if trial.risk <= max_risk]
        better = [trial for trial in holding if trial is not rival and no_worse(trial, rival)]
        if better or (holding and first >= _ENOUGH):
            break
        found += _check(memory, crew, within[first : first + _AT_ONCE], progress)
    return tuple(found)


def _check(memory: Study, crew: Crew, trials: Sequence[Trial], progress: Progress) -> list[Trial]:
    """Draw each plan afresh, as far as an earlier run has not, and return the trials as that shows them."""
    places = [(trial, k) for trial in trials for k in range(DRAWS)]
    missing = [place for place in places if (place[0].number, place[1]) not in memory.checks]
    tasks = [(trial.plan, draw(memory.seed, trial.number, k + 1)) for trial, k in missing]
    for (trial, k), outcome in zip(missing, crew.measure(tasks), strict=True):
        memory.add_check(trial.number, k, outcome)
        progress.step(_MESSAGE)
    return [
        replace(trial, outcome=merged([memory.checks[trial.number, k] for k in range(DRAWS)]))
        for trial in trials
    ]


def merged(outcomes: Sequence[Outcome]) -> Outcome:
    """Return several draws of a plan as one: the largest risk, the mean of everything that is lost."""
    worst = max(outcomes, key=lambda one: one.risk)
    rungs = {rung: max(one.rungs.get(rung, 0.0) for one in outcomes) for rung in worst.rungs}
    measures = {
        name: tuple(np.mean([one.measures[name] for one in outcomes], axis=0).tolist())
        for name in worst.measures
        if all(name in one.measures for one in outcomes)
    }
    return replace(worst, loss=float(np.mean([one.loss for one in outcomes])), rungs=rungs, measures=measures)
