"""Golden numbers of 000 (JIP 2020) that need no data. Every value is copied from the paper."""

import pytest

from kakurenbo import theory

N, M, L = 400, 38_000, 2_700  # section 4.3: the rounded sizes of the contest table


def test_normaliser():
    # Section 4.3: alpha = 1/1,042,653.
    assert round(1 / theory.alpha_occupancy(N, M, L)) == 1_042_653


def test_best_number_of_clusters():
    # Section 4.3 and Fig. 14: the evaluation is smallest at c = 69.
    assert theory.best_clusters_occupancy(N, M, L) == 69


def test_toy_weight():
    # Fig. 6: TF = 1/2 (two goods) and IDF = 1 make 0.5; by Algorithm 3, IDF is 1 when all four bought it.
    assert theory.tf_idf(2, 4, 4) == pytest.approx(0.5)


def test_toy_dummies():
    # Fig. 4 (Fig. 1 of 003): {g1,g2}, {g1,g3,g5}, {g4,g5} all become {g1..g5}: 3 + 2 + 3 dummies.
    assert theory.cluster_dummies([2, 3, 2], 5) == 8


def test_expected_reidentification():
    # Section 4.3: E(Reid) = c/n; 50 of 400 clusters is 0.125 (Table 8, random Reid: 0.1235 measured).
    assert theory.expected_reidentification(50, 400) == pytest.approx(0.125)
