"""The space of plans: slots in the order of a chain, each left empty or filled with one of its offers.

Records are deleted first, then people are hidden among each other, then numbers are blurred and times and
prices coarsened. An offer is only made where the catalogue has the method and the data has what it changes,
so a new method comes in by a line of `_purchases` or `_microdata`.

A plan is found from the values of its knobs, and these are what the search varies. Sizes of crowds are drawn
on a log scale from 2 to half of the people: from 2 to 4 is as large a step as from 50 to 100.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from kakurenbo.catalogue import entries, find
from kakurenbo.data.purchases import Purchases
from kakurenbo.plan import Plan, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kakurenbo.catalogue import Kind
    from kakurenbo.data.microdata import Microdata

EMPTY = "nothing"


@dataclass(frozen=True)
class Knob:
    """One thing to vary: choices, or a range of whole or real numbers."""

    name: str
    choices: tuple[str | int, ...] = ()
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    log: bool = False

    @property
    def first(self) -> str | int | float:
        """What it stands at if nobody turns it: doing nothing, the method's own way, the smallest."""
        if self.choices:
            return self.choices[0]
        return int(self.low) if self.whole else self.low


@dataclass(frozen=True)
class Offer:
    """A method and its knobs.

    Attributes:
        method: its name in the catalogue.
        knobs: what to vary.
        finish: turns knob values into parameters where they differ; gets the number of people too.
    """

    method: str
    knobs: tuple[Knob, ...] = ()
    finish: Callable[[dict[str, Any], int], dict[str, Any]] = lambda values, _: values


@dataclass(frozen=True)
class Slot:
    """A place in the chain: one of the offers, or nothing."""

    name: str
    offers: tuple[Offer, ...]

    @property
    def knob(self) -> Knob:
        """The choice among the offers."""
        return Knob(self.name, (EMPTY, *(offer.method for offer in self.offers)))


