"""Chain: one method after another, one release at the end, as the contest's teams did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict, Field, SerializeAsAny

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
        for method in self.methods:
            changed = method.change(purchases, rng)
            purchases = changed.data
            sums = {
                name: facts.get(name, 0) + changed.facts[name] for name in _ADDED_UP if name in changed.facts
            }
            facts = {**facts, **changed.facts, **sums}
        return ChangedPurchases(purchases, facts)
