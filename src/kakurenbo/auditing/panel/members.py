"""Who attacks in an audit: on each rung of the ladder several, since no one is the strongest everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kakurenbo.attacks.microdata.euclid import Euc1, Euc2, IdentifyRand, IdentifySa, IdentifySa21
from kakurenbo.attacks.microdata.sort import IdentifySort
from kakurenbo.attacks.microdata.within import Within
from kakurenbo.attacks.order import OrderAttack, OrderMicrodata
from kakurenbo.attacks.purchases.evidence import EvidenceAttack
from kakurenbo.attacks.purchases.likeness import (
    ContainmentAttack,
    CosineAttack,
    JaccardAttack,
    MultisetAttack,
    WeightedAttack,
)
from kakurenbo.attacks.purchases.rows import RowsAttack
from kakurenbo.attacks.purchases.strip import StripAttack
from kakurenbo.attacks.purchases.totals import TotalsAttack
from kakurenbo.attacks.purchases.view import ROLE_OF
from kakurenbo.auditing.panel.ladder import POINTS, records
from kakurenbo.catalogue import entries
from kakurenbo.data.purchases import Purchases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.attacks.purchases.view import Part, Shown
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.parameters import Parameters

ATTRIBUTES = 12  # sensitive attributes tried one by one, at most
BOTH = ("nearest", "assignment")
_RECORD: tuple[Part, ...] = ("goods", "day", "quantity")
_ALL_OF_IT: tuple[Part, ...] = ("goods", "time", "price", "quantity")
_HOW = {
    "nearest": "{}.",
    "assignment": "{}, pairing everybody with somebody at once.",
    "target": "{}, looking each known person up in the release.",
}


@dataclass(frozen=True)
class Attacker:
    """One who tries: an attack with its parameters, on a rung, with his story.

    `needs` is what both tables must show.
    """

    name: str
    attack: Parameters
    knowledge: str
    story: str
    needs: tuple[Shown, ...] = ()

    @property
    def reading(self) -> str:
        """How he answers."""
        return str(getattr(self.attack, "reading", "nearest"))

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells him from the others: the rung, the attack and its parameters."""
        return self.knowledge, self.name, self.attack.model_dump_json()


def attackers(data: Purchases | Microdata) -> tuple[Attacker, ...]:
    """Return everybody who attacks this kind of data, rung by rung; columns may still be missing."""
    return tuple(_on_purchases() if isinstance(data, Purchases) else _on_microdata(data))


def _each(attack: Parameters, rung: str, story: str, readings: tuple[str, ...] = ()) -> Iterator[Attacker]:
    """Yield the attacker in each of his readings."""
    name = next(entry.name for entry in entries("attack") if entry.what is type(attack))
    for reading in readings or ("nearest",):
        meant = attack if reading == "nearest" else attack.model_copy(update={"reading": reading})
        yield Attacker(name, meant, rung, _HOW[reading].format(story), _needs(attack))


def _needs(attack: Parameters) -> tuple[Shown, ...]:
    """Return what an attack cannot do without."""
    if isinstance(attack, RowsAttack):
        return tuple(dict.fromkeys(ROLE_OF[part] for part in attack.columns))
    if isinstance(attack, StripAttack):
        return ("time", "quantity") if attack.drop == "last-receipt" else ()
    if isinstance(attack, EvidenceAttack):
        return ("master",) if attack.master else ()
    needed: tuple[Shown, ...] = getattr(attack, "needs", ())
    return needed


def _on_purchases() -> Iterator[Attacker]:
    yield from _each(OrderAttack(by="names"), "order", "Sorts old ids and new names, and pairs equal places")
    yield from _each(OrderAttack(by="text"), "order", "Does the same with the old ids sorted as text")
    yield from _each(OrderAttack(by="rows"), "order", "Pairs customers by where they first appear")
    receipts = RowsAttack(columns=("receipt",), votes="contained")
    yield from _each(receipts, "receipts", "Looks for receipt numbers that he has seen")
    master = RowsAttack(columns=("master",), votes="contained")
    yield from _each(master, "master", "Names anybody of whom the master says the same")
    yield from _each(TotalsAttack(), "totals", "Names who has as many records and spent as much")
    yield from _with_goods()
    yield from _with_more("goods+month", "goods and months", "goods", "month")
    yield from _with_more("goods+day", "goods and days", "goods", "day")
    yield from _each(MultisetAttack(), "goods+quantity", "Compares how many pieces of each good", BOTH)
    quantities = RowsAttack(columns=("goods", "quantity"), votes="contained")
    yield from _each(quantities, "goods+quantity", "Asks whose goods and quantities are all there")
    yield from _with_few_records()
    yield from _with_full_records()


