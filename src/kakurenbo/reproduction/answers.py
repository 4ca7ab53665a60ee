"""Our answers to the questions that printed numbers answer."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from kakurenbo.reproduction.facts import fact
from kakurenbo.reproduction.questions import Correlated, Fact, OfPlan
from kakurenbo.reproduction.results import NEEDS_UCI, Spread
from kakurenbo.reproduction.runs import Clustered

if TYPE_CHECKING:
    from kakurenbo.reproduction.questions import Plan, Question, SweepNumber
    from kakurenbo.reproduction.runs import Laboratory

NO_MASTER = f"Ours {NEEDS_UCI}: tc400.csv has no master with the customers' countries."
TOO_FEW = "The data has too few customers for this plan."
NO_COLUMN = "The data lacks the columns for it."
NO_SPREAD = "A correlation needs values that differ over the sweep of c."


def answer(question: Question, lab: Laboratory) -> Spread | str | None:
    """Return our number, text for what is no number, or None where the data cannot tell."""
    match question:
        case Fact(name):
            return fact(name, lab)
        case OfPlan(plan, number):
            return of_plan(plan, number, lab)
        case Correlated(one, other):
            return _correlation(one, other, lab)


def why_not(question: Question, lab: Laboratory) -> str:
    """Return why there is no answer."""
    if isinstance(question, OfPlan) and not lab.fits(question.plan):
        return TOO_FEW
    if lab.shop.master is None and _needs_master(question):
        return NO_MASTER
    return NO_SPREAD if isinstance(question, Correlated) else NO_COLUMN


def of_plan(plan: Plan, number: str, lab: Laboratory) -> Spread | None:
    """Return a number of a plan over all seeds; releases are made only for numbers that need one."""
    if not lab.fits(plan):
        return None
    values = [number_of(plan, number, seed, lab) for seed in lab.seeds]
    known = [value for value in values if value is not None]
    return Spread.of(known) if len(known) == len(values) else None


def number_of(plan: Plan, number: str, seed: int, lab: Laboratory) -> float | None:
    """Return one number of one run."""
    source = lab.clustered if hasattr(Clustered, number) else lab.measured
    value: float | None = getattr(source(plan, seed), number)
    return value


def _needs_master(question: Question) -> bool:
    match question:
        case Fact(name):
            return name == "largest U1"
        case OfPlan(_, number):
            return number in {"u1", "u2"}
        case Correlated(one, other):
            return not {"u1", "u2"}.isdisjoint({one, other})


def _correlation(one: SweepNumber, other: SweepNumber, lab: Laboratory) -> Spread | None:
    found = []
    for seed in lab.seeds:
        columns = [[_swept(name, c, seed, lab) for c in lab.sweep] for name in (one, other)]
        x, y = ([value for value in column if value is not None] for column in columns)
        try:
            found.append(statistics.correlation(x, y))
        except statistics.StatisticsError:  # too few values, missing ones, or all the same
            return None
    return Spread.of(found)


def _swept(name: SweepNumber, clusters: int, seed: int, lab: Laboratory) -> float | None:
    return clusters if name == "clusters" else number_of(lab.widest(clusters), name, seed, lab)
