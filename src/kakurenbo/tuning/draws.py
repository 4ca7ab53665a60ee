"""Fresh draws: the best plans are drawn again before one is advised, and again for the release handed out.

A search that tries a hundred plans once each finds the lucky ones too: a plan that hides people among six may
look, in one draw, as if it hid them among nine. So the plans that look best are drawn afresh three times, and
what counts for the advice is the **largest** risk, the worse of found and learnt, and the mean loss of these
draws; the draw that made the plan look good does not count. The papers' plan and `deal` are checked alike,
for a fair comparison.

What is written must be measured itself, and not another draw of the same plan: a few releases are drawn, and
the first whose own worst risk is within the limit is taken.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo.progress import Progress
from kakurenbo.tuning.aim import Aim
from kakurenbo.tuning.laboratory import Laboratory, Task, draw, made
from kakurenbo.tuning.refining import ROOM
from kakurenbo.tuning.results import dealt, no_worse, papers, preference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.data.release import Release
    from kakurenbo.data.table import Table
    from kakurenbo.tuning.laboratory import Crew
    from kakurenbo.tuning.results import Outcome, Trial, Tuned
    from kakurenbo.tuning.study import Study

_CHECKS = 3
_RELEASES = 5
_AT_ONCE = 3
_ENOUGH = 20
_FIRST = _CHECKS * (_AT_ONCE + 2)  # draws: of the plans checked first, and the two they are compared with
_NEAR = 1.5  # of the limit: who lies above it in one draw is not checked for comparison
_FAR = 2**31
_MESSAGE = "checking the best plans on fresh draws"


def expected(memory: Study, jobs: int) -> float:
    """Return the seconds to expect for the first fresh draws: of the best plans and the two compared with.

    A fresh draw is judged more closely than a trial, so it is taken for as long as the longer trials were.
    """
    took = [trial.outcome.seconds for trial in memory.trials if not trial.outcome.failed]
    return float(np.quantile(took, 0.8)) * _FIRST / jobs if took else 0.0


def spoken(seconds: float) -> str:
    """Return a time left in words."""
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{max(seconds, 0):.0f} s"


class Checking:
    """Draws plans afresh: counts the draws, tells the time left, and knows when the time is over."""

    def __init__(self, memory: Study, crew: Crew, seconds: float, progress: Progress) -> None:
        self.memory, self.crew, self.seconds, self.progress = memory, crew, seconds, progress
        self._before, self._start, self._made, self._share = memory.clock, time.monotonic(), 0, 0.0

    @property
    def clock(self) -> float:
        """Seconds of search and checks so far, over all runs."""
        return self._before + time.monotonic() - self._start

    @property
    def late(self) -> bool:
        """Whether there is no time for three more plans; the first are always checked."""
        return self._made > 0 and self.clock + self._each * _AT_ONCE * _CHECKS > self.seconds

    @property
    def _each(self) -> float:
        return (time.monotonic() - self._start) / max(self._made, 1)

    def draw(self, trials: Sequence[Trial]) -> list[Trial]:
        """Draw each plan afresh, as far as an earlier run has not; return the trials as that shows them."""
        places = [(trial, k) for trial in trials for k in range(_CHECKS)]
        missing = [place for place in places if (place[0].number, place[1]) not in self.memory.checks]
        seed, planned = self.memory.seed, self._made + len(missing)
        tasks = [Task(trial.plan, draw(seed, trial.number, k + 1), control=True) for trial, k in missing]
        for (trial, k), outcome in zip(missing, self.crew.measure(tasks), strict=True):
            self.memory.add_check(trial.number, k, outcome, self.clock)
            self._made += 1
            left = spoken((planned - self._made) * self._each)
            self._share = max(self._share, self._made / max(planned, _FIRST))  # others may follow
            self.progress.step(f"{_MESSAGE}: {self._made} of {planned}, {left} left", self._share)
        return [
            replace(trial, outcome=merged([self.memory.checks[trial.number, k] for k in range(_CHECKS)]))
            for trial in trials
        ]


def checked(checking: Checking, max_risk: float, *, fair: bool = True) -> tuple[Trial, ...]:
    """Return the finalists as their checks show them, the papers' plan and `deal` among them.

    Plans within the limit are checked in order of preference, a few at a time and those with a little room
    to the limit first, until one holds it and, where that is to be fair, loses no more than the papers' plan
    in its own measures; after twenty any that holds the limit is enough, and when the time is over what was
    checked is. The two plans that others are compared with are checked too, unless they lie far above the
    limit anyway.
    """
    checking.progress.step(_MESSAGE, 0)
    done = [trial for trial in checking.memory.trials if not trial.outcome.failed]
    known = [trial for trial in (papers(done), dealt(done)) if trial is not None]
    near = [trial for trial in known if trial.worse <= _NEAR * max_risk]
    finalists = checking.draw(near)
    rival = papers([trial for trial in finalists if trial.worse <= max_risk]) if fair else None
    within = sorted(
        (trial for trial in done if trial.worse <= max_risk and trial not in near),
        key=lambda trial: (trial.worse > ROOM * max_risk, preference(trial, rival)),
    )
    for first in range(0, len(within), _AT_ONCE):
        holding = [trial for trial in finalists if trial.worse <= max_risk]
        better = [
            trial for trial in holding if trial.number not in _numbers(known) and no_worse(trial, rival)
        ]
        if better or (holding and first >= _ENOUGH) or (first and checking.late):
            break
        finalists += checking.draw(within[first : first + _AT_ONCE])
    return tuple(finalists)


def _numbers(trials: Sequence[Trial]) -> set[int]:
    return {trial.number for trial in trials}


def merged(outcomes: Sequence[Outcome]) -> Outcome:
    """Return several draws of a plan as one: the largest risk, the mean of everything that is lost."""
    worst = max(outcomes, key=lambda outcome: outcome.worse)
    rungs = {rung: max(outcome.rungs.get(rung, 0.0) for outcome in outcomes) for rung in worst.rungs}
    measures = {
        name: tuple(np.mean([outcome.measures[name] for outcome in outcomes], axis=0).tolist())
        for name in worst.measures
        if all(name in outcome.measures for outcome in outcomes)
    }
    found, taught = (max(outcomes, key=attrgetter(name)) for name in ("risk", "learnt"))
    return replace(
        worst, risk=found.risk, attacker=found.attacker, learnt=taught.learnt, learner=taught.learner,
        loss=float(np.mean([outcome.loss for outcome in outcomes])), rungs=rungs, measures=measures,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Applied:
    """What became of the plan.

    Attributes:
        release: the release that holds the limit, or None where no draw did.
        risk: the share that the worst attacker finds in the release, or in the draw of least risk.
        attacker: who found that share.
        learnt: by how much the worst attacker lays more people open there than outside.
        loss: the mean utility loss of the release, or of the draw of least risk.
        draws: how many releases were drawn.
        max_risk: the limit.
        reproducible: whether a seed was given: then it is not for release.
    """

    release: Release[Any] | None
    risk: float
    attacker: str
    learnt: float
    loss: float
    draws: int
    max_risk: float
    reproducible: bool

    def words(self) -> str:
        """Return what happened in a sentence or two."""
        if self.release is None:
            return (
                f"Nothing was written: in each of {self.draws} draws of the plan attackers found or learnt "
                f"more than the limit, in the best {self.risk:.2%} and {self.learnt:.2%}. Lower max_risk a "
                "little and search again."
            )
        words = (
            f"Written: in this very release the worst attacker ({self.attacker}) finds {self.risk:.2%}, "
            f"{self.learnt:.2%} more people are laid open at worst than outside, and the loss is "
            f"{self.loss:.3f}."
        )
        if self.reproducible:
            words += " Reproducible: not for release. Who knows the seed can undo the pseudonyms."
        return words

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "written": self.release is not None, "risk": self.risk, "attacker": self.attacker,
            "learnt": self.learnt, "loss": self.loss, "draws": self.draws, "reproducible": self.reproducible,
        }  # fmt: skip


def apply(
    result: Tuned, data: Table, *, seed: int | None = None, progress: Progress | None = None
) -> Applied:
    """Draw releases of the plan found until one holds the limit, five at most.

    Args:
        result: of the search; it must have found a plan.
        data: the table that was searched for.
        seed: makes the draws repeatable, and therefore unfit for release.
        progress: shows the draws, and stops between them.
    """
    if result.chosen is None:
        raise AssertionError("a plan was found")
    progress = progress or Progress()
    aim = Aim(result.purpose, result.weights)
    laboratory = Laboratory(data, result.knowledge, result.max_risk / result.max_learnt, aim)
    outcomes = []
    for number in range(_RELEASES):
        progress.step(f"making the release: draw {number + 1} of at most {_RELEASES}", number / _RELEASES)
        drawn = None if seed is None else draw(seed, _FAR + number)  # apart from the draws of the search
        release = made(result.chosen.plan, data, drawn)
        outcomes.append(laboratory.judge(release, seed=number, control=True))
        if outcomes[-1].worse <= result.max_risk:
            break
    least = min(outcomes, key=lambda outcome: outcome.worse)
    return Applied(
        release if least.worse <= result.max_risk else None, least.risk, least.attacker, least.learnt,
        least.loss, len(outcomes), result.max_risk, reproducible=seed is not None,
    )  # fmt: skip
