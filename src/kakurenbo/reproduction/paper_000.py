"""000 (JIP 2020): its tables 3, 6, 7 and 8, the numbers of its text, and its figures 2, 3 and 7 to 14.

The paper prints curves without their numbers; where a table or the text gives a point of a curve, it stands
among ours as a printed mark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kakurenbo import theory
from kakurenbo.reproduction import clusters
from kakurenbo.reproduction.clusters import ALONE, CLUSTERS, DELTA, PLAIN, SHAPE, WIDE, N, curve, swept
from kakurenbo.reproduction.compare import (
    EQUAL,
    NO_MASTER,
    TOO_FEW,
    NoAnswerError,
    Printed,
    PrintedTable,
    Within,
    of_plan,
)
from kakurenbo.reproduction.results import Figure, Parts, Point, Series, Spread
from kakurenbo.reproduction.runs import Plan

if TYPE_CHECKING:
    from kakurenbo.reproduction.runs import Laboratory

PAPER = "000"
M, GOODS = 38_000, 2_700  # the sizes that section 4.3 rounds to
OMITTED = (
    "000 table 4: the contest teams' releases are not public.",
    "000 tables 1, 2 and 5 and figures 1 and 4 to 6 explain and hold no measured number.",
)

_CUT = "The print is cut to a whole number."
_NO_SINGLETONS = (
    "The print contradicts itself: table 6 has no singletons for Method 1, but section 3.3 gives its "
    "smallest cluster as one customer."
)
_ONE_RUN = "The print seems to be one run of k-means, whose start is not told; ours spreads over the seeds."
_MAXIMUM = "Counted over all pairs, the most alike two customers have a Jaccard of 0.4 exactly."
_ABSTRACT = (
    "The 17 % is table 8's likeness taken for a rate. The Jaccard attack itself, Algorithm 1, finds "
    "about c/n, as section 4.3 derives."
)
_MONOPOLY = (
    "Not explained. 000 names the Jaccard coefficient as the distance of its k-means and does not say "
    "how centres are made; ours is k-means on the binary rows, and its huge cluster is larger too "
    "(table 6). It remains that plain k-means needs more than twice the dummies of Methods 1 and 2."
)
_LARGEST_U1 = (
    "U1 is a reconstruction and the releases of figure 9 are not told, so the size of the largest "
    "cannot be compared; that U1 grows with Delta_m can (table 7)."
)


def _extreme(lab: Laboratory, role: str, which: str) -> Any:  # noqa: ANN401 - a number, a day or None
    """Return the "min" or "max" of a column, a day as the paper writes it; None without the column."""
    if role not in lab.shop.records.columns:
        return None
    value = getattr(lab.shop.records[role], which)()
    return f"{value.year}/{value.month}/{value.day}" if role == "time" else value


def _largest_u1(lab: Laboratory) -> list[float]:
    """Return, for each seed, the largest U1 of Methods 1 and 2 over the sweep."""
    if lab.shop.master is None:
        raise NoAnswerError(NO_MASTER)
    plans = [plan for c in lab.sweep for plan in (Plan("tfidf", c), lab.widest(c))]
    return [max(lab.measured(plan, seed).u1 or 0.0 for plan in plans) for seed in lab.seeds]


_BY_TASTE, _BALANCED, _BEST_50 = Plan("tfidf", 50), Plan("balanced", 50, 5), Plan("balanced", 50, 8)
_SIZE = Within(30, percent=True)
_STATISTICS = (
    Printed("customers n", 400, lambda lab: lab.people),
    Printed("transactions m", 38_087, lambda lab: len(lab.shop)),
    Printed("receipts", 1_763, lambda lab: lab.shop.receipts),
    Printed("goods l", 2_781, lambda lab: len(lab.shop.goods)),
    Printed("lowest price", 0.04, lambda lab: _extreme(lab, "price", "min")),
    Printed("highest price", 4161, lambda lab: _extreme(lab, "price", "max"), Within(0.5)),
    Printed("fewest pieces", 1, lambda lab: _extreme(lab, "quantity", "min")),
    Printed("most pieces", 74_215, lambda lab: _extreme(lab, "quantity", "max")),
    Printed("first day", "2010/12/1", lambda lab: _extreme(lab, "time", "min")),
    Printed("last day", "2011/12/9", lambda lab: _extreme(lab, "time", "max")),
    Printed("mean goods of a customer b", 65, lambda lab: lab.baskets.sizes.mean(), Within(1), _CUT),
    Printed("mean Jaccard mu", 0.03, lambda lab: lab.alike and lab.alike.mean, Within(0.005)),
)
_METHODS = (
    Printed("k-means: largest cluster", 211, of_plan(PLAIN, "largest"), WIDE, SHAPE),
    Printed("k-means: singletons", 33, of_plan(PLAIN, "singletons"), ALONE, SHAPE),
    Printed("Method 1: largest cluster", 32, of_plan(_BY_TASTE, "largest"), _SIZE, _ONE_RUN),
    Printed(
        "Method 1: singletons", 0, of_plan(_BY_TASTE, "singletons"), EQUAL, _NO_SINGLETONS, comparable=False
    ),
    Printed("Method 1: smallest cluster (section 3.3)", 1, of_plan(_BY_TASTE, "smallest"), Within(1)),
    Printed("Method 2, s_min = 5: largest cluster", 16, of_plan(_BALANCED, "largest"), _SIZE, _ONE_RUN),
    Printed("Method 2, s_min = 5: singletons", 0, of_plan(_BALANCED, "singletons")),
)
_TEXT = (
    Printed("section 2.1: largest Jaccard of two customers", 0.41,
            lambda lab: lab.alike and lab.alike.maximum, Within(0.005), _MAXIMUM),
    Printed("abstract: found by random re-identification", 0.12, of_plan(_BEST_50, "chance"), Within(0.01)),
    Printed("abstract: found by the Jaccard coefficient", 0.17, of_plan(_BEST_50, "jaccard"), Within(0.01),
            _ABSTRACT),
    Printed("section 4.2: Delta_m of k-means at c = 25", 540_583, of_plan(Plan("kmeans", 25), "delta_m"),
            Within(15, percent=True), _MONOPOLY),
    clusters.SECOND_OVER_FIRST,
    Printed("section 4.1: largest U1 in figure 9", 1.02, _largest_u1, EQUAL, _LARGEST_U1, comparable=False),
    Printed("section 4.3: 1/alpha", 1_042_653, lambda _: 1 / theory.alpha_occupancy(N, M, GOODS),
            Within(0.5)),
    Printed("section 4.3, figure 14: best c", 69, lambda _: theory.best_clusters_occupancy(N, M, GOODS)),
)  # fmt: skip
TABLES = (
    PrintedTable(PAPER, "table 3", "Statistics of the contest table", _STATISTICS),
    PrintedTable(PAPER, "table 6", "Comparison of the methods, c = 50", _METHODS),
    clusters.correlations(PAPER, "table 7"),
    clusters.dummies(PAPER, "table 8", (50, 100, 125)),
    PrintedTable(PAPER, "text", "Numbers in the text", _TEXT),
)


def reproduced(lab: Laboratory) -> Parts:
    """Return the tables beside ours, and the figures in the order of print."""
    figures = (
        _alike(lab),
        _sizes(lab, "figure 3", PLAIN, "plain k-means, c = 50", {"000, printed": 211, "003, printed": 294}),
        _sizes(lab, "figure 7", _BY_TASTE, "Method 1, c = 50", {"printed": 32}),
        _sizes(lab, "figure 8", _BALANCED, "Method 2, c = 50, s_min = 5", {"printed": 16}),
        _utility(lab),
        *_dummies(lab),
        _rates(lab),
        _best(),
    )
    return tuple(table.beside_ours(lab) for table in TABLES), figures


def _alike(lab: Laboratory) -> Figure:
    counts = lab.alike.histogram if lab.alike else (0,)
    last = max((i for i, count in enumerate(counts) if count), default=0)
    bars = tuple(Point(round((i + 0.5) / 100, 3), float(counts[i])) for i in range(last + 1))
    printed = (Series("mean 0.03, printed", "printed", "rule", (Point(0.03, 0),)),
               Series("maximum 0.41, printed", "printed", "rule", (Point(0.41, 0),)))  # fmt: skip
    return Figure(
        PAPER, "figure 2", "How alike two customers are", "Jaccard coefficient (bins of 0.01)",
        "pairs of customers", (Series("ours", "ours", "bars", bars), *printed),
    )  # fmt: skip


def _sizes(lab: Laboratory, number: str, plan: Plan, method: str, largest: dict[str, int]) -> Figure:
    """Return the sizes of a plan's clusters, from the largest to the smallest."""
    series = [Series(name, "printed", "points", (Point(1, float(size)),)) for name, size in largest.items()]
    note = SHAPE if plan == PLAIN else ""
    if lab.fits(plan):
        ranked = zip(*(lab.clustered(plan, seed).sizes for seed in lab.seeds), strict=True)
        points = tuple(clusters.point(rank, Spread.of(sizes)) for rank, sizes in enumerate(ranked, 1))
        series.insert(0, Series("ours, mean over seeds", "ours", "bars", points))
    else:
        note = TOO_FEW
    title, axis = f"Cluster sizes of {method}", "cluster, from the largest to the smallest"
    return Figure(PAPER, number, title, axis, "customers", tuple(series), note)


