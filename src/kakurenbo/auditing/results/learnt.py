"""What attackers learnt of people, what it is compared with, and whose records and membership are told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from kakurenbo.document import LATER, flat
from kakurenbo.theory.rate import Rate


@dataclass(frozen=True)
class Lesson:
    """What one attacker learns of people beyond what he knew; no pairing is needed to tell.

    Attributes:
        knowledge: the rung of the ladder he stands on.
        attack: his name in the catalogue.
        way: what he drops before, and how careful he is; nothing where he does neither.
        grain: what is learnt: goods, goods with their months, with days, with quantities.
        story: what he does, in a sentence.
        mean: of all people: the Jaccard similarity of what he claims and the truth.
        laid_open: the share of people of whom one half or more is learnt, with its 95 % interval.
        certain: the share of people of whom nine tenths or more is learnt.
        precision: the share of his claims that is true.
        recall: the share of the truth that he claims.
        people: of whom there is something to be learnt.
        control: the mean for people who are not in the release, or without a release.
        control_laid_open: the same of those laid open.
        advantage: laid open above the control: what the release does; its 95 % interval.
    """

    knowledge: str
    attack: str
    way: str
    grain: str
    story: str
    mean: float
    laid_open: Rate = field(metadata=flat("laid_open", "low", "high", "exact"))
    certain: float
    precision: float
    recall: float
    people: int
    control: float
    control_laid_open: float
    advantage: Rate = field(metadata=flat("advantage", "advantage_low", "advantage_high", "advantage_exact"))

    @property
    def name(self) -> str:
        """The attack with its way, where that is not the plain one."""
        return f"{self.attack}, {self.way}" if self.way else self.attack


@dataclass(frozen=True)
class Control:
    """What the lessons are compared with.

    Attributes:
        kind: the plan carried out without some people, a file of outsiders, or what can be claimed without
            any release.
        people: outsiders the attacks were run on; none without a release.
        why: why it is this one, in a sentence.
        drawn_from: how many outsiders were given, where these were drawn from them.
    """

    kind: Literal["plan", "file", "no release"]
    people: int
    why: str
    drawn_from: int | None = field(default=None, metadata=LATER)


@dataclass(frozen=True)
class Attribution:
    """How many released records an attacker gives to who bought them, whatever name stands on them.

    Attributes:
        knowledge: what he knows.
        attack: his name in the catalogue.
        way: how he puts receipts together.
        story: what he does, in a sentence.
        told: the share of released records of which it can be told who bought them: those that only one
            person of the original has.
        given: the share of these that he gives to anybody.
        right: the share of these that he gives to who bought them.
    """

    knowledge: str
    attack: str
    way: str
    story: str
    told: float
    given: float
    right: float


@dataclass(frozen=True)
class Membership:
    """Whether it can be told that somebody is in the release, from how well he is matched there.

    Attributes:
        knowledge: what the attacker knows.
        attack: his name in the catalogue.
        way: what he drops before.
        auc: the chance that somebody inside is matched better than somebody outside; one half is a guess.
        caught: the share of those inside who are matched better than all but 1 % of those outside.
    """

    knowledge: str
    attack: str
    way: str
    auc: float
    caught: float
