"""Chain: one method after another, one release at the end, as the contest's teams did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, Field, SerializeAsAny

from kakurenbo.data.pairing import Pairing
from kakurenbo.deidentify.method import ChangedPurchases, PurchasesMethod

if TYPE_CHECKING:
    import numpy as np

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
            sums = {
                name: facts.get(name, 0) + changed.facts[name] for name in _ADDED_UP if name in changed.facts
            }
            facts = {**facts, **changed.facts, **sums}
            pairing = _one_after_another(pairing, changed.pairing)
        return ChangedPurchases(purchases, facts, pairing)


def _one_after_another(first: Pairing | None, second: Pairing | None) -> Pairing | None:
    """Return who an owner is said to be after two cheats; people deleted between them are no obstacle."""
    if first is None or second is None:
        return second if first is None else first
    names = second.frame.join(first.frame, left_on="original", right_on="released", suffix="_at_last")
    return Pairing(names["released"], names["original_at_last"])
