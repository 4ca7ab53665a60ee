"""Looking up in a block: what is worked out once for all targets is what each would work out for himself."""

import numpy as np
import pytest

from kakurenbo.kernels.scan import Beside, Postings, Records, look_up

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
def test_records_worked_out_once_give_the_places_that_each_search_finds(people, share):
    rng = np.random.default_rng(people)
    postings = _block(rng, people, 12, share)
    targets = 90
    whose = np.sort(rng.integers(0, targets, people))
    own = np.searchsorted(whose, np.arange(targets + 1)), rng.permutation(people)
    bits = tuple(rng.integers(0, 2**63, count).astype(np.uint64) for count in (targets, people))
    beside = Beside(own, bits, 20, 1e-9)
    sizes = np.stack([np.zeros(people), rng.integers(1, 4, people).astype(float)])
    searches = [_search(rng, count, 12, 3) for count in (targets, 15, 40)]
    together = Records.of(searches, beside.remembering)
    made = together.look_up(postings, least=0.5, sizes=sizes, beside=beside)
    for search, places in zip(searches, made, strict=True):
        alone = look_up(search, postings, least=0.5, sizes=sizes, beside=beside)
        assert len(places) == len(alone) == RULES
        for one, other in zip(places, alone, strict=True):
            assert one.score == pytest.approx(other.score)
            for name in ("size", "ties", "own", "draws", "kept"):
                assert np.array_equal(getattr(one, name), getattr(other, name)), name


def test_records_are_worked_out_once_where_many_know_them_and_many_hold_them():
    rng = np.random.default_rng(1)
    coarse, fine = _block(rng, 400, 12, 0.6), _block(rng, 400, 5_000, 0.005)
    assert Records.of([_search(rng, 2_000, 12, 1)], 10).quicker(coarse)
    assert not Records.of([_search(rng, 2_000, 5_000, 3)], 10).quicker(fine)
