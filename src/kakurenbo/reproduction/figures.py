"""The data of the papers' figures: named series of points, no drawing.

The papers print curves without their numbers; where a table or the text gives a point of a curve, it stands
among ours as a printed mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.reproduction import curves, excess_004, reasons
from kakurenbo.reproduction.answers import NO_MASTER, TOO_FEW, of_plan
from kakurenbo.reproduction.printed import DUMMIES
from kakurenbo.reproduction.questions import Plan
from kakurenbo.reproduction.results import Figure, Point, Series, Spread
from kakurenbo.risk.exposure.similarity import similarity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kakurenbo.reproduction.results import Whose
    from kakurenbo.reproduction.runs import Laboratory

CLUSTERS, DELTA, RATE = "number of clusters c", "dummy records Delta_m", "re-identified share"


def figures(papers: Sequence[str], lab: Laboratory) -> tuple[Figure, ...]:
    """Return every figure of these papers, in the order of print."""
    made = tuple(make(lab) for paper, make in _MAKERS if paper in papers)
    return made + excess_004.figures(lab.excess) if excess_004.PAPER in papers else made


def _alike(lab: Laboratory) -> Figure:
    found = similarity(lab.baskets, np.random.default_rng(lab.seeds[0]))
    counts = found.histogram if found else (0,)
    last = max((i for i, count in enumerate(counts) if count), default=0)
    bars = tuple(Point(round((i + 0.5) / 100, 3), float(counts[i])) for i in range(last + 1))
    printed = (Series("mean 0.03, printed", "printed", "rule", (Point(0.03, 0),)),
               Series("maximum 0.41, printed", "printed", "rule", (Point(0.41, 0),)))  # fmt: skip
    return Figure(
        "000", "figure 2", "How alike two customers are", "Jaccard coefficient (bins of 0.01)",
        "pairs of customers", (Series("ours", "ours", "bars", bars), *printed),
    )  # fmt: skip


def _sizes(
    number: str, title: str, plan: Plan, largest: dict[str, int], note: str = ""
) -> Callable[..., Figure]:
    """Return the maker of a figure of cluster sizes, from the largest cluster to the smallest."""

    def make(lab: Laboratory) -> Figure:
        series = [
            Series(name, "printed", "points", (Point(1, float(size)),)) for name, size in largest.items()
        ]
        told = note
        if lab.fits(plan):
            ranked = zip(*(lab.clustered(plan, seed).sizes for seed in lab.seeds), strict=True)
            points = tuple(_point(rank, Spread.of(sizes)) for rank, sizes in enumerate(ranked, 1))
            series.insert(0, Series("ours, mean over seeds", "ours", "bars", points))
        else:
            told = TOO_FEW
        return Figure(
            "000",
            number,
            title,
            "cluster, from the largest to the smallest",
            "customers",
            tuple(series),
            told,
        )

    return make


def _utility(lab: Laboratory) -> Figure:
    note = reasons.RECONSTRUCTED if lab.shop.master is not None else NO_MASTER
    methods = {"Method 1": lambda c: Plan("tfidf", c), "Method 2": lab.widest}
    series = [
        Series(name, "ours", "points", _cloud(lab, [plan(c) for c in lab.sweep]))
        for name, plan in methods.items()
    ]
    return Figure("000", "figure 9", "Utility against dummies", DELTA, "U1-cMAE", tuple(series), note)


def _cloud(lab: Laboratory, plans: Sequence[Plan]) -> tuple[Point, ...]:
    if lab.shop.master is None:
        return ()
    return tuple(
        Point(float(lab.clustered(plan, seed).delta_m), lab.measured(plan, seed).u1 or 0.0)
        for plan in plans
        for seed in lab.seeds
    )


def _plain(lab: Laboratory) -> Figure:
    printed = Series("k-means, printed", "printed", "points", (Point(25, 540_583),))
    ours = _swept("k-means", lab, lambda c: Plan("kmeans", c), "delta_m")
    return Figure(
        "000", "figure 10", "Dummies of plain k-means", CLUSTERS, DELTA, (ours, printed), reasons.MONOPOLY
    )


def _compared(lab: Laboratory) -> Figure:
    ours = _swept("compact (not in the paper)", lab, lambda c: _compact(lab, c), "delta_m")
    return Figure(
        "000", "figure 11", "Dummies of Methods 1 and 2, and of our own", CLUSTERS, DELTA,
        (*_both(lab, "delta_m"), ours, *_printed(0)), "Method 2 and compact have s_min = floor(n/c).",
    )  # fmt: skip


def _occupancy(lab: Laboratory) -> Figure:
    measured = _swept("Method 2, measured", lab, lab.widest, "delta_m")
    printed = Series("1/alpha, printed", "printed", "points", (Point(1, 1_042_653),))
    return Figure(
        "000", "figure 12", "Dummies foreseen by 000", CLUSTERS, DELTA,
        (curves.occupancy(), measured, printed),
        "The theory lets every record pick its good at random; real tastes are alike within a cluster.",
    )  # fmt: skip


def _found(lab: Laboratory) -> Figure:
    methods = _both(lab, "jaccard", "{}, Algorithm 1")
    chance = _swept("Method 2, chance within the cluster", lab, lab.widest, "chance")
    expected = curves.reidentification(lab.people, lab.sweep)
    return Figure(
        "000", "figure 13", "Re-identification of Methods 1 and 2", CLUSTERS, RATE,
        (*methods, chance, expected, *_printed(2)),
        "Algorithm 1 and chance lie on c/n; with few and large clusters Algorithm 1 falls below it.",
    )  # fmt: skip


def _foreseen(lab: Laboratory) -> Figure:
    return Figure(
        "003", "figure 5", "Dummies foreseen by 003 beside those measured", CLUSTERS, DELTA,
        (*_both(lab, "delta_m"), curves.sharing(), *_printed(0)),
        "Equation 3 holds from c = 23 on, for n = 400, b = 65 and mu = 0.03.",
    )  # fmt: skip


def _both(lab: Laboratory, number: str, name: str = "{}") -> tuple[Series, Series]:
    return (
        _swept(name.format("Method 1"), lab, lambda c: Plan("tfidf", c), number),
        _swept(name.format("Method 2"), lab, lab.widest, number),
    )


def _compact(lab: Laboratory, clusters: int) -> Plan:
    return Plan("compact", clusters, lab.people // clusters)


def _swept(
    name: str, lab: Laboratory, plan: Callable[[int], Plan], number: str, whose: Whose = "ours"
) -> Series:
    """Return a number of a method over the sweep of c, with its range over seeds."""
    found = [(c, of_plan(plan(c), number, lab)) for c in lab.sweep]
    return Series(name, whose, "line", tuple(_point(c, spread) for c, spread in found if spread is not None))


def _printed(column: int) -> tuple[Series, Series]:
    """Return a column of 002's table 2: Method 1, and Method 2 with the largest s_min printed for each c."""
    first = tuple(Point(c, float(row[column])) for (c, size), row in DUMMIES.items() if size == 1)
    best = {c: row for (c, _), row in DUMMIES.items()}
    second = tuple(Point(c, float(row[column])) for c, row in best.items())
    return (
        Series("Method 1, printed", "printed", "points", first),
        Series("Method 2, printed", "printed", "points", second),
    )


def _point(x: float, spread: Spread) -> Point:
    return Point(float(x), spread.mean, spread.low, spread.high)


_MAKERS: tuple[tuple[str, Callable[[Laboratory], Figure]], ...] = (
    ("000", _alike),
    ("000", _sizes("figure 3", "Cluster sizes of plain k-means, c = 50", Plan("kmeans", 50),
                   {"000, printed": 211, "003, printed": 294}, reasons.SHAPE)),
    ("000", _sizes("figure 7", "Cluster sizes of Method 1, c = 50", Plan("tfidf", 50), {"printed": 32})),
    ("000", _sizes("figure 8", "Cluster sizes of Method 2, c = 50, s_min = 5", Plan("balanced", 50, 5),
                   {"printed": 16})),
    ("000", _utility),
    ("000", _plain),
    ("000", _compared),
    ("000", _occupancy),
    ("000", _found),
    ("000", lambda _: curves.best_occupancy()),
    ("002", lambda _: curves.best_sharing("002", "figure 2")),
    ("003", _foreseen),
    ("003", lambda _: curves.best_sharing("003", "figure 6")),
)  # fmt: skip
