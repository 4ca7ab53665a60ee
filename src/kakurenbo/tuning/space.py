"""The space of plans: slots in the order of a chain, each left empty or filled with one of its offers.

Records are deleted first, then people are hidden among each other, then values are changed, blurred and
coarsened. Which methods are offered, in which slot and with which knobs, they declare themselves
(`MethodAbout`); an offer is only made where the data has what it changes.

A plan is found from the values of its knobs, and these are what the search varies. Sizes of groups are drawn
on a log scale from 2 to half of the people, and all methods of a slot share theirs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from kakurenbo.about import Knob
from kakurenbo.about import Slot as SlotName
from kakurenbo.catalogue import entries
from kakurenbo.plan import Plan, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from kakurenbo.about import Kind
    from kakurenbo.data.table import Table
    from kakurenbo.deidentify.base import Method

EMPTY = "nothing"


@dataclass(frozen=True)
class Offer:
    """A method and its knobs, each under a name of its own in the search."""

    method: str
    what: type[Method[Any]]
    knobs: tuple[Knob, ...] = ()

    @property
    def sizes(self) -> tuple[Knob, ...]:
        """The knobs that are sizes of groups."""
        return tuple(knob for knob in self.knobs if knob.size)

    def without(self, hidden: frozenset[str]) -> Offer | None:
        """Return the offer where these columns are left out; None where nothing of it is left to turn."""
        knobs = tuple(knob for knob in self.knobs if hidden.isdisjoint(knob.needs))
        if not hidden.isdisjoint(self.what.about.needs) or (self.knobs and not knobs):
            return None
        return replace(self, knobs=knobs)


@dataclass(frozen=True)
class Slot:
    """A place in the chain: one of the offers, or nothing."""

    name: str
    offers: tuple[Offer, ...]

    @property
    def knob(self) -> Knob:
        """The choice among the offers."""
        return Knob(self.name, (EMPTY, *(offer.method for offer in self.offers)))

    def offer(self, method: str, hidden: frozenset[str]) -> Offer | None:
        """Return what is offered under this name where a step before left these columns out, if anything."""
        named = next((offer for offer in self.offers if offer.method == method), None)
        return None if named is None else named.without(hidden)


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
    def of(cls, data: Table) -> Space:
        """Return the space that the data allows and the catalogue offers."""
        people = len(data.people)
        slots = (Slot(name, tuple(_offers(name, data))) for name in get_args(SlotName))
        return cls(data.kind, people, tuple(slot for slot in slots if slot.offers))

    def plan(self, choose: Callable[[Knob], Any]) -> Plan:
        """Return the plan that a chooser of knob values makes; only the knobs of what it takes are asked."""
        steps: list[Step] = []
        hidden: frozenset[str] = frozenset()
        for slot in self.slots:
            taken = choose(slot.knob)
            offer = slot.offer(taken, hidden)
            if offer is not None:
                values = {knob.name.split(".")[-1]: choose(knob) for knob in offer.knobs}
                parameters = _changed(offer.what, offer.what.tuned(values, self.people))
                if parameters or not offer.knobs:
                    steps.append(Step(taken, parameters))
                    hidden |= offer.what(**parameters).hides
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
        written = repr([(slot.name, [(o.method, o.knobs) for o in slot.offers]) for slot in self.slots])
        return hashlib.sha256(written.encode()).hexdigest()[:16]


def _offers(slot: str, data: Table) -> Iterator[Offer]:
    """Yield the methods of a slot that this data allows; one with knobs needs at least one to turn."""
    for entry in entries("method", data.kind):
        about = entry.what.about
        knobs = tuple(
            _named(knob, slot, entry.name, len(data.people))
            for knob in about.knobs
            if data.shown.issuperset(knob.needs)
        )
        if about.slot == slot and data.shown.issuperset(about.needs) and (knobs or not about.knobs):
            yield Offer(entry.name, entry.what, knobs)


def _named(knob: Knob, slot: str, method: str, people: int) -> Knob:
    """Return the knob under its name in the search, a size of groups bounded by the people."""
    if knob.size:
        return replace(knob, name=f"{slot}.{knob.name}", high=max(2, people // 2))
    return replace(knob, name=f"{method}.{knob.name}")


def _changed(what: type[Method[Any]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that differ from what the method does anyway."""
    fields = what.model_fields
    return {name: value for name, value in parameters.items() if fields[name].default != value}
