"""Looking up in a block: what is worked out once for all targets is what each would work out for himself."""

from itertools import pairwise

import numpy as np
import pytest

from kakurenbo.kernels.scan import Beside, Postings, Records, look_up, own_scores

RULES = 2


def _block(rng, people, keys, share):
    """Return who holds which key, and what that counts."""
    held = rng.random((keys, people)) * (rng.random((keys, people)) < share)
    who = [np.flatnonzero(row).astype(np.int32) for row in held]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in who])]).astype(np.int64)
    return Postings(starts, np.concatenate(who), held[held > 0], people)


def _search(rng, targets, keys, grains):
    """Return what targets know; some know nothing."""
    bounds = np.concatenate([[0], np.cumsum(rng.integers(0, 6, targets))]).astype(np.int64)
    return bounds, rng.integers(0, keys, (bounds[-1], grains)).astype(np.int32)


@pytest.mark.parametrize("people", [1, 100, 300])
@pytest.mark.parametrize("share", [0.02, 0.6])
@pytest.mark.parametrize("barred", [False, True])
def test_records_worked_out_once_give_the_places_that_each_search_finds(people, share, barred):
    rng = np.random.default_rng(people)
    postings = _block(rng, people, 12, share)
    targets = 90
    whose = np.sort(rng.integers(0, targets, people))
    own = np.searchsorted(whose, np.arange(targets + 1)), rng.permutation(people)
    bits = tuple(rng.integers(0, 2**63, count).astype(np.uint64) for count in (targets, people))
    beside = Beside(own, bits, 20, 1e-9)
    sizes = np.stack([np.zeros(people), rng.integers(1, 4, people).astype(float)])
    searches = [_search(rng, count, 12, 3) for count in (targets, 15, 40)]
    reached = None
    if barred:
        reached = [own_scores(search, postings, least=0.5, own=own) for search in searches]
    together = Records.of(searches, beside.remembering, reached)
    made = together.look_up(postings, least=0.5, sizes=sizes, beside=beside)
    for search, places in zip(searches, made, strict=True):
        alone = look_up(search, postings, least=0.5, sizes=sizes, beside=beside)
        assert len(places) == len(alone) == RULES
        for one, other in zip(places, alone, strict=True):
            assert one.score == pytest.approx(other.score)
            for name in ("size", "ties", "own", "draws", "kept"):
                assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("people", [1, 80, 400])
@pytest.mark.parametrize("share", [0.02, 0.2, 0.7])
@pytest.mark.parametrize("least", [0.0, 0.3])
def test_who_cannot_reach_what_a_target_s_own_scores_is_left_out_and_nothing_else_changes(
    people, share, least
):
    """Whoever scores as much as the best of his own, or more, is found with the same ties; others are not."""
    rng = np.random.default_rng(people)
    postings = _block(rng, people, 40, share)
    if least:
        postings = postings.logarithms(least)
    targets = 90
    whose = np.sort(rng.integers(0, targets, people))
    own = np.searchsorted(whose, np.arange(targets + 1)), rng.permutation(people)
    bits = tuple(rng.integers(0, 2**63, count).astype(np.uint64) for count in (targets, people))
    beside = Beside(own, bits, 20, 1e-9)
    sizes = np.stack([np.zeros(people), rng.integers(1, 4, people).astype(float)])
    search = _search(rng, targets, 40, 1)
    reached = own_scores(search, postings, least=0.0, own=own)
    dense = np.zeros((40, people))
    for key in range(40):
        held = slice(postings.starts[key], postings.starts[key + 1])
        dense[key, postings.who[held]] = postings.held[held]
    bounds, keys = search
    for target in range(targets):
        scores = dense[keys[bounds[target] : bounds[target + 1], 0]].sum(axis=0)
        mine = own[1][own[0][target] : own[0][target + 1]]
        assert reached[target] == pytest.approx(scores[mine].max(initial=0.0))
    free = look_up(search, postings, least=0.0, sizes=sizes, beside=beside)
    barred = look_up(search, postings, least=0.0, sizes=sizes, beside=beside, reached=reached)
    higher = look_up(search, postings, least=0.0, sizes=sizes, beside=beside, reached=free[0].score * 1.01)
    for one, other, none in zip(barred, free, higher, strict=True):
        assert one.score == pytest.approx(other.score)
        for name in ("size", "ties", "own", "draws", "kept"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name
        assert not none.score.any()
        assert not none.ties.any()


@pytest.mark.parametrize("people", [5, 64, 400])
@pytest.mark.parametrize("share", [0.005, 0.05, 0.5])
@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("strange", [0, 1])
def test_who_lacks_what_a_winner_must_hold_is_left_out_and_nobody_else(people, share, alike, strange):
    """Targets know what their own hold, all of it or all but one key; what a key counts may differ."""
    rng = np.random.default_rng(people)
    postings = _block(rng, people, 60, share)
    if alike:  # as by rarity
        each = np.repeat(rng.integers(1, 5, 60) / 4, postings.lengths)
        postings = Postings(postings.starts, postings.who, each, people)
    holds = [[] for _ in range(people)]
    for key, (begin, end) in enumerate(pairwise(postings.starts)):
        for person in postings.who[begin:end]:
            holds[person].append(key)
    known = [[*mine[:9], *rng.integers(0, 60, strange)] for mine in holds]
    bounds = np.cumsum([0, *map(len, known)])
    search = bounds, np.concatenate(known).astype(np.int32).reshape(-1, 1)
    own = np.arange(people + 1), np.arange(people)
    bits = tuple(rng.integers(0, 2**63, people).astype(np.uint64) for _ in range(2))
    beside, sizes = Beside(own, bits, 20, 1e-9), np.stack([np.zeros(people), rng.random(people)])
    reached = own_scores(search, postings, least=0.0, own=own)
    free = look_up(search, postings, least=0.0, sizes=sizes, beside=beside)
    barred = look_up(search, postings, least=0.0, sizes=sizes, beside=beside, reached=reached)
    for one, other in zip(barred, free, strict=True):
        assert one.score == pytest.approx(other.score)
        for name in ("size", "ties", "own", "draws", "kept"):
            assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_records_are_worked_out_once_where_many_know_them_and_many_hold_them():
    rng = np.random.default_rng(1)
    coarse, fine = _block(rng, 400, 12, 0.6), _block(rng, 400, 5_000, 0.005)
    assert Records.of([_search(rng, 2_000, 12, 1)], 10).quicker(coarse)
    assert not Records.of([_search(rng, 2_000, 5_000, 3)], 10).quicker(fine)
