"""The search: propose a batch, try it, remember it, until the budget is used up."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kakurenbo.attacks.ladder import up_to
from kakurenbo.data.table import require_tables
from kakurenbo.errors import ParameterError
from kakurenbo.extras import require
from kakurenbo.progress import Progress
from kakurenbo.provenance import Filing, now
from kakurenbo.tuning.aim import Aim
from kakurenbo.tuning.draws import Checking, checked, expected, spoken
from kakurenbo.tuning.laboratory import Crew, Laboratory, Task, draw
from kakurenbo.tuning.results import Trial, Tuned, choose, papers
from kakurenbo.tuning.sampling import BATCH, propose
from kakurenbo.tuning.space import Space
from kakurenbo.tuning.starts import Start, starts, theory_of
from kakurenbo.tuning.study import Settings, Study

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.data.table import Table

TRIALS = 100
MINUTES = 5.0  # of search, where neither trials nor minutes are asked for


@dataclass(frozen=True)
class Budget:
    """How long to search: trials and seconds in all, counting those of the runs before."""

    trials: int
    seconds: float

    def over(self, study: Study, clock: float, jobs: int = 1) -> bool:
        """Tell whether the search has to end, with time left for the checks; one trial is always made."""
        done = len(study.trials)
        return done >= self.trials or (done > 0 and clock + self.reserve(study, jobs) >= self.seconds)

    def reserve(self, study: Study, jobs: int) -> float:
        """Return the seconds that fresh draws of the best plans may take, half of the whole at most."""
        if math.isinf(self.seconds):
            return 0.0
        return min(expected(study, jobs), self.seconds / 2)


def tune(
    data: Table,
    max_risk: float = 0.1,
    knowledge: str | None = None,
    *,
    max_learnt: float | None = None,
    purpose: str | None = None,
    weights: Mapping[str, float] | None = None,
    trials: int | None = None,
    minutes: float | None = None,
    seed: int | None = None,
    study: str | Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Search methods and parameters for the least utility loss under a limit on the measured risk.

    Args:
        data: the table to hide people in.
        max_risk: the largest share that any attacker may find.
        max_learnt: by how much the share of people laid open may exceed that outside the release; none given
            means as max_risk.
        knowledge: count attackers up to this rung of knowledge; none given means all.
        purpose: what the release is for: customers, baskets, trends or papers, which says what measures
            count; none given means all alike.
        weights: how much each measure counts instead, by its name.
        trials: how many plans to try in all, those of earlier runs of the study included; none given means
            100, and no more than are tried in five minutes.
        minutes: so many in all, for the search and the fresh draws of its best plans, earlier runs included.
        seed: makes the search repeatable; without it one is drawn (and kept with the study).
        study: a SQLite file to keep the trials in; if it exists, the search goes on from there.
        jobs: processes to use; none given means one for each core, 1 means no others. A script that uses
            more than one must be started under `if __name__ == "__main__":`.
        progress: shows how far it is, and stops between trials; a study goes on from there another day.
    """
    require("tune")
    require_tables("tune", data=data)
    learnable = max_risk if max_learnt is None else max_learnt
    if trials is None and minutes is None:
        minutes = MINUTES
    trials = TRIALS if trials is None else trials
    _check(max_risk, learnable, trials, minutes, jobs)
    aim = Aim.of(data, purpose, weights)
    progress = progress or Progress()
    progress.step("preparing the attackers", 0)
    rungs = tuple(rung.name for rung in up_to(knowledge, data.kind))
    laboratory = Laboratory(data, knowledge, max_risk / learnable, aim, max_risk)
    space, known = Space.of(data), theory_of(data)
    first = starts(space, max_risk, known, "" if aim.papers else purpose or "customers")
    settings = Settings.of(data, space, (max_risk, learnable), knowledge, aim)
    budget = Budget(trials, math.inf if minutes is None else minutes * 60)
    path = None if study is None else Path(study)
    with Study.opened(path, space, settings, seed) as memory, Crew(laboratory, jobs) as crew:
        _run(memory, first, crew, budget, _Reporter(memory, budget, max_risk, progress.part(0, 0.7)))
        checking = Checking(memory, crew, budget.seconds, progress.part(0.7, 1))
        finalists = checked(checking, max_risk, fair=aim.papers)
    return Tuned(
        kind=space.kind, people=space.people, trials=tuple(memory.trials), finalists=finalists,
        max_risk=max_risk, max_learnt=learnable, knowledge=knowledge, rungs=rungs, seed=memory.seed,
        resumed=memory.resumed, theory=known, seconds=memory.clock, provenance=settings.provenance,
        purpose=aim.name, weights=aim.weights, fresh=len(memory.checks), filing=Filing(now()),
    )  # fmt: skip


def _check(max_risk: float, max_learnt: float, trials: int, minutes: float | None, jobs: int | None) -> None:
    if not (0 < max_risk <= 1 and 0 < max_learnt <= 1):
        raise ParameterError("The largest risk must lie above 0 and not above 1.", code="parameter")
    if trials < 1 or (minutes is not None and not minutes > 0) or (jobs is not None and jobs < 1):
        raise ParameterError("Trials, minutes and jobs must be above 0.", code="parameter")


def _run(memory: Study, first: tuple[Start, ...], crew: Crew, budget: Budget, report: _Reporter) -> None:
    """Try batch after batch; a batch that a killed run began is taken up where it stood."""
    before, start = memory.clock, time.monotonic()

    def clock() -> float:
        return before + time.monotonic() - start

    while not budget.over(memory, clock(), crew.jobs):
        batch, begun = divmod(len(memory.trials), BATCH)
        proposals = propose(memory.space, first, memory.seed, memory.trials, batch, limit=report.max_risk)
        wanted = proposals[begun : budget.trials - batch * BATCH]
        outcomes = crew.measure([Task(asked.plan, draw(memory.seed, asked.number)) for asked in wanted])
        for asked, outcome in zip(wanted, outcomes, strict=False):
            memory.add(Trial(asked.number, asked.origin, asked.values, asked.plan, outcome, clock()))
            report(clock())
            if budget.over(memory, clock(), crew.jobs):
                break


class _Reporter:
    """Tells how far the search is: trials, the best plan so far, and the time left."""

    def __init__(self, memory: Study, budget: Budget, max_risk: float, progress: Progress) -> None:
        self.memory, self.budget, self.max_risk, self.progress = memory, budget, max_risk, progress
        self.begun = time.monotonic()

    def __call__(self, clock: float) -> None:
        done = len(self.memory.trials)
        each = (time.monotonic() - self.begun) / (done - self.memory.resumed)
        left = min((self.budget.trials - done) * each, self.budget.seconds - clock)
        share = max(done / self.budget.trials, clock / self.budget.seconds)
        message = f"trial {done} of {self.budget.trials}, {spoken(left)} left; {self._best()}"
        self.progress.step(message, min(share, 1.0))

    def _best(self) -> str:
        done = [trial for trial in self.memory.trials if not trial.outcome.failed]
        best = choose(done, self.max_risk, papers(done))
        if best is None:
            return "nothing yet"
        return f"best so far: {best.plan}, risk {best.worse:.3f}, loss {best.loss:.3f}"
