"""Which of the plans tried to take: the frontier of risk and loss, and what is preferred on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.tuning.results.trial import DEAL, PAPER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.tuning.results.trial import Trial

PAPERS = ("delta-m", "u1-cmae", "u2-cmae", "u3-rfm")  # the measures of 000


def frontier(trials: Sequence[Trial]) -> tuple[Trial, ...]:
    """Return the trials that no other beats or equals in both risk and loss, least risk first.

    Of plans equal in both, the simplest stays, then the first tried.
    """
    unbeaten: list[Trial] = []
    for trial in sorted(trials, key=lambda t: (t.worse, t.loss, len(t.plan.steps), t.number)):
        if not unbeaten or trial.loss < unbeaten[-1].loss:
            unbeaten.append(trial)
    return tuple(unbeaten)


def choose(trials: Sequence[Trial], max_risk: float, paper: Trial | None = None) -> Trial | None:
    """Return the preferred trial within the limit, else the one of least risk."""
    within = [trial for trial in trials if trial.worse <= max_risk]
    if within:
        return min(within, key=lambda trial: preference(trial, paper))
    return min(trials, key=lambda trial: (trial.worse, *preference(trial, None)), default=None)


def preference(trial: Trial, paper: Trial | None) -> tuple[bool, float, int, float, int]:
    """Return what trials are sorted by: least loss first, of equals the one with fewer steps.

    Trials that lose no more than the papers' plan in any of its own measures come before the others: a mean
    may hide a trade, and what the papers already gave should not be traded away. `paper` is None where that
    plan does not keep the limit: then it gave nothing.
    """
    return not no_worse(trial, paper), trial.loss, len(trial.plan.steps), trial.worse, trial.number


def papers(trials: Sequence[Trial]) -> Trial | None:
    """Return the trial of the papers' plan, if there is one."""
    return next((trial for trial in trials if trial.origin == PAPER), None)


def dealt(trials: Sequence[Trial]) -> Trial | None:
    """Return the trial that deals records anew, if there is one."""
    return next((trial for trial in trials if trial.origin == DEAL), None)


def no_worse(trial: Trial, paper: Trial | None) -> bool:
    """Tell whether a trial loses no more than the papers' plan in Delta_m, U1, U2 and U3, where measured."""
    return paper is None or not worse_in(trial, paper)


def worse_in(trial: Trial, paper: Trial) -> list[str]:
    """Return the measures of 000, lower is better in all, in which a trial is worse than the papers' plan."""
    mine, theirs = trial.outcome.measures, paper.outcome.measures
    both = [name for name in PAPERS if name in mine and name in theirs]
    return [name for name in both if mine[name][0] > theirs[name][0]]


def compared(trial: Trial, other: Trial) -> tuple[int, int]:
    """Return in how many measures one trial loses less than another, and in how many more."""
    pairs = [
        (loss, other.outcome.measures[name][1])
        for name, (_, loss) in trial.outcome.measures.items()
        if name in other.outcome.measures
    ]
    return sum(mine < theirs for mine, theirs in pairs), sum(mine > theirs for mine, theirs in pairs)
