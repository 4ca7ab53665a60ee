"""What every measure shares: a number with its unit and direction, from data and its release.

A measure of utility compares the two tables; a measure of risk looks at the groups people hide in. Some need
the secret pairing to know who became whom, some need columns a table may not have: both are declared, and
asking for what is not there is one clear error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from kakurenbo.data.checks import columns
from kakurenbo.data.layout import Role
from kakurenbo.errors import InputError, ParameterError
from kakurenbo.parameters import Parameters

if TYPE_CHECKING:
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases

Better = Literal["lower", "higher"]


@dataclass(frozen=True, slots=True)
class Measured:
    """A number that knows its unit and which direction is better."""

    value: float
    unit: str
    better: Better


class PurchasesMeasure(Parameters, ABC):
    """A measure of purchases and their release: parameters in the constructor, `of` the one verb."""

    unit: ClassVar[str] = "share"
    better: ClassVar[Better] = "lower"
    needs: ClassVar[tuple[Role, ...]] = ()
    needs_secret: ClassVar[bool] = False
    needs_master: ClassVar[bool] = False

    def of(self, original: Purchases, released: Purchases, secret: Pairing | None = None) -> Measured:
        """Measure a release.

        Args:
            original: the data before.
            released: the data after, under pseudonyms.
            secret: the pairing of the release, for measures that follow people through it.
        """
        name = type(self).__name__
        for data in (original, released):
            missing = [role for role in self.needs if role not in data.roles]
            if missing:
                raise InputError(f"{name} needs the role {missing[0]}, which the data lacks.", code="roles")
            if self.needs_master and data.master is None:
                raise InputError(f"{name} needs a master (one row a customer).", code="roles")
        _require_secret(self, secret)
        return Measured(self.value(original, released, secret), self.unit, self.better)

    @abstractmethod
    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float:
        """Return the bare number; what it needs has been checked."""


class MicrodataMeasure(Parameters, ABC):
    """A measure of microdata and their release: parameters in the constructor, `of` the one verb."""

    unit: ClassVar[str] = "share"
    better: ClassVar[Better] = "lower"
    needs_sa: ClassVar[bool] = False
    needs_secret: ClassVar[bool] = False

    def of(self, original: Microdata, released: Microdata, secret: Pairing | None = None) -> Measured:
        """Measure a release; see `PurchasesMeasure.of`."""
        columns.require(original.qi, released.qi)
        columns.require(original.sa, released.sa)
        if self.needs_sa and not original.sa:
            name = type(self).__name__
            raise InputError(f"{name} needs a sensitive attribute, which the data lacks.", code="roles")
        _require_secret(self, secret)
        return Measured(float(self.value(original, released, secret)), self.unit, self.better)

    @abstractmethod
    def value(self, original: Microdata, released: Microdata, secret: Pairing | None) -> float:
        """Return the bare number; what it needs has been checked."""


def _require_secret(measure: PurchasesMeasure | MicrodataMeasure, secret: Pairing | None) -> None:
    if measure.needs_secret and secret is None:
        raise ParameterError(
            f"{type(measure).__name__} follows people through the release: give the secret.", code="parameter"
        )
