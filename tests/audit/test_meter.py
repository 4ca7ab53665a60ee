"""The meter fails on broken attackers, and on nothing else: not on odd tables, not on few people."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.audit.audit import audit
from kakurenbo.audit.meter import prove


def history(people, each, goods=30, days=60, columns=("customer", "goods", "time", "quantity"), seed=0):
    """Return purchases as a till writes them: by time, customers interleaved."""
    rng, rows = np.random.default_rng(seed), people * each
    table = pl.DataFrame(
        {
            "customer": [f"c{i}" for i in rng.permutation(np.repeat(np.arange(people), each))],
            "goods": [f"g{i}" for i in np.minimum(rng.zipf(1.3, rows), goods)],
            "time": [
                dt.date(2020, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, days, rows)
            ],
            "quantity": rng.integers(1, 3, rows),
        }
    )
    table = table.sort("time", maintain_order=True).select(columns)
    return kb.Purchases.from_frame(table, **{name: name for name in columns})


@pytest.mark.parametrize(
    "data",
    [
        history(40, 6),
        history(40, 6, columns=("customer", "goods")),
        history(40, 6, days=1),
        history(40, 2),
        history(40, 1),
        history(150, 4, goods=6),
        history(3, 5),
        history(1, 5),
    ],
    ids=["interleaved", "goods alone", "one day", "two records", "one record", "few goods", "three", "one"],
)
def test_good_attackers_pass_on_any_table(data):
    meter = prove(data, seed=1)
    assert meter.failed == ()
    assert meter.proofs


@pytest.mark.parametrize("people", [1, 2, 3, 5, 7, 12])
def test_in_a_copy_of_few_people_all_are_found(people):
    data = history(people, 8)
    result = audit(data, kb.Pseudonymize().release(data, seed=1), seed=1)
    assert result.worst.rate.value == 1
    assert result.people.found == people