def _with_goods() -> Iterator[Attacker]:
    yield from _each(JaccardAttack(), "goods", "Names the most similar goods set", BOTH)
    weighted = "Names the most similar goods set, rare goods counting for more"
    yield from _each(WeightedAttack(), "goods", weighted, BOTH)
    yield from _each(CosineAttack(), "goods", "Compares TF-IDF profiles of the goods by their angle")
    contained = "Asks whose goods all lie in the released basket"
    yield from _each(ContainmentAttack(), "goods", contained, ("nearest", "target"))
    told = "Drops what looks like a dummy on the last receipt, then compares goods"
    yield from _each(StripAttack(), "goods+method", told, BOTH)
    appended = "Drops rows that were appended to the table, then compares goods"
    yield from _each(StripAttack(drop="appended"), "goods+method", appended)


def _with_more(rung: str, what: str, *parts: Part) -> Iterator[Attacker]:
    yield from _each(
        RowsAttack(columns=parts), rung, f"Matches {what} against the length of both lists", BOTH
    )
    contained = RowsAttack(columns=parts, votes="contained")
    yield from _each(contained, rung, f"Asks whose {what} are all there")


def _with_few_records() -> Iterator[Attacker]:
    for k in POINTS:
        rows = RowsAttack(columns=_RECORD, votes="contained", points=k)
        yield from _each(
            rows, records(k), f"Knows {records(k)} of everybody and asks where they are", ("target",)
        )
        traces = f"Adds up every trace of {records(k)} of everybody, rare traces counting for more"
        yield from _each(EvidenceAttack(points=k), records(k), traces, ("target",))


def _with_full_records() -> Iterator[Attacker]:
    rung = "full records"
    yield from _with_more(rung, "goods, days and quantities", *_RECORD)
    exact = RowsAttack(columns=_ALL_OF_IT, votes="contained")
    yield from _each(exact, rung, "Asks whose records are all there, to the minute and the penny")
    traces = "Adds up every trace of the records, coarse or fine, rare ones counting for more"
    yield from _each(EvidenceAttack(), rung, traces, BOTH)
    alike = f"{traces}, among people of whom the master says the same"
    yield from _each(EvidenceAttack(master=True), "records+master", alike, BOTH)


def _on_microdata(data: Microdata) -> Iterator[Attacker]:
    yield from _each(OrderMicrodata(by="names"), "order", "Sorts old and new ids, and pairs equal places")
    yield from _each(OrderMicrodata(by="text"), "order", "Does the same with the old ids sorted as text")
    yield from _each(OrderMicrodata(by="rows"), "order", "Pairs the rows of both tables as they stand")
    equal, fits = (
        "Names anybody with the same quasi-identifiers",
        "Names anybody who fits into what was released",
    )
    yield from _each(IdentifyRand(), "quasi-identifiers", equal)
    yield from _each(Within(knows="qi"), "quasi-identifiers", fits)
    if data.sa:
        yield from _with_attributes(data.sa)


def _with_attributes(names: tuple[str, ...]) -> Iterator[Attacker]:
    for name in names[:ATTRIBUTES]:
        yield from _each(IdentifySa21(s=(name,)), "one attribute", f"Names the nearest in {name}")
    yield from _each(
        IdentifySort(), "all attributes", "Lines everybody up by the sum of the attributes", BOTH
    )
    for name in names[:ATTRIBUTES]:
        story = f"Among equal quasi-identifiers names the nearest in {name}"
        yield from _each(IdentifySa(s=(name,)), "quasi-identifiers+one attribute", story)
    rung, story = "everything", "Among equal quasi-identifiers names the nearest in all attributes"
    yield from _each(Euc1(scaling="spread"), rung, story, BOTH)
    yield from _each(
        Euc2(scaling="spread"), rung, f"{story}, and searches everybody where none is equal", BOTH
    )
    fits = "Among those who fit into what was released names the nearest in all attributes"
    yield from _each(Within(), rung, fits)
