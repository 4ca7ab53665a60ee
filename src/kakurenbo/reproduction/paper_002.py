"""002 (short paper): its table 2, the numbers of its text, and its figure 2."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kakurenbo import theory
from kakurenbo.reproduction.clusters import OPTIMUM, SECOND_OVER_FIRST, B, H, N, best_sharing, dummies
from kakurenbo.reproduction.compare import Printed, PrintedTable, Within

if TYPE_CHECKING:
    from kakurenbo.reproduction.results import Parts
    from kakurenbo.reproduction.runs import Laboratory

PAPER = "002"
MANY = 4_000  # section 4.4 foresees ten times the customers
OMITTED = (
    "002 table 1: the contest teams' releases are not public.",
    "002 figure 1 explains and holds no measured number.",
)
_BEST = theory.closed_form_clusters(MANY, B, H, theory.alpha_sharing(MANY, B, H))
_UNREPRODUCIBLE = (
    "No formula of the papers gives it: at c = 1427, 003 eq. 3 is 430,527 and its upper bound 750,029. "
    "The bound less b n comes nearest, 490,029."
)

_TEXT = (
    *OPTIMUM,
    Printed("section 4.4: fewest clusters of the formula", 23,
            lambda _: math.ceil(theory.fewest_clusters(N, B, H))),
    Printed("section 4.4: best c at n = 4000", 1427, lambda _: _BEST, Within(0.5)),
    Printed("section 4.4: E(Reid) at n = 4000", 0.3567,
            lambda _: theory.expected_reidentification(_BEST, MANY), Within(0.00005)),
    Printed("section 4.4: E(Delta_m) at n = 4000", 490_650,
            lambda _: theory.expected_dummies_sharing(MANY, B, H, round(_BEST)),
            Within(1, percent=True), _UNREPRODUCIBLE),
    SECOND_OVER_FIRST,
)  # fmt: skip
TABLES = (
    dummies(PAPER, "table 2", (50, 75, 100, 125)),
    PrintedTable(PAPER, "text", "Numbers in the text", _TEXT),
)


def reproduced(lab: Laboratory) -> Parts:
    """Return the tables beside ours, and the figure."""
    return tuple(table.beside_ours(lab) for table in TABLES), (best_sharing(PAPER, "figure 2"),)
