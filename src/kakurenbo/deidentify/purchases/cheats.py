"""Cheats of 004: hand out everybody's true records, and declare that they belong to other people.

Nothing is hidden: an attacker names the true owner of every record, and the false pairing says he is wrong.
They are here so that the judgement of excessive anonymization can be tested against them, and to show in a
contest or a lesson why a rate of re-identification alone proves nothing. **Never a protection.**
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.data.groups import groups
from kakurenbo.data.pairing import Pairing
from kakurenbo.deidentify.base import ChangedPurchases, PurchasesMethod
from kakurenbo.deidentify.purchases.simple import Noise
from kakurenbo.errors import InputError
from kakurenbo.kernels import shuffles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.data.purchases import Purchases


class Cheat(PurchasesMethod):
    """Shared by the cheats: true records, a false pairing, and if wanted a little noise on quantities."""

    noise: float = Field(
        0.0, ge=0, le=3, description="noise on quantities, to hide the copy (sigma of the log; 004 eq. 1)"
    )

    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:
        """Return the records, and whose they are said to be: person i's is the record of p(i)."""
        people = purchases.customers
        owners = people.gather(self.permutation(purchases, rng))
        pairing = Pairing(owners, people)
        if self.noise:
            blurred = Noise(quantity_spread=self.noise, price_spread=0.0).change(purchases, rng)
            return ChangedPurchases(blurred.data, blurred.facts, pairing)
        return ChangedPurchases(purchases, {"dummies": 0, "deleted": 0}, pairing)

    @abstractmethod
    def permutation(self, purchases: Purchases, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return p over the customers in their sorted order."""


class Shift(Cheat):
    """A cheat: true records, each declared to be the next customer's; nobody keeps his own.

    p(i) = (i mod n) + 1 in the order of ids, or in a random one. Never a protection: `kakurenbo excess`
    tells it from one.
    """

    relabel: bool = Field(False, description="put people into a random order before the shift")

    def permutation(self, purchases: Purchases, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the shift by one."""
        return shuffles.shift(len(purchases.customers), rng if self.relabel else None)


class Random(Cheat):
    """A cheat: true records, declared to belong to people drawn at random (004 algorithm 1).

    About one person keeps his own record. Never a protection: `kakurenbo excess` tells it from one.
    """

    def permutation(self, purchases: Purchases, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a random permutation of all."""
        return shuffles.within(np.zeros(len(purchases.customers), dtype=np.int64), rng)


class MultiRandom(Cheat):
    """A cheat: true records, shuffled only among people of one sex and country (004 algorithm 2).

    Cross tabulations by these columns stay true even through the false pairing. About one person of each
    group keeps his own record. Never a protection: `kakurenbo excess` tells it from one.
    """

    by: tuple[str, ...] = Field(
        (), description="columns of the master that make the groups; none given means all it has"
    )

    def permutation(self, purchases: Purchases, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a random permutation inside each group; without a master all are one group."""
        known = [] if purchases.master is None else purchases.master.columns
        by = self.by or tuple(name for name in known if name != "customer")
        return shuffles.within(groups(purchases, by), rng)


class PushAway(Shift):
    """A cheat: the shift, then every quantity multiplied, so that no record lies on its true owner's.

    004 figure 4: whoever only asks whether a record is too near to somebody else's (approach I) accepts it;
    who asks how far it is from the person it is declared to be (approach II) does not.
    """

    factor: int = Field(2, ge=2, le=100, description="what quantities are multiplied by")

    def change(self, purchases: Purchases, rng: np.random.Generator) -> ChangedPurchases:
        """Return the shifted records with larger quantities."""
        if "quantity" not in purchases.roles:
            raise InputError("Pushing away needs the role quantity, which the data lacks.", code="roles")
        shifted = super().change(purchases, rng)
        records = shifted.data.records.with_columns(pl.col("quantity") * self.factor)
        return ChangedPurchases(
            purchases.with_records(records, master=purchases.master), shifted.facts, shifted.pairing
        )
