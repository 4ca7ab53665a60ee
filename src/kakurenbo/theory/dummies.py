"""How many dummy records it costs to give every customer of a cluster the same goods.

One function counts them for a clustering; the others foresee them from a few means of the data, by the two
models of the papers: goods drawn at random (000) and goods shared by subsets of a cluster (003).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from kakurenbo.theory._checks import positive, real, require, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class SharingMeans(NamedTuple):
    """What a sharing model implies: goods of one customer (b) and goods common to two (h), in the mean."""

    b: float
    h: float


def cluster_dummies(sizes: Sequence[int], union: int) -> int:
    """Dummies of one cluster x: every member gets the goods of the others.

    Formula: Delta_m(x) = sum over u in x of |I(x)| - |I(u)|.

    Symbols: sizes = |I(u)| of every member u, union = |I(x)|, the goods of all members together.
    Valid range: at least one member, max |I(u)| <= |I(x)| <= sum |I(u)|.
    Source: 002 section 3.1, 003 section 3.1.
    """
    require(len(sizes) > 0, "a cluster with at least one member", "an empty one")
    counts = [whole("|I(u)|", size, 0) for size in sizes]
    union = whole("|I(x)|", union, max(counts), sum(counts))
    return len(counts) * union - sum(counts)


def total_dummies(clusters: Iterable[tuple[Sequence[int], int]]) -> int:
    """Dummies of a whole clustering, each cluster given as (sizes, union) like in `cluster_dummies`.

    Formula: Delta_m = sum over clusters x of Delta_m(x).

    Valid range: that of `cluster_dummies`, for every cluster; no clusters make no dummies.
    Source: 002 and 003 section 3.1. Misprint: both print only the sum inside one cluster.
    """
    return sum(cluster_dummies(sizes, union) for sizes, union in clusters)


def expected_dummies_occupancy(n: int, m: int, l: int, c: float) -> float:  # noqa: E741 - the paper's l
    """Expected dummies when every record picks its good at random among l goods.

    Formula: E(Delta_m) = n l {(1 - 1/l)^(m/n) - (1 - 1/l)^(m/c)}.

    Symbols: n customers, m records, l goods, c clusters of equal size n/c.
    Valid range: n, m, l >= 1 and 1 <= c <= n. Evaluated through log1p and expm1, since the two powers agree
    in most digits when l is large.
    Source: 000 section 4.2 (unnumbered). It falls in c, from its largest value at c = 1 to 0 at c = n.
    """
    n, m, l = whole("n", n, 1), whole("m", m, 1), whole("l", l, 1)  # noqa: E741 - the paper's l
    real("c", c, 1, n)
    if l == 1:
        return 0.0
    log_missed = math.log1p(-1 / l)
    alone = math.exp(log_missed * (m / n))
    return -n * l * alone * math.expm1(log_missed * (m / c - m / n))


def fewest_clusters(n: int, b: float, h: float) -> float:
    """Smallest c for which `expected_dummies_sharing` holds; a real number, never below 1.

    Formula: c >= h n / (b + h/2), where eq. 3 has its maximum.

    Symbols: n customers, b = mean |I(u)|, h = mean |I(u)∩I(v)|.
    Valid range: n >= 1, b > 0, 0 <= h <= b.
    Source: 002 section 4.4 prints the range 23 <= c <= 400 for n = 400, b = 65, mu = 0.03: this, rounded up.
    """
    n = whole("n", n, 1)
    positive("b", b)
    real("h", h, 0, b)
    return max(1.0, h * n / (b + h / 2))


def expected_dummies_sharing(n: int, b: float, h: float, c: float) -> float:
    """Expected dummies when no good is bought by more than two customers of a cluster.

    Formula: E(Delta_m) = -h n^3/(2c^2) + (b + h/2) n^2/c - b n = n (n/c - 1) (b - h n/(2c)).
    The second form is evaluated: it is exactly 0 at c = n.

    Symbols: n customers, b = mean |I(u)|, h = mean |I(u)∩I(v)|, c clusters of equal size s = n/c.
    Valid range: h n/(b + h/2) <= c <= n with b > 0, 0 <= h <= b. With fewer clusters the formula falls
    again, though bigger clusters cannot need fewer dummies.
    Source: 003 eq. 3. It is c times `sharing_dummies` with a_1 = b - (s-1) h, a_2 = h, a_i = 0 for i >= 3.
    """
    real("c", c, fewest_clusters(n, b, h), n)
    return n * (n / c - 1) * (b - h * n / (2 * c))


def expected_dummies_bound(n: int, b: float, h: float, c: float) -> float:
    """Upper bound of `expected_dummies_sharing`, simple enough for a closed optimum.

    Formula: E(Delta_m) <= (b + h/2) n^2/c.

    Symbols: as in `expected_dummies_sharing`.
    Valid range: 1 <= c <= n, b > 0, 0 <= h <= b.
    Source: 003 eq. 4; 002 eq. 1, as an approximation. Misprint: 003 prints >=, but the terms left out of
    eq. 3 are both negative.
    """
    fewest_clusters(n, b, h)
    real("c", c, 1, n)
    return (b + h / 2) * n * n / c


def sharing_dummies(a: Sequence[float]) -> float:
    """Dummies of one cluster of size s in which every i members share a_i goods that no other member has.

    Formula: Delta_m(x, s) = sum over i = 1..s of (s - i) C(s, i) a_i. Summed exactly, rounded once.

    Symbols: s = len(a) members; a[i-1] = a_i = mean number of goods bought by exactly a given i members.
    Valid range: s >= 1, finite a_i >= 0.
    Source: 003 section 4.2 (unnumbered; its example for s = 3 is 3 (2 a_1 + a_2)).
    """
    shares = _shares(a, 1)
    s = len(shares)
    return float(sum((s - i) * math.comb(s, i) * a_i for i, a_i in enumerate(shares, start=1)))


def sharing_means(a: Sequence[float]) -> SharingMeans:
    """Mean goods of a customer and mean goods of a pair that a sharing model implies.

    Formula: b = sum over i = 1..s of C(s-1, i-1) a_i; h = sum over i = 2..s of C(s-2, i-2) a_i.

    Symbols: as in `sharing_dummies`.
    Valid range: s >= 2 (one customer makes no pair), finite a_i >= 0.
    Source: 003 eq. 2, which writes the first term of each sum apart.
    """
    shares = _shares(a, 2)
    s = len(shares)
    b = sum(math.comb(s - 1, i) * a_i for i, a_i in enumerate(shares))
    h = sum(math.comb(s - 2, i) * a_i for i, a_i in enumerate(shares[1:]))
    return SharingMeans(float(b), float(h))


def _shares(a: Sequence[float], smallest: int) -> list[Fraction]:
    require(len(a) >= smallest, f"a_1..a_s with s of at least {smallest}", f"s = {len(a)}")
    for i, a_i in enumerate(a, start=1):
        real(f"a_{i}", a_i, 0)
    return [Fraction(a_i) for a_i in a]
