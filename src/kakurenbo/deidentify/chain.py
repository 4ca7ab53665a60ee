"""Chain: one method after another, one release at the end, as the contest's teams did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, Field, SerializeAsAny

from kakurenbo.data.pairing import Pairing
from kakurenbo.deidentify.base import ChangedMicrodata, ChangedPurchases, MicrodataMethod, PurchasesMethod

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases

_ADDED_UP = ("dummies", "deleted", "altered")


class Chain(PurchasesMethod):
    """Several methods in turn, each working on what the one before made; pseudonyms come once, at the end."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    methods: tuple[SerializeAsAny[PurchasesMethod], ...] = Field(
        min_length=1, description="the methods, in order"
    )

    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:
        """Apply the methods in order; counts of records add up, other facts are the last one's."""
        facts: dict[str, Any] = {}
        pairing: Pairing | None = None
        for method in self.methods:
            changed = method.change(purchases, rng)
            purchases = changed.data
            facts = _joined(facts, changed.facts)
            pairing = _one_after_another(pairing, changed.pairing)
        return ChangedPurchases(purchases, facts, pairing)


class ChainMicrodata(MicrodataMethod):
    """Several methods on microdata in turn, each working on what the one before made; new ids at the end."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    methods: tuple[SerializeAsAny[MicrodataMethod], ...] = Field(
        min_length=1, description="the methods, in order"
    )

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:
        """Apply the methods in order; counts of records add up, other facts are the last one's."""
        facts: dict[str, Any] = {}
        pairing: Pairing | None = None
        for method in self.methods:
            changed = method.change(microdata, rng)
            microdata = changed.data
            facts = _joined(facts, changed.facts)
            pairing = _one_after_another(pairing, changed.pairing)
        return ChangedMicrodata(microdata, facts, pairing)


def _joined(facts: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of two steps: counts of records add up, other facts are the last one's."""
    sums = {name: facts.get(name, 0) + more[name] for name in _ADDED_UP if name in more}
    return {**facts, **more, **sums}


def _one_after_another(first: Pairing | None, second: Pairing | None) -> Pairing | None:
    """Return who an owner is said to be after two cheats; people deleted between them are no obstacle."""
    if first is None or second is None:
        return second if first is None else first
    names = second.frame.join(first.frame, left_on="original", right_on="released", suffix="_at_last")
    return Pairing(names["released"], names["original_at_last"])
