"""How many people a random shuffle leaves in place, and how sure one can be that they are few.

A cheat of 004 leaves the data as it is and shuffles only the pairing. Its distance betrays it unless it
leaves too many people in place, so the probability that it leaves at most l must be known. That is so close
to 1 that float64 says 1.0 from l = 18 on; everything here is a ratio of whole numbers, and the gap to 1 is
written as a power of two. A plain shuffle is the case of a single group: `sizes=[n]`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from kakurenbo.theory._checks import require, whole

if TYPE_CHECKING:
    from collections.abc import Sequence


def fixed_point_probability(n: int, k: int) -> Fraction:
    """Probability that a random permutation of n leaves exactly k in place.

    Formula: Pr[Re(p) = k] = 1/k! * sum over i = 0..n-k of (-1)^i / i! = C(n, k) D(n-k) / n!.

    Symbols: Re(p) = number of i with p(i) = i, D(j) = number of permutations of j without a fixed point.
    Valid range: n >= 1, 0 <= k <= n.
    Source: 004 Corollary 1, eq. 9. Misprint: the sign is printed as -1^i, without brackets.
    """
    n = whole("n", n, 1)
    k = whole("k", k, 0, n)
    return Fraction(_group_counts(n, k)[k], math.factorial(n))


def fixed_points_at_most(n: int, l: int) -> Fraction:  # noqa: E741 - the paper's l
    """Probability that a random permutation of n leaves at most l in place.

    Formula: q*(l) = sum over k = 0..l of Pr[Re(p) = k].

    Valid range: n >= 1, 0 <= l <= n.
    Source: 004 eq. 11. The remark that q* should exceed 1 - 2^60 or 1 - 2^50 lacks the minus of 2^-60, 2^-50.
    """
    return grouped_fixed_points_at_most([n], l)


def grouped_fixed_point_probability(sizes: Sequence[int], k: int) -> Fraction:
    """Probability that independent random permutations inside groups leave exactly k in place together.

    Formula: Pr[Re(p) = k] = coefficient of x^k in G(x) = product over groups j of sum_i q_ji x^i, where
    q_ji = Pr[Re(p_j) = i] for a group of N_j. The mean number of fixed points is the number of groups.

    Symbols: sizes = N_1..N_c.
    Valid range: at least one group, every N_j >= 1, 0 <= k <= sum N_j.
    Source: 004 section 4.3.3 (unnumbered).
    """
    counts, total = _product_counts(_sizes(sizes), whole("k", k, 0, sum(sizes)))
    return Fraction(counts[k], total)


def grouped_fixed_points_at_most(sizes: Sequence[int], l: int) -> Fraction:  # noqa: E741 - the paper's l
    """Probability that independent random permutations inside groups leave at most l in place together.

    Formula: q*(l) = sum over k = 0..l of the coefficients of G(x), see `grouped_fixed_point_probability`.

    Valid range: at least one group, every N_j >= 1, 0 <= l <= sum N_j.
    Source: 004 eq. 12.
    """
    counts, total = _product_counts(_sizes(sizes), whole("l", l, 0, sum(sizes)))
    return Fraction(sum(counts), total)


def smallest_limit(sizes: Sequence[int], bits: int) -> int:
    """Smallest l that a random permutation inside groups passes with probability at most 2^-bits.

    Formula: min {l : 1 - q*(l) <= 2^-bits}; decided in whole numbers.

    Symbols: sizes = N_1..N_c ([n] for a plain shuffle), bits = x of the wanted certainty 1 - 2^-x.
    Valid range: at least one group, every N_j >= 1, bits >= 0. l = sum N_j always suffices.
    Source: the choice of l in 004 sections 4.3.2 and 4.3.3 (with x = 50 or 60).
    """
    groups, bits = _sizes(sizes), whole("bits", bits, 0)
    n = sum(groups)
    tried = min(n, 2 * len(groups) + 16)
    while True:
        counts, total = _product_counts(groups, tried)
        beyond = total
        for k, count in enumerate(counts):
            beyond -= count
            if beyond << bits <= total:
                return k
        tried = min(n, 2 * tried)


def log2_complement(q: Fraction) -> float:
    """Binary logarithm of 1 - q, for probabilities too near to 1 for float64.

    Formula: log2(1 - q), and -inf for q = 1.

    Valid range: 0 <= q <= 1, as a Fraction.
    Source: 004 prints 1 - q*(l) as a power of two in sections 4.3.2 and 4.3.3.
    """
    require(0 <= q <= 1, "a probability from 0 to 1", q)
    gap = 1 - Fraction(q)
    p, d = gap.numerator, gap.denominator
    if p == 0:
        return -math.inf
    if 2 * p > d:
        return math.log1p((p - d) / d) / math.log(2)
    shift = d.bit_length() - p.bit_length()
    return math.log2((p << shift) / d) - shift


def format_certainty(q: Fraction, digits: int = 2) -> str:
    """A probability near 1 as text: `1 - 2^-62.45`, or `1` when it is 1.

    Valid range: 0 <= q <= 1, digits >= 0 after the point of the exponent.
    """
    digits = whole("digits", digits, 0)
    exponent = log2_complement(q)
    return "1" if exponent == -math.inf else f"1 - 2^{exponent:.{digits}f}"


def _sizes(sizes: Sequence[int]) -> list[int]:
    require(len(sizes) > 0, "at least one group", "none")
    return [whole("N_j", size, 1) for size in sizes]


def _group_counts(size: int, limit: int) -> list[int]:
    """Number of permutations of one group with k = 0..min(size, limit) fixed points."""
    top = min(size, limit)
    deranged, kept = 1, []
    for j in range(size + 1):
        if j:
            deranged = j * deranged + (-1) ** j
        if j >= size - top:
            kept.append(deranged)
    return [math.comb(size, k) * kept[top - k] for k in range(top + 1)]


def _product_counts(sizes: list[int], limit: int) -> tuple[list[int], int]:
    """Coefficients 0..limit of the groups' generating functions multiplied, over their common denominator."""
    counts, total = [1], 1
    for size in sizes:
        counts = _multiply(counts, _group_counts(size, limit), limit)
        total *= math.factorial(size)
    return counts, total


def _multiply(a: list[int], b: list[int], limit: int) -> list[int]:
    product = [0] * min(len(a) + len(b) - 1, limit + 1)
    for i, a_i in enumerate(a):
        for j, b_j in enumerate(b[: len(product) - i]):
            product[i + j] += a_i * b_j
    return product
