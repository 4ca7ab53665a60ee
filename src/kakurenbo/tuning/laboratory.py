"""Trials: make the release of a plan, let every attacker try, measure what is lost; in one process or many.

Two numbers decide: the **risk**, the worse of the largest share that any attacker finds and of how many more
people than outside he lays open, and the **loss**, the mean over the measures that count (see `aim`) of what
each says is lost: 0 for a copy, never above 1.

What is learnt is compared with the best claim without any release where a plan fails already by what is
found; where it may hold, is checked, or its release handed out, with the same plan carried out without some
people, as an audit does.

Processes are started by spawn and get the data once. Results come in the order they were asked for, whoever
finishes first, so the number of processes changes nothing but the time.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from kakurenbo.auditing.learning.learn import learners, learning
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.utility import utility
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.catalogue import build
from kakurenbo.data.owners import Owners
from kakurenbo.errors import KakurenboError, ParameterError
from kakurenbo.tuning.aim import Aim
from kakurenbo.tuning.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from kakurenbo.auditing.results import Finding
    from kakurenbo.data.release import Release
    from kakurenbo.data.table import Table
    from kakurenbo.plan import Plan

_ASKED = 500  # people of whom it is asked what is learnt
_ASKED_CLOSELY = 1000  # where a plan may hold
_prepared: dict[str, Laboratory] = {}  # in a worker: its own


class Task(NamedTuple):
    """A plan to be tried, the seed of its release, and whether it is carried out once more as control."""

    plan: Plan
    seed: int
    control: bool = False


@dataclass(frozen=True, eq=False)
class Laboratory:
    """Where plans are tried one after another on the same data.

    Attributes:
        data: to hide people in.
        knowledge: the rung up to which attackers count; None for all.
        scale: how much a share of people laid open counts beside a share of people found.
        aim: which measures count; none given means all alike.
        limit: on what is found; who keeps it is compared with the same plan without some people.
    """

    data: Table
    knowledge: str | None = None
    scale: float = 1.0
    aim: Aim = field(default_factory=Aim)
    limit: float = -1.0

    def __post_init__(self) -> None:
        if not self.aim.weights:
            object.__setattr__(self, "aim", Aim.of(self.data))

    def measure(self, task: Task) -> Outcome:
        """Try a plan; one that cannot be carried out gives an outcome that says why."""
        start = time.perf_counter()
        try:
            outcome = self.judge(made(task.plan, self.data, task.seed), task.seed, control=task.control)
        except KakurenboError as error:
            return Outcome(math.inf, "", math.inf, learnt=math.inf, failed=str(error))
        return replace(outcome, seconds=time.perf_counter() - start)

    def judge(self, release: Release[Any], seed: int, *, control: bool = False) -> Outcome:
        """Attack a release and measure what was lost."""
        common, _ = self.data.common_with(release.data)
        spoken = vocabulary(common, release.data)
        panel = Panel.of(spoken.original, self.knowledge, plain=common)
        asked = learners(spoken.original, self.knowledge)
        ran = panel.attack(release.data, release.pairing, seed=seed, learners=asked)
        kept, _ = utility(
            self.data, release.data, release.pairing, spoken=spoken.original, only=self.aim.measures
        )
        findings = ran.findings
        worst = min(findings, key=lambda finding: (-finding.exposed.value, finding.knowledge, finding.name))
        closely = control or worst.exposed.value <= self.limit
        assert ran.search is not None  # noqa: S101 - nobody was hurried
        taught = learning(
            ran.search, spoken, plan=release.provenance.plan if closely else None,
            inside=Owners.of(release.pairing).persons, knowledge=self.knowledge,
            most=_ASKED_CLOSELY if closely else _ASKED,
        )  # fmt: skip
        lesson = next(iter(taught.lessons), None)
        learnt = 0.0 if lesson is None else max(lesson.advantage.value, 0.0)
        return Outcome(
            risk=worst.exposed.value,
            attacker=worst.name,
            loss=self.aim.loss(kept),
            learnt=learnt,
            learner="" if lesson is None else f"{lesson.attack}, {lesson.knowledge}",
            scale=self.scale,
            rungs=_by_rung(findings),
            measures={measure.name: (measure.value, measure.loss) for measure in kept},
            said={measure.name: measure.said for measure in kept if measure.said},
            facts={name: count for name, count in release.facts.to_dict().items() if count is not None},
        )


def made(plan: Plan, data: Table, seed: int | None) -> Release[Any]:
    """Make the release of a plan."""
    return build(plan).release(data, seed=seed)


def draw(seed: int, *place: int) -> int:
    """Return the seed of a release by its place in the search: trial and, where it is checked, draw."""
    return int(np.random.SeedSequence([seed, *place]).generate_state(1)[0])


def _by_rung(findings: Sequence[Finding]) -> dict[str, float]:
    """Return the largest share found with each knowledge."""
    worst: dict[str, float] = {}
    for finding in findings:
        worst[finding.knowledge] = max(finding.exposed.value, worst.get(finding.knowledge, 0.0))
    return dict(sorted(worst.items()))


class Crew:
    """Tries plans, in this process or in several others; leaving its `with` block ends the others."""

    def __init__(self, laboratory: Laboratory, jobs: int | None) -> None:
        self.laboratory = laboratory
        self.jobs = jobs or getattr(os, "process_cpu_count", os.cpu_count)() or 1
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        if self.jobs > 1:
            _refuse_unguarded()
            self._pool = ProcessPoolExecutor(
                self.jobs, multiprocessing.get_context("spawn"), _prepare, (self.laboratory,)
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def measure(self, tasks: Sequence[Task]) -> Iterator[Outcome]:
        """Yield the outcome of every task, in their order."""
        if self._pool is None:
            yield from map(self.laboratory.measure, tasks)
            return
        try:
            yield from self._pool.map(_measure, tasks)
        except BrokenProcessPool:
            raise _no_workers() from None


def _no_workers() -> ParameterError:
    return ParameterError(
        "The worker processes ended early: out of memory, or started from a script without "
        "`if __name__ == '__main__':`. Use fewer jobs, or jobs=1 to work in this process alone.",
        code="parameter",
    )


def _refuse_unguarded() -> None:
    """Refuse to search while a worker is only just reading the script that started it.

    Such a worker cannot start others, and would wait for them for ever; so it ends, and its parent tells why.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise _no_workers()


def _prepare(laboratory: Laboratory) -> None:
    """Make a worker ready: an interrupt is the parent's business, and without a parent there is no work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _prepared["mine"] = laboratory


def _end_with_parent() -> None:
    """Wait for the parent's end, however sudden, and end too: a worker must not outlive its search."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _measure(task: Task) -> Outcome:
    return _prepared["mine"].measure(task)
