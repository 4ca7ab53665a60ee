"""An audit for machines: plain numbers under the keys the design promises, and nobody's name.

Numbers that do not exist (not measured, not finite, withheld because the attacker is not proven) are null.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from kakurenbo.report.audit import words

if TYPE_CHECKING:
    from kakurenbo.auditing.results import Audit, Distance, Finding, People, Proof
    from kakurenbo.theory.rate import Rate


def document(audit: Audit) -> dict[str, Any]:
    """Return the audit as one JSON object."""
    attacks, worst = [_attack(audit, finding) for finding in audit.attacks], audit.worst
    found = {
        "kind": audit.kind,
        "verdict": audit.verdict,
        "reasons": list(audit.reasons),
        "limits": asdict(audit.limits),
        "worst": None if worst is None else worst.to_dict(),
        "attacks": attacks,
        "ladder": [{"knowledge": rung, "meaning": meaning} for rung, meaning in audit.ladder],
        "proof": None if audit.proof is None else _proof(audit.proof),
        "people": None if audit.people is None else _people(audit.people),
        "utility": {one.name: one.value for one in audit.utility},
        "kept": {one.name: one.kept for one in audit.utility},
        "kept_mean": audit.kept if audit.utility else None,
        "excess": None if audit.excess is None else _excess(audit.excess),
        "nearness": asdict(audit.nearness),
        "uniqueness": [{"point": one.point, "k": one.k, **_rate(one.rate)} for one in audit.uniqueness],
        "groups": {
            **asdict(audit.groups),
            "sizes": [{"size": size, "people": people} for size, people in audit.groups.sizes],
        },
        "skipped": [asdict(one) for one in audit.skipped],
        "provenance": _provenance(audit),
    }
    return {name: _finite(value) for name, value in found.items()}


def _attack(audit: Audit, finding: Finding) -> dict[str, Any]:
    told = finding.to_dict()
    return {**told, "rate": None, "low": None, "high": None} if audit.withheld(finding) else told


def _rate(rate: Rate) -> dict[str, Any]:
    return {"rate": rate.value, "low": rate.low, "high": rate.high}


def _proof(proof: Proof) -> dict[str, Any]:
    return {**asdict(proof), "holds": proof.holds}


def _people(people: People) -> dict[str, Any]:
    """Return counts; the table that names people stays where it is."""
    return {
        "found": people.found,
        "people": people.people,
        "attackers": people.attackers,
        "by_attackers": [{"attackers": n, "people": count} for n, count in people.by_attackers],
        "by_chance": _bins(people.by_chance),
        "least": [{"knowledge": rung, "people": count} for rung, count in people.least],
    }


def _excess(excess: Distance) -> dict[str, Any]:
    return {
        "measure": excess.measure,
        "mean_distance": excess.mean,
        "mean_threshold": excess.threshold,
        "limit_low": excess.low,
        "limit_high": excess.high,
        "farthest": excess.farthest,
        "verdict": excess.verdict,
        "reason": excess.reason,
        "s_lower": [{"r": r, "value": value} for r, value in excess.s_lower],
        "histogram": _bins(excess.histogram),
    }


def _bins(bins: tuple[tuple[float, float, int], ...]) -> list[dict[str, Any]]:
    return [{"from": low, "to": high, "people": people} for low, high, people in bins]


def _provenance(audit: Audit) -> dict[str, Any]:
    facts = audit.provenance
    return {
        "original": dict(facts.original),
        "released": dict(facts.released),
        "fingerprints": dict(zip(("original", "released"), facts.fingerprints, strict=True)),
        "versions": dict(facts.versions),
        "seed": facts.seed,
        "randomness": words.seed(audit),
        "release_facts": dict(facts.release_facts),
        "seconds": facts.seconds,
    }


def _finite(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return the value with JSON's own types, numbers that JSON cannot hold as null."""
    if isinstance(value, dict):
        return {str(name): _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)
