"""Refining: of plans that differ in one dial alone, the limit lies between one that holds and one that fails.

A size of groups or of crowds is a dial: the larger, the safer and the coarser. A sampler that knows nothing
of that spends its trials around a point that halving the gap finds in a few. So a part of every batch goes to
the gaps: for each line of plans that differ in their dial alone, the middle between the largest setting that
fails and the smallest that holds; below it where all hold, above it where all fail. Lines that lose least
come first. A little room is left to the limit, because a fresh draw may lie above this one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kakurenbo.about import Knob
    from kakurenbo.tuning.results import Trial
    from kakurenbo.tuning.space import Space

ROOM = 0.93  # of the limit, which a plan should keep in one draw to keep it in others
_NEAR = 1.15  # settings so near that nothing lies between them
_FAR = 5.0  # times the limit: a line that never comes nearer is left alone
_STEP = 3.0  # how far beyond the last setting the next is tried


def refined(space: Space, done: Sequence[Trial], limit: float) -> Iterator[dict[str, Any]]:
    """Yield the knob values that halve the gaps, of the most promising line first.

    Args:
        space: of the plans.
        done: what was tried.
        limit: on the risk, the worse of found and learnt.
    """
    lines: dict[str, list[tuple[float, Trial]]] = defaultdict(list)
    dials: dict[str, Knob] = {}
    for trial in done:
        dial = _dial(space, trial)
        if dial is not None and not trial.outcome.failed:
            rest = repr(sorted((name, v) for name, v in trial.values.items() if name != dial.name))
            dials[rest] = dial
            lines[rest].append((float(trial.values[dial.name]), trial))
    proposals = []
    for rest, line in lines.items():
        if min(trial.worse for _, trial in line) > _FAR * limit:
            continue
        wanted = _next([(setting, trial.worse <= ROOM * limit) for setting, trial in line], dials[rest])
        if wanted is not None:
            values = {**line[0][1].values, dials[rest].name: wanted}
            proposals.append((_promise([trial for _, trial in line], limit), values))
    for _, values in sorted(proposals, key=lambda pair: pair[0]):
        yield values


def _dial(space: Space, trial: Trial) -> Knob | None:
    """Return the one dial of a plan: its whole number on a log scale, if there is just one."""
    dials = [knob for knob in space.knobs(trial.values) if knob.whole and knob.log]
    return dials[0] if len(dials) == 1 else None


def _next(settings: Sequence[tuple[float, bool]], dial: Knob) -> int | None:
    """Return the setting to try next, None where the gap is closed."""
    holding = min((setting for setting, holds in settings if holds), default=None)
    failing = max(
        (s for s, holds in settings if not holds and (holding is None or s < holding)), default=None
    )
    if holding is None:
        wanted = math.inf if failing is None else failing * _STEP
    elif failing is None:
        wanted = holding / _STEP
    elif holding / failing <= _NEAR or holding - failing <= 1:
        return None
    else:
        wanted = math.sqrt(holding * failing)
    setting = round(min(max(wanted, dial.low), dial.high))
    return None if any(setting == round(tried) for tried, _ in settings) else setting


def _promise(line: Sequence[Trial], limit: float) -> tuple[bool, float, float]:
    """Return what lines are sorted by: those that hold somewhere, by what they lose there."""
    holding = [trial.loss for trial in line if trial.worse <= ROOM * limit]
    least = min(line, key=lambda trial: trial.worse)
    return not holding, min(holding, default=math.inf), least.worse + least.loss