@dataclass(frozen=True)
class Space:
    """All plans for one table.

    Attributes:
        kind: of the data.
        people: customers, or rows.
        slots: in the order of the chain.
    """

    kind: Kind
    people: int
    slots: tuple[Slot, ...]

    @classmethod
    def of(cls, data: Purchases | Microdata) -> Space:
        """Return the space that the data allows and the catalogue offers."""
        if isinstance(data, Purchases):
            people = len(data.customers)
            return cls("purchases", people, _offered(_purchases(set(data.roles), people), "purchases"))
        return cls("microdata", len(data), _offered(_microdata(bool(data.sa), len(data)), "microdata"))

    def plan(self, choose: Callable[[Knob], Any]) -> Plan:
        """Return the plan that a chooser of knob values makes; only the knobs of what it takes are asked."""
        steps = []
        for slot in self.slots:
            taken = choose(slot.knob)
            for offer in slot.offers:
                if offer.method == taken:
                    values = {knob.name.split(".")[-1]: choose(knob) for knob in offer.knobs}
                    parameters = _changed(taken, self.kind, offer.finish(values, self.people))
                    steps += [Step(taken, parameters)] if parameters or not offer.knobs else []
        return Plan(self.kind, tuple(steps))

    def completed(self, wished: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of all knobs that a plan with the wished ones has; others at their first."""
        values: dict[str, Any] = {}

        def choose(knob: Knob) -> Any:  # noqa: ANN401 - of the knob's own type
            values[knob.name] = wished.get(knob.name, knob.first)
            return values[knob.name]

        self.plan(choose)
        return values

    def knobs(self, values: Mapping[str, Any]) -> tuple[Knob, ...]:
        """Return the knobs that these values belong to."""
        asked: list[Knob] = []

        def choose(knob: Knob) -> Any:  # noqa: ANN401 - of the knob's own type
            asked.append(knob)
            return values[knob.name]

        self.plan(choose)
        return tuple(asked)

    @property
    def version(self) -> str:
        """A digest of all slots, offers and ranges: a study goes on only in the space it began in."""
        told = repr([(slot.name, [(o.method, o.knobs) for o in slot.offers]) for slot in self.slots])
        return hashlib.sha256(told.encode()).hexdigest()[:16]


def _purchases(roles: set[str], people: int) -> list[Slot]:
    size = Knob("min_size", low=2, high=max(2, people // 2), whole=True, log=True)
    blur = [
        Knob(f"noise.{role}_spread", low=0.05, high=1.0) for role in ("quantity", "price") if role in roles
    ]
    coarse = [Knob("coarsen.times", ("keep", "day", "week", "month"))] if "time" in roles else []
    coarse += [Knob("coarsen.price_bands", (0, 3, 10, 30))] if "price" in roles else []
    return [
        Slot("rows", (Offer("delete", (Knob("delete.share", low=0.02, high=0.5),), _rounded),)),
        Slot(
            "crowds",
            (
                Offer("deal", (size, *_any("deal", "of"))),
                Offer("compact", (size, *_any("compact", "dummies"))),
                Offer(
                    "balanced", (size, Knob("balanced.fill", low=0.4), *_any("balanced", "dummies")), _filled
                ),
            ),
        ),
        Slot("numbers", (Offer("noise", tuple(blur), _rounded),) if blur else ()),
        Slot("coarse", (Offer("coarsen", tuple(coarse), _coarse),) if coarse else ()),
    ]


def _microdata(has_sa: bool, people: int) -> list[Slot]:
    size = Knob("k", low=2, high=max(2, people // 2), whole=True, log=True)
    values = (
        Offer(
            "microaggregate",
            (Knob("microaggregate.k", low=2, high=max(2, people // 2), whole=True, log=True),),
        ),
        Offer("noise", (Knob("noise.scale", low=0.02, high=2.0, log=True),), _rounded),
        Offer("average"),
        Offer("swap"),
    )
    return [
        Slot("rows", (Offer("delete", (Knob("delete.share", low=0.02, high=0.5),), _rounded),)),
        Slot(
            "crowds", (Offer("k-anonymize", (size, *_any("k-anonymize", "cut", "write", kind="microdata"))),)
        ),
        Slot("values", values if has_sa else ()),
    ]


def _any(method: str, *names: str, kind: Kind = "purchases") -> list[Knob]:
    """Return a knob for each of these parameters that the method has, with the choices it declares."""
    fields = next((e.what.model_fields for e in entries("method", kind) if e.name == method), {})
    choices = {name: get_args(field.annotation) for name, field in fields.items()}
    return [Knob(f"{method}.{name}", choices[name]) for name in names if name in choices]


def _changed(method: str, kind: Kind, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that differ from what the method does anyway."""
    fields = find(method, "method", kind).what.model_fields
    return {name: value for name, value in parameters.items() if fields[name].default != value}


def _offered(slots: list[Slot], kind: Kind) -> tuple[Slot, ...]:
    """Return the slots with only what the catalogue has, and without empty ones."""
    known = {entry.name for entry in entries("method", kind)}
    kept = (Slot(slot.name, tuple(o for o in slot.offers if o.method in known)) for slot in slots)
    return tuple(slot for slot in kept if slot.offers)


def _filled(values: dict[str, Any], people: int) -> dict[str, Any]:
    """Turn the share of the clusters that fit into their number."""
    share = values.pop("fill")
    return {"clusters": max(1, round(share * (people // values["min_size"]))), **values}


def _rounded(values: dict[str, Any], people: int) -> dict[str, Any]:  # noqa: ARG001 - as all finishers
    return {name: round(value, 3) for name, value in values.items()}


def _coarse(values: dict[str, Any], people: int) -> dict[str, Any]:  # noqa: ARG001 - as all finishers
    """No bands means that prices are kept as they are."""
    return {name: value or None for name, value in values.items()}
