"""Lessons: what every attacker learns, beside what he would learn of people who are not there.

Of the many ways of an attacker (what he drops, how careful he is) the one that lays most people open counts,
on each rung and for each grain; the control is taken by the very same way. Worst first, by the advantage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from scipy.stats import rankdata

from kakurenbo.auditing.learning.claimers import claims
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.results import Control, Lesson, Membership
from kakurenbo.data.belief import Belief, present
from kakurenbo.progress import Progress
from kakurenbo.risk.learnt.claims import learnt
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kakurenbo.auditing.learning.claimers import Claim, Claimed
    from kakurenbo.auditing.learning.outsiders import Outsiders
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.risk.learnt.claims import Learnt

RUNGS = ("1 record", "2 records", "4 records", "a receipt", "a month", "half of the records", "goods")
_CERTAIN = 0.9
_FALSE = 0.01  # false alarms allowed to who tells members
_STEPS = 12


@dataclass(frozen=True, eq=False)
class Learning:
    """What is learnt, what it is compared with, and whether members can be told."""

    lessons: tuple[Lesson, ...]
    control: Control
    membership: tuple[Membership, ...]


def learning(
    original: Purchases,
    released: Purchases,
    outside: Outsiders | str,
    chance: Chance,
    progress: Progress | None = None,
) -> Learning:
    """Return what is learnt from a release.

    Args:
        original: the data before.
        released: the release.
        outside: people who are not in it, or why there are none.
        chance: draws what is known of everybody.
        progress: told about each step.
    """
    steps = progress or Progress()
    members = tuple(who for who in attackers(original) if who.knowledge in RUNGS and _claims(who))
    everybody = np.arange(len(original.customers))
    steps.step("asking what is learnt of people", 0.0)
    inside = _worst(claims(original, released, members, everybody, chance))
    steps.step("asking what is learnt of people who are not in it", 0.5)
    if isinstance(outside, str):
        made = [_lesson(claim, made, *_without_release(made)) for claim, made in inside.values()]
        return Learning(_sorted(made), Control("no release", 0, outside), ())
    control = {
        claim.key: made
        for claim, made in claims(outside.known, outside.released, members, outside.targets, chance)
    }
    lessons, told = [], []
    for claim, claimed in inside.values():
        other = control.get(claim.key)
        lessons.append(_lesson(claim, claimed, *_alone(None if other is None else other.learnt)))
        told += [] if other is None else _member(claim, claimed, other)
    why = "the same attacks on people who are not in the release"
    return Learning(_sorted(lessons), Control(outside.kind, len(outside.targets), why), _easiest(told))


def _claims(who: Attacker) -> bool:
    """Whether he looks people up one by one."""
    return who.reading == "target" or who.stand.learnt_only or who.name == "owners"


def _worst(made: Iterable[tuple[Claim, Claimed]]) -> dict[tuple[object, ...], tuple[Claim, Claimed]]:
    """Return of every attacker, on each rung and grain, the way that lays most people open."""
    worst: dict[tuple[object, ...], tuple[Claim, Claimed]] = {}
    for claim, claimed in made:
        key = claim.attacker.key, claim.grain
        if len(claimed.learnt.share) and (key not in worst or _more(claimed, worst[key][1])):
            worst[key] = claim, claimed
    return worst


def _more(one: Claimed, other: Claimed) -> bool:
    return (one.learnt.laid_open.mean(), one.learnt.share.mean()) > (
        other.learnt.laid_open.mean(),
        other.learnt.share.mean(),
    )


def _lesson(claim: Claim, claimed: Claimed, mean: float, laid_open: Rate) -> Lesson:
    made = claimed.learnt
    people = len(made.share)
    open_here = Rate.estimated(float(made.laid_open.sum()), people)
    return Lesson(
        knowledge=claim.attacker.knowledge, attack=claim.name, grain=" and ".join(claim.grain),
        story=claim.attacker.story, mean=float(made.share.mean()), laid_open=open_here,
        certain=float((made.share >= _CERTAIN).mean()), precision=float(made.precision.mean()),
        recall=float(made.recall.mean()), people=people, control=mean, control_laid_open=laid_open.value,
        advantage=difference(open_here, laid_open),
    )  # fmt: skip


def _alone(made: Learnt | None) -> tuple[float, Rate]:
    """Return the mean and the share laid open of people outside."""
    if made is None or not len(made.share):
        return 0.0, Rate.known(0.0)
    return float(made.share.mean()), Rate.estimated(float(made.laid_open.sum()), len(made.share))


def _without_release(claimed: Claimed) -> tuple[float, Rate]:
    """Return what the best claim made of everybody alike would give: so many of the most frequent keys."""
    order = np.argsort(-np.asarray(present(claimed.truth).sum(axis=0)).ravel(), kind="stable")
    best = (0.0, 0.0)
    for count in np.unique(np.geomspace(1, len(order), _STEPS).astype(int)):
        keys = order[:count]
        bundle = sparse.csr_array(
            (np.ones(count, np.int64), (np.zeros(count, np.int64), keys)), shape=(1, len(order))
        )
        targets = claimed.truth.shape[0]
        belief = Belief(bundle, np.arange(targets + 1), np.zeros(targets, np.int64))
        made = learnt(claimed.known, claimed.truth, belief)
        best = max(best, (float(made.laid_open.mean()), float(made.share.mean())))
    return best[1], Rate.known(best[0])


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
    return [Membership(claim.attacker.knowledge, claim.name, auc, caught)]


def _easiest(told: Iterable[Membership]) -> tuple[Membership, ...]:
    """Return of each rung the attacker who tells members best."""
    best: dict[str, Membership] = {}
    for one in told:
        if one.knowledge not in best or one.auc > best[one.knowledge].auc:
            best[one.knowledge] = one
    return tuple(best.values())


def _sorted(lessons: Iterable[Lesson]) -> tuple[Lesson, ...]:
    return tuple(
        sorted(lessons, key=lambda one: (-one.advantage.value, RUNGS.index(one.knowledge), one.attack))
    )
