"""The limits between which a threshold for the distance must lie, for given data and one distance.

Below n Min / 2 nobody could be confused with anybody: there is no room to anonymize. Above s_lower(l) a cheat
that leaves at most l people in place may slip through. l is chosen so that a random cheat leaves more than l
in place with negligible probability; how a cheat of groups does depends on the groups, not on n.

Of some people drawn from many, limits are bounds: what a shuffle costs at least, s_lower(r), is not below n
times the lower end of the mean distance's interval less r, since nobody is farther than 1; the smallest
distance of the sample is not below that of all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo import theory
from kakurenbo.errors import InputError
from kakurenbo.kernels import distances
from kakurenbo.kernels.permutations import Bracket, s_exact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from kakurenbo.kernels.distances import Distance, People

CONTEST_LIMIT, CONTEST_PEOPLE = 99, 400  # 004 section 4.3.3: 47 groups of sex and nation among 400 people
DENSE = 6000  # people up to whom the matrix of all distances is held for s_exact
EXACT = 2000  # people up to whom as many assignments are solved as it takes
SHUFFLED = 1_000  # people above whom the chances of a shuffle no longer change
_Z95 = 1.959963984540054


@dataclass(frozen=True)
class Mean:
    """The mean of a number of people, with its 95 % interval where they were drawn out of `everybody`."""

    value: float
    low: float
    high: float
    people: int
    everybody: int

    @classmethod
    def of(cls, values: NDArray[np.float64], everybody: int) -> Mean:
        """Estimate the mean over everybody from some, drawn by chance, whose distances are 1 at most."""
        people, value = len(values), math.fsum(values.tolist()) / len(values)
        if people == everybody:
            return cls(value, value, value, people, everybody)
        left = max(1 - people / everybody, 0.0)
        half = _Z95 * math.sqrt(left * float(values.var(ddof=1)) / people) if people > 1 else 1.0
        return cls(value, max(value - half, 0.0), min(value + half, 1.0), people, everybody)

    @property
    def complete(self) -> bool:
        """Whether nobody was left out."""
        return self.people == self.everybody

    def interval(self, name: str) -> dict[str, float | None]:
        """Return the ends of the interval under keys of this name; there is none of everybody."""
        ends = {"low": self.low, "high": self.high}
        return {f"{name}_{end}": None if self.complete else value for end, value in ends.items()}


@dataclass(frozen=True, eq=False)
class Limits:
    """What a threshold for the sum of all distances must obey.

    Attributes:
        measure: the distance all of it speaks of.
        people: n.
        minimum: Min, the smallest distance between two people.
        low: n Min / 2, the shortage bound; t must lie above it.
        high: s_lower(l); t must not lie above it.
        l: how many people a cheat may leave in place and still be caught.
        s_lower: (r, value) for every r asked for.
        s_exact: the bracket of every r asked for; empty where there are too many people for the matrix.
        groups: sizes of the groups inside which the cheats shuffle; one group for a plain shuffle.
        nearest: how far people are from the nearest other.
    """

    measure: Distance
    people: int
    minimum: float
    low: float
    high: float
    l: int  # noqa: E741 - the paper's l
    s_lower: tuple[tuple[int, float], ...]
    s_exact: tuple[Bracket, ...]
    groups: tuple[int, ...]
    nearest: Mean

    @property
    def certainty(self) -> tuple[tuple[int, Fraction], ...]:
        """(r, q*(r)) for every r asked for: the probability that a shuffle leaves at most r in place."""
        return tuple((r, theory.grouped_fixed_points_at_most(self.groups, r)) for r, _ in self.s_lower)

    @property
    def recommended(self) -> float:
        """The largest admissible threshold, s_lower(l); an error that explains itself where there is none."""
        try:
            return theory.admissible_thresholds(self.people, self.minimum, self.high).high
        except ValueError:
            raise InputError(
                f"No threshold both stops cheats and leaves room to anonymize: it would have to lie above "
                f"n Min / 2 = {self.low:.6g} and not above s_lower({self.l}) = {self.high:.6g}. Ask for less "
                f"certainty or fewer groups, choose another distance, or set t by hand.",
                code="no-threshold",
                parameter="t",
            ) from None

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers under the JSON keys of `kakurenbo excess`."""
        return {
            "measure": self.measure, "people": self.people, "minimum": self.minimum,
            "limit_low": self.low, "limit_high": self.high, "l": self.l, "groups": len(self.groups),
            "s_lower": [{"r": r, "value": value} for r, value in self.s_lower],
            "s_exact": [
                {"r": b.r, "lower": b.lower, "upper": b.upper, "exact": b.exact, "programme": b.programme}
                for b in self.s_exact
            ],
            "certainty": [
                {"r": r, "text": theory.format_certainty(q), "log2_rest": _finite(theory.log2_complement(q))}
                for r, q in self.certainty
            ],
            "sampled_people": 0 if self.nearest.complete else self.nearest.people,
            **self.nearest.interval("mean_nearest"),
        }  # fmt: skip


