"""What is learnt from a release of either kind, beside people who are not in it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from kakurenbo.attacks.ladder import up_to
from kakurenbo.auditing.learning.attributes import learning_attributes
from kakurenbo.auditing.learning.outsiders import left_out, of_file
from kakurenbo.auditing.learning.purchases import learning_purchases
from kakurenbo.auditing.learning.records import worse
from kakurenbo.data.table import ByKind

if TYPE_CHECKING:
    import polars as pl

    from kakurenbo.attacks.base import Tables
    from kakurenbo.auditing.learning.outsiders import Outsiders
    from kakurenbo.auditing.learning.records import Learning
    from kakurenbo.auditing.vocabulary import Spoken
    from kakurenbo.data.table import Data
    from kakurenbo.plan import Plan
    from kakurenbo.progress import Progress

MOST = 1000  # people of whom it is asked what is learnt
_NEARLY = 0.98  # of the people; the few who are not inside then hardly thin what is learnt of the rest


def learning(
    original: Data,
    tables: Tables[Data],
    spoken: Spoken[Data],
    *,
    plan: Plan | None = None,
    control: Data | None = None,
    inside: pl.Series | None = None,
    knowledge: str | None = None,
    most: int = MOST,
    progress: Progress | None = None,
) -> Learning:
    """Return what is learnt from a release.

    Where not everybody is released, as after a sample, those who are left out would thin what is learnt of
    the others. So it is asked of who is declared to be inside, and of everybody as well: of each way the
    worse counts, and a false declaration hides nothing.

    Args:
        original: as it is, for the plan to be carried out on.
        tables: the original in the words of the release, and the release.
        spoken: the words of the release.
        plan: what made the release, where it is known.
        control: people who are not in it, where they are given.
        inside: the people who are declared to be in the release, where that is known.
        knowledge: the rung up to which attackers are asked; None for all.
        most: of how many people, drawn at random, it is asked.
        progress: told about each step.
    """
    outside = outsiders(original, tables, spoken, plan=plan, control=control)
    rungs = [rung.name for rung in up_to(knowledge, original.kind)]
    ask = partial(_LEARNING, original, tables, outside, rungs, most, progress)
    made: Learning = ask()
    if original.kind != "purchases" or inside is None or len(inside) > _NEARLY * len(original.people):
        return made
    return worse(made, ask(inside=inside), [rung.name for rung in up_to(None, original.kind)])


def outsiders(
    original: Data,
    tables: Tables[Data],
    spoken: Spoken[Data],
    *,
    plan: Plan | None,
    control: Data | None,
) -> Outsiders[Any] | str:
    """Return people who are not in a release, or why there are none; arguments as in `learning`."""
    if control is not None:
        made: Outsiders[Any] = of_file(tables.original, tables.released, spoken.alike(control))
        return made
    if plan is not None:
        return left_out(original, plan, tables.chance, tables.released)
    return "neither its plan nor people outside it were given"


_LEARNING: ByKind[Any] = ByKind(
    purchases=lambda _, *rest, **more: learning_purchases(*rest, **more),
    microdata=lambda _, *rest: learning_attributes(*rest),
)
