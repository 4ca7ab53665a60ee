"""Learnt against a slow obvious reference."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from kakurenbo.auditing.learning.records import alone
from kakurenbo.auditing.learning.unaided import unaided
from kakurenbo.data.belief import Belief
from kakurenbo.risk.learnt.claims import learnt

KEYS = 8
SETS = st.frozensets(st.integers(0, KEYS - 1))


def matrix(rows):
    made = sparse.lil_array((len(rows), KEYS), dtype=np.int64)
    for i, row in enumerate(rows):
        for key in row:
            made[i, key] = 1
    return sparse.csr_array(made)


def belief(bundles, believed):
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in believed])]).astype(np.int64)
    return Belief(matrix(bundles), indptr, np.array([b for row in believed for b in row], dtype=np.int64))


@st.composite
def cases(draw):
    bundles = draw(st.lists(SETS, min_size=1, max_size=4))
    truth = draw(st.lists(SETS, min_size=1, max_size=4))
    known = [draw(st.frozensets(st.sampled_from(sorted(row)))) if row else row for row in truth]
    places = st.lists(st.integers(0, len(bundles) - 1), unique=True)
    return known, truth, bundles, [sorted(draw(places)) for _ in truth]


def plain(known, truth, bundles, believed, *, cautious):
    """Yield (share, laid open, precision, recall) of everybody who has something to be learnt."""
    for k, t, numbers in zip(known, truth, believed, strict=True):
        rest = t - k
        if not rest:
            continue
        claims = [bundles[b] - k for b in numbers]
        if cautious and claims:
            claims = [frozenset.intersection(*claims)]
        if not claims:
            yield 0.0, 0.0, 1.0, 0.0
            continue
        shares = [len(c & rest) / len(c | rest) for c in claims]
        yield (
            float(np.mean(shares)),
            float(np.mean(shares) >= 0.5 - 1e-9),
            float(np.mean([len(c & rest) / len(c) if c else 1.0 for c in claims])),
            float(np.mean([len(c & rest) / len(rest) for c in claims])),
        )


@given(cases(), st.booleans())
def test_learnt_is_what_sets_say(case, cautious):
    known, truth, bundles, believed = case
    made = belief(bundles, believed)
    result = learnt(matrix(known), matrix(truth), made.cautious() if cautious else made)
    expected = list(plain(*case, cautious=cautious))
    got = list(zip(result.share, result.laid_open, result.precision, result.recall, strict=True))
    assert got == [pytest.approx(row) for row in expected]
    mean, rate = alone(result)  # the same of people outside a release
    shares = np.mean(expected, axis=0)[:2] if expected else (0.0, 0.0)
    assert (mean, rate.value) == pytest.approx(tuple(shares))


@given(st.lists(st.dictionaries(st.integers(0, 5), st.booleans()), min_size=1, max_size=4))
def test_without_a_release_the_best_claim_of_the_most_frequent_keys_is_made(people):
    """Everybody has some of six keys, known or not; all numbers of keys are few enough to be claimed."""
    known = [frozenset(key for key in person if person[key]) for person in people]
    frequent = sorted(range(6), key=lambda key: -sum(key in person for person in people))

    def result(count):
        claim = frozenset(frequent[:count])
        made = [
            len(claim & (person.keys() - mine)) / len((claim | person.keys()) - mine)
            for person, mine in zip(people, known, strict=True)
            if person.keys() - mine
        ]
        return (np.mean(np.greater_equal(made, 0.5)), np.mean(made)) if made else (0.0, 0.0)

    laid_open, mean = max(result(count) for count in range(1, 7))
    found, rate = unaided(matrix(known)[:, :6], matrix(people)[:, :6])
    assert (rate.value, found) == pytest.approx((laid_open, mean))
