"""Whether somebody else holds some points: by bits as by walking through the holders of the rarest."""

import numpy as np
import pytest

from kakurenbo.kernels.together import held_by_others
from kakurenbo.risk.exposure.unicity import POINTS, Drawn, Held


@pytest.mark.parametrize("people", [1, 64, 130])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_bits_tell_what_walking_tells(people, share):
    rng = np.random.default_rng(people)
    count, draws = 9, 200
    pairs = np.flatnonzero(rng.random(count * people) < share)
    points = np.array([rng.permutation(count)[:POINTS] for _ in range(draws)])
    points[rng.random(points.shape) < 0.1] = -1
    points[:, 0] = np.maximum(points[:, 0], 0)
    himself = rng.integers(-1, people, draws)
    held = Held(pairs, people)
    counts = np.bincount(pairs // people, minlength=count)
    holders = np.where(points < 0, np.iinfo(np.int64).max, counts[points])
    told = held.others(Drawn(himself, points, holders))
    assert np.array_equal(held_by_others(pairs, people, points, himself, count), told)
