"""The experiments: every clustering and every release is made once and shared by all tables and figures.

A seed gives Method 1 the very clusters that `Tfidf(clusters=c).release(shop, seed=seed)` would have, and
Method 2 starts from them, so the two are compared on the same ground. Where only the number of dummies is
asked for, no release is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from kakurenbo.attacks.purchases.chance import ChanceAttack
from kakurenbo.attacks.purchases.likeness import JaccardAttack
from kakurenbo.chance import Chance
from kakurenbo.deidentify.pseudonymize import Pseudonymize
from kakurenbo.deidentify.purchases.padding import pad
from kakurenbo.kernels.clusters import balance, dummies, kmeans, tfidf_kmeans
from kakurenbo.kernels.compact import compact
from kakurenbo.risk.exposure.similarity import similarity
from kakurenbo.risk.found import reidentification
from kakurenbo.utility.purchases.cross_tables import U1, U2
from kakurenbo.utility.purchases.likeness import Likeness
from kakurenbo.utility.purchases.rfm import U3

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.release import Release
    from kakurenbo.measure import Measure
    from kakurenbo.progress import Progress
    from kakurenbo.risk.exposure.similarity import Similarity

Number = Literal[
    "delta_m", "largest", "smallest", "singletons", "likeness", "jaccard", "chance", "u1", "u2", "u3"
]
SWEEP = (25, 50, 75, 100, 125, 150, 200)


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to cluster: the method, c and s_min (1 where the method has none)."""

    method: Literal["kmeans", "tfidf", "balanced", "compact"]
    clusters: int
    min_size: int = 1


@dataclass(frozen=True, slots=True)
class Clustered:
    """What a clustering costs and looks like; sizes from the largest cluster to the smallest."""

    delta_m: int
    sizes: tuple[int, ...]

    @property
    def largest(self) -> int:
        """|x_max|."""
        return self.sizes[0]

    @property
    def smallest(self) -> int:
        """|x_min|."""
        return self.sizes[-1]

    @property
    def singletons(self) -> int:
        """Clusters of one customer."""
        return self.sizes.count(1)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a full release is worth; None where the data lacks what a measure needs."""

    likeness: float
    jaccard: float
    chance: float
    u1: float | None
    u2: float | None
    u3: float | None


class Laboratory:
    """One table of purchases, the seeds and the sweep of c, and every run done so far."""

    def __init__(
        self, shop: Purchases, seeds: Sequence[int], sweep: Sequence[int], progress: Progress
    ) -> None:
        self.shop = shop
        self.baskets = shop.baskets()
        self.people = len(shop.customers)
        self.seeds = tuple(seeds)
        self.sweep = tuple(c for c in sweep if c <= self.people)
        self.progress = progress
        self._labels: dict[tuple[Plan, int], NDArray[np.int64]] = {}
        self._clustered: dict[tuple[Plan, int], Clustered] = {}
        self._measured: dict[tuple[Plan, int], Measured] = {}

    @cached_property
    def alike(self) -> Similarity | None:
        """How alike two customers are; None where there is no pair of them."""
        return similarity(self.shop, Chance(self.seeds[0]))

    def fits(self, plan: Plan) -> bool:
        """Tell whether there are customers enough for a plan."""
        return plan.clusters * plan.min_size <= self.people

    def widest(self, clusters: int) -> Plan:
        """Return Method 2 with the largest s_min there can be, floor(n/c), as the papers' figures have it."""
        return Plan("balanced", clusters, self.people // clusters)

    def number(self, plan: Plan, number: Number, seed: int) -> float | None:
        """Return one number of one run; a release is made only for a number that needs one."""
        source = self.clustered if hasattr(Clustered, number) else self.measured
        value: float | None = getattr(source(plan, seed), number)
        return value

    def clustered(self, plan: Plan, seed: int) -> Clustered:
        """Return the dummies and cluster sizes of a plan."""
        key = (plan, seed)
        if key not in self._clustered:
            labels = self._labels_of(plan, seed)
            sizes = sorted(np.bincount(labels).tolist(), reverse=True)
            self._clustered[key] = Clustered(dummies(self.baskets.matrix, labels), tuple(sizes))
        return self._clustered[key]

    def measured(self, plan: Plan, seed: int) -> Measured:
        """Return the attacks' rates and the utility of a plan's release."""
        key = (plan, seed)
        if key not in self._measured:
            padded = pad(self.shop, self._labels_of(plan, seed)).data
            self._measured[key] = self._measure(Pseudonymize().release(padded, seed=seed), seed)
        return self._measured[key]

    def _labels_of(self, plan: Plan, seed: int) -> NDArray[np.int64]:
        key = (plan, seed)
        if key not in self._labels:
            self.progress.step(f"{plan.method}, c = {plan.clusters}, s_min = {plan.min_size}, seed {seed}")
            self._labels[key] = self._group(plan, seed)
        return self._labels[key]

    def _group(self, plan: Plan, seed: int) -> NDArray[np.int64]:
        matrix, rng = self.baskets.matrix, Chance(seed).stream("clusters")
        match plan.method:
            case "kmeans":
                return kmeans(matrix, plan.clusters, rng)
            case "tfidf":
                return tfidf_kmeans(matrix, plan.clusters, rng)
            case "balanced":
                return balance(matrix, self._labels_of(Plan("tfidf", plan.clusters), seed), plan.min_size)
            case "compact":
                return compact(matrix, plan.min_size, plan.clusters, rng=rng)

    def _measure(self, release: Release[Purchases], seed: int) -> Measured:
        return Measured(
            likeness=Likeness().value(self.shop, release.data, release.pairing),
            jaccard=self._rate(JaccardAttack(), release, seed),
            chance=self._rate(ChanceAttack(), release, seed),
            u1=self._value(U1(), release),
            u2=self._value(U2(), release),
            u3=self._value(U3(), release),
        )

    def _rate(self, attack: PurchasesAttack, release: Release[Purchases], seed: int) -> float:
        guess = attack.guess(self.shop, release.data, seed=seed)
        return reidentification(release.pairing, guess).rate.value

    def _value(self, measure: Measure[Purchases], release: Release[Purchases]) -> float | None:
        if not self.shop.shown.issuperset(measure.about.needs):
            return None
        return measure.of(self.shop, release.data, release.pairing).value
