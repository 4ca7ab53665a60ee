"""Pseudonymize: change the names and nothing else.

The least that is done in practice, and the control of every experiment: all that identifies a person besides
the name is still there, so an attacker who knows the goods of a customer finds nearly everyone. Not a
protection; the audit shows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.deidentify.base import ChangedMicrodata, ChangedPurchases, MicrodataMethod, PurchasesMethod

if TYPE_CHECKING:
    import numpy as np

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.purchases import Purchases


class Pseudonymize(PurchasesMethod):
    """New names and receipts, the records untouched: what is not enough."""

    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:  # noqa: ARG002
        """Return the purchases as they are."""
        return ChangedPurchases(purchases)


class PseudonymizeMicrodata(MicrodataMethod):
    """New ids and row order, the values untouched: what is not enough."""

    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:  # noqa: ARG002
        """Return the microdata as they are."""
        return ChangedMicrodata(microdata)
