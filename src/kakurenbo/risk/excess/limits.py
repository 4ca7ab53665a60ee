"""The limits between which a threshold for the distance must lie, for given data and one distance.

Below n Min / 2 nobody could be confused with anybody: there is no room to anonymize. Above s_lower(l) a cheat
that leaves at most l people in place may slip through. l is chosen so that a random cheat leaves more than l
in place with negligible probability; how a cheat of groups does depends on the groups, not on n.
"""

from __future__ import annotations

from dataclasses import dataclass
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
    n = people.shape[0]
    if n < 2:
        raise InputError("Limits need two people or more: who is alone is nobody's neighbour.", code="limit")
    asked = sorted({min(fixed, n) for fixed in r})
    sizes = np.unique(groups, return_counts=True)[1].tolist()
    most = contest_limit(n) if certainty is None else theory.smallest_limit(sizes, certainty)
    nearest = distances.nearest_other(people, people, measure)
    if not np.isfinite(nearest).all():
        raise InputError("The numbers are too large for a distance.", code="limit")
    minimum = float(nearest.min())
    return Limits(
        measure=measure, people=n, minimum=minimum, low=theory.shortage_bound(n, minimum),
        high=theory.s_lower(nearest, most), l=most,
        s_lower=tuple((fixed, theory.s_lower(nearest, fixed)) for fixed in asked),
        s_exact=_exact(people, measure, asked, nearest=nearest, solves=solves, seconds=seconds),
        groups=tuple(sizes),
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
