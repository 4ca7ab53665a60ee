"""Found is not learnt, on TC400: what who knows 1, 2 or 4 records of a person learns of the rest.

The figures are those of an independent plain computation with one draw of every release. It compared whole
records by the day; where a person shares a day, a good and its price with others, who reads minutes learns
more, and so both tables are read by the day in the rows where that is seen. A release of chance is met by the
mean of several draws where one draw differs from the next by as much as the bound.
"""

from functools import cache

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.learning.attribution import attribution
from kakurenbo.auditing.panel.members import attackers, learning
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.chance import Chance
from lessons import RUNGS, looking, taught

STRIPPED = "without the last receipt's look-alikes"
PAPER = kb.methods.Balanced(clusters=50, min_size=8, dummies="paper")
FIGURES = {
    "new names": (kb.methods.Pseudonymize(), (0.97, 1.00, 1.00), (0.99, 1.00, 1.00), {}),
    "shift": (kb.cheats.Shift(), (0.97, 1.00, 1.00), (0.99, 1.00, 1.00), {}),
    "deal, receipts, 8": (
        kb.methods.Deal(min_size=8, of="receipts"), (0.20, 0.20, 0.19), (0.00, 0.00, 0.00), {"by_day": True},
    ),
    "deal, receipts, 32": (
        kb.methods.Deal(min_size=32, of="receipts"), (0.17, 0.18, 0.16), (0.00, 0.00, 0.00), {"by_day": True},
    ),
    "deal, records, 8": (
        kb.methods.Deal(min_size=8, of="records"), (0.13, 0.12, 0.12), (0.00, 0.00, 0.00), {},
    ),
    "deal, records, 32": (
        kb.methods.Deal(min_size=32, of="records"), (0.07, 0.06, 0.06), (0.00, 0.00, 0.00), {},
    ),
    "balanced in the paper's format": (PAPER, (0.16, 0.16, 0.16), (0.02, 0.02, 0.02), {}),
    "the same without quantity 1 in the last receipt": (
        PAPER, (0.91, 0.96, 0.97), (0.95, 0.98, 0.98), {"drops": STRIPPED},
    ),
    "compact with donors": (
        kb.methods.Compact(min_size=8, dummies="donor"), (0.17, 0.18, 0.17), (0.01, 0.01, 0.01), {},
    ),
    "months and three bands of prices": (
        kb.methods.Coarsen(times="month", price_bands=3), (0.59, 0.95, 1.00), (0.56, 0.96, 1.00), {},
    ),
    "three fifths deleted": (
        kb.methods.Delete(share=0.6), (0.20, 0.29, 0.35), (0.11, 0.19, 0.24), {"by_day": True, "draws": 3},
    ),
}  # fmt: skip

SOON = {"the same without quantity 1 in the last receipt", "months and three bands of prices"}


@pytest.fixture(scope="module")
def shop(real):
    return kb.read_purchases(real("tc400.csv"))


@pytest.fixture(scope="module")
def released(shop):
    """Return a function that carries out the method of a row, each draw once."""
    return cache(lambda method, seed: method.release(shop, seed=seed).data)


def by_days(data):
    return data.with_records(data.under(None).with_columns(pl.col("time").dt.truncate("1d")))


def figures(original, release, seed, drops=""):
    """Return the means learnt and the shares laid open, rung by rung."""
    tables = Tables(vocabulary(original, release).original, release, Chance(seed))
    made = taught(tables, "evidence", drops=drops)
    return np.array([[made[rung].mean for rung in RUNGS], [made[rung].laid_open for rung in RUNGS]])


@pytest.mark.parametrize("row", [row if row in SOON else in_campaign(row)[0] for row in FIGURES])
def test_what_is_learnt_of_tc400(shop, released, row):
    method, mean, laid_open, how = FIGURES[row]
    drops, minutes, days = how.get("drops", ""), [], []
    for seed in range(1, how.get("draws", 1) + 1):
        release = released(method, seed)
        minutes.append(figures(shop, release, seed, drops))
        if how.get("by_day"):
            days.append(figures(by_days(shop), by_days(release), seed, drops))
    read = np.mean(days or minutes, axis=0)
    assert read == pytest.approx(np.array([mean, laid_open]), abs=0.04)
    assert (np.mean(minutes, axis=0) >= read - 0.01).all(), "who reads minutes learns no less"


@pytest.mark.campaign
@pytest.mark.parametrize("row", [row for row in FIGURES if row.startswith("deal")])
def test_dealt_records_are_given_to_their_owners_by_who_knows_what_they_bought(shop, released, row):
    method = FIGURES[row][0]
    tables = Tables(shop, released(method, 1), Chance(1))
    who = [one for one in learning(attackers(shop)) if (one.name, one.knowledge) == ("owners", "goods")]
    made = {one.way: one for one in map(attribution, looking(tables, who, np.arange(400)))}
    assert made[""].told > 0.99
    assert made["by time stamps"].right > 0.95, "a time stamp puts a torn receipt together again"
    assert made[""].right > 0.9 if method.of == "receipts" else made[""].right < 0.8
