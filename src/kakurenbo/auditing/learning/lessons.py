"""Lessons: what every attacker learns, beside what he would learn of people who are not there.

Every way of an attacker (what he drops, how careful he is) is a lesson of its own on each rung and at each
grain, and the control is taken in the very same way: nothing is chosen by its result, so each interval means
what it says. Worst first, by the advantage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import rankdata

from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.learning.attribution import attribution
from kakurenbo.auditing.learning.claimers import supposing
from kakurenbo.auditing.learning.unaided import unaided
from kakurenbo.auditing.panel.members import attackers, learning
from kakurenbo.auditing.results import Attribution, Control, Lesson, Membership
from kakurenbo.progress import Progress
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kakurenbo.auditing.learning.claimers import Claim, Claimed
    from kakurenbo.auditing.learning.outsiders import Outsiders
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.learnt.claims import Learnt

RUNGS = ("1 record", "2 records", "4 records", "a receipt", "a month", "half of the records", "goods")
_CERTAIN = 0.9
_FALSE = 0.01  # false alarms allowed to who tells members
_MOST = 2000  # people of whom it is asked what is learnt


@dataclass(frozen=True, eq=False)
class Learning:
    """What is learnt, what it is compared with, whose records are told, and whether members can be."""

    lessons: tuple[Lesson, ...]
    control: Control | None
    membership: tuple[Membership, ...]
    owners: tuple[Attribution, ...] = ()


def lessons(
    tables: Tables[Purchases],
    outside: Outsiders | str,
    *,
    most: int = _MOST,
    progress: Progress | None = None,
) -> Learning:
    """Return what is learnt from a release.

    Args:
        tables: the data before and the release.
        outside: people who are not in it, or why there are none.
        most: of how many people, drawn at random, it is asked.
        progress: told about each step.
    """
    steps, original = progress or Progress(), tables.original
    members = [who for who in learning(attackers(original)) if who.knowledge in RUNGS]
    targets = np.sort(tables.chance.order("targets", original.customers)[:most])
    steps.step("asking what is learnt of people", 0.0)
    inside: list[tuple[Claim, Claimed]] = []
    owners: list[Attribution] = []
    for made in supposing(tables, members, targets):
        inside += [(claim, claimed) for claim, claimed in made.claims(targets) if len(claimed.learnt.share)]
        owners += filter(None, [attribution(made)])
    owners.sort(key=lambda one: (-one.right, RUNGS.index(one.knowledge), one.way))
    steps.step("asking what is learnt of people who are not in it", 0.5)
    if isinstance(outside, str):
        best = {_sort(claim): unaided(claimed.known, claimed.truth) for claim, claimed in inside}
        made_alone = [_lesson(claim, claimed, *best[_sort(claim)]) for claim, claimed in inside]
        return Learning(_sorted(made_alone), Control("no release", 0, outside), (), tuple(owners))
    control = {
        claim.key: claimed
        for made in supposing(
            Tables(outside.known, outside.released, tables.chance), members, outside.targets
        )
        for claim, claimed in made.claims(outside.targets)
    }
    compared: list[Lesson] = []
    told: list[Membership] = []
    for claim, claimed in inside:
        other = control.get(claim.key)
        compared.append(_lesson(claim, claimed, *_alone(None if other is None else other.learnt)))
        told += [] if other is None else _member(claim, claimed, other)
    why = "the same attacks on people who are not in the release"
    stand = Control(outside.kind, len(outside.targets), why)
    return Learning(_sorted(compared), stand, _easiest(told), tuple(owners))


def _sort(claim: Claim) -> tuple[object, ...]:
    """Return what decides of which records something is to be learnt."""
    return claim.attacker.knowledge, claim.grain


def _lesson(claim: Claim, claimed: Claimed, mean: float, laid_open: Rate) -> Lesson:
    made = claimed.learnt
    people = len(made.share)
    open_here = Rate.estimated(float(made.laid_open.sum()), people)
    return Lesson(
        knowledge=claim.attacker.knowledge, attack=claim.attacker.name, way=claim.way,
        grain=" and ".join(claim.grain), story=claim.attacker.story, mean=float(made.share.mean()),
        laid_open=open_here, certain=float((made.share >= _CERTAIN).mean()),
        precision=float(made.precision.mean()), recall=float(made.recall.mean()), people=people, control=mean,
        control_laid_open=laid_open.value, advantage=difference(open_here, laid_open),
    )  # fmt: skip


def _alone(made: Learnt | None) -> tuple[float, Rate]:
    """Return the mean and the share laid open of people outside."""
    if made is None or not len(made.share):
        return 0.0, Rate.known(0.0)
    return float(made.share.mean()), Rate.estimated(float(made.laid_open.sum()), len(made.share))


def difference(one: Rate, other: Rate) -> Rate:
    """Return the difference of two shares with its 95 % interval, from theirs (Newcombe's method 10)."""
    value = one.value - other.value
    below = math.hypot(one.value - one.low, other.high - other.value)
    above = math.hypot(one.high - one.value, other.value - other.low)
    return Rate(value, max(value - below, -1.0), min(value + above, 1.0))


def _member(claim: Claim, inside: Claimed, outside: Claimed) -> list[Membership]:
    """Tell people inside from people outside by how well they are matched."""
    if inside.strength is None or outside.strength is None:
        return []
    both = np.concatenate([inside.strength, outside.strength])
    ranks = rankdata(both)[: len(inside.strength)]
    n, m = len(inside.strength), len(outside.strength)
    auc = float((ranks.sum() - n * (n + 1) / 2) / (n * m))
    limit = np.quantile(outside.strength, 1 - _FALSE, method="higher")
    caught = float((inside.strength > limit).mean())
    return [Membership(claim.attacker.knowledge, claim.attacker.name, claim.way, auc, caught)]


def _easiest(told: Iterable[Membership]) -> tuple[Membership, ...]:
    """Return of each rung the attacker who tells members best."""
    best: dict[str, Membership] = {}
    for one in told:
        if one.knowledge not in best or one.auc > best[one.knowledge].auc:
            best[one.knowledge] = one
    return tuple(best.values())


def _sorted(made: Iterable[Lesson]) -> tuple[Lesson, ...]:
    def badness(one: Lesson) -> tuple[float, int, str, str]:
        return -one.advantage.value, RUNGS.index(one.knowledge), one.grain, one.name

    return tuple(sorted(made, key=badness))
