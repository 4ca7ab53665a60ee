"""What is learnt from a release of either kind, beside people who are not in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kakurenbo.auditing.learning.attributes import learning_attributes
from kakurenbo.auditing.learning.outsiders import left_out, of_file
from kakurenbo.auditing.learning.purchases import learning_purchases
from kakurenbo.data.table import ByKind

if TYPE_CHECKING:
    from kakurenbo.attacks.base import Tables
    from kakurenbo.auditing.learning.outsiders import Outsiders
    from kakurenbo.auditing.learning.records import Learning
    from kakurenbo.auditing.vocabulary import Spoken
    from kakurenbo.data.table import Data
    from kakurenbo.plan import Plan
    from kakurenbo.progress import Progress


def learning(
    original: Data,
    tables: Tables[Data],
    spoken: Spoken[Data],
    *,
    plan: Plan | None = None,
    control: Data | None = None,
    progress: Progress | None = None,
) -> Learning:
    """Return what is learnt from a release.

    Args:
        original: as it is, for the plan to be carried out on.
        tables: the original in the words of the release, and the release.
        spoken: the words of the release.
        plan: what made the release, where it is known.
        control: people who are not in it, where they are given.
        progress: told about each step.
    """
    outside: Outsiders[Any] | str
    if control is not None:
        outside = of_file(tables.original, tables.released, spoken.alike(control))
    elif plan is not None:
        outside = left_out(original, plan, tables.chance, spoken.alike)
    else:
        outside = "neither its plan nor people outside it were given"
    made: Learning = _LEARNING(original, tables, outside, progress)
    return made


_LEARNING: ByKind[Any] = ByKind(
    purchases=lambda _, tables, outside, steps: learning_purchases(tables, outside, progress=steps),
    microdata=lambda _, tables, outside, steps: learning_attributes(tables, outside, progress=steps),
)
