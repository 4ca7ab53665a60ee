"""Excessive anonymization (004): is a release so far from its data that its pairing may be a cheat?

Who hands out everybody's true records and declares that they belong to other people gets full marks for
utility, since nothing changed, and for security, since every attacker names the true owner and is told he is
wrong. What gives the cheat away is the distance between a person and the record declared to be his. So the
organiser of a contest, or the officer who gets a release and its secret, sums these distances and refuses a
sum that a mere shuffle would reach.

| | a release is excessive when | 004 |
|---|---|---|
| approach II, average | d(T, T'; p), the sum over all people, > t (the default) | eq. 3 |
| approach II, strict | somebody is farther than t/n from his record | section 2.2 |
| approach I, average | the sum of distances to the nearest **other** original <= t | ours, after eq. 2 |
| approach I, strict | some record is within t/n of the original of another | eq. 2 |

d = t is accepted under approach II (Theorem 1 proves >; the introduction prints >=). Approach I looks the
other way, and a record pushed a little away from its true owner passes it (004 figure 4).

004 reads goods and pieces. Where there are times and prices, the default reads them too, see `readings`: one
that can tell and is as far as a shuffle makes the release excessive, whatever the goods say.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from kakurenbo.data.groups import groups
from kakurenbo.data.owners import Owners, followed
from kakurenbo.kernels import distances
from kakurenbo.parameters import Parameters
from kakurenbo.risk.excess.aligned import aligned, fitting, rows
from kakurenbo.risk.excess.limits import Limits, limits
from kakurenbo.risk.excess.readings import Reading, readings
from kakurenbo.theory import is_excessive

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.table import Data, Table

_BITS = 50  # 004 section 4.3.3

Approach = Literal["I", "II"]
Deciding = Literal["average", "strict"]


@dataclass(frozen=True, eq=False)
class Verdict:
    """Whether a release is accepted, with everything the answer rests on.

    Attributes:
        distance: d(T, T'; p), the sum over all people.
        mean_distance: the same for one person.
        farthest: the largest distance of a person from his record.
        threshold: t, for the sum.
        judged: the number compared (a sum, or under the strict reading one person's).
        bound: what it was compared with.
        margin: how far the release is from the other verdict by the goods; negative when it is excessive.
        verdict: `accepted` or `excessive`.
        reason: why, in a sentence.
        limits: the limits for this very distance.
        readings: the distance read with times and with prices, under the default approach.
        by_person: everybody's distance, in the order of the original. Secret, like the pairing.
    """

    distance: float
    mean_distance: float
    farthest: float
    threshold: float
    judged: float
    bound: float
    margin: float
    verdict: Literal["accepted", "excessive"]
    reason: str
    limits: Limits
    readings: tuple[Reading, ...]
    by_person: NDArray[np.float64] = field(repr=False)

    @property
    def excessive(self) -> bool:
        """Whether the answer is no."""
        return self.verdict == "excessive"

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers under the JSON keys of `kakurenbo excess`."""
        names = ("distance", "mean_distance", "farthest", "threshold", "margin", "verdict", "reason")
        return {
            **{name: getattr(self, name) for name in names},
            "mean_threshold": self.threshold / self.limits.people, **self.limits.to_dict(),
            "readings": [
                {**asdict(reading), "applies": reading.applies, "excessive": reading.excessive}
                for reading in self.readings
            ],
        }  # fmt: skip


class Excess(Parameters):
    """Judge the distance between data and release; see the module for approaches and readings."""

    distance: Literal["multiset", "set", "euclid"] | None = Field(
        None, description="between two people; none given means multiset for purchases, euclid for microdata"
    )
    approach: Approach = Field("II", description="II: too far from oneself; I: too near to another")
    reading: Deciding = Field("average", description="average: the sum decides; strict: every single person")
    r: tuple[Annotated[int, Field(ge=0)], ...] = Field(
        (0, 1, 19, 47, 99), description="fixed points to tell s_lower and s_exact for; more than all are all"
    )
    t: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="threshold for the sum, by hand; none given means the recommended one",
    )
    certainty: int | None = Field(
        None,
        ge=0,
        le=10_000,
        description="bits x: a random cheat is caught with probability 1 - 2^-x; none given means the "
        "contest's l, or 50 bits where groups are named",
    )
    by: tuple[str, ...] = Field((), description="columns of the master whose groups a cheat stays inside")
    solves: int | None = Field(
        None, ge=0, description="assignments to solve for s_exact, 0 for no s_exact; none given means enough"
    )
    close: float = Field(
        0.0, ge=0, description="seconds for an integer programme to close each open bracket of s_exact"
    )

    def limits(self, original: Table) -> Limits:
        """Return the limits for the original data, before there is any release."""
        measure = fitting(original, self.distance)
        return limits(
            rows(original, measure), measure, r=self.r, groups=groups(original, self.by),
            certainty=self._bits, solves=self.solves, seconds=self.close,
        )  # fmt: skip

    @property
    def _bits(self) -> int | None:
        return _BITS if self.by and self.certainty is None else self.certainty

    def threshold(self, found: Limits) -> float:
        """Return t: by hand, or the limit of the approach; refuse when there is no admissible one."""
        if self.t is not None:
            return self.t
        return found.recommended if self.approach == "II" else found.low

    def judge(
        self, original: Data, released: Data, secret: Pairing | Owners, found: Limits | None = None
    ) -> Verdict:
        """Judge a release.

        Args:
            original: the data before.
            released: the data after, under pseudonyms.
            secret: the pairing that was declared for it; a customer's names count together.
            found: the limits of the original, if already known.
        """
        owners = Owners.of(secret)
        owners.check(original, released)
        released, pairing = followed(released, owners)
        known = found or self.limits(original)
        t = self.threshold(known)
        before, after = aligned(original, released, pairing, known.measure)
        apart = distances.along(before, after, known.measure)
        looked_at = apart if self.approach == "II" else distances.nearest_other(after, before, known.measure)
        read = self._readings(original, released, pairing, known)
        return self._verdict(apart, looked_at, t, known, read)

    def on_sample(
        self,
        original: Data,
        released: Data,
        secret: Pairing,
        *,
        apart: NDArray[np.float64],
        known: Limits,
        t: float,
    ) -> Verdict:
        """Judge some people alone, whose distances and limits are known, against their part of t."""
        return self._verdict(apart, apart, t, known, self._readings(original, released, secret, known))

    def _readings(
        self, original: Data, released: Data, secret: Pairing, known: Limits
    ) -> tuple[Reading, ...]:
        """Read the distance with times and prices, where its limit is the recommended one for the sum."""
        if (self.approach, self.reading, self.t) != ("II", "average", None):
            return ()
        members = groups(original, self.by)
        return tuple(
            readings(original, released, secret, measure=known.measure, groups=members, certainty=self._bits)
        )

    def _verdict(
        self,
        apart: NDArray[np.float64],
        looked_at: NDArray[np.float64],
        t: float,
        known: Limits,
        read: tuple[Reading, ...],
    ) -> Verdict:
        n, total = known.people, math.fsum(apart.tolist())
        if self.reading == "average":
            judged, bound = math.fsum(looked_at.tolist()), t
        else:
            judged, bound = float(looked_at.max() if self.approach == "II" else looked_at.min()), t / n
        if self.approach == "II":
            excessive, margin = is_excessive(judged, bound), bound - judged
        else:
            excessive, margin = judged <= bound, judged - bound
        return Verdict(
            distance=total, mean_distance=total / n, farthest=float(apart.max()), threshold=t,
            judged=judged, bound=bound, margin=margin,
            verdict="excessive" if excessive or any(one.excessive for one in read) else "accepted",
            reason=" ".join([self._reason(judged, bound, known, excessive=excessive), *map(str, read)]),
            limits=known, readings=read, by_person=apart,
        )  # fmt: skip

    def _reason(self, judged: float, bound: float, known: Limits, *, excessive: bool) -> str:
        who = "the sum of all distances" if self.reading == "average" else "one person's distance"
        what = "from the own record" if self.approach == "II" else "to the nearest other person"
        if self.approach == "II":
            sign = ">" if excessive else "<="
            means = "as far as a shuffled pairing would be" if excessive else "nearer than a shuffled pairing"
        else:
            sign = "<=" if excessive else ">"
            means = "a record lies on somebody else's" if excessive else "no record lies on somebody else's"
        share = f" (mean {judged / known.people:.4f})" if self.reading == "average" else ""
        return f"By {known.measure}, {who} {what} is {judged:.6g}{share} {sign} {bound:.6g}: {means}."
