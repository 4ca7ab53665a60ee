"""What is learnt from a release of either kind, beside people who are not in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.ladder import up_to
from kakurenbo.attacks.search.seek import REMEMBERED
from kakurenbo.auditing.learning.attributes import learning_attributes
from kakurenbo.auditing.learning.outsiders import holders_in, left_out, of_file, some_outside
from kakurenbo.auditing.learning.purchases import asking, claims_of, control_of, lessons
from kakurenbo.auditing.learning.records import worse
from kakurenbo.data.table import ByKind
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    import polars as pl

    from kakurenbo.auditing.learning.outsiders import Outsiders
    from kakurenbo.auditing.learning.records import Learning
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.search import Search
    from kakurenbo.auditing.vocabulary import Spoken
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data, Table
    from kakurenbo.plan import Plan

MOST = REMEMBERED  # people of whom it is asked what is learnt
_NEARLY = 0.98  # of the people; the few who are not inside then hardly thin what is learnt of the rest
_OUTSIDE = 5_000  # people of whom the control is made, where not everybody was looked for


def learners(original: Table, knowledge: str | None = None) -> list[Attacker]:
    """Return who must take part in a search, since it is asked what they learn."""
    if original.kind != "purchases":
        return []
    return asking(cast("Purchases", original), [rung.name for rung in up_to(knowledge, original.kind)])


def learning(
    found: Search[Data],
    spoken: Spoken[Data],
    *,
    plan: Plan | None = None,
    control: Data | Blocks | None = None,
    inside: pl.Series | None = None,
    knowledge: str | None = None,
    most: int | None = None,
    progress: Progress | None = None,
) -> Learning:
    """Return what is learnt from a release.

    Where not everybody is released, as after a sample, those who are left out would thin what is learnt of
    the others. So it is asked of who is declared to be inside, and of everybody as well: of each way the
    worse counts, and a false declaration hides nothing.

    Args:
        found: where attackers take people to be, `learners` among them.
        spoken: the words of the release.
        plan: what made the release, where it is known.
        control: people who are not in it, where they are given; of many, or in blocks, some are drawn.
        inside: the people who are declared to be in the release, where that is known.
        knowledge: the rung up to which attackers are asked; None for all.
        most: of how many people, drawn at random, it is asked; none given means as many as are remembered.
        progress: told about each step.
    """
    steps = progress or Progress()
    tables = _for_control(found, spoken)
    outside = outsiders(found, tables, spoken, plan=plan, control=control)
    asked = MOST if most is None else most
    return _LEARNING(found.tables.original, found, tables, outside, inside, knowledge, asked, steps)


def _of_attributes(  # noqa: PLR0917 - as it was asked
    original: Microdata,
    _: Search[Microdata],
    tables: Tables[Microdata],
    outside: Outsiders[Microdata] | str,
    inside: pl.Series | None,  # noqa: ARG001 - a row that was left out is no row
    knowledge: str | None,
    most: int,
    steps: Progress,
) -> Learning:
    rungs = [rung.name for rung in up_to(knowledge, original.kind)]
    return learning_attributes(tables, outside, rungs, most, steps)


def _of_purchases(  # noqa: PLR0917 - as it was asked
    original: Purchases,
    found: Search[Purchases],
    tables: Tables[Purchases],
    outside: Outsiders[Purchases] | str,
    inside: pl.Series | None,
    knowledge: str | None,
    most: int,
    steps: Progress,
) -> Learning:
    rungs = [rung.name for rung in up_to(knowledge, original.kind)]
    steps.step("asking what is learnt of people", 0.0)
    everybody, some = claims_of(found, rungs, most=most), None
    if inside is not None and len(inside) <= _NEARLY * len(original.customers):
        some = claims_of(found, rungs, most=most, inside=inside)
    steps.step("asking what is learnt of people who are not in it", 0.5)
    beside = None
    if not isinstance(outside, str):
        beside = control_of(tables, outside, learners(original, knowledge), found.given, found.recode)
    made = lessons(everybody, outside, beside)
    return made if some is None else worse(made, lessons(some, outside, beside), rungs)


def outsiders(
    found: Search[Data],
    tables: Tables[Data],
    spoken: Spoken[Data],
    *,
    plan: Plan | None,
    control: Data | Blocks | None,
) -> Outsiders[Any] | str:
    """Return people who are not in a release, or why there are none; arguments as in `learning`."""
    if control is None and plan is None:
        return "neither its plan nor people outside it were given"
    if control is None:
        assert plan is not None  # noqa: S101 - one of both was given
        return left_out(tables.plain, plan, tables.chance, tables.released)
    given, holders = found.given, None
    some, given_in_all = some_outside(control, tables.chance.under("outside"), whole=given.complete)
    if not given.complete and given.blocks is not None:
        original = cast("Purchases", tables.original)
        holders = holders_in(given.blocks[0], original.roles, cast("Any", spoken.alike))
    made: Outsiders[Any] = of_file(tables.original, tables.released, spoken.alike(some), holders)
    return replace(made, drawn_from=given_in_all)


def _for_control(found: Search[Data], spoken: Spoken[Data]) -> Tables[Data]:
    """Return the tables from which the control is taken: of some where not everybody was looked for."""
    tables, people = found.tables, found.tables.plain.people
    if found.given.complete or len(people) <= _OUTSIDE:
        return tables
    chance = tables.chance
    some = tables.plain.of(people.gather(np.sort(chance.order("control", people)[:_OUTSIDE])))
    known, _ = spoken.alike(some).common_with(found.given.released)
    return Tables(known, found.given.released, chance, some)


_LEARNING: ByKind[Learning] = ByKind(purchases=_of_purchases, microdata=_of_attributes)
