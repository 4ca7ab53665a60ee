"""Questions a printed number answers, so that ours can be asked the same one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MethodName = Literal["kmeans", "tfidf", "balanced", "compact"]
ClusterNumber = Literal["delta_m", "largest", "smallest", "singletons"]
ReleaseNumber = Literal["likeness", "jaccard", "chance", "u1", "u2", "u3"]
SweepNumber = Literal["delta_m", "u1", "u2", "u3", "likeness", "chance", "clusters"]
FactName = Literal[
    "customers", "records", "receipts", "goods", "lowest price", "highest price", "fewest pieces",
    "most pieces", "first day", "last day", "b", "mu", "max J", "h",
    "000 1/alpha", "000 c*", "003 h", "003 c*", "002 fewest clusters", "002 c* at 4000", "002 Reid at 4000",
    "002 dummies at 4000", "Method 2 over Method 1", "largest U1",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to cluster: the method, c and s_min (1 where the method has none)."""

    method: MethodName
    clusters: int
    min_size: int = 1


@dataclass(frozen=True, slots=True)
class Fact:
    """A number of the data itself, of the theory, or of the whole sweep."""

    name: FactName


@dataclass(frozen=True, slots=True)
class OfPlan:
    """A number of the clusters or of the release that a plan makes."""

    plan: Plan
    number: ClusterNumber | ReleaseNumber


@dataclass(frozen=True, slots=True)
class Correlated:
    """The correlation of two numbers over the sweep of c, Method 2 with s_min = floor(n/c)."""

    one: SweepNumber
    other: SweepNumber


Question = Fact | OfPlan | Correlated
