"""One trial: make the release of a plan, let every attacker try, measure what is lost.

Two numbers decide: the **risk**, the largest share that any attacker finds, and the **loss**, the mean over
the utility measures of what each says is lost (see `audit.usefulness`): 0 for a copy, never above 1. So one
less the loss is the share kept that an audit tells.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.utility import usefulness
from kakurenbo.errors import KakurenboError
from kakurenbo.tuning.records import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.auditing.results import Finding, Kept
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release
    from kakurenbo.plan import Plan

_FACTS = ("clusters", "dummies", "deleted", "groups")


@dataclass(frozen=True, eq=False)
class Laboratory:
    """The data and its panel of attackers, prepared once, where plans are tried one after another."""

    data: Purchases | Microdata
    panel: Panel

    @classmethod
    def of(cls, data: Purchases | Microdata, knowledge: str | None) -> Laboratory:
        """Prepare the attackers up to this rung of knowledge; none given means all."""
        return cls(data, Panel.of(data, upto=knowledge))

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
        kept, _ = usefulness(self.data, release.data, release.pairing)
        worst = min(findings, key=lambda one: (-one.rate.value, one.knowledge, one.name))  # equals by name
        return Outcome(
            risk=worst.rate.value,
            attacker=worst.name,
            loss=mean_loss(kept),
            rungs=_by_rung(findings),
            measures={one.name: (one.value, one.loss) for one in kept},
            facts={name: release.facts[name] for name in _FACTS if release.facts.get(name) is not None},
        )


def made(plan: Plan, data: Purchases | Microdata, seed: int | None) -> Release[Any]:
    """Make the release of a plan."""
    method: Any = plan.method()  # a plan's kind is its data's
    release: Release[Any] = method.release(data, seed=seed)
    return release


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
