"""The ladder of knowledge, from who knows least to who knows most.

A rate without the attacker's knowledge says nothing, so attackers stand on rungs. The rungs are no straight
line: who knows a few records does not know everybody's goods. So each rung says what else its attackers know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from kakurenbo.data.microdata import Microdata

    Rungs = tuple[tuple[str, str], ...]

POINTS = (1, 2, 3, 4)


def records(k: int) -> str:
    """Return the rung of who knows k records."""
    return "1 record" if k == 1 else f"{k} records"


PURCHASES: Rungs = (
    ("order", "nothing but the list of customers, and a bet that it was left in order"),
    ("receipts", "numbers of receipts"),
    ("master", "what the master says of everybody"),
    ("totals", "how many records everybody has, and what they spent in all"),
    ("goods", "which goods everybody bought"),
    ("goods+method", "which goods everybody bought, and how dummies are made"),
    ("goods+month", "which goods, in which month"),
    ("goods+day", "which goods, on which day"),
    ("goods+quantity", "which goods, how many of each"),
    *((records(k), f"{k} of everybody's records, whole") for k in POINTS),
    ("full records", "everybody's whole records: good, day, quantity, price"),
    ("records+master", "everybody's whole records, and what the master says of them"),
)
MICRODATA: Rungs = (
    ("order", "nothing but the list of people, and a bet that it was left in order"),
    ("quasi-identifiers", "the quasi-identifiers of everybody"),
    ("one attribute", "one sensitive attribute of everybody"),
    ("all attributes", "all sensitive attributes of everybody"),
    ("quasi-identifiers+one attribute", "the quasi-identifiers and one sensitive attribute"),
    ("everything", "everything of everybody"),
)
_ALSO_KNOWS: dict[str, tuple[str, ...]] = {
    "receipts": ("order",),
    "master": ("order",),
    "totals": ("order",),
    "goods": ("order",),
    "goods+method": ("goods",),
    "goods+month": ("goods+method",),
    "goods+day": ("goods+month",),
    "goods+quantity": ("goods+method",),
    records(1): ("order",),
    **{records(k): (records(k - 1),) for k in POINTS[1:]},
    "full records": ("receipts", "totals", "goods+day", "goods+quantity", records(POINTS[-1])),
    "records+master": ("full records", "master"),
    "quasi-identifiers": ("order",),
    "one attribute": ("order",),
    "all attributes": ("one attribute",),
    "quasi-identifiers+one attribute": ("quasi-identifiers", "one attribute"),
    "everything": ("all attributes", "quasi-identifiers+one attribute"),
}


def rungs_of(data: Purchases | Microdata) -> Rungs:
    """Return the rungs for this kind of data, least knowledge first, and what each means."""
    return PURCHASES if isinstance(data, Purchases) else MICRODATA


def rungs_below(knowledge: str, data: Purchases | Microdata) -> frozenset[str]:
    """Return the rung and all others whose knowledge who stands on it has."""
    names = [name for name, _ in rungs_of(data)]
    if knowledge not in names:
        raise ParameterError(f"The knowledge must be one of: {', '.join(names)}.", code="unknown-name")
    known, asked = {knowledge}, [knowledge]
    while asked:
        asked = [lower for rung in asked for lower in _ALSO_KNOWS.get(rung, ()) if lower not in known]
        known.update(asked)
    return frozenset(known)
