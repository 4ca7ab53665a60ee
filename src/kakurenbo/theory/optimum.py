"""How many clusters are best: few clusters cost dummies, many cost re-identification.

The papers add both, the dummies scaled by alpha into 0..1, and look for the c with the smallest sum.

Which alpha? 000 prints it: 1/E(Delta_m) at c = 1 (`alpha_occupancy`). 002 and 003 do not. One reading
gives all their printed optima: alpha = 1 / (largest value of 003 eq. 3 over its valid whole c), with h from
Proposition 1 and not the rounded h = 4 (`alpha_sharing`). At n = 400, b = 65, mu = 0.03 that is eq. 3 at
c = 23, and the best whole c is 130 (closed form 142.7); at n = 4000 it is eq. 3 at c = 227 and the closed
form gives 1427, c*/n = 0.3567. With h = 4 the best c would be 133 and 1470.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from kakurenbo.theory._checks import positive, real, require, whole
from kakurenbo.theory.dummies import expected_dummies_occupancy, expected_dummies_sharing, fewest_clusters

if TYPE_CHECKING:
    from collections.abc import Callable


def expected_reidentification(c: float, n: int) -> float:
    """Expected re-identification rate of a release in c clusters under the Jaccard attack.

    Formula: E(Reid) = c/n: in each cluster all answers name one customer, the one with the most goods.

    Valid range: n >= 1, 0 < c <= n.
    Source: 000 section 4.3, 002 eq. 2, 003 section 4.3.
    """
    n = whole("n", n, 1)
    positive("c", c)
    real("c", c, 0, n)
    return c / n


def joint_objective(dummies: float, c: float, n: int, alpha: float, *, halved: bool = False) -> float:
    """What the best number of clusters minimises: normalised dummies plus expected re-identification.

    Formula: alpha E(Delta_m) + c/n, divided by 2 if halved (the smallest value lies at the same c).

    Symbols: dummies = E(Delta_m), alpha = normaliser, c clusters, n customers.
    Valid range: dummies >= 0, alpha > 0, 0 < c <= n.
    Source: 000 section 4.3 (not halved), 002 eq. 3 and 003 eq. 5 (halved).
    """
    real("E(Delta_m)", dummies, 0)
    positive("alpha", alpha)
    value = alpha * dummies + expected_reidentification(c, n)
    return value / 2 if halved else value


def alpha_occupancy(n: int, m: int, l: int) -> float:  # noqa: E741 - the paper's l
    """Normaliser of 000: one over the expected dummies of a single cluster.

    Formula: alpha = 1 / E(Delta_m) at c = 1, with E of `expected_dummies_occupancy`.

    Symbols: n customers, m records, l goods.
    Valid range: n, m, l >= 1 and E > 0 (no dummies for n = 1, for l = 1, or when everyone has all goods).
    Source: 000 section 4.3 prints alpha = 1/1,042,653 for n = 400, m = 38,000, l = 2,700.
    """
    return _one_over(expected_dummies_occupancy(n, m, l, 1))


def alpha_sharing(n: int, b: float, h: float) -> float:
    """Normaliser of 002 and 003, as reconstructed from their printed optima (see the module's text).

    Formula: alpha = 1 / max E(Delta_m) over whole c with h n/(b + h/2) <= c <= n; E falls there, so the
    maximum lies at the first of them.

    Symbols: n customers, b = mean |I(u)|, h = mean |I(u)∩I(v)|.
    Valid range: n >= 1, b > 0, 0 <= h <= b and E > 0 somewhere (n = 1 needs no dummies).
    Source: 002 section 4.4, 003 section 4.4 (alpha brings E into 0..1; no formula printed).
    """
    return _one_over(expected_dummies_sharing(n, b, h, math.ceil(fewest_clusters(n, b, h))))


def best_clusters(objective: Callable[[int], float], first: int, last: int) -> int:
    """The whole c in first..last with the smallest objective; of equals the smallest c.

    Valid range: 1 <= first <= last.
    Source: the definition of c* in 000 section 4.3, 002 section 4.4, 003 section 4.4.
    """
    first = whole("first c", first, 1)
    last = whole("last c", last, first)
    return min(range(first, last + 1), key=objective)


def best_clusters_occupancy(n: int, m: int, l: int) -> int:  # noqa: E741 - the paper's l
    """Best number of clusters by 000: c* = argmin over c = 1..n of alpha E(Delta_m) + c/n.

    Symbols: n customers, m records, l goods; alpha of `alpha_occupancy`.
    Valid range: that of `alpha_occupancy`.
    Source: 000 section 4.3, Fig. 14.
    """
    alpha = alpha_occupancy(n, m, l)
    return best_clusters(lambda c: joint_objective(expected_dummies_occupancy(n, m, l, c), c, n, alpha), 1, n)


def best_clusters_sharing(n: int, b: float, h: float) -> int:
    """Best number of clusters by 003: c* = argmin over valid whole c of (alpha E(Delta_m) + c/n)/2.

    Formula: E is that of 003 eq. 3, `expected_dummies_sharing`; halving does not move the minimum.

    Symbols: n customers, b = mean |I(u)|, h = mean |I(u)∩I(v)|; alpha of `alpha_sharing`.
    Valid range: that of `alpha_sharing`; c from h n/(b + h/2) rounded up to n.
    Source: 003 section 4.4 and Fig. 6, 002 section 4.4 and Fig. 2.
    """
    alpha = alpha_sharing(n, b, h)
    first = math.ceil(fewest_clusters(n, b, h))
    return best_clusters(
        lambda c: joint_objective(expected_dummies_sharing(n, b, h, c), c, n, alpha), first, n
    )


def closed_form_clusters(n: int, b: float, h: float, alpha: float) -> float:
    """Where the objective with the upper bound in place of E(Delta_m) is smallest; a real number.

    Formula: c* = sqrt(alpha (b + h/2) n^3), the zero of the derivative of alpha (b + h/2) n^2/c + c/n.

    Symbols: n customers, b = mean |I(u)|, h = mean |I(u)∩I(v)|, alpha = normaliser, e.g. `alpha_sharing`.
    Valid range: n >= 1, b > 0, 0 <= h <= b, alpha > 0. A c* above n means that one cluster for each
    customer is best.
    Source: 002 eq. 4, 003 section 4.4. Misprint: 003 prints b + b/2. 002 also prints E(Delta_m) = 490,650 at
    n = 4000, c* = 1427; eq. 3 gives 430,527 there and the bound 750,029, so no formula of the papers gives it
    (the bound less b n comes nearest, 490,029).
    """
    fewest_clusters(n, b, h)
    positive("alpha", alpha)
    return math.sqrt(alpha * (b + h / 2) * n**3)


def _one_over(largest: float) -> float:
    # Below the smallest normal float the quotient is infinite, and the dummies are none for all purposes.
    needed = largest >= sys.float_info.min
    require(needed, "data that needs dummies for some number of clusters", f"E(Delta_m) = {largest} at most")
    return 1 / largest
