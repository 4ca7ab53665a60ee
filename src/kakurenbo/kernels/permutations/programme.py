"""Close a bracket of s_exact(r) with an integer programme (HiGHS, through scipy), under a time limit.

The programme over all n^2 pairs would be hopeless. But the duals of the solved assignment tell for every pair
what using it costs at least; pairs that cost more than the bracket is wide cannot be in a better permutation
and are left out (reduced cost fixing). On 400 customers a few hundred of 160,000 remain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Permutation = NDArray[np.int64]

_SCALE = 1e4  # the bracket's width in the programme's units: HiGHS stops at a gap of 1e-6 of them
MOST_PAIRS = 200_000


class Answer(NamedTuple):
    """What the programme says: a permutation, if it found one, a lower bound, and whether it finished."""

    permutation: Permutation | None
    lower: float
    closed: bool


class Line(NamedTuple):
    """A solved assignment: at this price of a fixed point `permutation` is the cheapest, costing `total`."""

    price: float
    total: float
    permutation: Permutation


def close(distances: Floats, line: Line, r: int, upper: float, seconds: float) -> Answer:
    """Look for a permutation with at most r fixed points that costs less than `upper`.

    Args:
        distances: n x n with diagonal 0.
        line: the solved assignment whose line bounds s_exact(r) best.
        r: fixed points allowed.
        upper: what is to be beaten.
        seconds: time limit.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 - slow to load

    n, lower = len(distances), line.total - line.price * r
    width = upper - lower
    rows, columns, extra = _worthwhile(distances, line, width)
    if len(rows) > MOST_PAIRS:
        return Answer(None, lower, closed=False)
    pairs, stays = np.arange(len(rows)), rows == columns
    once = sparse.coo_array(
        (np.ones(2 * len(rows)), (np.concatenate([rows, n + columns]), np.concatenate([pairs, pairs])))
    )
    table = sparse.vstack([once, sparse.coo_array(stays[None, :].astype(float))]).tocsr()
    solved = milp(
        (extra - line.price * stays) * (_SCALE / width),
        constraints=LinearConstraint(table, np.append(np.ones(2 * n), 0), np.append(np.ones(2 * n), r)),
        integrality=np.ones(len(rows), dtype=np.int64),
        bounds=Bounds(0, 1),
        options={"time_limit": seconds, "mip_rel_gap": 0},
    )
    if solved.x is None:
        return Answer(None, lower, closed=False)
    chosen = solved.x > 0.5
    p = np.empty(n, dtype=np.int64)
    p[rows[chosen]] = columns[chosen]
    bound = line.total + float(solved.mip_dual_bound) * width / _SCALE
    return Answer(p, max(lower, min(bound, upper)), closed=solved.status == 0)


def _worthwhile(
    distances: Floats, line: Line, width: float
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Return the pairs that a better permutation may use, and what each costs at least beyond the line."""
    priced = distances.copy()
    np.fill_diagonal(priced, line.price)
    extra = priced - _duals(priced, line.permutation)
    rows, columns = np.nonzero(extra <= width * (1 + 1e-6))
    return rows, columns, np.maximum(extra[rows, columns], 0)


def _duals(priced: Floats, p: Permutation) -> Floats:
    """Return u_i + v_j: at most the price of (i, j), and equal to it on the solved assignment (Bellman)."""
    own = priced[np.arange(len(p)), p]
    step = priced - own[:, None]
    v = np.zeros(len(p))
    for _ in range(len(p)):
        shorter = np.minimum(v, (step + v[p][:, None]).min(axis=0))
        if np.max(v - shorter) <= 1e-13:
            break
        v = shorter
    sums: Floats = (own - v[p])[:, None] + v[None, :]
    return sums
