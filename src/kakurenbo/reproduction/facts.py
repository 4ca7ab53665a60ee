"""Numbers of the data, of the theory with the papers' rounded sizes, and of the sweep as a whole."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo import theory
from kakurenbo.reproduction.questions import Plan
from kakurenbo.reproduction.results import Spread
from kakurenbo.risk.exposure.similarity import mean_intersection, similarity

if TYPE_CHECKING:
    from collections.abc import Callable

    from kakurenbo.reproduction.questions import FactName
    from kakurenbo.reproduction.runs import Laboratory

N, M, GOODS = 400, 38_000, 2_700  # the sizes 000 rounds to in section 4.3
B, MU = 65, 0.03  # the means of 002 and 003, section 2.1
MANY = 4_000  # 002 section 4.4 foresees ten times the customers


def fact(name: FactName, lab: Laboratory) -> Spread | str | None:
    """Return a number by its name, text for a day, None where the data lacks what it takes."""
    value = _FACTS[name](lab)
    if value is None or isinstance(value, str):
        return value
    return Spread.of(value) if isinstance(value, list) else Spread.of([float(value)])


def sharing_h() -> float:
    """Return h of the papers' b and mu by Proposition 1."""
    return theory.mean_intersection(B, MU)


def _day(lab: Laboratory, which: str) -> str | None:
    if "time" not in lab.shop.roles:
        return None
    times = lab.shop.records.select(first=pl.col("time").min(), last=pl.col("time").max())
    day = times[which][0]
    return f"{day.year}/{day.month}/{day.day}"


def _extreme(lab: Laboratory, role: str, which: str) -> float | None:
    if role not in lab.shop.records.columns:
        return None
    values = lab.shop.records[role].to_numpy()
    return float(values.min() if which == "min" else values.max())


def _alike(lab: Laboratory, which: str) -> float | None:
    found = similarity(lab.baskets, np.random.default_rng(lab.seeds[0]))
    return None if found is None else float(getattr(found, which))


def _clusters_of_many() -> float:
    h = sharing_h()
    return theory.closed_form_clusters(MANY, B, h, theory.alpha_sharing(MANY, B, h))


def _method_2_over_1(lab: Laboratory) -> list[float]:
    """Return, for each seed, the mean over the sweep of Method 2's dummies over Method 1's."""
    shares = []
    for seed in lab.seeds:
        pairs = [
            (
                lab.clustered(lab.widest(c), seed).delta_m,
                lab.clustered(Plan("tfidf", c), seed).delta_m,
            )
            for c in lab.sweep
        ]
        ratios = [second / first for second, first in pairs if first]
        shares.append(math.fsum(ratios) / len(ratios) if ratios else 1.0)
    return shares


def _largest_u1(lab: Laboratory) -> list[float] | None:
    """Return, for each seed, the largest U1 of Methods 1 and 2 over the sweep."""
    if lab.shop.master is None:
        return None
    plans = [plan for c in lab.sweep for plan in (Plan("tfidf", c), lab.widest(c))]
    return [max(lab.measured(plan, seed).u1 or 0.0 for plan in plans) for seed in lab.seeds]


_FACTS: dict[FactName, Callable[[Laboratory], Any]] = {
    "customers": lambda lab: lab.people,
    "records": lambda lab: len(lab.shop),
    "receipts": lambda lab: lab.shop.receipts,
    "goods": lambda lab: len(lab.shop.goods),
    "lowest price": lambda lab: _extreme(lab, "price", "min"),
    "highest price": lambda lab: _extreme(lab, "price", "max"),
    "fewest pieces": lambda lab: _extreme(lab, "quantity", "min"),
    "most pieces": lambda lab: _extreme(lab, "quantity", "max"),
    "first day": lambda lab: _day(lab, "first"),
    "last day": lambda lab: _day(lab, "last"),
    "b": lambda lab: float(lab.baskets.sizes.mean()),
    "mu": lambda lab: _alike(lab, "mean"),
    "max J": lambda lab: _alike(lab, "maximum"),
    "h": lambda lab: mean_intersection(lab.baskets),
    "000 1/alpha": lambda _: 1 / theory.alpha_occupancy(N, M, GOODS),
    "000 c*": lambda _: theory.best_clusters_occupancy(N, M, GOODS),
    "003 h": lambda _: sharing_h(),
    "003 c*": lambda _: theory.best_clusters_sharing(N, B, sharing_h()),
    "002 fewest clusters": lambda _: math.ceil(theory.fewest_clusters(N, B, sharing_h())),
    "002 c* at 4000": lambda _: _clusters_of_many(),
    "002 Reid at 4000": lambda _: theory.expected_reidentification(_clusters_of_many(), MANY),
    "002 dummies at 4000": lambda _: theory.expected_dummies_sharing(
        MANY, B, sharing_h(), round(_clusters_of_many())
    ),
    "Method 2 over Method 1": _method_2_over_1,
    "largest U1": _largest_u1,
}