def limits(
    people: People,
    measure: Distance,
    *,
    r: Sequence[int],
    groups: NDArray[np.int64],
    certainty: int | None = None,
    solves: int | None = None,
    seconds: float = 0,
) -> Limits:
    """Find the limits for these people.

    Args:
        people: one row each.
        measure: the distance between two of them.
        r: numbers of fixed points to tell the bounds for; those above n are told for n.
        groups: the group of each, inside which a cheat shuffles.
        certainty: bits x of the wanted certainty 1 - 2^-x, which gives l; none given means the contest's l.
        solves: how many assignments s_exact may take, 0 for no s_exact; none given means by their number.
        seconds: how long an integer programme may try to close each open bracket of s_exact.
    """
    if people.shape[0] < 2:
        raise InputError("Limits need two people or more: who is alone is nobody's neighbour.", code="limit")
    nearest = distances.nearest_other(people, people, measure)
    if not np.isfinite(nearest).all():
        raise InputError("The numbers are too large for a distance.", code="limit")
    known = bounds(nearest, len(nearest), measure, r=r, groups=groups, certainty=certainty)
    asked = [fixed for fixed, _ in known.s_lower]
    brackets = _exact(people, measure, asked, nearest=nearest, solves=solves, seconds=seconds)
    return replace(known, s_exact=brackets)


def bounds(
    nearest: NDArray[np.float64],
    n: int,
    measure: Distance,
    *,
    r: Sequence[int],
    groups: NDArray[np.int64],
    certainty: int | None = None,
) -> Limits:
    """Return the limits but for s_exact, from how far people are from the nearest other of all n."""
    mean, minimum = Mean.of(nearest, n), float(nearest.min())
    sizes = np.unique(groups, return_counts=True)[1].tolist()
    most = contest_limit(n) if certainty is None else theory.smallest_limit(sizes, certainty)

    def lower(fixed: int) -> float:
        return theory.s_lower(nearest, fixed) if mean.complete else max(n * mean.low - fixed, 0.0)

    return Limits(
        measure=measure, people=n, minimum=minimum, low=theory.shortage_bound(n, minimum), high=lower(most),
        l=most, s_lower=tuple((fixed, lower(fixed)) for fixed in sorted({min(one, n) for one in r})),
        s_exact=(), groups=tuple(sizes), nearest=mean,
    )  # fmt: skip


def contest_limit(n: int) -> int:
    """Return the contest's l: 99, or for fewer than 400 people the same share of them."""
    return CONTEST_LIMIT if n >= CONTEST_PEOPLE else n * CONTEST_LIMIT // CONTEST_PEOPLE


def _exact(
    people: People,
    measure: Distance,
    asked: list[int],
    *,
    nearest: NDArray[np.float64],
    solves: int | None,
    seconds: float,
) -> tuple[Bracket, ...]:
    n = people.shape[0]
    if solves == 0 or not asked or (solves is None and n > DENSE):
        return ()
    budget = 1 if solves is None and n > EXACT else solves
    matrix = distances.matrix(people, measure)
    return tuple(s_exact(matrix, asked, mdis=nearest, solves=budget, seconds=seconds))


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
