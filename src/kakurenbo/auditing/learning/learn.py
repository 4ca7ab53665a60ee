"""What is learnt from a release of either kind, beside people who are not in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.auditing.learning.lessons import Learning, lessons
from kakurenbo.auditing.learning.outsiders import left_out, of_file
from kakurenbo.data.table import ByKind

if TYPE_CHECKING:
    from kakurenbo.attacks.base import Tables
    from kakurenbo.auditing.learning.outsiders import Outsiders
    from kakurenbo.auditing.vocabulary import Spoken
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.plan import Plan
    from kakurenbo.progress import Progress


def _purchases(
    original: Purchases,
    tables: Tables[Purchases],
    spoken: Spoken[Purchases],
    plan: Plan | None,
    control: Purchases | None,
    *,
    progress: Progress | None = None,
) -> Learning:
    """Return what is learnt of purchases.

    Args:
        original: as it is, for the plan to be carried out on.
        tables: the original in the words of the release, and the release.
        spoken: the words of the release.
        plan: what made the release, where it is known.
        control: people who are not in it, where they are given.
        progress: told about each step.
    """
    outside: Outsiders | str
    if control is not None:
        outside = of_file(tables.original, tables.released, spoken.alike(control))
    elif plan is not None:
        outside = left_out(original, plan, tables.chance, spoken.alike)
    else:
        outside = "no plan and no people outside the release were given"
    return lessons(tables, outside, progress=progress)


def _microdata(
    original: Microdata,
    tables: Tables[Microdata],
    spoken: Spoken[Microdata],
    plan: Plan | None,
    control: Microdata | None,
    *,
    progress: Progress | None = None,
) -> Learning:
    return Learning((), None, ())


learning: ByKind[Learning] = ByKind(purchases=_purchases, microdata=_microdata)
