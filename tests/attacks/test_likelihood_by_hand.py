"""Likelihood against plain arithmetic: whoever has the greatest product over what is known is likeliest."""

from datetime import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.attacks.base import Tables
from kakurenbo.chance import Chance

RECORDS = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3)), min_size=1, max_size=5)
# Of good and month, day or whole record: each month has one moment, so these are the same.
GRAINS = (lambda record: record[0], *[lambda record: record] * 3)


def _bought(people):
    rows = [(f"p{i}", f"g{good}", datetime(2024, month, 5)) for i, some in people for good, month in some]
    frame = pl.DataFrame(rows, schema=["customer", "goods", "time"], orient="row")
    return kb.Purchases.from_frame(frame, customer="customer", goods="goods", time="time")


@given(st.lists(RECORDS, min_size=1, max_size=5), RECORDS, st.booleans())
def test_the_likeliest_are_those_of_the_greatest_product(people, known, relative):
    """At every grain against the share of all records, or at the sharpest grain alone."""
    attack = kb.attacks.LikelihoodAttack(grains="all" if relative else "sharpest")
    grains, least = (GRAINS, 1.0) if relative else (GRAINS[-1:], 1e-3)
    tables = Tables(_bought([(0, known)]), _bought(enumerate(people)), Chance(1))
    got = attack.locate(tables, np.array([0])).best

    def share(person, grain, record):
        held = np.mean([grain(one) == grain(record) for one in people[person]])
        everybody = [grain(one) == grain(record) for records in people for one in records]
        return held / (np.mean(everybody) if relative and any(everybody) else 1.0)

    score = [
        sum(np.log1p(np.mean([share(person, grain, record) for grain in grains]) / least) for record in known)
        for person in range(len(people))
    ]
    best = max(score)
    expected = [person for person, one in enumerate(score) if one >= best * (1 - 1e-9)] if best > 0 else []
    assert sorted(got.indices.tolist()) == expected
    assert got.score[0] == pytest.approx(best)
