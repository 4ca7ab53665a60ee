"""What is kept, measured on the people drawn: what everybody would give, and how far it may be off.

A count is that of the people drawn times everybody / drawn. How far a number may be off is read from groups
into which the people drawn are dealt: the measure is taken of each, which costs no more than taking it once
more of all. How much groups differ says what drawing costs. Where groups lie to one side of all of them, as
differences of distributions do in small samples, the number itself does: such a drift falls with the root of
the number of people, and the interval reaches as far as it will fall. What rests on rare people, or on counts
that must pass a limit, as rules do, is covered worse than the interval says.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo.catalogue import entries
from kakurenbo.data.sampling import Sample as Paired
from kakurenbo.data.sampling import parts_of, random_groups
from kakurenbo.errors import KakurenboError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kakurenbo.auditing.input import AuditInput
    from kakurenbo.auditing.results import Kept
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

_GROUPS = 10
_LEAST = {"similarity": -1.0, "share": 0.0, "points": 0.0, "cost": 0.0}  # that a measure can say
_FARTHER = 1.25  # than the drift is estimated, since groups tell it but roughly


def with_intervals(
    kept: Iterable[Kept], sample: AuditInput[Purchases], seen: Purchases, chance: Chance, progress: Progress
) -> Iterator[Kept]:
    """Yield what every measure says of everybody, with the 95 % interval that drawing people costs.

    Args:
        kept: what it says of the people drawn.
        sample: these people, and everybody.
        seen: their originals in the words of the release.
        chance: deals them into groups.
        progress: told about each measure.
    """
    drawn = len(sample.original.customers)
    paired = Paired(sample.original, sample.released, sample.owners, drawn, sample.people)
    parts = () if paired.complete or drawn < _GROUPS else parts_of(paired, _GROUPS, chance, only=True)
    try:
        groups = [(part, seen.of(part.original.customers)) for part in parts]
    except KakurenboError:  # such as where nobody of a group is in the release
        groups = []
    measures = {entry.name: entry.what() for entry in entries("measure", "purchases")}
    told = list(kept)
    for place, one in enumerate(told):
        progress.step(f"measuring {one.name} of groups", place / len(told))
        measure = measures[one.name]
        scale = sample.people / drawn if measure.about.kept == "cost" else 1.0
        ends = (0.0, 0.0) if paired.complete else _spread(measure, groups, one.value, paired)
        value = one.value * scale
        yield replace(
            one, value=value,
            low=None if ends is None else max(value - scale * ends[0], _LEAST[measure.about.kept]),
            high=None if ends is None else value + scale * ends[1],
        )  # fmt: skip


def _spread(
    measure: Any,  # noqa: ANN401 - any measure
    groups: list[tuple[Paired, Purchases]],
    value: float,
    all_of: Paired,
) -> tuple[float, float] | None:
    """Return how far the interval reaches below and above a value; None where groups are too small."""
    if not groups:
        return None
    counted = measure.about.kept == "cost"
    try:
        each = np.array([
            measure.of(part.original, part.released, part.owners, spoken=spoken).value
            * (all_of.people / part.people if counted else 1.0)
            for part, spoken in groups
        ])  # fmt: skip
    except KakurenboError:
        return None
    if not np.isfinite(each).all():
        return None
    share = all_of.people / all_of.everybody
    half = random_groups(each.tolist()) * math.sqrt(1 - share)
    drift = _FARTHER * (1 - math.sqrt(share)) * (float(each.mean()) - value) / (math.sqrt(len(groups)) - 1)
    return half + max(drift, 0.0), half + max(-drift, 0.0)
