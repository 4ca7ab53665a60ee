"""The 95 % interval of a rate, on 2,000 simulated releases whose risk is known."""

import numpy as np
import polars as pl

import kakurenbo as kb

PEOPLE, RELEASES = 150, 2000


def shop_of(baskets):
    rows = [(f"c{who:03}", f"g{good}") for who, goods in enumerate(baskets) for good in goods]
    return kb.Purchases.from_frame(
        pl.DataFrame(rows, schema=["who", "what"], orient="row"), customer="who", goods="what"
    )


def test_the_interval_covers_the_truth_in_95_percent_of_releases():
    """Everybody is released as he is with probability p, else with goods that nobody bought.

    The first are found; the others could be anybody, and are named rightly once in n. So the risk of this way
    to release is p + (1 - p)/n, whatever the draw, and the interval of a single release should cover it.
    """
    rng = np.random.default_rng(20)
    original = shop_of([[who] for who in range(PEOPLE)])
    secret = kb.Pairing(original.customers, original.customers)
    attack = kb.JaccardAttack()
    covered = 0
    for _ in range(RELEASES):
        p = rng.uniform(0.02, 0.98)
        kept = rng.random(PEOPLE) < p
        released = shop_of([[who if kept[who] else 1000 + who] for who in range(PEOPLE)])
        found = kb.reidentification(secret, attack.guess(original, released, seed=1)).rate
        covered += found.low <= p + (1 - p) / PEOPLE <= found.high
    assert 0.935 <= covered / RELEASES <= 0.965
