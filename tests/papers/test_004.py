"""Golden numbers of 004 (JIP 2018) that need no data. Every value is copied from the paper."""

from itertools import permutations

import pytest

from kakurenbo import theory

# Section 4.3.1: the example matrix; the diagonal is forbidden.
EXAMPLE = [[0, 4, 7, 6], [4, 0, 3, 2], [7, 3, 0, 5], [6, 2, 5, 0]]


def test_every_derangement_of_the_example_costs_18():
    # Section 4.3.1 computes 4 + 3 + 5 + 6 = 18 for the shift; here it holds for all nine derangements.
    costs = [
        sum(EXAMPLE[i][k] for i, k in enumerate(p))
        for p in permutations(range(4))
        if all(i != k for i, k in enumerate(p))
    ]
    assert costs == [18] * 9
    assert theory.s_exact_0(EXAMPLE) == 18


def test_lower_bound_of_the_example():
    # By the definitions in section 4.2, applied by hand to the matrix.
    mdis = theory.nearest_distances(EXAMPLE)
    assert mdis == [4, 2, 3, 2]
    assert theory.s_lower(mdis, 0) == 11


def test_random_shuffle_of_400():
    # Section 4.3.2: q*(19) is about 1 - 1/2^62; FACTS.md: log2 of the gap is -62.45.
    q = theory.fixed_points_at_most(400, 19)
    assert theory.log2_complement(q) == pytest.approx(-62.45, abs=0.005)
    assert theory.format_certainty(q) == "1 - 2^-62.45"


def test_float64_cannot_tell():
    # FACTS.md: in float64 q* is 1.0 from l = 18 on.
    assert float(theory.fixed_points_at_most(400, 18)) == 1.0
    assert theory.fixed_points_at_most(400, 18) < 1


def test_choice_of_l():
    # Section 4.3.2: l = 19 is chosen for a certainty above 1 - 2^-60.
    assert theory.smallest_limit([400], 60) == 19


@pytest.mark.parametrize("sizes", [[400], [9] * 24 + [8] * 23])
def test_expected_fixed_points_are_the_groups(sizes):
    # Table 1: a random cheat is expected to leave 1 in place, one inside 47 groups (sex, nationality) 47.
    # The sizes of the 47 groups are not printed; the expectation does not depend on them.
    top = 3 * len(sizes) + 30
    mean = sum(k * theory.grouped_fixed_point_probability(sizes, k) for k in range(top))
    assert float(mean) == pytest.approx(len(sizes), rel=1e-9)


def test_admissible_thresholds():
    # Eqs. 13-15 with Table 1: Min = 0.713362 and s_lower(99)/400 = 0.64352876022 give 0.357 < t/400 <= 0.64.
    interval = theory.admissible_thresholds(400, 0.713362, 0.64352876022 * 400)
    assert interval.low / 400 == pytest.approx(0.357, abs=0.0005)
    assert 0.64 * 400 in interval
    assert 0.65 * 400 not in interval
    assert 0.356 * 400 not in interval
