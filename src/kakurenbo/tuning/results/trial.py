"""A plan that was tried, and what its release cost and gave."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kakurenbo.document import named, plain, record, rows, written
from kakurenbo.plan import Plan

PAPER, DEAL, THEORY, START, SEARCH = "paper", "deal", "theory", "start", "search"  # where a trial comes from


@dataclass(frozen=True)
class Outcome:
    """What a plan's release cost and gave.

    Attributes:
        risk: the largest share found by any attacker; infinite where the plan cannot be carried out.
        attacker: who found it.
        loss: the mean utility loss, 0 to 1; infinite where the plan cannot be carried out.
        learnt: by how much the share of people laid open exceeds the control at worst; infinite likewise.
        learner: who lays them open, and what he knows.
        scale: how much a share laid open counts beside a share found, by the limits on both.
        rungs: the largest share found with each knowledge.
        measures: by name, (the measure's own number, its loss).
        facts: clusters, dummies and the like, as far as the method tells.
        failed: why the plan could not be carried out, or nothing.
        seconds: what it took.
        said: what the measures say to who will use the release, in words.
    """

    risk: float
    attacker: str
    loss: float
    learnt: float = 0.0
    learner: str = ""
    scale: float = 1.0
    rungs: Mapping[str, float] = field(default_factory=dict)
    measures: Mapping[str, tuple[float, float]] = field(default_factory=dict, metadata=rows("value", "loss"))
    facts: Mapping[str, int] = field(default_factory=dict)
    failed: str = ""
    seconds: float = 0.0
    said: Mapping[str, str] = field(default_factory=dict)

    @property
    def worse(self) -> float:
        """The worse of found and learnt, to be compared with the limit on what is found."""
        return max(self.risk, self.learnt * self.scale)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; JSON holds no infinity."""
        return {**written(self), "worse": plain(self.worse), "failed": self.failed or None}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Outcome:
        """Return the outcome that `to_dict` wrote."""
        outcome = record(cls, {**stored, "failed": stored["failed"] or ""})
        if not outcome.failed:
            return outcome
        return replace(outcome, risk=math.inf, loss=math.inf, learnt=math.inf)


@dataclass(frozen=True)
class Trial:
    """A plan that was tried.

    Attributes:
        number: from 0, in the order of the search.
        origin: paper, theory, start or search.
        values: the values of the space's knobs.
        plan: the plan they make.
        outcome: what came out.
        clock: seconds since the search began, over all its runs.
    """

    number: int
    origin: str
    values: Mapping[str, Any]
    plan: Plan
    outcome: Outcome
    clock: float

    @property
    def risk(self) -> float:
        """The largest share found by any attacker."""
        return self.outcome.risk

    @property
    def worse(self) -> float:
        """The worse of what is found and what is learnt, to be compared with the limit on what is found."""
        return self.outcome.worse

    @property
    def loss(self) -> float:
        """The mean utility loss."""
        return self.outcome.loss

    def to_dict(self) -> dict[str, Any]:
        """Return plain values under the JSON keys of `kakurenbo tune`."""
        return {
            "number": self.number, "origin": self.origin, "plan": self.plan.to_dict(),
            "words": str(self.plan), **self.outcome.to_dict(), "values": plain(self.values),
            "clock": self.clock,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Trial:
        """Return the trial that `to_dict` wrote."""
        plan, outcome = Plan.from_dict(stored["plan"]), Outcome.from_dict(stored)
        return cls(stored["number"], stored["origin"], stored["values"], plan, outcome, stored["clock"])


@dataclass(frozen=True)
class Theory:
    """000 figure 14 for the data at hand.

    Attributes:
        occupancy: c* of 000.
        sharing: c* of 003, where its formula holds.
        alpha: one over the expected dummies of a single cluster.
        curve: (c, alpha E(Delta_m), E(Reid) = c/n).
    """

    occupancy: int = field(metadata=named("clusters_000"))
    sharing: int | None = field(metadata=named("clusters_003"))
    alpha: float
    curve: tuple[tuple[int, float, float], ...] = field(metadata=rows("clusters", "dummies", "found"))
