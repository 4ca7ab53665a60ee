"""What to try next: a pure function of the seed, the batch's number and everything tried before.

Trials are proposed in batches of a fixed size, each by a sampler of its own seed that sees all earlier
batches. So the search is the same for any number of processes, and the same again when it was killed and
resumed. A part of every batch narrows down where plans begin to hold the limit (`refining`). The sampler is
Optuna's tree-structured Parzen estimator for several objectives; trials of the same
batch are already known to it as running, which keeps a batch from proposing the same thing ten times.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo.tuning.refining import refined
from kakurenbo.tuning.results import SEARCH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import optuna

    from kakurenbo.about import Knob
    from kakurenbo.plan import Plan
    from kakurenbo.tuning.results import Trial
    from kakurenbo.tuning.space import Space
    from kakurenbo.tuning.starts import Start

BATCH = 10
DIRECTIONS = ("minimize", "minimize")
_AGAIN = 20
_RANDOM = 20
_HALVED = 6  # of a batch at most


@dataclass(frozen=True)
class Proposal:
    """A plan to try, with the knob values it came from."""

    number: int
    origin: str
    values: Mapping[str, Any]
    plan: Plan


def quiet() -> Any:  # noqa: ANN401 - a module
    """Return optuna, loaded when first needed, its remarks silenced."""
    import optuna  # noqa: PLC0415 - half a second to load

    optuna.logging.set_verbosity(logging.ERROR)
    return optuna


def propose(
    space: Space, starts: Sequence[Start], seed: int, done: Sequence[Trial], batch: int, *, limit: float
) -> tuple[Proposal, ...]:
    """Return the proposals of a batch; `done` must hold all trials of the batches before it.

    What is left of the starts comes first; then, of every batch, the gaps that are halved; then the sampler.
    """
    first = batch * BATCH
    gaps = [*islice(refined(space, done[:first], limit), _HALVED)]
    study = quiet().create_study(directions=DIRECTIONS, sampler=_sampler(seed, batch))
    study.add_trials([frozen(trial, space) for trial in done[:first]])
    known = {repr(trial.plan) for trial in done[:first]}
    made = []
    for number in range(first, first + BATCH):
        if number < len(starts):
            study.enqueue_trial(dict(starts[number].values))
            values, plan = _asked(study, space)
        elif gaps:
            study.enqueue_trial(gaps.pop(0))
            values, plan = _asked(study, space)
        else:
            values, plan = _fresh(study, space, known)
        known.add(repr(plan))
        made.append(Proposal(number, starts[number].origin if number < len(starts) else SEARCH, values, plan))
    return tuple(made)


def frozen(trial: Trial, space: Space) -> optuna.trial.FrozenTrial:
    """Return a trial as Optuna sees it: knob values, their ranges, and risk and loss unless it failed."""
    tool = quiet().trial
    failed = bool(trial.outcome.failed)
    made: optuna.trial.FrozenTrial = tool.create_trial(
        state=tool.TrialState.FAIL if failed else tool.TrialState.COMPLETE,
        values=None if failed else [trial.worse, trial.loss],
        params=dict(trial.values),
        distributions={knob.name: _distribution(knob) for knob in space.knobs(trial.values)},
    )
    return made


def _sampler(seed: int, batch: int) -> Any:  # noqa: ANN401 - Optuna is loaded late
    state = np.random.SeedSequence([seed, batch]).generate_state(1)
    return quiet().samplers.TPESampler(seed=int(state[0]), multivariate=False, n_startup_trials=_RANDOM)


def _fresh(study: optuna.Study, space: Space, known: set[str]) -> tuple[dict[str, Any], Plan]:
    """Ask until the plan is a new one; after a number of tries an old one is tried again."""
    for _ in range(_AGAIN):
        values, plan = _asked(study, space)
        if repr(plan) not in known:
            break
    return values, plan


def _asked(study: optuna.Study, space: Space) -> tuple[dict[str, Any], Plan]:
    trial = study.ask()

    def choose(knob: Knob) -> Any:  # noqa: ANN401 - of the knob's own type
        if knob.choices:
            return trial.suggest_categorical(knob.name, knob.choices)
        if knob.whole:
            return trial.suggest_int(knob.name, int(knob.low), int(knob.high), log=knob.log)
        return trial.suggest_float(knob.name, knob.low, knob.high, log=knob.log)

    plan = space.plan(choose)
    return dict(trial.params), plan


def _distribution(knob: Knob) -> Any:  # noqa: ANN401 - Optuna is loaded late
    kinds = quiet().distributions
    if knob.choices:
        return kinds.CategoricalDistribution(knob.choices)
    if knob.whole:
        return kinds.IntDistribution(int(knob.low), int(knob.high), log=knob.log)
    return kinds.FloatDistribution(knob.low, knob.high, log=knob.log)
