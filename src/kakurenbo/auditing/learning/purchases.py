"""Lessons of purchases: what every attacker learns, beside what he would learn of people who are not there.

Every way of an attacker (what he drops, how careful he is) is a lesson of its own on each rung and at each
grain, and the control is taken in the very same way: nothing is chosen by its result, so each interval means
what it says. Worst first, by the advantage.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kakurenbo.attacks.base import Tables
from kakurenbo.attacks.search.seek import REMEMBERED
from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.learning.attribution import attribution
from kakurenbo.auditing.learning.claimers import GOODS, METHOD, supposing
from kakurenbo.auditing.learning.records import BESIDE, Learning, Way, alone, easiest, worst_first
from kakurenbo.auditing.learning.unaided import unaided
from kakurenbo.auditing.panel.members import attackers, learning
from kakurenbo.auditing.pool import Pool
from kakurenbo.auditing.results import Control
from kakurenbo.auditing.search import search

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    import polars as pl

    from kakurenbo.auditing.learning.claimers import Claim, Claimed, Supposing
    from kakurenbo.auditing.learning.outsiders import Outsiders
    from kakurenbo.auditing.panel.members import Attacker
    from kakurenbo.auditing.results import Attribution, Lesson, Membership
    from kakurenbo.auditing.search import Search
    from kakurenbo.data.purchases import Purchases

RUNGS = (
    "card statement", "visits", "1 record", "2 records", "4 records", "a receipt", "a month",
    "half of the records", GOODS, METHOD,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Claims:
    """What is claimed of people, and whose records are told.

    Attributes:
        made: every way to learn, with what came of it.
        owners: how many records are given to who bought them.
    """

    made: tuple[tuple[Claim, Claimed], ...]
    owners: tuple[Attribution, ...]

    @classmethod
    def of(cls, looked: Iterable[Supposing], rungs: Sequence[str]) -> Claims:
        """Return what those claim who have looked, on these rungs."""
        made: list[tuple[Claim, Claimed]] = []
        owners: list[Attribution] = []
        for one in looked:
            claims = ((claim, claimed) for claim, claimed in one.claims() if claim.knowledge in rungs)
            made += [(claim, claimed) for claim, claimed in claims if len(claimed.learnt.share)]
            owners += filter(None, [attribution(one)])
        owners.sort(key=lambda one: (-one.right, RUNGS.index(one.knowledge), one.way))
        return cls(tuple(made), tuple(owners))


def claims_of(
    found: Search[Purchases],
    rungs: Sequence[str] = RUNGS,
    *,
    most: int = REMEMBERED,
    inside: pl.Series | None = None,
) -> Claims:
    """Return what attackers claim of people who were looked for.

    Args:
        found: a search in which all who believe something took part.
        rungs: what attackers may know.
        most: of how many people, drawn at random, it is asked.
        inside: the people it is asked of; none given means everybody.
    """
    people = found.matches.people.head(REMEMBERED)
    if inside is not None:
        people = people.filter(people.is_in(inside.implode()))
    return Claims.of(supposing(found, asking(found.tables.original, rungs), people.head(most)), rungs)


def learning_purchases(
    tables: Tables[Purchases],
    outside: Outsiders[Purchases] | str,
    rungs: Sequence[str] = RUNGS,
    most: int = REMEMBERED,
    *,
    inside: pl.Series | None = None,
) -> Learning:
    """Return what is learnt from a release in memory that was not searched before.

    Args:
        tables: the data before, in the words of the release, and the release.
        outside: people who are not in it, or why there are none.
        rungs: what attackers may know.
        most: of how many people, drawn at random, it is asked.
        inside: the people it is asked of; none given means everybody.
    """
    members = asking(tables.original, rungs)
    given = AuditInput.whole(tables.original, tables.released, None)
    claims = claims_of(search(given, tables, members, compare=False), rungs, most=most, inside=inside)
    return lessons(
        claims, outside, None if isinstance(outside, str) else control_of(tables, outside, members)
    )


def asking(original: Purchases, rungs: Sequence[str]) -> list[Attacker]:
    """Return who believes something of people, of those who know as much."""
    asked = set(RUNGS) & set(rungs)
    return [who for who in learning(attackers(original)) if who.knowledge in asked]


def lessons(
    claims: Claims,
    outside: Outsiders[Purchases] | str,
    control: Mapping[tuple[object, ...], Claimed] | None,
) -> Learning:
    """Return what was claimed beside what is claimed in the same ways of people who are not there.

    Args:
        claims: of people who were looked for.
        outside: people who are not in the release, or why there are none.
        control: what is claimed of those, by way to learn.
    """
    if isinstance(outside, str) or control is None:
        return _unaided(claims, str(outside))
    compared: list[Lesson] = []
    told: list[Membership] = []
    for claim, claimed in claims.made:
        way, other = _way(claim), next((control[one.key] for one in claim.same if one.key in control), None)
        compared.append(way.lesson(claimed.learnt, alone(None if other is None else other.learnt)))
        told += way.membership(claimed.strength, None if other is None else other.strength)
    stand = Control(outside.kind, len(outside.targets), BESIDE, outside.drawn_from)
    return Learning(worst_first(compared, RUNGS), stand, easiest(told), claims.owners)


def _unaided(claims: Claims, why: str) -> Learning:
    """Return what was claimed beside what can be claimed of everybody without any release."""
    each = {_asked(claim): claimed for claim, claimed in claims.made}
    best = {key: unaided(claimed.known, claimed.truth) for key, claimed in each.items()}
    made = [_way(claim).lesson(claimed.learnt, best[_asked(claim)]) for claim, claimed in claims.made]
    return Learning(worst_first(made, RUNGS), Control("no release", 0, why), (), claims.owners)


def control_of(
    tables: Tables[Purchases],
    outside: Outsiders[Purchases],
    members: Sequence[Attacker],
    given: AuditInput[Purchases] | None = None,
    recode: Callable[[Purchases], Purchases] | None = None,
) -> dict[tuple[object, ...], Claimed]:
    """Return what is claimed of people who are not in a release, by way to learn.

    People of a file are looked up where those of the release are: in all of it, though only some of them are
    sought. Whoever must see everybody at once looks for them among the names of those.

    Args:
        tables: people of the release, in its words, and what stands under their names.
        outside: the people who are not in it.
        members: who believes something of people.
        given: the release in which the others were looked up; none given means these tables.
        recode: writes a block of its original in the words of the release.
    """
    others = _beside(tables, outside)
    tables.forget()  # two releases side by side would take twice the memory
    people = others.original.customers.gather(outside.targets)
    if given is None or given.complete or outside.kind == "plan":
        given = AuditInput.whole(others.original, others.released, None)
        found = search(given, others, members, people=people, compare=False)
    else:
        given = given.beside(others.original, people, recode)
        found = search(given, others, members, people=people, compare=False)
        found = replace(found, pool=Pool(others, None, len(people)))
    made = (one.claims() for one in supposing(found, members, people))
    return {claim.key: claimed for claims in made for claim, claimed in claims}


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
