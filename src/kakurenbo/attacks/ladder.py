"""The ladder of knowledge, from who knows least to who knows most.

A rate without the attacker's knowledge says nothing, so attackers stand on rungs. The rungs are no straight
line: who knows a few records does not know everybody's goods. So each rung says what else its attackers know.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.about import Kind

POINTS = (1, 2, 3, 4)
EVERYTHING = "everything"
# Rungs of who knows a part of everybody's records that is no number of them, and how it is said to an attack.
SOME: Mapping[str, Mapping[str, object]] = {
    "a receipt": {"whole": "receipt"},
    "a month": {"whole": "month"},
    "half of the records": {"share": 0.5},
}


class Rung(NamedTuple):
    """A kind of knowledge: its name, what it means, and the rungs whose knowledge it includes."""

    name: str
    meaning: str
    includes: tuple[str, ...] = ("order",)


def records(k: int) -> str:
    """Return the rung of who knows k records."""
    return "1 record" if k == 1 else f"{k} records"


def _few_records(k: int) -> Rung:
    return Rung(records(k), f"{k} of everybody's records, whole", ("order",) if k == 1 else (records(k - 1),))


LADDERS: dict[Kind, tuple[Rung, ...]] = {
    "purchases": (
        Rung("order", "nothing but the list of customers, and a bet that it was left in order", ()),
        Rung("receipts", "numbers of receipts"),
        Rung("master", "what the master says of everybody"),
        Rung("totals", "how many records everybody has, and what they spent in all"),
        Rung("card statement", "on which days everybody paid how much"),
        Rung(
            "visits",
            "when everybody came, with how many lines and pieces, for what amount",
            ("card statement", "totals"),
        ),
        Rung("goods", "which goods everybody bought"),
        Rung("goods+method", "which goods everybody bought, and how dummies are made", ("goods",)),
        Rung("goods+month", "which goods, in which month", ("goods+method",)),
        Rung("goods+day", "which goods, on which day", ("goods+month",)),
        Rung("goods+quantity", "which goods, how many of each", ("goods+method",)),
        *map(_few_records, POINTS),
        Rung("a receipt", "one whole receipt of everybody", (records(1),)),
        Rung("a month", "one month of everybody's records", (records(1),)),
        Rung("half of the records", "half of everybody's records", (records(2),)),
        Rung(
            "full records",
            "everybody's whole records: good, day, quantity, price",
            ("receipts", "visits", "goods+day", "goods+quantity", records(POINTS[-1]), *SOME),
        ),
        Rung(
            "records+master",
            "everybody's whole records, and what the master says of them",
            ("full records", "master"),
        ),
    ),
    "microdata": (
        Rung("order", "nothing but the list of people, and a bet that it was left in order", ()),
        Rung("quasi-identifiers", "the quasi-identifiers of everybody"),
        Rung("one attribute", "one sensitive attribute of everybody"),
        Rung("all attributes", "all sensitive attributes of everybody", ("one attribute",)),
        Rung(
            "quasi-identifiers+one attribute",
            "the quasi-identifiers and one sensitive attribute",
            ("quasi-identifiers", "one attribute"),
        ),
        Rung(
            "quasi-identifiers+two attributes",
            "the quasi-identifiers and two sensitive attributes",
            ("quasi-identifiers+one attribute",),
        ),
        Rung(
            EVERYTHING,
            "everything of everybody",
            ("all attributes", "quasi-identifiers+two attributes"),
        ),
    ),
}


def up_to(knowledge: str | None, kind: Kind) -> tuple[Rung, ...]:
    """Return a rung and all those that it includes, least knowledge first; all where none is named.

    Who knows everything stands above all rungs of any ladder.
    """
    rungs = {rung.name: rung for rung in LADDERS[kind]}
    if knowledge is None or knowledge == EVERYTHING:
        return LADDERS[kind]
    if knowledge not in rungs:
        named = list(dict.fromkeys([*rungs, EVERYTHING]))
        near = get_close_matches(knowledge, named, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ParameterError(
            f"The knowledge must be one of the rungs; {hint}There are: {', '.join(named)}.",
            code="unknown-name",
            parameter="knowledge",
        )
    known, asked = {knowledge}, [knowledge]
    while asked:
        asked = [lower for name in asked for lower in rungs[name].includes if lower not in known]
        known.update(asked)
    return tuple(rung for name, rung in rungs.items() if name in known)
