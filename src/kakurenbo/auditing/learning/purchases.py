"""Lessons of purchases: what every attacker learns, beside what he would learn of people who are not there.

Every way of an attacker (what he drops, how careful he is) is a lesson of its own on each rung and at each
grain, and the control is taken in the very same way: nothing is chosen by its result, so each interval means
what it says. Worst first, by the advantage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.learning.attribution import attribution
from kakurenbo.auditing.learning.claimers import GOODS, METHOD, supposing
from kakurenbo.auditing.learning.records import BESIDE, Learning, Way, alone, easiest, worst_first
from kakurenbo.auditing.learning.unaided import unaided
from kakurenbo.auditing.panel.members import attackers, learning
from kakurenbo.auditing.results import Control
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.auditing.learning.claimers import Claim, Claimed, Supposing
    from kakurenbo.auditing.learning.outsiders import Outsiders
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.results import Attribution, Lesson, Membership
    from kakurenbo.data.purchases import Purchases

RUNGS = (
    "card statement", "visits", "1 record", "2 records", "4 records", "a receipt", "a month",
    "half of the records", GOODS, METHOD,
)  # fmt: skip


def learning_purchases(
    tables: Tables[Purchases],
    outside: Outsiders[Purchases] | str,
    rungs: Sequence[str] = RUNGS,
    most: int = 2000,
    progress: Progress | None = None,
    *,
    inside: pl.Series | None = None,
) -> Learning:
    """Return what is learnt from a release.

    Args:
        tables: the data before and the release.
        outside: people who are not in it, or why there are none.
        rungs: what attackers may know.
        most: of how many people, drawn at random, it is asked.
        progress: told about each step.
        inside: the people it is asked of; none given means everybody.
    """
    steps, original = progress or Progress(), tables.original
    members = asking(original, rungs)
    order = tables.chance.order("targets", original.customers)
    if inside is not None:
        order = order[original.customers.is_in(inside.implode()).to_numpy()[order]]
    targets = np.sort(order[:most])
    steps.step("asking what is learnt of people", 0.0)
    claims_made, owners = claimed_by(supposing(tables, members, targets), targets, rungs)
    steps.step("asking what is learnt of people who are not in it", 0.5)
    return lessons(tables, claims_made, owners, outside, members)


def asking(original: Purchases, rungs: Sequence[str]) -> list[Attacker]:
    """Return who believes something of people, of those who know as much."""
    asked = set(RUNGS) & set(rungs)
    return [who for who in learning(attackers(original)) if who.knowledge in asked]


def claimed_by(
    looked: Iterable[Supposing], targets: NDArray[np.int64], rungs: Sequence[str]
) -> tuple[list[tuple[Claim, Claimed]], list[Attribution]]:
    """Return what is claimed of these targets by who has looked, and whose records they tell."""
    claims_made: list[tuple[Claim, Claimed]] = []
    owners: list[Attribution] = []
    for made in looked:
        claims = ((claim, claimed) for claim, claimed in made.claims(targets) if claim.knowledge in rungs)
        claims_made += [(claim, claimed) for claim, claimed in claims if len(claimed.learnt.share)]
        owners += filter(None, [attribution(made)])
    owners.sort(key=lambda one: (-one.right, RUNGS.index(one.knowledge), one.way))
    return claims_made, owners


def lessons(
    tables: Tables[Purchases],
    claims_made: Sequence[tuple[Claim, Claimed]],
    owners: Sequence[Attribution],
    outside: Outsiders[Purchases] | str,
    members: Sequence[Attacker],
) -> Learning:
    """Return what was claimed beside what is claimed in the same ways of people who are not there."""
    if isinstance(outside, str):
        each = {_asked(claim): claimed for claim, claimed in claims_made}
        best = {key: unaided(claimed.known, claimed.truth) for key, claimed in each.items()}
        made_alone = [
            _way(claim).lesson(claimed.learnt, best[_asked(claim)]) for claim, claimed in claims_made
        ]
        return Learning(worst_first(made_alone, RUNGS), Control("no release", 0, outside), (), tuple(owners))
    others = _beside(tables, outside)
    tables.forget()  # two releases side by side would take twice the memory
    control = {
        claim.key: claimed
        for made in supposing(others, members, outside.targets)
        for claim, claimed in made.claims(outside.targets)
    }
    compared: list[Lesson] = []
    told: list[Membership] = []
    for claim, claimed in claims_made:
        way, other = _way(claim), next((control[one.key] for one in claim.same if one.key in control), None)
        compared.append(way.lesson(claimed.learnt, alone(None if other is None else other.learnt)))
        told += way.membership(claimed.strength, None if other is None else other.strength)
    stand = Control(outside.kind, len(outside.targets), BESIDE)
    return Learning(worst_first(compared, RUNGS), stand, easiest(told), tuple(owners))


def _beside(tables: Tables[Purchases], outside: Outsiders[Purchases]) -> Tables[Purchases]:
    """Return the tables for people outside; of the same original the same records are known."""
    if outside.known is not tables.original:
        return Tables(outside.known, outside.released, tables.chance)
    return tables.after(outside.released, lambda key, made: made if _of_original(key) else None)


def _of_original(key: Hashable) -> bool:
    return isinstance(key, tuple) and key[0] in {"ranked", "rows", "known"}


def _asked(claim: Claim) -> tuple[object, ...]:
    """Return what decides of which records something is to be learnt."""
    return claim.knowledge, claim.grain


def _way(claim: Claim) -> Way:
    who = claim.attacker
    return Way(claim.knowledge, who.name, claim.way, " and ".join(claim.grain), who.story)
