"""The distance of 004 of a table in blocks: some people's, with what sampling costs, against limits for all.

A mean over people can be had from a sample: how far people are from the records declared theirs, and how far
from the nearest other person, who is looked for among everybody. The limits are then bounds: what a shuffle
costs at least, s_lower(r), is not below n times the lower end of the mean's interval less r, since nobody is
farther than 1; the smallest distance of the sample is not below that of all. A release is accepted where the
upper end of its own interval keeps the limit. Sums are scaled to all people. With times and prices only the
people of the sample are held against one another, which makes that limit laxer than it is for all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from kakurenbo import theory
from kakurenbo.data.owners import followed
from kakurenbo.data.sampling import draw_and_fetch, places, sample
from kakurenbo.errors import ParameterError
from kakurenbo.kernels import distances
from kakurenbo.kernels.nearest import top
from kakurenbo.risk.excess.aligned import aligned, fitting
from kakurenbo.risk.excess.limits import Limits, contest_limit

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.chance import Chance
    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Owners
    from kakurenbo.data.pairing import Pairing
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.sampling import Sample
    from kakurenbo.kernels.distances import Distance
    from kakurenbo.kernels.nearest import Matrix, Similarity
    from kakurenbo.progress import Progress
    from kakurenbo.risk.excess.judge import Excess, Verdict

    Floats = NDArray[np.float64]

PEOPLE = 2_000
_Z95 = 1.959963984540054
_SHUFFLED = 1_000  # people above whom the chances of a shuffle no longer change


@dataclass(frozen=True)
class Mean:
    """The mean of a number of people, with its 95 % interval; sampled out of `everybody`."""

    value: float
    low: float
    high: float
    people: int
    everybody: int

    @classmethod
    def of(cls, values: Floats, everybody: int) -> Mean:
        """Estimate the mean over everybody from some, drawn by chance; distances lie between 0 and 1."""
        people, value = len(values), math.fsum(values.tolist()) / len(values)
        left = max(1 - people / everybody, 0.0)
        half = _Z95 * math.sqrt(left * float(values.var(ddof=1)) / people) if people > 1 else 1.0
        return cls(value, max(value - half, 0.0), min(value + half, 1.0), people, everybody)


@dataclass(frozen=True, eq=False)
class Judged:
    """Limits and verdict of a table in blocks.

    Attributes:
        limits: for all people.
        threshold: t, for the sum over all people.
        verdict: of the release; None where there was none.
        nearest: how far people are from the nearest other; None where everybody was looked at.
        distance: how far people are from their records; None likewise, or without a release.
        people: how many were looked at.
    """

    limits: Limits
    threshold: float
    verdict: Verdict | None
    people: int
    nearest: Mean | None = None
    distance: Mean | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what was sampled, under the JSON keys of `kakurenbo excess`."""
        made: dict[str, Any] = {"sampled_people": 0 if self.nearest is None else self.people}
        for name, mean in (("mean_distance", self.distance), ("mean_nearest", self.nearest)):
            made[f"{name}_low"], made[f"{name}_high"] = mean and mean.low, mean and mean.high
        return made


def excess_in_blocks(
    judge: Excess,
    original: Blocks,
    released: Blocks | None = None,
    secret: Owners | Pairing | None = None,
    *,
    people: int | None = PEOPLE,
    chance: Chance,
    progress: Progress | None = None,
) -> Judged:
    """Find the limits of a table in blocks, and judge a release of it.

    Args:
        judge: how; of a sample only the average under approach II can be judged, without groups.
        original: the data before.
        released: the data after; None tells the limits alone.
        secret: the pairing declared for it.
        people: how many to sample, None for everybody; a table of no more is judged as one in memory.
        chance: of the run.
        progress: told how far it is.
    """
    some: Sample | None = None
    if released is not None and secret is not None:
        some = sample(original, released, secret, people, chance, progress=progress)
    before = draw_and_fetch(original, people, chance, progress=progress) if some is None else some.original
    everybody, count = original.whole.counts["customers"], len(before.customers)
    if count == everybody:
        known = judge.limits(before)
        verdict = None
        if some is not None and some.owners is not None:
            verdict = judge.judge(before, some.released, some.owners, known)
        return Judged(known, judge.threshold(known), verdict, count)
    _refuse(judge)
    measure = fitting(before, judge.distance)
    mean, least = _nearest(original, before, measure, everybody, progress)
    known = _limits(judge, measure, mean, least)
    t = judge.threshold(known)
    if some is None or some.owners is None:
        return Judged(known, t, None, count, mean)
    verdict, apart = _verdict(judge, some, known, t)
    return Judged(known, t, verdict, count, mean, apart)


def _refuse(judge: Excess) -> None:
    if judge.approach != "II" or judge.reading != "average" or judge.by:
        raise ParameterError(
            "On a sample of people only the average under approach II can be judged, without groups; take "
            "all people as targets, or hold the table in memory.",
            code="parameter",
            parameter="targets",
        )


def _nearest(
    original: Blocks, some: Purchases, measure: Distance, everybody: int, progress: Progress | None
) -> tuple[Mean, float]:
    """Return how far the sample is from the nearest other person in the blocks, and the least of it."""
    goods = original.whole.goods
    work = _NearestOther(goods, some.customers, _rows(some, goods, measure), measure)
    best = np.zeros(len(some.customers))
    for found in original.map(work, progress=progress, doing="looking for neighbours"):
        best = np.maximum(best, found)
    return Mean.of(1 - best, everybody), float((1 - best).min())


def _limits(judge: Excess, measure: Distance, nearest: Mean, least: float) -> Limits:
    n = nearest.everybody
    shuffled = (min(n, _SHUFFLED),)
    most = contest_limit(n) if judge.certainty is None else theory.smallest_limit(shuffled, judge.certainty)
    lower = {r: max(n * nearest.low - r, 0.0) for r in {most, *(min(r, n) for r in judge.r)}}
    return Limits(
        measure=measure, people=n, minimum=least, low=theory.shortage_bound(n, least), high=lower[most],
        l=most, s_lower=tuple((r, lower[r]) for r in sorted({min(r, n) for r in judge.r})), s_exact=(),
        groups=shuffled,
    )  # fmt: skip


def _verdict(judge: Excess, some: Sample, known: Limits, t: float) -> tuple[Verdict, Mean]:
    if some.owners is None:
        raise AssertionError("a sample that is judged has owners")
    some.owners.check(some.original, some.released)
    released, pairing = followed(some.released, some.owners)
    before, after = aligned(some.original, released, pairing, known.measure)
    apart = distances.along(before, after, known.measure)
    mean, n = Mean.of(apart, known.people), known.people
    inside = replace(known, people=some.people)
    made = judge.on_sample(some.original, released, pairing, apart=apart, known=inside, t=t * some.people / n)
    far = mean.high * n > t
    excessive = far or any(reading.excessive for reading in made.readings)
    sign, means = (">", "it may be as far as a shuffled pairing") if far else ("<=", "nearer than a shuffle")
    reason = (
        f"By {known.measure}, the mean distance of {some.people:,} of {n:,} people from the own record is "
        f"{mean.value:.4f}, at most {mean.high:.4f} {sign} {t / n:.4f}: {means}."
    )
    return replace(
        made, distance=mean.value * n, mean_distance=mean.value, threshold=t, judged=mean.high * n, bound=t,
        margin=t - mean.high * n, verdict="excessive" if excessive else "accepted",
        reason=" ".join([reason, *map(str, made.readings)]), limits=known,
    ), mean  # fmt: skip


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
