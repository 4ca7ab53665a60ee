"""What one attacker learns, taken from the machinery of the audit without paying for all the others."""

from dataclasses import dataclass

import numpy as np

from kakurenbo.auditing.input import AuditInput
from kakurenbo.auditing.learning.claimers import supposing
from kakurenbo.auditing.panel.members import attackers, learning
from kakurenbo.auditing.search import search

RUNGS = ("1 record", "2 records", "4 records")


@dataclass(frozen=True)
class Taught:
    """Of one rung: the mean learnt, the share laid open, and where he takes every target to be."""

    mean: float
    laid_open: float
    supposed: object


def looking(tables, who, targets):
    """Return where these attackers take these people of two tables in memory to be."""
    people = tables.original.customers.gather(targets)
    given = AuditInput.whole(tables.original, tables.released, None)
    return supposing(search(given, tables, who, people=people, compare=False), who, people)


def taught(tables, attack, way="", *, drops="", targets=None, rungs=RUNGS):
    """Return by rung what an attacker learns of goods in one of his ways; people with nothing left are out.

    Args:
        tables: the original in the words of the release, and the release.
        attack: his name in the catalogue.
        way: how he goes about it.
        drops: what he takes for dummies, in the audit's words.
        targets: the numbers of the people asked for; all of them where none are given.
        rungs: what he knows.
    """
    asked = np.arange(len(tables.original.customers)) if targets is None else targets
    who = [
        member
        for member in learning(attackers(tables.original))
        if member.name == attack and member.stand.way == way and member.knowledge in rungs
    ]
    assert len(who) == len(rungs), "the attacker stands on each of these rungs once"
    made = {}
    for looked in looking(tables, who, asked):
        if looked.drops == drops:
            for claim, claimed in looked.claims():
                if claim.grain == ("goods",) and not claim.cautious:
                    learnt = claimed.learnt
                    made[looked.attacker.knowledge] = Taught(
                        float(learnt.share.mean()), float(learnt.laid_open.mean()), looked.supposed
                    )
    return made
