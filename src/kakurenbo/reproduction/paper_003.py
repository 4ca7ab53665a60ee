"""003 (MDAI 2019): its tables 1 and 2, the numbers of its text, and its figures 5 and 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.reproduction import clusters
from kakurenbo.reproduction.clusters import ALONE, PLAIN, SHAPE, WIDE
from kakurenbo.reproduction.compare import Printed, PrintedTable, of_plan
from kakurenbo.reproduction.results import Figure

if TYPE_CHECKING:
    from kakurenbo.reproduction.results import Parts
    from kakurenbo.reproduction.runs import Laboratory

PAPER = "003"
OMITTED = ("003 figures 1 and 2 explain and hold no measured number; 3 and 4 are figures 7 and 8 of 000.",)

_TEXT = (
    *clusters.OPTIMUM,
    Printed("section 3.2: k-means, largest cluster", 294, of_plan(PLAIN, "largest"), WIDE, SHAPE),
    Printed("section 3.2: k-means, singletons", 45, of_plan(PLAIN, "singletons"), ALONE, SHAPE),
)
TABLES = (
    clusters.correlations(PAPER, "table 1"),
    clusters.dummies(PAPER, "table 2", (50, 100, 125)),
    PrintedTable(PAPER, "text", "Numbers in the text", _TEXT),
)


def reproduced(lab: Laboratory) -> Parts:
    """Return the tables beside ours, and the figures."""
    series = (
        *clusters.both_methods(lab, "delta_m"),
        clusters.sharing("theory, 003 eq. 3", lambda delta_m, _: delta_m),
        *clusters.printed_dummies(0),
    )
    note = "Equation 3 holds from c = 23 on, for n = 400, b = 65 and mu = 0.03."
    title = "Dummies foreseen by 003 beside those measured"
    foreseen = Figure(PAPER, "figure 5", title, clusters.CLUSTERS, clusters.DELTA, series, note)
    figures = foreseen, clusters.best_sharing(PAPER, "figure 6")
    return tuple(table.beside_ours(lab) for table in TABLES), figures
