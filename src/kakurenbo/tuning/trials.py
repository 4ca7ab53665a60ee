"""One trial: make the release of a plan, let every attacker try, measure what is lost.

Two numbers decide: the **risk**, the largest share that any attacker finds, and the **loss**, the mean over
the utility measures of what each says is lost (see `measure`): 0 for a copy, never above 1. So one
less the loss is the share kept that an audit tells.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.utility import utility
from kakurenbo.catalogue import build
from kakurenbo.errors import KakurenboError
from kakurenbo.tuning.records import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.auditing.results import Finding, Kept
    from kakurenbo.data.release import Release
    from kakurenbo.data.table import Table
    from kakurenbo.plan import Plan


@dataclass(frozen=True, eq=False)
class Laboratory:
    """The data and its panel of attackers, prepared once, where plans are tried one after another."""

    data: Table
    panel: Panel[Any]

    @classmethod
    def of(cls, data: Table, knowledge: str | None) -> Laboratory:
        """Prepare the attackers up to this rung of knowledge; none given means all."""
        return cls(data, Panel.of(data, knowledge))

    def measure(self, plan: Plan, seed: int) -> Outcome:
        """Try a plan; one that cannot be carried out gives an outcome that says why."""
        start = time.perf_counter()
        try:
            outcome = self.judge(made(plan, self.data, seed), seed)
        except KakurenboError as error:
            return Outcome(float("inf"), "", float("inf"), failed=str(error))
        return replace(outcome, seconds=time.perf_counter() - start)

    def judge(self, release: Release[Any], seed: int) -> Outcome:
        """Attack a release and measure what was lost."""
        findings = self.panel.run(release.data, release.pairing, seed=seed)
        kept, _ = utility(self.data, release.data, release.pairing)
        worst = min(findings, key=lambda one: (-one.rate.value, one.knowledge, one.name))  # equals by name
        return Outcome(
            risk=worst.rate.value,
            attacker=worst.name,
            loss=mean_loss(kept),
            rungs=_by_rung(findings),
            measures={one.name: (one.value, one.loss) for one in kept},
            facts={name: count for name, count in release.facts.to_dict().items() if count is not None},
        )


def made(plan: Plan, data: Table, seed: int | None) -> Release[Any]:
    """Make the release of a plan."""
    return build(plan).release(data, seed=seed)


def mean_loss(kept: Sequence[Kept]) -> float:
    """Return the mean loss, between 0 and 1."""
    return float(np.mean([one.loss for one in kept])) if kept else 0.0


def draw(seed: int, *place: int) -> int:
    """Return the seed of a release by its place in the search: trial and, where it is checked, draw."""
    return int(np.random.SeedSequence([seed, *place]).generate_state(1)[0])


def _by_rung(findings: Sequence[Finding]) -> dict[str, float]:
    """Return the largest share found with each knowledge."""
    worst: dict[str, float] = {}
    for finding in findings:
        worst[finding.knowledge] = max(finding.rate.value, worst.get(finding.knowledge, 0.0))
    return dict(sorted(worst.items()))
