"""What else the release tells, whatever name stands in it: who is in it, whose records are and how real."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kakurenbo.report import words
from kakurenbo.report.blocks import Column, Section, Table, Text, heads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.auditing.results import Attribution, Audit, Dummies, Membership

_INSIDE: Final = (
    "That somebody is in the data can itself be telling. People inside are compared with people of the "
    "control by how well an attacker can match them. One half is a guess, one is certainty. Caught is the "
    "share of those inside who are matched better than all but 1 % of those outside."
)
_OWNERS: Final = (
    "Names can be cut and dealt, and records still be told apart. Every released record is given to who "
    "most likely bought it, whatever name stands on it. Counted are the records of which it can be told who "
    "bought them: those that only one person of the original has."
)


def sections(audit: Audit) -> tuple[Section, ...]:
    """Return the sections, where there is something to show."""
    return tuple(_sections(audit))


def _sections(audit: Audit) -> Iterator[Section]:
    if audit.owners:
        yield Section("owners", "Records given to their owners", (Text(_OWNERS), _owners(audit)))
    if audit.dummies is not None:
        yield Section("dummies", "Can dummies be told?", (Text(told_apart(audit.dummies)),))
    if audit.membership:
        inside = (Text(_INSIDE), _membership(audit))
        yield Section("membership", "Can it be told who is in the release?", inside)


def told_apart(dummies: Dummies) -> str:
    """Say how well dummies are told, and what the number means."""
    return (
        f"Of the goods under a name {words.percent(dummies.real)} were really bought; the others are "
        f"dummies. By looks alone ({dummies.attack}) a real one looks more real than a dummy "
        f"{words.percent(dummies.auc)} of the time (AUC): 50 % is a guess, and at 100 % whoever reads the "
        "release can leave the dummies out."
    )


def _owners(audit: Audit) -> Table:
    columns = (
        *heads("attacker knows", "way"),
        *heads("records that can be told", "of them given", "given rightly", kind="number"),
        Column("what he does", "prose"),
    )
    caption = "Released records given to who bought them, most first"
    return Table(caption, columns, tuple(_owner(audit, one) for one in audit.owners))


def _owner(audit: Audit, one: Attribution) -> tuple[str, ...]:
    shares = map(words.percent, (one.told, one.given, one.right))
    return _knows(audit, one), _named(one), *shares, one.story


def _membership(audit: Audit) -> Table:
    columns = (
        *heads("attacker knows", "way"),
        *heads("chance to match somebody inside better", "caught at 1 % false alarms", kind="number"),
    )
    caption = "Telling people inside from people outside"
    return Table(caption, columns, tuple(_inside(audit, one) for one in audit.membership))


def _inside(audit: Audit, one: Membership) -> tuple[str, ...]:
    return _knows(audit, one), _named(one), f"{one.auc:.3f}", words.percent(one.caught)


def _knows(audit: Audit, one: Attribution | Membership) -> str:
    """Return a rung, and that little tells nothing where nobody sees through the release."""
    return f"{one.knowledge} (blind: little tells nothing)" if one.knowledge in audit.blind else one.knowledge


def _named(one: Attribution | Membership) -> str:
    return f"{one.attack}, {one.way}" if one.way else one.attack
