"""Rules that name measures and attacks of the catalogue: whether they can be kept, and what they come to.

- A **measure** of utility is told as its own number, under its label, and scored as its loss between 0 (a
  copy) and 1, as the measure itself says how the one becomes the other: numbers of any unit can be combined.
- An **attack** guesses with everything it may know; its rate is that of people found, expected over ties. One
  that needs what a release does not show finds nobody.
- A **risk measure** may stand among the attacks: S1 and S2 of 001 do. A share is a rate as it is; the size of
  a group is the prosecutor's chance, 1 / size.
- What is **learnt** is told by rung as (share of people laid open, mean learnt), both above what could be
  claimed of everybody without the release, of the way to learn that lays most people open.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.learning import attributes
from kakurenbo.auditing.learning import purchases as records
from kakurenbo.auditing.learning.learn import MOST
from kakurenbo.auditing.words import in_words_of
from kakurenbo.catalogue import find
from kakurenbo.chance import Chance
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.table import ByKind, require_shown
from kakurenbo.errors import InputError, KakurenboError, ParameterError
from kakurenbo.risk.found import reidentification

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kakurenbo.about import Kind
    from kakurenbo.attacks.base import Attack
    from kakurenbo.auditing.learning.records import Learning
    from kakurenbo.auditing.results import Lesson
    from kakurenbo.contest.rules import Named, Rules
    from kakurenbo.measure import Measure

_SOME = 50  # people on whom it is tried whether anything can be learnt
_ALONE = "the original is all there is"
RUNGS: dict[Kind, tuple[str, ...]] = {"purchases": records.RUNGS, "microdata": attributes.RUNGS}
_LEARNING: ByKind[Learning] = ByKind(
    purchases=lambda _, *rest: records.learning_purchases(*rest),
    microdata=lambda _, *rest: attributes.learning_attributes(*rest),
)


class Rated(Protocol):
    """Something whose answer is a rate: what it finds, or could find, of people."""

    def check(self, original: Any) -> None:  # noqa: ANN401 - of either kind
        """Raise where the original does not show what it needs."""

    def rate(self, original: Any, released: Any, secret: Pairing, seed: int | None) -> float:  # noqa: ANN401
        """Return the share of people who are found, between 0 and 1."""


@dataclass(frozen=True)
class Found:
    """What an attack finds."""

    attack: Attack[Any]

    def check(self, original: Any) -> None:  # noqa: ANN401 - of either kind
        """Raise where the original does not show what it needs."""
        require_shown(self.attack.about.name, self.attack.needs, original)

    def rate(self, original: Any, released: Any, secret: Pairing, seed: int | None) -> float:  # noqa: ANN401
        """Return the share of people found, expected over ties; nobody is, where something needed is not."""
        if not {*self.attack.needs} <= original.shown & released.shown:
            return 0.0
        guess = self.attack.guess(original, released, seed=seed)
        return reidentification(secret, guess).persons_rate.value


@dataclass(frozen=True)
class Chances:
    """What a measure of risk tells: a share as it is, of the size of a group the chance in it."""

    measure: Measure[Any]

    def check(self, original: Any) -> None:  # noqa: ANN401 - of either kind
        """Raise where the original does not show what it needs."""
        require_shown(self.measure.about.name, self.measure.about.needs, original)

    def rate(self, original: Any, released: Any, secret: Pairing, seed: int | None) -> float:  # noqa: ANN401, ARG002
        """Return the share, or 1 / size."""
        value = self.measure.of(original, released, secret).value
        if self.measure.about.better == "higher":
            return 1 / value if value > 0 else 1.0
        return min(max(value, 0.0), 1.0)


@dataclass(frozen=True)
class Asked:
    """What the rules name, ready to run, by label.

    Attributes:
        measures: of utility.
        attacks: and measures of risk.
        learnt: rungs of knowledge.
    """

    measures: dict[str, Measure[Any]]
    attacks: dict[str, Rated]
    learnt: tuple[str, ...]

    @classmethod
    def of(cls, rules: Rules) -> Asked:
        """Return what rules name; an InputError with the code `rules` says what there is not."""
        try:
            measures = {one.shown: _measure(one, rules.kind) for one in rules.hide.measures}
            attacks = {one.shown: _attack(one, rules.kind) for one in rules.hide.attacks}
        except ParameterError as error:
            raise _unkept(error.message) from None
        _refuse_twins(rules.hide.measures, "hide.measures")
        _refuse_twins(rules.hide.attacks, "hide.attacks")
        there = RUNGS[rules.kind]
        if not {*rules.hide.learnt} <= {*there}:
            raise _unkept(f"hide.learnt names a rung that there is not; there are: {', '.join(there)}.")
        return cls(measures, attacks, rules.hide.learnt)

    @property
    def needs(self) -> frozenset[str]:
        """What a release must show for its use to be measured."""
        return frozenset(need for measure in self.measures.values() for need in measure.about.needs)


def check_data(asked: Asked, original: Any) -> None:  # noqa: ANN401 - of either kind
    """Refuse data that what the rules ask for cannot be told of, with the code `rules`.

    Measures are tried on a copy of the original, and what is learnt on a copy of some of its people.
    """
    people = original.people.cast(pl.String)
    for label, measure in asked.measures.items():
        with _fitting(label):
            measure.of(original, original, Pairing(people, people))
    for label, rated in asked.attacks.items():
        with _fitting(label):
            rated.check(original)
    some = original.of(original.people.head(_SOME))
    untold = [rung for rung, lesson in _worst(some, some, asked.learnt, 0).items() if lesson is None]
    if untold:
        raise _unkept(f"nobody can know {untold[0]} of these people; leave it out of hide.learnt.")


@contextmanager
def _fitting(label: str) -> Iterator[None]:
    """Say which of the rules does not fit the data."""
    try:
        yield
    except KakurenboError as error:
        raise _unkept(f"{label} does not fit the data. {error.message}") from None


def _measure(named: Named, kind: Kind) -> Measure[Any]:
    made: Measure[Any] = find(named.name, "measure", kind).what(**named.parameters)
    if made.about.kept == "risk":
        raise ParameterError(
            f"{named.name} is no measure of utility; it may stand among the attacks.", code="parameter"
        )
    return made


def _attack(named: Named, kind: Kind) -> Rated:
    try:
        return Found(find(named.name, "attack", kind).what(**named.parameters))
    except ParameterError as error:
        if error.code != "unknown-name":
            raise
        unknown = error
    try:
        made: Measure[Any] = find(named.name, "measure", kind).what(**named.parameters)
    except ParameterError as error:
        raise (unknown if error.code == "unknown-name" else error) from None
    if made.about.kept != "risk":
        raise ParameterError(f"{named.name} is no attack, and no measure of risk.", code="parameter")
    return Chances(made)


def _refuse_twins(named: Sequence[Named], where: str) -> None:
    shown = [one.shown for one in named]
    if len(set(shown)) < len(shown):
        raise _unkept(f"two of {where} have the same name; give them labels.")


def _unkept(why: str) -> InputError:
    return InputError(f"The rules cannot be kept: {why}", code="rules")


def learnt(
    original: Any,  # noqa: ANN401 - of either kind
    released: Any,  # noqa: ANN401 - of the same
    rungs: Sequence[str],
    seed: int | None,
) -> dict[str, tuple[float, ...]]:
    """Return (laid open, mean learnt) above the control for every rung: see the module."""
    return {
        rung: (0.0, 0.0) if one is None else (max(one.advantage.value, 0.0), max(one.mean - one.control, 0.0))
        for rung, one in _worst(original, released, rungs, seed).items()
    }


def _worst(
    original: Any,  # noqa: ANN401 - of either kind
    released: Any,  # noqa: ANN401 - of the same
    rungs: Sequence[str],
    seed: int | None,
) -> dict[str, Lesson | None]:
    """Return of every rung the way to learn that lays most people open; None where there is none."""
    if not rungs:
        return {}
    seen, _ = in_words_of(original, released).common_with(released)
    plain, _ = original.common_with(released)
    tables = Tables(seen, released, Chance(seed), plain)
    lessons = _LEARNING(seen, tables, _ALONE, rungs, MOST).lessons  # worst first
    return {rung: next((one for one in lessons if one.knowledge == rung), None) for rung in rungs}
