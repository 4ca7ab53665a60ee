"""What every measure shares: a number with its unit and direction, from data and its release.

A measure of utility compares the two tables; a measure of risk looks at the groups people hide in. Some need
the secret pairing to know who became whom, some need columns a table may not have: both are declared, and
asking for what is not there is one clear error. What cannot be measured is refused too, and never called 0.

A release may write goods, times and prices in coarser words than the original. A measure says on its class
whether it compares with the original as it is, or with the original in the words of the release: then
coarsening costs it nothing, and only what was done beyond it counts. What coarsening itself costs is measured
once, by `detail`.

Measures of utility speak in different units, so each also says how its number becomes a loss between 0 (a
copy) and 1, see `MeasureAbout`: no measure can drown the others in a mean, and a larger cost is always a
larger loss.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, cast

import numpy as np

from kakurenbo.about import Better, MeasureAbout
from kakurenbo.chance import Chance
from kakurenbo.data.owners import Owners, followed
from kakurenbo.data.sampling import TARGETS, parts_of, random_groups, sample
from kakurenbo.data.table import Data, require_shown, require_tables
from kakurenbo.errors import KakurenboError, ParameterError
from kakurenbo.mappings import common_vocabulary
from kakurenbo.mappings.in_blocks import InWords, keeping
from kakurenbo.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Secret
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.sampling import Sample
    from kakurenbo.progress import Progress

_GROUPS = 10
_LEAST = {"similarity": -1.0, "share": 0.0, "points": 0.0, "cost": 0.0}  # that a measure can say
_FARTHER = 1.25  # than the drift is estimated, since groups tell it but roughly


@dataclass(frozen=True, slots=True)
class Measured:
    """A number that knows its unit and which direction is better.

    Attributes:
        value: the number.
        unit: of the number.
        better: which direction is better.
        detail: further figures it rests on, by their names; two that end in `before` and `after` belong
            together.
    """

    value: float
    unit: str
    better: Better
    detail: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sampled(Measured):
    """A number measured on some of the people.

    Attributes:
        low: the lower end of the 95 % interval that says what sampling costs, with `high` its upper end.
        people: on how many it was measured.
        everybody: out of how many.
        paired: whether the same people were followed into the release; else as many names were drawn apart,
            which by itself makes the tables differ.
    """

    low: float = 0.0
    high: float = 0.0
    people: int = 0
    everybody: int = 0
    paired: bool = True


@dataclass(frozen=True, slots=True)
class Detailed:
    """A bare number with the further figures it rests on."""

    value: float
    detail: Mapping[str, float]


class Measure(Parameters, ABC, Generic[Data]):
    """A measure of a table and its release: parameters in the constructor, `of` the one verb."""

    about: ClassVar[MeasureAbout]

    def of(
        self,
        original: Data,
        released: Data,
        secret: Owners | Pairing | None = None,
        *,
        spoken: Data | None = None,
    ) -> Measured:
        """Measure a release.

        Args:
            original: the data before.
            released: the data after, under pseudonyms.
            secret: the pairing of the release, for measures that follow people through it; where a customer
                has several names, his purchases under all of them are his.
            spoken: the original in the words of the release, record by record, where it is at hand; what
                needs it makes it otherwise.
        """
        require_tables(f"{type(self).__name__}.of", original=original, released=released)
        self._require(original, released, secret)
        original.require_columns_of(released)
        pairing = None
        if self.about.secret and secret is not None:
            if self.about.names:
                pairing = Owners.of(secret).first
            else:
                released, pairing = followed(released, secret)
        before = original if self.about.words == "own" else self._spoken(original, released, spoken)
        found = self.value(before, released, pairing)
        told = found if isinstance(found, Detailed) else Detailed(float(found), {})
        return Measured(float(told.value), self.about.unit, self.about.better, told.detail)

    def of_blocks(
        self,
        original: Blocks,
        released: Blocks,
        secret: Owners | Pairing | None = None,
        *,
        targets: int | None = TARGETS,
        seed: int | None = None,
        progress: Progress | None = None,
    ) -> Sampled:
        """Measure a release of any size: all of it where passes can, else some people, with what that costs.

        What follows from counts is told of everybody, whoever is drawn; only how the release writes is
        inferred from 10,000 people. Of what is measured on a sample, counts are those of the sample times
        everybody / people, with an interval from `Groups`.

        Args:
            original: the data before, in blocks.
            released: the data after, in blocks.
            secret: who is who; without it names are drawn apart from people.
            targets: on how many people to measure, None for everybody.
            seed: makes the draw repeatable.
            progress: told how far it is.
        """
        self._require(cast("Any", original.whole), cast("Any", released.whole), secret)
        chance, everybody = Chance(seed), original.whole.counts["customers"]
        draw = partial(sample, original, released, secret, chance=chance, progress=progress)
        spoken = original
        if self.about.words == "released":
            spoken = InWords(original, released, partial(draw, wanted=TARGETS), self.about.own)
        exact = self.in_blocks(spoken, released, secret)
        if exact is not None:
            told = exact if isinstance(exact, Detailed) else Detailed(float(exact), {})
            return self._sampled(told, (told.value, told.value), everybody, everybody, paired=True)
        some = draw(wanted=targets)
        words = None if some.complete else common_vocabulary(some.original, some.released).original
        before, after = cast("Data", some.original), cast("Data", some.released)
        found = self.of(before, after, some.owners, spoken=cast("Any", words))
        groups = Groups.of(some, words, chance)
        value, low, high = groups.told(self, found.value)
        told = Detailed(value, found.detail)
        ends = (-math.inf if low is None else low, math.inf if high is None else high)
        return self._sampled(told, ends, some.people, everybody, paired=some.owners is not None)

    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> float | Detailed | None:  # noqa: ARG002
        """Return the number of all people, where passes over the blocks can tell it exactly; else None.

        Args:
            original: the data before, in the words that the measure asks for; only its whole is in its own.
            released: the data after.
            secret: who is who, for a measure that follows people.
        """
        return None

    def _require(self, original: Data, released: Data, secret: Owners | Pairing | None) -> None:
        """Refuse tables that do not show what the measure needs, and to follow people without the secret."""
        name = type(self).__name__
        require_shown(name, self.about.needs, original, released)
        if self.about.secret and secret is None:
            raise ParameterError(
                f"{name} follows people through the release: give the secret.", code="parameter"
            )

    def _sampled(
        self, found: Detailed, ends: tuple[float, float], people: int, everybody: int, *, paired: bool
    ) -> Sampled:
        return Sampled(
            found.value, self.about.unit, self.about.better, found.detail, *ends, people, everybody, paired
        )

    def _spoken(self, original: Any, released: Any, spoken: Any) -> Any:  # noqa: ANN401 - purchases
        """Return the original in the words of the release, but for the roles that keep their own values."""
        if spoken is None:
            spoken = common_vocabulary(original, released).original
        return keeping(original, spoken, self.about.own)

    @abstractmethod
    def value(self, original: Data, released: Data, secret: Pairing | None) -> float | Detailed:
        """Return the bare number, with further figures if there are any; what it needs has been checked.

        Args:
            original: the data before, in the words that the measure asks for.
            released: the data after; of a measure that follows people, gathered to one name a person, unless
                it looks at names.
            secret: who is who, for a measure that follows people.
        """

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
        if self.about.kept == "points":
            return min(value / self.about.points, 1.0)
        size = self.size(original)
        return 1.0 - size / (size + value) if value else 0.0


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups into which people drawn are dealt, to tell how far what is measured on them may be off.

    The measure is taken of each group, which costs no more than taking it once more of all. How much groups
    differ says what drawing costs. Where groups lie to one side of all of them, as differences of
    distributions do in small samples, the number itself does: such a drift falls with the root of the number
    of people, and the interval reaches as far as it will fall. What rests on rare people, or on counts that
    must pass a limit, as rules do, is covered worse than the interval says.

    Attributes:
        some: the people drawn.
        each: those of every group, with their originals in the words of the release; empty where groups are
            too small.
    """

    some: Sample
    each: tuple[tuple[Sample, Purchases], ...]

    @classmethod
    def of(cls, some: Sample, spoken: Purchases | None, chance: Chance) -> Groups:
        """Deal the people drawn.

        Args:
            some: these people.
            spoken: their originals in the words of the release; None where nobody was left out.
            chance: deals them.
        """
        if some.complete or spoken is None or some.people < _GROUPS:
            return cls(some, ())
        try:
            parts = parts_of(some, _GROUPS, chance)
            return cls(some, tuple((part, spoken.of(part.original.customers)) for part in parts))
        except KakurenboError:  # such as where nobody of a group is in the release
            return cls(some, ())

    def told(self, measure: Measure[Any], value: float) -> tuple[float, float | None, float | None]:
        """Return what a measure says of everybody, given what it says of those drawn, and its 95 % interval.

        A count is scaled to everybody. There is no interval where groups are too small to measure anything.
        """
        scale = self.some.everybody / self.some.people if measure.about.kept == "cost" else 1.0
        ends = (0.0, 0.0) if self.some.complete else self._spread(measure, value)
        value *= scale
        if ends is None:
            return value, None, None
        low = max(value - scale * ends[0], _LEAST.get(measure.about.kept, -math.inf))
        return value, low, value + scale * ends[1]

    def _spread(self, measure: Measure[Any], value: float) -> tuple[float, float] | None:
        """Return how far the interval reaches below and above a value; None where groups are too small."""
        if not self.each:
            return None
        counted = measure.about.kept == "cost"
        try:
            each = np.array([
                measure.of(part.original, part.released, part.owners, spoken=spoken).value
                * (self.some.people / part.people if counted else 1.0)
                for part, spoken in self.each
            ])  # fmt: skip
        except KakurenboError:
            return None
        if not np.isfinite(each).all():
            return None
        share = self.some.people / self.some.everybody
        half = random_groups(each.tolist()) * math.sqrt(1 - share)
        drift = _FARTHER * (1 - math.sqrt(share)) * (float(each.mean()) - value) / (math.sqrt(_GROUPS) - 1)
        return half + max(drift, 0.0), half + max(-drift, 0.0)
