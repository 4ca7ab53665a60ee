"""Lessons as records: what came of a way to learn, beside people who are not in the release.

Purchases and microdata differ in what is claimed and how it is compared with the truth; what is told of it is
the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kakurenbo.auditing.learning.membership import told_apart
from kakurenbo.auditing.results import Attribution, Control, Lesson, Membership
from kakurenbo.theory.rate import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.risk.learnt.claims import Learnt

    Floats = NDArray[np.float64]

BESIDE = "the same attacks on people who are not in the release"
_CERTAIN = 0.9


@dataclass(frozen=True, eq=False)
class Learning:
    """What is learnt, what it is compared with, whose records are told, and whether members can be."""

    lessons: tuple[Lesson, ...]
    control: Control | None
    membership: tuple[Membership, ...] = ()
    owners: tuple[Attribution, ...] = ()


@dataclass(frozen=True)
class Way:
    """A way to learn in words: what is known, who claims, how, and what of a person."""

    knowledge: str
    attack: str
    way: str
    grain: str
    story: str

    def lesson(self, made: Learnt, control: tuple[float, Rate]) -> Lesson:
        """Return what was learnt so, beside (mean, laid open) of the control."""
        people, (mean, laid_open) = len(made.share), control
        here = Rate.estimated(float(made.laid_open.sum()), people)
        return Lesson(
            knowledge=self.knowledge, attack=self.attack, way=self.way, grain=self.grain, story=self.story,
            mean=float(made.share.mean()), laid_open=here, certain=float((made.share >= _CERTAIN).mean()),
            precision=float(made.precision.mean()), recall=float(made.recall.mean()), people=people,
            control=mean, control_laid_open=laid_open.value, advantage=difference(here, laid_open),
        )  # fmt: skip

    def membership(self, inside: Floats | None, outside: Floats | None) -> tuple[Membership, ...]:
        """Return how well members are told so from how well people are matched, where that is known."""
        if inside is None or outside is None:
            return ()
        return (Membership(self.knowledge, self.attack, self.way, *told_apart(inside, outside)),)


def alone(made: Learnt | None) -> tuple[float, Rate]:
    """Return the mean and the share laid open of people outside; none of them means nothing is learnt."""
    if made is None or not len(made.share):
        return 0.0, Rate.known(0.0)
    return float(made.share.mean()), Rate.estimated(float(made.laid_open.sum()), len(made.share))


def difference(one: Rate, other: Rate) -> Rate:
    """Return the difference of two shares with its 95 % interval, from theirs (Newcombe's method 10)."""
    value = one.value - other.value
    below = math.hypot(one.value - one.low, other.high - other.value)
    above = math.hypot(one.high - one.value, other.value - other.low)
    return Rate(value, max(value - below, -1.0), min(value + above, 1.0))


def easiest(told: Iterable[Membership]) -> tuple[Membership, ...]:
    """Return of each rung the way that tells members best."""
    best: dict[str, Membership] = {}
    for one in told:
        if one.knowledge not in best or one.auc > best[one.knowledge].auc:
            best[one.knowledge] = one
    return tuple(best.values())


def worse(everybody: Learning, inside: Learning, rungs: Sequence[str]) -> Learning:
    """Return of every way to learn what lays more people open, asked of everybody or of those inside."""
    ways: dict[tuple[str, ...], Lesson] = {}
    for one in worst_first((*inside.lessons, *everybody.lessons), rungs):
        ways.setdefault((one.knowledge, one.attack, one.way, one.grain), one)
    return replace(inside, lessons=worst_first(ways.values(), rungs), owners=everybody.owners)


def worst_first(made: Iterable[Lesson], rungs: Sequence[str]) -> tuple[Lesson, ...]:
    """Return lessons by their advantage; of equals the one who needs to know least."""

    def badness(one: Lesson) -> tuple[float, int, str, str]:
        return -one.advantage.value, rungs.index(one.knowledge), one.grain, one.name

    return tuple(sorted(made, key=badness))
