"""When a release is too far from the data: the limits between which 004's threshold t may lie.

A pairing that was merely shuffled puts every moved person at least as far away as the nearest other person,
so the nearest distances (mdis) bound from below what a cheat costs, and a threshold under that bound
catches it. A threshold so small that no two people can be confused would forbid anonymization itself. These
functions take a distance matrix of a few thousand people; `kakurenbo.kernels` finds mdis for larger data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy  # its parts load on first use: importing this module stays light

from kakurenbo.theory._checks import real, require, whole

if TYPE_CHECKING:
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Admissible:
    """The thresholds t with low < t <= high."""

    low: float
    high: float

    def __contains__(self, t: float) -> bool:
        return self.low < t <= self.high

    def __str__(self) -> str:
        return f"{self.low:.6g} < t <= {self.high:.6g}"


def nearest_distances(distances: npt.ArrayLike) -> list[float]:
    """Distance of every record to the nearest other one.

    Formula: mdis_j = min over k != j of d(T_j, T_k).

    Symbols: distances = n x n matrix of d(T_j, T_k); its diagonal is not looked at.
    Valid range: n >= 2, finite distances >= 0 off the diagonal.
    Source: 004 section 4.2.
    """
    nearest: list[float] = _without_diagonal(distances).min(axis=1).tolist()
    return nearest


def s_lower(mdis: npt.ArrayLike, r: int) -> float:
    """Lower bound of s_exact(r), the least distance a permutation with at most r fixed points can have.

    Formula: s_lower(r) = sum of the n - r smallest mdis.

    Symbols: mdis = nearest distances (see `nearest_distances`), n of them; r = fixed points allowed.
    Valid range: n >= 2, 0 <= r <= n, finite mdis >= 0.
    Source: 004 eq. 8, stated for r <= n - 2. Mistake: the footnote there says s_exact(n-1) = 0. By the
    definition (eq. 6) the identity, with n fixed points, is not allowed at r = n - 1, and no permutation has
    exactly n - 1; so s_exact(n-1) = s_exact(n-2), and the bound holds at r = n - 1 as well.
    """
    values = np.asarray(mdis, dtype=np.float64)
    require(values.ndim == 1 and len(values) >= 2, "a list of two or more mdis", f"shape {values.shape}")
    _distances_ok(values)
    r = whole("r", r, 0, len(values))
    return math.fsum(np.sort(values)[: len(values) - r])


def s_exact_0(distances: npt.ArrayLike) -> float:
    """Least distance of a permutation that leaves nobody in place, found as an assignment problem.

    Formula: s_exact(0) = min over p without fixed points of sum_i d(T_i, T_p(i)).

    Symbols: distances = n x n matrix of d(T_j, T_k); its diagonal is forbidden, whatever it holds.
    Valid range: n >= 2, finite distances >= 0 off the diagonal. Time grows like n^3.
    Source: 004 section 4.3.1 (Hungarian algorithm).
    """
    matrix = _without_diagonal(distances)
    rows, columns = scipy.optimize.linear_sum_assignment(matrix)
    return math.fsum(matrix[rows, columns])


def shortage_bound(n: int, minimum: float) -> float:
    """Threshold up to which every release within it can be re-identified: circles around people stay apart.

    Formula: n Min / 2; a threshold must lie above it.

    Symbols: n records, minimum = Min, the smallest distance between two of them.
    Valid range: n >= 2, Min >= 0. The argument needs a distance that obeys the triangle inequality and
    no record farther than t/n; the rule of 004 limits only the mean, so this is a necessary condition.
    Source: 004 section 4.4, eq. 14 (there for the mean: t/n > Min/2).
    """
    n = whole("n", n, 2)
    real("Min", minimum, 0)
    return n * minimum / 2


def admissible_thresholds(n: int, minimum: float, lower_bound: float) -> Admissible:
    """The interval from which a threshold may be chosen.

    Formula: n Min / 2 < t <= s_lower(l).

    Symbols: n, minimum as in `shortage_bound`; lower_bound = s_lower(l), with l such that a random cheat
    leaves more than l in place only with negligible probability (see `smallest_limit`).
    Valid range: n Min / 2 < s_lower(l); otherwise no threshold serves both ends, and that is the error.
    Source: 004 eq. 15, sections 4.3 and 4.4. The upper end is printed both as < (4.3) and as <= (4.4); at
    t = s_lower(l) a cheat that costs exactly the bound passes, since d = t is accepted. 004 writes
    s_lower(99) in eq. 13 and s_lower(100) in eq. 15 for the same limit.
    """
    low = shortage_bound(n, minimum)
    real("s_lower(l)", lower_bound, 0)
    require(
        low < lower_bound,
        "n Min / 2 < s_lower(l), else no threshold stops cheats and leaves room to anonymize "
        "(allow fewer fixed points l, or choose another distance)",
        f"n Min / 2 = {low} and s_lower(l) = {lower_bound}",
    )
    return Admissible(low, lower_bound)


def is_excessive(d: float, t: float) -> bool:
    """Whether a release is too far from its data to be accepted.

    Formula: d > t; a release at exactly d = t is accepted.

    Symbols: d = sum over people of d(T_i, T'_p(i)), t = threshold for that sum (n times that for the mean).
    Valid range: finite d, t >= 0.
    Source: 004 eq. 3 (Approach II, average) prints >, its introduction >=; Theorem 1 proves >.
    """
    real("d", d, 0)
    real("t", t, 0)
    return d > t


def _without_diagonal(distances: npt.ArrayLike) -> Matrix:
    matrix = np.array(distances, dtype=np.float64)
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1] and len(matrix) >= 2
    require(square, "a square matrix of two or more records", f"shape {matrix.shape}")
    np.fill_diagonal(matrix, 0)
    _distances_ok(matrix)
    np.fill_diagonal(matrix, np.inf)
    return matrix


def _distances_ok(values: Matrix) -> None:
    good = bool(np.all(np.isfinite(values) & (values >= 0)))
    require(good, "finite distances of at least 0", "a negative, infinite or missing one")