def _utility(lab: Laboratory) -> Figure:
    series = []
    for name, plan in {"Method 1": lambda c: Plan("tfidf", c), "Method 2": lab.widest}.items():
        points = [
            Point(float(lab.clustered(plan(c), seed).delta_m), lab.measured(plan(c), seed).u1 or 0.0)
            for c in lab.sweep
            for seed in lab.seeds
            if lab.shop.master is not None
        ]
        series.append(Series(name, "ours", "points", tuple(points)))
    note = NO_MASTER if lab.shop.master is None else clusters.RECONSTRUCTED
    return Figure(PAPER, "figure 9", "Utility against dummies", DELTA, "U1-cMAE", tuple(series), note)


def _dummies(lab: Laboratory) -> tuple[Figure, ...]:
    """Return the dummies over c: of plain k-means, of Methods 1 and 2, and as the theory foresees them."""
    plain = (swept("k-means", lab, lambda c: Plan("kmeans", c), "delta_m"),
             Series("k-means, printed", "printed", "points", (Point(25, 540_583),)))  # fmt: skip
    ours = swept("compact (not in the paper)", lab, lambda c: Plan("compact", c, lab.people // c), "delta_m")
    both = (*clusters.both_methods(lab, "delta_m"), ours, *clusters.printed_dummies(0))
    foreseen = (
        curve("theory of 000", range(1, N + 1), lambda c: theory.expected_dummies_occupancy(N, M, GOODS, c)),
        swept("Method 2, measured", lab, lab.widest, "delta_m"),
        Series("1/alpha, printed", "printed", "points", (Point(1, 1_042_653),)),
    )
    random = "The theory lets every record pick its good at random; real tastes are alike within a cluster."
    return (
        Figure(PAPER, "figure 10", "Dummies of plain k-means", CLUSTERS, DELTA, plain, _MONOPOLY),
        Figure(PAPER, "figure 11", "Dummies of Methods 1 and 2, and of our own", CLUSTERS, DELTA, both,
               "Method 2 and compact have s_min = floor(n/c)."),
        Figure(PAPER, "figure 12", "Dummies foreseen by 000", CLUSTERS, DELTA, foreseen, random),
    )  # fmt: skip


def _rates(lab: Laboratory) -> Figure:
    series = (
        *clusters.both_methods(lab, "jaccard", "{}, Algorithm 1"),
        swept("Method 2, chance within the cluster", lab, lab.widest, "chance"),
        curve("theory, c/n", lab.sweep, lambda c: theory.expected_reidentification(c, lab.people)),
        *clusters.printed_dummies(2),
    )
    note = "Algorithm 1 and chance lie on c/n; with few and large clusters Algorithm 1 falls below it."
    title = "Re-identification of Methods 1 and 2"
    return Figure(PAPER, "figure 13", title, CLUSTERS, "re-identified share", series, note)


def _best() -> Figure:
    """The joint objective alpha E(Delta_m) + c/n, smallest at c = 69."""
    alpha = theory.alpha_occupancy(N, M, GOODS)

    def objective(c: int) -> float:
        return theory.joint_objective(theory.expected_dummies_occupancy(N, M, GOODS, c), c, N, alpha)

    best = theory.best_clusters_occupancy(N, M, GOODS)
    note = f"n = {N}, m = {M:,}, l = {GOODS:,}, 1/alpha = {1 / alpha:,.0f}; smallest at c = {best}."
    drawn = curve("alpha E(Delta_m) + c/n", range(1, N + 1), objective)
    return clusters.best_clusters((PAPER, "figure 14"), drawn, best, 69, note)
