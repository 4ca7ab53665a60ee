"""The proof on a transformed copy: who still finds people where the release's own disguise is put on them?

The copy on which attackers are proved has the original's vocabulary. A release may not: then all of them pass
their proof, find nobody in the release, and it looks safe. So where a release shows a disguise, it is put on
the same copy, the panel attacks it through the same mapping as the release, and only who still finds what can
be found has a say on his rung. Attackers say beforehand what they survive, and are held to it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof import controls
from kakurenbo.auditing.proof.controls import ENOUGH, luck
from kakurenbo.auditing.proof.distinct import attainable
from kakurenbo.auditing.results import Survivor, TransformedProof
from kakurenbo.chance import Chance
from kakurenbo.mappings import common_vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.panel.outcomes import Outcome
    from kakurenbo.auditing.proof.transformations import Transformation
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress


PEOPLE = 300  # among fewer, people are told apart by what tells nobody apart in a release


def prove_transformed(
    original: Purchases,
    shows: Sequence[Transformation],
    *,
    like: Purchases | None = None,
    seed: int,
    progress: Progress | None = None,
) -> TransformedProof:
    """Try the panel on a sample of the original, transformed as a release shows it.

    Args:
        original: the data before, in its own words.
        shows: what the release shows; without anything nothing is tried.
        like: the release, whose roles and columns of the master the copy has: what it leaves out helps
            nobody. None for all.
        seed: repeats the sample and what attackers know.
        progress: told about each step.
    """
    if not shows:
        return TransformedProof()
    chance = Chance(seed).under("proof")
    sample = controls.sample(original, PEOPLE, chance)
    known, released, lost = _transformed(sample, shows, like, chance)
    panel = Panel.of(known, plain=sample)
    secret = controls.copy(sample).pairing
    ran = panel.attack(released, secret, seed=seed, progress=progress, everybody=True)
    plain = Tables(known, known if like is None else _only(known, like), Chance(seed))
    tried = {outcome.attacker.key: outcome for outcome in ran.outcomes}
    attackers = [_tried(tried[who.key], plain, lost) for who in panel.members if who.key in tried]
    return TransformedProof(tuple(one.words for one in shows), len(sample.customers), tuple(attackers))


def unconcerned(
    members: Sequence[Attacker], people: Purchases, one: Transformation, *, seed: int
) -> dict[tuple[str, str, str], float]:
    """Return what everybody finds in a transformed copy of some people who says that it does not concern him.

    That must be what could be found in a plain copy. Who cannot attack it is not in what is returned.
    """
    known, released, lost = _transformed(people, [one], None, Chance(seed))
    able = (who for who in members if not who.stand.practised)
    panel = Panel.among(known, (who for who in able if who.attack.survives(known, lost)), plain=people)
    if not panel.members:
        return {}
    ran = panel.attack(released, controls.copy(people).pairing, seed=seed, everybody=True)
    return {outcome.attacker.key: outcome.finding.rate.value for outcome in ran.outcomes}


def _transformed(
    sample: Purchases, shows: Sequence[Transformation], like: Purchases | None, chance: Chance
) -> tuple[Purchases, Purchases, list[str]]:
    """Return people as known beside their transformed copy, that copy, and the roles that are lost."""
    released = sample if like is None else _only(sample, like)
    for one in shows:
        released = one.apply(released, chance.under("transformed", one.words))
    lost = [one.role for one in shows if not one.undone]
    known, _ = common_vocabulary(sample, released, leave=lost).original.common_with(released)
    return known, released, lost


def _only(data: Purchases, like: Purchases) -> Purchases:
    """Return the purchases with no other roles, and no other columns of the master, than these have."""
    data, _ = data.common_with(like)
    kept = [role for role in data.records.columns if role in like.roles]
    return data if len(kept) == data.records.width else replace(data, records=data.records.select(kept))


def _tried(outcome: Outcome, plain: Tables[Purchases], lost: Sequence[str]) -> Survivor:
    who, finding = outcome.attacker, outcome.finding
    best = attainable(who.attack, plain)
    declared = who.attack.survives(plain.released, lost)
    enough = finding.rate.value >= ENOUGH * best
    lucky = finding.rate.value * finding.people <= luck(finding.people)
    return Survivor(
        who.name, who.reading, who.knowledge, finding.rate.value, best, declared,
        enough and (declared or not lucky), finding.parameters,
    )  # fmt: skip
