"""Who is likeliest: the compiled look-up finds whom going through everybody finds."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from kakurenbo.kernels.scan import Beside, Postings, Records, look_up

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


def _postings(grains, counts):
    """Return who holds each key of all grains, and what that counts; the last key is nobody's."""
    starts, who, held = [0], [], []
    for grain in (sparse.csc_array(grain) for grain in grains):
        each = np.maximum(np.asarray(grain.sum(axis=1)).ravel(), 1)
        for key in range(grain.shape[1]):
            rows = grain.indices[grain.indptr[key] : grain.indptr[key + 1]]
            count = grain.data[grain.indptr[key] : grain.indptr[key + 1]]
            rows, count = rows[count > 0], count[count > 0]
            if counts == "rarity":
                worth = np.full(len(rows), np.log(grain.shape[0] / max(len(rows), 1)) + 1)
            else:
                worth = count / each[rows]
                if counts == "ratio":
                    worth = worth * grain.sum() / max(count.sum(), 1)
            order = np.argsort(rows)
            who.append(rows[order])
            held.append(worth[order])
            starts.append(starts[-1] + len(rows))
    return Postings(
        np.array([*starts, starts[-1]], np.int64), np.concatenate(who).astype(np.int32),
        np.concatenate(held).astype(np.float64), grains[0].shape[0],
    )  # fmt: skip


def _held(postings, key, person):
    start, end = postings.starts[key], postings.starts[key + 1]
    return sum(
        held
        for who, held in zip(postings.who[start:end], postings.held[start:end], strict=True)
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


def _looked_up(bounds, keys, postings, least, *, by_records):
    """Return what is found, with the bits of everybody, all of whom are remembered."""
    targets, people = len(bounds) - 1, postings.people
    nobody = np.zeros(targets + 1, np.int64), np.empty(0, np.int64)
    bits = np.arange(targets, dtype=np.uint64), np.arange(people, dtype=np.uint64)
    beside = Beside(nobody, bits, targets, CLOSE, people)
    sizes, known = np.zeros((1, people)), (bounds, keys.astype(np.int32))
    if by_records:
        ((found,),) = Records.of([known], targets).look_up(postings, least=least, sizes=sizes, beside=beside)
        return found
    return look_up(known, postings, least=least, sizes=sizes, beside=beside)[0]


def _same(found, expected):
    for target, (score, who) in enumerate(expected):
        assert sorted(found.kept[target][found.remembered[target]].tolist()) == who
        assert found.ties[target] == len(who)
        assert np.isclose(found.score[target], score, rtol=1e-9, atol=1e-12)


def _known(keys, postings):
    return np.where(keys < 0, len(postings.starts) - 2, keys)


@pytest.mark.parametrize("by_records", [True, False])
@given(searches(), LEAST, st.sampled_from(["share", "ratio"]))
def test_whoever_scores_most_is_likeliest(by_records, search, least, counts):
    grains, bounds, keys = search
    postings = _postings(grains, counts)
    keys = _known(keys, postings)
    found = _looked_up(bounds, keys, postings, least, by_records=by_records)
    _same(found, _reference(bounds, keys, postings, least))


@given(searches())
def test_whoever_holds_most_is_heaviest(search):
    grains, bounds, keys = search
    postings = _postings(grains, "rarity")
    keys = _known(keys, postings)
    found = _looked_up(bounds, keys, postings, 0.0, by_records=False)
    _same(found, _reference(bounds, keys, postings, 0.0))
