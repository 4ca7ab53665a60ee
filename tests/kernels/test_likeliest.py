"""Who is likeliest: the compiled search finds whom going through everybody finds."""

import itertools
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from kakurenbo.kernels.likeliest import Postings, heaviest, likeliest

CLOSE = 1e-9
LEAST = st.sampled_from([1e-6, 1e-3, 1.0])


@st.composite
def searches(draw):
    """Return people x keys of one to three grains, and what targets know, -1 where a record has no key."""
    people, grains = draw(st.integers(1, 12)), draw(st.integers(1, 3))
    widths = [draw(st.integers(1, 5)) for _ in range(grains)]
    seed = draw(st.integers(0, 2**32 - 1))
    chance = np.random.default_rng(seed)
    counts = [
        chance.integers(0, 4, (people, width)) * (chance.random((people, width)) < 0.7) for width in widths
    ]
    each = chance.integers(0, 7, draw(st.integers(0, 8)))
    bounds = np.concatenate([[0], np.cumsum(each)]).astype(np.int64)
    shift = np.cumsum([0, *widths[:-1]])
    keys = np.stack([chance.integers(-1, width, bounds[-1]) for width in widths], axis=1)
    keys = np.where(keys < 0, -1, keys + shift).astype(np.int64)
    return [sparse.csr_array(count) for count in counts], bounds, keys


def _held(postings, key, person):
    if key < 0:
        return 0.0
    start, end = postings.starts[key], postings.starts[key + 1]
    return sum(
        share
        for who, share in zip(postings.who[start:end], postings.share[start:end], strict=True)
        if who == person
    )


def _reference(bounds, keys, postings, least):
    """Return of every target all who score most, everybody scored one by one."""
    for first, last in itertools.pairwise(bounds):
        scores = []
        for person in range(postings.people):
            held = [sum(_held(postings, key, person) for key in record) for record in keys[first:last]]
            scale = keys.shape[1] * least
            scores.append(sum(np.log(one / scale + 1) for one in held) if least else sum(held))
        best = max(scores)
        yield best, [who for who, one in enumerate(scores) if one > 0 and one >= best * (1 - CLOSE)]


def _same(found, expected):
    for target, (score, who) in enumerate(expected):
        assert found.indices[found.indptr[target] : found.indptr[target + 1]].tolist() == who
        assert np.isclose(found.score[target], score, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("by_records", [True, False])
@given(searches(), LEAST, st.booleans())
def test_whoever_scores_most_is_likeliest(by_records, search, least, relative):
    grains, bounds, keys = search
    postings = Postings.of(grains, relative=relative)
    with patch("kakurenbo.kernels.likeliest.search.quicker", lambda *_: by_records):
        found = likeliest(bounds, keys, postings, least=least)
    _same(found, _reference(bounds, keys, postings, least))


@given(searches())
def test_whoever_holds_most_is_heaviest(search):
    grains, bounds, keys = search
    postings = Postings.by_rarity(grains)
    _same(heaviest(bounds, keys, postings), _reference(bounds, keys, postings, 0.0))
