"""The aim of a release: which measures count, because of what the data is for.

A mean over everything that can be measured tells nobody what the data is still good for. Who studies
customers needs their histories whole, who studies baskets needs what was bought together, who studies trends
needs sums. So a search can be told the purpose; every measure declares the purposes that it serves. Or it is
told by weights, measure by measure.

What a release does not show any more, so that a measure cannot be taken of it at all, is lost whole: leaving
out a column is no way to look good.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

import polars as pl

from kakurenbo.about import PURPOSES, Purpose
from kakurenbo.catalogue import entries
from kakurenbo.data.pairing import Pairing
from kakurenbo.errors import KakurenboError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kakurenbo.auditing.results import Kept
    from kakurenbo.catalogue import Entry
    from kakurenbo.data.table import Table

OWN = "own weights"


@dataclass(frozen=True)
class Aim:
    """What a release is for.

    Attributes:
        name: a purpose, `own weights`, or nothing where all measures count alike.
        weights: how much every measure counts that counts at all.
    """

    name: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Table, purpose: str | None = None, weights: Mapping[str, float] | None = None) -> Aim:
        """Return the aim of a search on this data.

        Args:
            data: the table to hide people in; measures that it does not allow do not count.
            purpose: customers, baskets, trends or papers; none given means all measures alike.
            weights: how much each measure counts instead, by name.
        """
        if purpose not in {None, *get_args(Purpose)}:
            raise ParameterError(f"The purpose must be one of: {', '.join(PURPOSES)}.", code="unknown-name")
        able = {entry.name: entry.what.about for entry in entries("measure", data.kind) if _able(entry, data)}
        if weights is not None:
            _check(weights, able, purpose)
            return cls(OWN, {name: float(weight) for name, weight in weights.items() if weight > 0})
        if purpose is None:
            return cls("", dict.fromkeys(able, 1.0))
        serving = [name for name, about in able.items() if purpose in about.serves]
        if not serving:
            raise ParameterError(
                f"No measure of {data.kind} serves {purpose} on these data.", code="parameter"
            )
        return cls(purpose, dict.fromkeys(serving, 1.0))

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that count."""
        return tuple(self.weights)

    @property
    def papers(self) -> bool:
        """Whether what the papers' plan gives in the papers' measures must not be traded away."""
        return self.name in {"", "papers"}

    def loss(self, kept: Sequence[Kept]) -> float:
        """Return the weighted mean loss, 0 to 1; a measure that could not be taken is lost whole."""
        losses = {measure.name: measure.loss for measure in kept}
        shares = [weight * losses.get(name, 1.0) for name, weight in self.weights.items()]
        total = math.fsum(self.weights.values())
        return math.fsum(shares) / total if total else 0.0


def _able(entry: Entry, data: Table) -> bool:
    """Tell whether a measure of use can be taken of a copy: what cannot says nothing of any release."""
    if entry.what.about.kept == "risk":
        return False
    people = data.people.cast(pl.String)
    try:
        entry.what().of(data, data, Pairing(people, people), spoken=data)
    except KakurenboError:
        return False
    return True


def _check(weights: Mapping[str, float], able: Mapping[str, object], purpose: str | None) -> None:
    if purpose is not None:
        raise ParameterError("Give a purpose or weights, not both.", code="parameter")
    unknown = [name for name in weights if name not in able]
    if unknown:
        known = ", ".join(able)
        raise ParameterError(
            f"These data have no measure of one of these names; there are: {known}.", code="unknown-name"
        )
    if any(not 0 <= weight < math.inf for weight in weights.values()) or not any(weights.values()):
        raise ParameterError("Weights are 0 or more, and one at least is above 0.", code="parameter")
