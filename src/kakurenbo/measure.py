"""What every measure shares: a number with its unit and direction, from data and its release.

A measure of utility compares the two tables; a measure of risk looks at the groups people hide in. Some need
the secret pairing to know who became whom, some need columns a table may not have: both are declared, and
asking for what is not there is one clear error.

Measures of utility speak in different units, so each also says how its number becomes a loss between 0 (a
copy) and 1, see `MeasureAbout`: no measure can drown the others in a mean, and a larger cost is always a
larger loss.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic

from kakurenbo.about import Better, MeasureAbout
from kakurenbo.data.owners import followed
from kakurenbo.data.table import Data, require_shown
from kakurenbo.errors import ParameterError
from kakurenbo.parameters import Parameters

if TYPE_CHECKING:
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing


@dataclass(frozen=True, slots=True)
class Measured:
    """A number that knows its unit and which direction is better."""

    value: float
    unit: str
    better: Better


class Measure(Parameters, ABC, Generic[Data]):
    """A measure of a table and its release: parameters in the constructor, `of` the one verb."""

    about: ClassVar[MeasureAbout]

    def of(self, original: Data, released: Data, secret: Owners | Pairing | None = None) -> Measured:
        """Measure a release.

        Args:
            original: the data before.
            released: the data after, under pseudonyms.
            secret: the pairing of the release, for measures that follow people through it; where a customer
                has several names, his purchases under all of them are his.
        """
        name = type(self).__name__
        require_shown(name, self.about.needs, original, released)
        original.require_columns_of(released)
        if self.about.secret and secret is None:
            raise ParameterError(
                f"{name} follows people through the release: give the secret.", code="parameter"
            )
        pairing = None
        if self.about.secret and secret is not None:
            released, pairing = followed(released, secret)
        return Measured(float(self.value(original, released, pairing)), self.about.unit, self.about.better)

    @abstractmethod
    def value(self, original: Data, released: Data, secret: Pairing | None) -> float:
        """Return the bare number; what it needs has been checked."""

    def size(self, original: Data) -> float:
        """Return what the original has of that which a cost counts: its rows."""
        return float(len(original))

    def loss(self, value: float, original: Data) -> float:
        """Return the share of the use that is lost, 0 for a copy, 1 at most."""
        if self.about.kept == "risk":
            raise ParameterError(f"{type(self).__name__} says nothing about use.", code="parameter")
        if self.about.kept == "similarity":
            return min(max(1.0 - value, 0.0), 1.0)
        if self.about.kept == "share":
            return min(value, 1.0)
        size = self.size(original)
        return 1.0 - size / (size + value) if value else 0.0
