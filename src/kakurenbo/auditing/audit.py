"""The audit: all of it on one release, and an honest answer.

Attackers are proved on two controls and then set on the release; every utility measure is taken; the distance
is put beside its limits. The answer is yes only if no attacker finds more than the limit, enough use is kept,
every attacker passed his proof, and the pairing is not as far from the data as a shuffled one. It is a
statement about these attackers, never a promise.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo.auditing.exposure import groups, nearness, uniqueness
from kakurenbo.auditing.figures import pictures
from kakurenbo.auditing.panel.ladder import rungs_of
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof.prove import prove
from kakurenbo.auditing.provenance import counts, fingerprint, versions
from kakurenbo.auditing.results import Audit, Distance, Limits, Provenance, Skipped
from kakurenbo.auditing.utility import usefulness
from kakurenbo.auditing.verdict import judge
from kakurenbo.auditing.victims import people
from kakurenbo.data.microdata import Microdata
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Release
from kakurenbo.errors import InputError, KakurenboError, ParameterError
from kakurenbo.risk.excess.judge import Excess

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kakurenbo.auditing.panel.panel import Ran
    from kakurenbo.auditing.results import Finding, Proof
    from kakurenbo.data.pairing import Pairing

    Data = Purchases | Microdata
    Progress = Callable[[str], None]

MAX_RISK = 0.1
_BINS = 20


def audit(
    original: Data,
    release: Release[Any] | Data,
    secret: Pairing | None = None,
    *,
    max_risk: float = MAX_RISK,
    min_utility: float | Mapping[str, float] | None = None,
    trust_pairing: bool = False,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Audit a release.

    Args:
        original: the data before.
        release: a release of ours, or data released by anybody.
        secret: the pairing, where the release does not bring it; without one no attack can be scored, and
            utility, distances and uniqueness remain.
        max_risk: the largest share that any attacker may find.
        min_utility: the least share of the use to be kept, as the mean over all measures, or by measure.
        trust_pairing: the pairing is known to be true, so an excessive distance does not decide.
        seed: repeats what attackers know and how ties are broken.
        progress: told about each step.
    """
    began = time.perf_counter()
    told = progress or (lambda _: None)
    _check_limits(max_risk, _least(min_utility))
    released, pairing, facts = _parts(release, secret)
    _check(original, released, pairing)
    limits = Limits(max_risk, _least(min_utility), trust_pairing)
    seen, missing = _seen(original, released)
    fixed = int(np.random.default_rng().integers(2**62)) if seed is None else seed
    proof, ran, found = None, None, None
    if pairing is not None:
        proof = prove(seen, seed=fixed, progress=told)
        ran = _proven(Panel.of(seen).attack(released, pairing, seed=fixed, progress=told), proof)
        told("asking who is found, and why")
        found = people(ran, pairing, [name for name, _ in rungs_of(original)])
    utility, unmeasured = usefulness(original, released, pairing, told)
    told("measuring distances")
    excess, unjudged = _excess(original, released, pairing)
    skipped = (*missing, *(ran.skipped if ran else ()), *unmeasured, *unjudged)
    result = Audit(
        kind="purchases" if isinstance(original, Purchases) else "microdata",
        ladder=rungs_of(original), attacks=ran.findings if ran else (), proof=proof, utility=utility,
        excess=excess, nearness=nearness(seen, released),
        uniqueness=uniqueness(released, np.random.default_rng([fixed, 2])), groups=groups(released),
        people=found, pictures=pictures(seen, released), skipped=skipped, limits=limits,
        provenance=Provenance(
            counts(original), counts(released), (fingerprint(original), fingerprint(released)), versions(),
            seed, facts, time.perf_counter() - began,
        ),
        verdict="not measured", reasons=(),
    )  # fmt: skip
    verdict, reasons = judge(result)
    return replace(result, verdict=verdict, reasons=reasons)


def _parts(
    release: Release[Any] | Data, secret: Pairing | None
) -> tuple[Any, Pairing | None, Mapping[str, Any]]:
    if isinstance(release, Release):
        return release.data, secret or release.pairing, release.facts
    return release, secret, {}


def _check(original: Data, released: Data, secret: Pairing | None) -> None:
    """Refuse two kinds of data, and a pairing of other people, before any work."""
    if type(original) is not type(released):
        raise ParameterError("The original and the release must be of one kind.", code="parameter")
    if secret is None:
        return
    names = [data.customers if isinstance(data, Purchases) else data.ids for data in (original, released)]
    Release(released, secret)
    foreign = secret.original.is_in(names[0].cast(str).implode()).not_().sum()
    if foreign:
        raise InputError(f"{foreign} people of the secret are not in the original.", code="unknown-id")


def _check_limits(max_risk: float, min_utility: Mapping[str, float]) -> None:
    named = {"max_risk": max_risk, **{f"min_utility {name}": least for name, least in min_utility.items()}}
    for name, share in named.items():
        if not 0 <= share <= 1:
            raise ParameterError(f"{name} must lie between 0 and 1.", code="parameter")


def _seen(original: Data, released: Data) -> tuple[Data, tuple[Skipped, ...]]:
    """Return the original as far as the release can be compared with it: its columns that both have."""
    if not (isinstance(original, Microdata) and isinstance(released, Microdata)):
        return original, ()
    qi = tuple(name for name in original.qi if name in released.qi)
    sa = tuple(name for name in original.sa if name in released.sa)
    if not qi:
        raise InputError("The release has none of the original's quasi-identifiers.", code="roles")
    lost = len(original.qi) + len(original.sa) - len(qi) - len(sa)
    if not lost:
        return original, ()
    same = replace(original, records=original.records.select(*qi, *sa), qi=qi, sa=sa)
    return same, (Skipped(f"{lost} columns", "not in the release, so nobody can compare them"),)


def _least(asked: float | Mapping[str, float] | None) -> Mapping[str, float]:
    if asked is None:
        return {}
    return dict(asked) if not isinstance(asked, float | int) else {"mean": float(asked)}


def _proven(ran: Ran, proof: Proof) -> Ran:
    """Mark the attackers who did not pass their proof, or could not be tried."""
    passed = [(one.knowledge, one.attack, one.parameters) for one in proof.attackers if one.holds]
    marked = (
        replace(one, finding=replace(one.finding, proven=_who(one.finding) in passed)) for one in ran.outcomes
    )
    return replace(ran, outcomes=tuple(marked))


def _who(finding: Finding) -> tuple[str, str, Mapping[str, Any]]:
    return finding.knowledge, finding.attack, finding.parameters


def _excess(
    original: Data, released: Data, secret: Pairing | None
) -> tuple[Distance | None, tuple[Skipped, ...]]:
    if secret is None:
        return None, (Skipped("excess", "without the pairing nobody can be followed"),)
    try:
        found = Excess(solves=0).judge(original, released, secret)
    except KakurenboError as error:
        return None, (Skipped("excess", str(error)),)
    n, known = found.limits.people, found.limits
    high = max(float(found.by_person.max()), 1.0 if known.measure != "euclid" else 0.0) or 1.0
    bars, edges = np.histogram(found.by_person, bins=_BINS, range=(0, high))
    return Distance(
        measure=known.measure, mean=found.mean_distance, threshold=found.threshold / n, low=known.low / n,
        high=known.high / n, farthest=found.farthest,
        s_lower=tuple((r, value / n) for r, value in known.s_lower),
        histogram=tuple(zip(edges[:-1].tolist(), edges[1:].tolist(), bars.tolist(), strict=True)),
        verdict=found.verdict, reason=found.reason,
    ), ()  # fmt: skip
