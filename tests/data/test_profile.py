import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.risk.exposure import similarity as alike
from kakurenbo.risk.exposure.unicity import unicity
from strategies import purchases_of, rows


def sets_of(table, point):
    held = {}
    for row in table:
        held.setdefault(row[0], set()).add(point(row))
    return held


@given(rows)
def test_similarity_is_that_of_every_pair_counted_by_hand(table):
    held = sets_of(table, lambda row: row[1])
    pairs = [(len(a & b), len(a | b)) for a, b in combinations(held.values(), 2)]
    profile = kb.profile(purchases_of(table), seed=1)
    if not pairs:
        assert profile.similarity is None
        assert profile.to_dict()["mean_jaccard"] is None
        return
    found = profile.similarity
    assert found.exact
    assert found.mean == pytest.approx(sum(i / u for i, u in pairs) / len(pairs))
    assert found.maximum == max(i / u for i, u in pairs)
    assert profile.mean_intersection == pytest.approx(sum(i for i, _ in pairs) / len(pairs))
    by_hand = [0] * 100
    for both, union in pairs:
        by_hand[min(both * 100 // union, 99)] += 1
    assert list(found.histogram) == by_hand


POINTS = {
    "good": lambda row: row[1],
    "good+month": lambda row: (row[1], 0 if row[3] < 31 else 1 if row[3] < 60 else 2),
    "good+day": lambda row: (row[1], row[3]),
    "good+day+quantity": lambda row: (row[1], row[3], row[5]),
}


def exact_unicity(held, k):
    """The probability that a random customer's k random points are his alone, over all choices of points."""
    shares = []
    for who, mine in held.items():
        others = [points for name, points in held.items() if name != who]
        choices = list(combinations(sorted(mine), min(k, len(mine))))
        alone = sum(not any(set(choice) <= points for points in others) for choice in choices)
        shares.append(alone / len(choices))
    return sum(shares) / len(shares)


@given(rows, st.integers(0, 5))
def test_unicity_is_that_of_all_choices_of_points(table, seed):
    found = list(unicity(purchases_of(table), np.random.default_rng(seed)))
    assert [(row.knowledge, row.k) for row in found] == [(name, k) for name in POINTS for k in (1, 2, 3, 4)]
    for row in found:
        truth = exact_unicity(sets_of(table, POINTS[row.knowledge]), row.k)
        if row.k == 1:
            assert row.rate.exact
            assert row.rate.value == pytest.approx(truth)
        else:
            # 10,000 draws: five standard deviations of a share are at most 0.025
            assert (
                abs(row.rate.value - truth) <= 5 * math.sqrt(max(truth * (1 - truth), 1e-9) / 10_000) + 1e-9
            )
            assert row.rate.low <= row.rate.value <= row.rate.high


def test_sampled_similarity_covers_the_truth_and_says_that_it_is_sampled(monkeypatch):
    shop = kb.demo.shop(150, seed=3)
    truth = kb.profile(shop, seed=1).similarity
    monkeypatch.setattr(alike, "EXACT_PAIRS", 0)
    monkeypatch.setattr(alike, "SAMPLED_PAIRS", 20_000)
    inside = 0
    for seed in range(20):
        found = alike.similarity(shop.baskets(), np.random.default_rng(seed))
        assert not found.exact
        assert sum(found.histogram) == found.pairs == 20_000
        assert found.maximum <= truth.maximum
        inside += found.mean_low <= truth.mean <= found.mean_high
    assert inside >= 16  # 95 % intervals: fewer than 16 of 20 has a chance of 1 in 400


def test_twins_are_found_even_in_a_sample(monkeypatch):
    monkeypatch.setattr(alike, "EXACT_PAIRS", 0)
    monkeypatch.setattr(alike, "SAMPLED_PAIRS", 5)
    table = [(i, i, 0, 0, 1, 1) for i in range(40)] + [(40, 0, 0, 0, 1, 1)]
    found = alike.similarity(purchases_of(table).baskets(), np.random.default_rng(0))
    assert found.maximum == 1.0


def test_a_seed_repeats_the_profile():
    shop = kb.demo.shop(80, seed=1)
    assert kb.profile(shop, seed=7) == kb.profile(shop, seed=7)


def test_knowledge_needs_its_columns(small_frame):
    shop = kb.Purchases.from_frame(small_frame, customer="who", goods="what")
    assert {row.knowledge for row in kb.profile(shop).unicity} == {"good"}
    assert kb.profile(shop).receipts is None
