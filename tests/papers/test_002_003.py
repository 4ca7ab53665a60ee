"""Golden numbers of 002 (short paper) and 003 (MDAI 2019) that need no data, copied from the papers."""

import math

import pytest

from kakurenbo import theory

B, MU = 65, 0.03  # 002 section 2.1, 003 section 2.1


@pytest.fixture
def h():
    return theory.mean_intersection(B, MU)


def test_mean_intersection(h):
    # 003 section 2.1: about 4 goods of 65 are shared. The formula as 002 prints it would say 0.06.
    assert round(h) == 4
    assert 2 * B * MU / (B + MU) < 0.1


def test_valid_range(h):
    # 002 section 4.4: the range is 23 <= c <= 400.
    assert math.ceil(theory.fewest_clusters(400, B, h)) == 23


def test_best_number_of_clusters(h):
    # 002 and 003 section 4.4: c* = 130 at n = 400.
    assert theory.best_clusters_sharing(400, B, h) == 130


def test_closed_form_at_400(h):
    # Not printed; FACTS.md computes 142.7 for 002 eq. 4 with the alpha that gives 130.
    alpha = theory.alpha_sharing(400, B, h)
    assert round(theory.closed_form_clusters(400, B, h, alpha), 1) == 142.7


def test_closed_form_at_4000(h):
    # 002 section 4.4: c* = 1427 and E(Reid) = 0.3567 at n = 4000.
    c = theory.closed_form_clusters(4000, B, h, theory.alpha_sharing(4000, B, h))
    assert round(c) == 1427
    assert round(theory.expected_reidentification(c, 4000), 4) == 0.3567


def test_closed_form_as_003_prints_it_misses_1427(h):
    # 003 section 4.4 prints b + b/2 where 002 has b + h/2.
    alpha = theory.alpha_sharing(4000, B, h)
    assert round(math.sqrt(alpha * (B + B / 2) * 4000**3)) != 1427


def test_490650_is_not_reproducible(h):
    # 002 section 4.4 prints it as E at n = 4000, c* = 1427. Neither 003 eq. 3 nor the bound is within 10 %.
    for formula in (theory.expected_dummies_sharing, theory.expected_dummies_bound):
        assert formula(4000, B, h, 1427) != pytest.approx(490_650, rel=0.1)


def test_cluster_of_three():
    # 003 section 4.2: three customers need 3 (2 a_1 + a_2) dummies.
    assert theory.sharing_dummies([7, 5, 11]) == 3 * (2 * 7 + 5)


def test_bound_is_above():
    # 003 eq. 4 prints >=; it is an upper bound.
    assert theory.expected_dummies_sharing(400, 65, 4, 100) < theory.expected_dummies_bound(400, 65, 4, 100)


def test_toy_weight():
    # 003 Fig. 2: TF = 1/2 and IDF = 1 make 0.5.
    assert theory.tf_idf(2, 4, 4) == pytest.approx(0.5)
