"""What a search writes down: a plan's outcome, a trial, and what theory foresees. Plain numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from kakurenbo.document import named, plain, record, rows
from kakurenbo.plan import Plan

PAPER, THEORY, START, SEARCH = "paper", "theory", "start", "search"  # where a trial comes from


@dataclass(frozen=True)
class Outcome:
    """What a plan's release cost and gave.

    Attributes:
        risk: the largest share found by any attacker; infinite where the plan cannot be carried out.
        attacker: who found it.
        loss: the mean utility loss, 0 to 1; infinite where the plan cannot be carried out.
        rungs: the largest share found with each knowledge.
        measures: by name, (the measure's own number, its loss).
        facts: clusters, dummies and the like, as far as the method tells.
        failed: why the plan could not be carried out, or nothing.
        seconds: what it took.
    """

    risk: float
    attacker: str
    loss: float
    rungs: Mapping[str, float] = field(default_factory=dict)
    measures: Mapping[str, tuple[float, float]] = field(default_factory=dict, metadata=rows("value", "loss"))
    facts: Mapping[str, int] = field(default_factory=dict)
    failed: str = ""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Outcome:
        """Return what `to_json` wrote."""
        measures = {name: (value, loss) for name, (value, loss) in stored["measures"].items()}
        return cls(**{**stored, "measures": measures})


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
    def loss(self) -> float:
        """The mean utility loss."""
        return self.outcome.loss

    def to_dict(self) -> dict[str, Any]:
        """Return plain values under the JSON keys of `kakurenbo tune`."""
        return {
            "number": self.number, "origin": self.origin, "plan": self.plan.to_dict(),
            "words": str(self.plan), **plain(self.outcome),
            "failed": self.outcome.failed or None, "values": plain(self.values), "clock": self.clock,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Trial:
        """Return the trial that `to_dict` wrote."""
        outcome = record(Outcome, {**stored, "failed": stored["failed"] or ""})
        if outcome.failed:
            outcome = replace(outcome, risk=math.inf, loss=math.inf)
        plan = Plan.from_dict(stored["plan"])
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
