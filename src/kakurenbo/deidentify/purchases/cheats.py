"""Cheats of 004: hand out everybody's true records, and declare that they belong to other people.

Nothing is hidden: an attacker names the true owner of every record, and the false pairing says he is wrong.
They are here so that the judgement of excessive anonymization can be tested against them, and to show in a
contest or a lesson why a rate of re-identification alone proves nothing. **Never a protection.**
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from kakurenbo.about import MethodAbout
from kakurenbo.data.groups import groups
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed, Facts
from kakurenbo.deidentify.base import Method
from kakurenbo.deidentify.purchases.simple import Noise
from kakurenbo.kernels import shuffles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance

_AT_ONCE = "it declares records to be others' in an order of all people"
_UNTUNED = "a cheat hides nobody"


class Cheat(Method[Purchases]):
    """Shared by the cheats: true records, a false pairing, and if wanted a little noise on quantities."""

    noise: float = Field(
        0.0, ge=0, le=3, description="noise on quantities, to hide the copy (sigma of the log; 004 eq. 1)"
    )

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the records, and whose they are said to be: person i's is the record of p(i)."""
        owners = data.customers.gather(self.permutation(data, chance))
        if self.noise:
            data = Noise(quantity_spread=self.noise).change(data, chance).data
        return Changed(data, Facts(), Pairing(owners, data.customers))

    @abstractmethod
    def permutation(self, data: Purchases, chance: Chance) -> NDArray[np.int64]:
        """Return p over the customers in their sorted order."""


class Shift(Cheat):
    """A cheat: true records, each declared to be the next customer's; nobody keeps his own.

    p(i) = (i mod n) + 1 in the order of ids, or in a random one. Never a protection: `kakurenbo excess`
    tells it from one.
    """

    about: ClassVar = MethodAbout(
        name="shift",
        kind="purchases",
        reach="whole",
        because=_AT_ONCE,
        source="004 section 2.1.2",
        promises=("cheats",),
        untuned=_UNTUNED,
    )

    relabel: bool = Field(False, description="put people into a random order before the shift")

    def permutation(self, data: Purchases, chance: Chance) -> NDArray[np.int64]:
        """Return the shift by one."""
        people = data.customers
        return shuffles.shift(chance.order("relabel", people) if self.relabel else np.arange(len(people)))


class Random(Cheat):
    """A cheat: true records, declared to belong to people drawn at random (004 algorithm 1).

    About one person keeps his own record. Never a protection: `kakurenbo excess` tells it from one.
    """

    about: ClassVar = MethodAbout(
        name="random",
        kind="purchases",
        reach="whole",
        because=_AT_ONCE,
        source="004 algorithm 1",
        promises=("cheats",),
        untuned=_UNTUNED,
    )

    def permutation(self, data: Purchases, chance: Chance) -> NDArray[np.int64]:
        """Return a random permutation of all."""
        return shuffles.within(groups(data, ()), chance.numbers("shuffle", data.customers))


class MultiRandom(Cheat):
    """A cheat: true records, shuffled only among people of one sex and country (004 algorithm 2).

    Cross tabulations by these columns stay true even through the false pairing. About one person of each
    group keeps his own record. Never a protection: `kakurenbo excess` tells it from one.
    """

    about: ClassVar = MethodAbout(
        name="multi-random",
        kind="purchases",
        reach="whole",
        because=_AT_ONCE,
        source="004 algorithm 2",
        promises=("cheats",),
        untuned=_UNTUNED,
    )

    by: tuple[str, ...] = Field(
        (), description="columns of the master that make the groups; none given means all it has"
    )

    def permutation(self, data: Purchases, chance: Chance) -> NDArray[np.int64]:
        """Return a random permutation inside each group; without a master all are one group."""
        by = self.by or tuple(data.attributes.columns)
        return shuffles.within(groups(data, by), chance.numbers("shuffle", data.customers))


class PushAway(Shift):
    """A cheat: the shift, then every quantity multiplied, so that no record lies on its true owner's.

    004 figure 4: whoever only asks whether a record is too near to somebody else's (approach I) accepts it;
    who asks how far it is from the person it is declared to be (approach II) does not.
    """

    about: ClassVar = MethodAbout(
        name="push-away",
        kind="purchases",
        reach="whole",
        because=_AT_ONCE,
        source="004 figure 4",
        needs=("quantity",),
        untuned=_UNTUNED,
    )

    factor: int = Field(2, ge=2, le=100, description="what quantities are multiplied by")

    def change(self, data: Purchases, chance: Chance) -> Changed[Purchases]:
        """Return the shifted records with larger quantities."""
        self.require(data)
        shifted = super().change(data, chance)
        records = shifted.data.records.with_columns(pl.col("quantity").cast(pl.Int128) * self.factor)
        return Changed(data.with_records(records, master=data.master), shifted.facts, shifted.pairing)
