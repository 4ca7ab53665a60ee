"""The walk over the corners of the hull, and the brackets between them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.errors import ParameterError
from kakurenbo.kernels.permutations.moves import let_go, let_stay
from kakurenbo.kernels.permutations.programme import Line, close
from kakurenbo.theory import s_lower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Permutation = NDArray[np.int64]

ROUNDING = 1e-12  # of the largest sum: closer than this two float64 sums are one number
_STEPS = 64  # people let go from the right-hand corner; for more, the left-hand corner alone must do


@dataclass(frozen=True, eq=False)
class Bracket:
    """Between which values s_exact(r) lies, and a permutation that attains the upper one.

    Attributes:
        r: fixed points allowed.
        lower: certified: no permutation with at most r fixed points costs less.
        upper: the cost of `permutation`, which has at most r fixed points.
        exact: whether both are one number.
        permutation: person i becomes record permutation[i].
        programme: whether the integer programme closed it; None where it was not needed or not asked for.
    """

    r: int
    lower: float
    upper: float
    exact: bool
    permutation: Permutation = field(repr=False)
    programme: bool | None = None


def s_exact(
    distances: Floats,
    wanted: Sequence[int] | None = None,
    *,
    mdis: Floats | None = None,
    solves: int | None = None,
    seconds: float = 0,
) -> list[Bracket]:
    """Find a bracket of the least distance, s_exact, for every wanted number of fixed points r.

    Args:
        distances: n x n, finite and at least 0, the diagonal 0. A float64 matrix serves as work space and is
            given back as it was: no second one of this size is made.
        wanted: values of r, 0 to n; none given means all of them.
        mdis: nearest distances, if already known (`distances.nearest_other`).
        solves: how many assignments may be solved at most; none given means until every wanted r lies
            between two neighbouring corners. Each takes n^3 time. r = 0 always gets its one.
        seconds: how long an integer programme may try to close each bracket left open; 0 for not at all.
    """
    matrix = np.require(distances, np.float64, ["C", "W"])
    n = len(matrix)
    asked = list(range(n + 1)) if wanted is None else [int(r) for r in wanted]
    if n < 2 or matrix.shape != (n, n) or not all(0 <= r <= n for r in asked):
        raise ParameterError(
            "s_exact(r) needs two people or more, and 0 <= r <= their number.", code="parameter"
        )
    search = _Search(matrix, sorted(set(asked)), solves)
    search.run()
    brackets = search.brackets(_nearest(matrix) if mdis is None else mdis)
    if seconds > 0:
        brackets = {r: search.closed(bracket, seconds) for r, bracket in brackets.items()}
    return [brackets[r] for r in asked]


def _nearest(distances: Floats) -> Floats:
    np.fill_diagonal(distances, np.inf)
    nearest: Floats = distances.min(axis=1)
    np.fill_diagonal(distances, 0)
    return nearest


class _Search:
    """The walk over the hull: corners found, and the straight lines that bound the curve from below."""

    def __init__(self, distances: Floats, asked: list[int], solves: int | None) -> None:
        self.distances, self.asked, self.left = distances, asked, solves
        self.people = np.arange(len(distances))
        self.best: dict[int, tuple[float, Permutation]] = {}
        self.lines = [Line(0.0, 0.0, self.people)]

    def run(self) -> None:
        """Visit the corners around every r asked for, as long as solving is allowed; then fill the gaps."""
        n = len(self.people)
        self.offer(self.people)
        if self.asked and self.asked[0] < n:
            self.solve(math.inf)
        segments = [(0, n)]
        while segments and 0 in self.best and (self.left is None or self.left > 0):
            a, b = segments.pop(0)
            price = (self.best[a][0] - self.best[b][0]) / (b - a)
            if price > 0 and any(a < r < b for r in self.asked):
                k = self.solve(price)
                segments += [(a, k), (k, b)] if a < k < b else []
        self.prices = np.array([line.price for line in self.lines])
        self.totals = np.array([line.total for line in self.lines])
        self.between(sorted(self.best))

    def solve(self, price: float) -> int:
        """Solve the assignment at this price of a fixed point; return how many the answer has."""
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - slow to load

        np.fill_diagonal(self.distances, price)
        try:
            _, columns = linear_sum_assignment(self.distances)
        finally:
            np.fill_diagonal(self.distances, 0)
        if self.left is not None:
            self.left -= 1
        p = columns.astype(np.int64)
        k, cost = self.offer(p)
        if price < math.inf:
            self.lines.append(Line(price, cost + price * k, p))
        return k

    def offer(self, p: Permutation) -> tuple[int, float]:
        """Keep a permutation if it is the cheapest with its number of fixed points."""
        k = int((p == self.people).sum())
        cost = math.fsum(self.distances[self.people, p].tolist())
        if k not in self.best or cost < self.best[k][0]:
            self.best[k] = cost, p
        return k, cost

    def between(self, corners: list[int]) -> None:
        """Fill the gaps between corners: one more person stays (from the left), or goes (from the right)."""
        for a, b in pairwise(corners):
            inside = [r for r in self.asked if a < r < b]
            if not inside:
                continue
            for p in let_stay(self.distances, self.best[a][1], max(inside) - a):
                self.offer(p)
            if b - min(inside) <= _STEPS:
                for p in let_go(self.distances, self.best[b][1], b - min(inside)):
                    self.offer(p)

    def brackets(self, mdis: Floats) -> dict[int, Bracket]:
        """Put both ends together for every r asked for."""
        self.slack = ROUNDING * max(cost for cost, _ in self.best.values())
        known = sorted(self.best)
        made: dict[int, Bracket] = {}
        upper, p, at = math.inf, self.people, 0
        for r in self.asked:
            while at < len(known) and known[at] <= r:
                cost, candidate = self.best[known[at]]
                if cost < upper:
                    upper, p = cost, candidate
                at += 1
            at_most = self.attainable(r)
            _, line = self.line(at_most)
            lower = max(line, s_lower(mdis, at_most))
            exact = r == 0 or lower >= upper - self.slack
            made[r] = Bracket(r, upper if exact else lower, upper, exact, p)
        return made

    def attainable(self, r: int) -> int:
        """Return r, or n - 2 for n - 1: one person alone cannot be out of place."""
        n = len(self.people)
        return n - 2 if r == n - 1 else r

    def line(self, r: int) -> tuple[int, float]:
        """Return the line that bounds s_exact(r) best, and its value there."""
        values = self.totals - self.prices * r
        best = int(values.argmax())
        return best, float(values[best])

    def closed(self, bracket: Bracket, seconds: float) -> Bracket:
        """Let the integer programme try an open bracket."""
        if bracket.exact:
            return bracket
        line, _ = self.line(bracket.r)
        answer = close(self.distances, self.lines[line], bracket.r, bracket.upper, seconds)
        upper, p = bracket.upper, bracket.permutation
        if answer.permutation is not None:
            _, cost = self.offer(answer.permutation)
            if cost < upper:
                upper, p = cost, answer.permutation
        lower = upper if answer.closed else min(max(bracket.lower, answer.lower), upper)
        exact = answer.closed or lower >= upper - self.slack
        return replace(bracket, lower=lower, upper=upper, exact=exact, permutation=p, programme=answer.closed)
