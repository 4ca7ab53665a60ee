"""What every method shares: it changes data under the original ids, and all releases are made alike.

A method only says how records change. Pseudonyms, new receipts and the shuffling away of every trace of
order are done here, once, so that no method can forget them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo.deidentify.pseudonyms import release_microdata, release_purchases
from kakurenbo.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release


@dataclass(frozen=True)
class ChangedPurchases:
    """What a method made of purchases, still under the original ids, and what it tells of its work.

    Attributes:
        data: the changed purchases.
        facts: what there is to tell.
        pairing: owner of the records -> the person they are declared to be; none means the truth.
    """

    data: Purchases
    facts: Mapping[str, Any] = field(default_factory=dict)
    pairing: Pairing | None = None


@dataclass(frozen=True)
class ChangedMicrodata:
    """What a method made of microdata, still under the original ids; see `ChangedPurchases`."""

    data: Microdata
    facts: Mapping[str, Any] = field(default_factory=dict)
    pairing: Pairing | None = None


class PurchasesMethod(Parameters, ABC):
    """A way to de-identify purchases: parameters in the constructor, `release` the one verb."""

    @abstractmethod
    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:
        """Return the changed purchases under the original ids."""

    def release(self, purchases: Purchases, *, seed: int | None = None) -> Release[Purchases]:
        """De-identify purchases.

        Args:
            purchases: the data to hide people in; it is not changed.
            seed: makes the run repeatable, and therefore unfit for release; without it the operating
                system's randomness is used.
        """
        rng = np.random.default_rng(seed)
        changed = self.change(purchases, rng)
        return release_purchases(changed.data, rng, changed.facts, changed.pairing)


class MicrodataMethod(Parameters, ABC):
    """A way to de-identify microdata: parameters in the constructor, `release` the one verb."""

    @abstractmethod
    def change(self, microdata: Microdata, rng: np.random.Generator) -> ChangedMicrodata:
        """Return the changed microdata under the original ids."""

    def release(self, microdata: Microdata, *, seed: int | None = None) -> Release[Microdata]:
        """De-identify microdata; see `PurchasesMethod.release` for the meaning of `seed`."""
        rng = np.random.default_rng(seed)
        changed = self.change(microdata, rng)
        return release_microdata(changed.data, rng, changed.facts, changed.pairing)
