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

A mean over people can be had from some of them: how far people are from the records declared theirs, and
how far from the nearest other person, who is looked for among everybody. A release is accepted where the
upper end of its own interval keeps the limit; sums are scaled to all people. With times and prices only the
people drawn are held against one another, which makes that limit laxer than it is for all.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import numpy as np
from pydantic import Field

from kakurenbo.data.blocks import Blocks, in_blocks
from kakurenbo.data.groups import groups
from kakurenbo.data.owners import Owners, followed
from kakurenbo.data.sampling import draw_and_fetch, places, sample
from kakurenbo.errors import ParameterError
from kakurenbo.kernels import distances
from kakurenbo.kernels.nearest import top
from kakurenbo.parameters import Parameters
from kakurenbo.risk.excess.aligned import aligned, fitting, rows
from kakurenbo.risk.excess.limits import SHUFFLED, Limits, Mean, bounds, limits
from kakurenbo.risk.excess.readings import Reading, readings
from kakurenbo.theory import is_excessive

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.table import Data, Table
    from kakurenbo.kernels.distances import Distance
    from kakurenbo.kernels.nearest import Matrix, Similarity
    from kakurenbo.progress import Progress

    Floats = NDArray[np.float64]

PEOPLE = 2_000  # who are drawn from blocks, unless so many are asked for
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
        mean: the mean distance; the upper end of its interval is judged where people were drawn.
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
    mean: Mean
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
            **self.mean.interval("mean_distance"),
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
            found: the limits of the original, if already known; where they speak of more people, those here
                were drawn from them and are judged for all.
        """
        owners = Owners.of(secret)
        owners.check(original, released)
        released, pairing = followed(released, owners)
        known = found or self.limits(original)
        if not known.nearest.complete:
            self.refuse_sample()
        t = self.threshold(known)
        before, after = aligned(original, released, pairing, known.measure)
        apart = distances.along(before, after, known.measure)
        looked_at = apart if self.approach == "II" else distances.nearest_other(after, before, known.measure)
        read = self._readings(original, released, pairing, known)
        return self._verdict(apart, looked_at, t, known, read)

    def refuse_sample(self) -> None:
        """Refuse to judge people for more than they are by what must be known of every single one."""
        if self.approach != "II" or self.reading != "average" or self.by:
            raise ParameterError(
                "On a sample of people only the average under approach II can be judged, without groups; "
                "take all people as targets, or hold the table in memory.",
                code="parameter",
                parameter="targets",
            )

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
        n, mean = known.people, Mean.of(apart, known.people)
        if self.reading == "average":
            judged, bound = (math.fsum(looked_at.tolist()) if mean.complete else n * mean.high), t
        else:
            judged, bound = float(looked_at.max() if self.approach == "II" else looked_at.min()), t / n
        if self.approach == "II":
            excessive, margin = is_excessive(judged, bound), bound - judged
        else:
            excessive, margin = judged <= bound, judged - bound
        reason = self._reason(judged, bound, known, mean, excessive=excessive)
        return Verdict(
            distance=math.fsum(apart.tolist()) * (n / mean.people), mean_distance=mean.value,
            farthest=float(apart.max()), threshold=t, judged=judged, bound=bound, margin=margin,
            verdict="excessive" if excessive or any(one.excessive for one in read) else "accepted",
            reason=" ".join([reason, *map(str, read)]), limits=known, readings=read, mean=mean,
            by_person=apart,
        )  # fmt: skip

    def _reason(self, judged: float, bound: float, known: Limits, mean: Mean, *, excessive: bool) -> str:
        who = "the sum of all distances" if self.reading == "average" else "one person's distance"
        what = "from the own record" if self.approach == "II" else "to the nearest other person"
        if self.approach == "II":
            sign = ">" if excessive else "<="
            means = "as far as a shuffled pairing would be" if excessive else "nearer than a shuffled pairing"
        else:
            sign = "<=" if excessive else ">"
            means = "a record lies on somebody else's" if excessive else "no record lies on somebody else's"
        if not mean.complete:
            some = f"{mean.people:,} of {known.people:,} people"
            means = "it may be as far as a shuffled pairing" if excessive else means
            return (
                f"By {known.measure}, the mean distance of {some} {what} is {mean.value:.4f}, "
                f"at most {mean.high:.4f} {sign} {bound / known.people:.4f}: {means}."
            )
        share = f" (mean {judged / known.people:.4f})" if self.reading == "average" else ""
        return f"By {known.measure}, {who} {what} is {judged:.6g}{share} {sign} {bound:.6g}: {means}."


def limits_and_verdict(
    judge: Excess,
    original: Table | Blocks,
    released: Table | Blocks | None = None,
    secret: Owners | Pairing | None = None,
    *,
    people: int | None = None,
    chance: Chance,
    progress: Progress,
) -> tuple[Limits, Verdict | None]:
    """Find the limits of data of any size, and judge a release of it.

    Args:
        judge: how; of a sample only the average under approach II can be judged, without groups.
        original: the data before.
        released: the data after; None tells the limits alone.
        secret: the pairing declared for it.
        people: how many to sample, None for everybody.
        chance: of the run.
        progress: told how far it is.
    """
    before, after, owners, known = cast("Any", original), cast("Any", released), secret, None
    if isinstance(original, Blocks) or people is not None:
        blocks = in_blocks(before)
        if after is None or secret is None:
            before = draw_and_fetch(blocks, people, chance, progress=progress)
        else:
            some = sample(blocks, in_blocks(after), secret, people, chance, progress=progress)
            before, after, owners = some.original, some.released, some.owners
        if len(before.customers) < blocks.whole.counts["customers"]:
            known = _bounds(judge, blocks, before, progress)
    if known is None:
        progress.step("finding the limits")
        known = judge.limits(before)
    if after is None or owners is None:
        return known, None
    progress.step("following everybody")
    return known, judge.judge(before, after, owners, known)


def _bounds(judge: Excess, blocks: Blocks, some: Purchases, progress: Progress) -> Limits:
    """Return limits for everybody, from how far some people are from the nearest other person."""
    judge.refuse_sample()
    goods, everybody = blocks.whole.goods, blocks.whole.counts["customers"]
    measure = fitting(some, judge.distance)
    work = _NearestOther(goods, some.customers, _rows(some, goods, measure), measure)
    best = np.zeros(len(some.customers))
    for found in blocks.map(work, progress=progress, doing="looking for neighbours"):
        best = np.maximum(best, found)
    shuffled = np.zeros(min(everybody, SHUFFLED), dtype=np.int64)
    return bounds(1 - best, everybody, measure, r=judge.r, groups=shuffled, certainty=judge.certainty)


@dataclass(frozen=True, eq=False)
class _NearestOther:
    """How like each of the sample the likest other person of a block is."""

    goods: pl.Series
    people: pl.Series
    rows: Matrix
    measure: Distance

    def __call__(self, block: Purchases) -> Floats:
        theirs = _rows(block, self.goods, self.measure)
        himself = places(self.people, block.customers)
        likeness: Similarity = "jaccard" if self.measure == "set" else "multiset"
        best = top(self.rows, theirs, min(2, theirs.shape[0]), likeness)
        own = best.indices == himself[:, None]
        scores: Floats = np.where(own, 0.0, best.score).max(axis=1)
        return scores


def _rows(block: Purchases, goods: pl.Series, measure: Distance) -> Matrix:
    return block.baskets(quantity=measure == "multiset").over(goods).matrix
