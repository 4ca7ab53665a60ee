"""The 95 % interval of a rate, on 2,000 simulated releases whose risk is known."""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.theory.rate import Rate

PEOPLE, RELEASES, WHOLE = 150, 2000, 20


def shop_of(baskets):
    rows = [(f"c{who:03}", f"g{good}") for who, goods in enumerate(baskets) for good in goods]
    return kb.Purchases.from_frame(
        pl.DataFrame(rows, schema=["who", "what"], orient="row"), customer="who", goods="what"
    )


ORIGINAL = shop_of([[who] for who in range(PEOPLE)])


def attacked(kept):
    """Release, attack and score for real: everybody as he is, or with goods that nobody bought."""
    released = shop_of([[who if kept[who] else 1000 + who] for who in range(PEOPLE)])
    guess = kb.JaccardAttack().guess(ORIGINAL, released, seed=1)
    return kb.reidentification(kb.Pairing(ORIGINAL.customers, ORIGINAL.customers), guess).rate


def test_the_interval_covers_the_truth_in_95_percent_of_releases():
    """Everybody is released as he is with probability p, else with goods that nobody bought.

    The first are found; the others could be anybody, and are named rightly once in n. So the risk of this way
    to release is p + (1 - p)/n, whatever the draw, and the interval of a single release should cover it. How
    many are found follows from who was kept: every hundredth release is attacked to show that it does.
    """
    rng = np.random.default_rng(20)
    covered = 0
    for number in range(RELEASES):
        p = rng.uniform(0.02, 0.98)
        kept = rng.random(PEOPLE) < p
        hits = int(kept.sum()) + int((~kept).sum()) / PEOPLE
        found = Rate.estimated(hits, PEOPLE)
        if number % (RELEASES // WHOLE) == 0:
            measured = attacked(kept)
            assert (measured.value, measured.low, measured.high) == pytest.approx(
                (found.value, found.low, found.high)
            )
        covered += found.low <= p + (1 - p) / PEOPLE <= found.high
    assert 0.935 <= covered / RELEASES <= 0.965
