"""The papers' theoretical curves, with the rounded sizes they print."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from kakurenbo import theory
from kakurenbo.reproduction.facts import GOODS, MU, B, M, N, sharing_h
from kakurenbo.reproduction.results import Figure, Point, Series

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BEST = "number of clusters c"


def occupancy() -> Series:
    """E(Delta_m) of 000 for every c."""
    return _curve(
        "theory of 000", range(1, N + 1), lambda c: theory.expected_dummies_occupancy(N, M, GOODS, c)
    )


def sharing() -> Series:
    """E(Delta_m) of 003 eq. 3 for every c it holds for."""
    return _curve(
        "theory, 003 eq. 3", _valid(), lambda c: theory.expected_dummies_sharing(N, B, sharing_h(), c)
    )


def reidentification(people: int, sweep: Sequence[int]) -> Series:
    """E(Reid) = c/n over the sweep."""
    return _curve("theory, c/n", sweep, lambda c: theory.expected_reidentification(c, people))


def best_occupancy() -> Figure:
    """000 figure 14: the joint objective alpha E(Delta_m) + c/n, smallest at c = 69."""
    alpha = theory.alpha_occupancy(N, M, GOODS)

    def objective(c: int) -> float:
        return theory.joint_objective(theory.expected_dummies_occupancy(N, M, GOODS, c), c, N, alpha)

    found = theory.best_clusters_occupancy(N, M, GOODS)
    note = f"n = {N}, m = {M:,}, l = {GOODS:,}, 1/alpha = {1 / alpha:,.0f}; smallest at c = {found}."
    curve = _curve("alpha E(Delta_m) + c/n", range(1, N + 1), objective)
    return _objective(("000", "figure 14"), curve, found, 69, note)


def best_sharing(paper: str, number: str) -> Figure:
    """003 figure 6 and 002 figure 2: (alpha E(Delta_m) + c/n)/2 with eq. 3, smallest at c = 130."""
    h = sharing_h()
    alpha = theory.alpha_sharing(N, B, h)

    def objective(c: int) -> float:
        dummies = theory.expected_dummies_sharing(N, B, h, c)
        return theory.joint_objective(dummies, c, N, alpha, halved=True)

    found = theory.best_clusters_sharing(N, B, h)
    note = f"n = {N}, b = {B}, mu = {MU}; smallest at c = {found}."
    curve = _curve("(alpha E(Delta_m) + c/n)/2", _valid(), objective)
    return _objective((paper, number), curve, found, 130, note)


def _objective(place: tuple[str, str], curve: Series, found: int, printed: int, note: str) -> Figure:
    value = {point.x: point.y for point in curve.points}
    ours = Series(f"smallest, ours (c = {found})", "ours", "points", (Point(found, value[found]),))
    theirs = Series(f"smallest, printed (c = {printed})", "printed", "rule", (Point(printed, 0.0),))
    return Figure(
        *place, "Dummies and re-identification together", _BEST, "joint objective",
        (curve, ours, theirs), note,
    )  # fmt: skip


def _curve(name: str, clusters: Sequence[int], value: Callable[[int], float]) -> Series:
    return Series(name, "theory", "line", tuple(Point(float(c), value(c)) for c in clusters))


def _valid() -> range:
    return range(math.ceil(theory.fewest_clusters(N, B, sharing_h())), N + 1)
