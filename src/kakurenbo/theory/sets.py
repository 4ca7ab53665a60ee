"""How alike two customers are: Jaccard on sets and multisets, its means, and the weight of one good.

The attack of 000, 002 and 003 and the distance of 004 both rest on these few lines. They take sizes and
quantities, never ids; for whole tables use `kakurenbo.kernels`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.theory._checks import positive, real, require, same_shape, whole

if TYPE_CHECKING:
    import numpy.typing as npt


def jaccard(size_a: int, size_b: int, common: int) -> float:
    """Jaccard coefficient of two sets, from their sizes.

    Formula: J(A, B) = |A∩B| / (|A| + |B| - |A∩B|), the share of all their goods that both have.

    Symbols: size_a = |A|, size_b = |B|, common = |A∩B|.
    Valid range: 0 <= common <= min(|A|, |B|), and not both sets empty (0/0 has no value).
    Source: 000 Definition 5, 002 section 2.1, 003 Definition 2.
    """
    size_a, size_b = whole("|A|", size_a, 0), whole("|B|", size_b, 0)
    common = whole("|A∩B|", common, 0, min(size_a, size_b))
    require(size_a + size_b > 0, "at least one set that is not empty", "two empty sets")
    return common / (size_a + size_b - common)


def multiset_jaccard_distance(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Jaccard distance of two multisets, given as quantities of the same goods in the same order.

    Formula: d = 1 - sum_g min(x_g, y_g) / sum_g max(x_g, y_g).

    Symbols: x_g, y_g = quantity of good g; quantities 0 and 1 give the distance of plain sets.
    Valid range: equal lengths, finite quantities >= 0, at least one of them positive.
    Source: 004 section 3, eq. 4. The paper leaves the multiplicity open and its section 5 speaks of plain
    sets of goods, but only the purchase quantity as multiplicity reproduces its Table 1.
    """
    a, b = same_shape("quantity vectors", x, y)
    union = math.fsum(np.maximum(a, b).ravel())
    require(union > 0, "at least one multiset that is not empty", "two empty multisets")
    return 1.0 - math.fsum(np.minimum(a, b).ravel()) / union


def mean_intersection(b: float, mu: float) -> float:
    """Mean number of goods that two customers share, from the mean Jaccard coefficient.

    Formula: h = 2 b mu / (1 + mu).

    Symbols: b = mean number of distinct goods of a customer, mu = mean Jaccard coefficient over pairs.
    Valid range: b > 0, 0 <= mu <= 1. It replaces a mean of ratios by a ratio of means, so on real data it
    is an estimate; it is exact when all sets have one size and all pairs share equally many goods.
    Source: Proposition 1 of 000 (section 4.2) and of 003 (section 2.1).
    Misprints: 000 prints 2b mu/1 + mu without brackets; 002 prints 2b mu/(b + mu); 003 calls h the
    mean Jaccard coefficient in the statement.
    """
    positive("b", b)
    real("mu", mu, 0, 1)
    return 2 * b * mu / (1 + mu)


def mean_jaccard(b: float, h: float) -> float:
    """Mean Jaccard coefficient from the mean intersection: the inverse of `mean_intersection`.

    Formula: mu = h / (2b - h).

    Symbols: b = mean number of distinct goods of a customer, h = mean number of goods two customers share.
    Valid range: b > 0, 0 <= h <= b.
    Source: 003 eq. 1; the proof of Proposition 1 in 000.
    """
    positive("b", b)
    real("h", h, 0, b)
    return h / (2 * b - h)


def tf_idf(goods: int, n: int, buyers: int) -> float:
    """TF-IDF weight of one good that a customer bought (a good not bought weighs 0).

    Formula: f' = 1/|I(u)| * (ln(n / |D|) + 1).

    Symbols: goods = |I(u)|, the number of distinct goods of customer u; n = number of customers;
    buyers = |D|, the number of customers who bought the good.
    Valid range: goods >= 1, 1 <= buyers <= n.
    Source: 000 Algorithm 3, 002 and 003 Algorithm 2. The base of the logarithm is not printed; natural here.
    With the printed +1 the toy's IDF of 1 (000 Fig. 6, 003 Fig. 2) means a good that everyone bought.
    """
    goods, n = whole("|I(u)|", goods, 1), whole("n", n, 1)
    buyers = whole("|D|", buyers, 1, n)
    return (math.log(n / buyers) + 1) / goods
