"""Found and learnt on Online Retail, from releases whose goods are cut to their first characters by hand.

The release is made of 3,904 people under new names, with neither quantities nor prices; the original is given
uncut, and the audit must infer how the release writes. The figures are those of an independent plain
computation with 430 people inside and the 434 who are left as the control. Of whom nothing is left to be
learnt, nobody can learn: such people are not counted here.
"""

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.attacks.base import Tables
from kakurenbo.auditing.learning.outsiders import of_file
from kakurenbo.auditing.vocabulary import vocabulary
from kakurenbo.chance import Chance
from lessons import RUNGS, taught

INSIDE, TARGETS, WAY = 3904, 1500, "at the sharpest grain"
EVERY = {"month": "1mo", "quarter": "1q"}

# (characters of a good, period, unit of a name): for 1, 2 and 4 records (found, learnt, its control, laid
# open, its control); where every receipt has a name of its own, nobody's name can be found.
FIGURES = {
    (None, "month", "customer"): (
        (0.33, 0.33, 0.02, 0.31, 0.00), (0.77, 0.77, 0.02, 0.77, 0.00), (0.95, 0.95, 0.03, 0.95, 0.00),
    ),
    (None, "month", "receipt"): (
        (None, 0.13, 0.02, 0.11, 0.00), (None, 0.39, 0.02, 0.37, 0.00), (None, 0.56, 0.03, 0.52, 0.00),
    ),
    (3, "month", "customer"): (
        (0.07, 0.11, 0.07, 0.05, 0.00), (0.30, 0.42, 0.17, 0.30, 0.03), (0.72, 0.77, 0.22, 0.72, 0.05),
    ),
    (3, None, "customer"): (
        (0.01, 0.01, 0.01, 0.00, 0.00), (0.06, 0.12, 0.07, 0.05, 0.00), (0.26, 0.35, 0.16, 0.23, 0.01),
    ),
    (2, "quarter", "customer"): (
        (0.02, 0.04, 0.03, 0.02, 0.02), (0.05, 0.14, 0.12, 0.09, 0.08), (0.16, 0.25, 0.18, 0.18, 0.10),
    ),
}  # fmt: skip

SOON = {(None, "month", "receipt"), (3, "month", "customer")}


@pytest.fixture(scope="module")
def shop(real):
    return kb.read_purchases(real("online_retail.parquet"), policy="drop")


@pytest.fixture(scope="module")
def parts(shop):
    """The people of the release, and those who are not in it."""
    order = np.random.default_rng(2).permutation(len(shop.customers))
    return [shop.of(shop.customers.gather(np.sort(part))) for part in (order[:INSIDE], order[INSIDE:])]


def released(inside, characters, period, unit):
    """Return what is released, and the name of everybody or of every receipt."""
    whole = inside.under(None).select("goods", "time", who=unit)
    names = whole.select("who").unique().sort("who").sample(fraction=1, shuffle=True, seed=3)
    names = names.with_columns(customer=pl.format("n{}", pl.int_range(pl.len()) + 10000))
    goods = pl.col("goods").cast(pl.String).str.slice(0, characters)
    time = pl.col("time").dt.truncate(EVERY[period or "month"])
    cut = whole.join(names, on="who").select("customer", goods, time).sort("customer", "goods", "time")
    roles = {"customer": "customer", "goods": "goods", **({"time": "time"} if period else {})}
    return kb.Purchases.from_frame(cut.select(list(roles)), **roles), dict(names.iter_rows())


def found(supposed, tables, targets, names):
    """Return the share of targets whose likeliest name is theirs, ties averaged."""
    best, owned = supposed.best, tables.original.customers.gather(targets).replace_strict(names)
    at = np.repeat(np.arange(len(targets)), np.diff(best.indptr))
    right = owned.gather(at) == tables.released.customers.gather(best.indices)
    return float((np.bincount(at, right.to_numpy(), len(targets)) / np.diff(best.indptr)).mean())


@pytest.mark.parametrize("row", [row if row in SOON else in_campaign(row)[0] for row in FIGURES], ids=str)
def test_what_is_found_and_learnt_of_online_retail(parts, row):
    inside, outside = parts
    release, names = released(inside, *row)
    spoken, chance = vocabulary(inside, release), Chance(1)
    characters, period, unit = row
    cut = [f"goods cut to {characters} characters"] if characters else []
    said = (*cut, *([f"times by {period}"] if period else []))
    assert spoken.inferred[: len(said)] == said
    assert [one[:22] for one in spoken.inferred[len(said) :]] == ["a new name every month"] * (
        unit == "receipt"
    )
    tables = Tables(spoken.original, release, chance)
    targets = np.sort(chance.order("targets", inside.customers)[:TARGETS])
    here = taught(tables, "likelihood", WAY, targets=targets)
    others = of_file(spoken.original, release, spoken.alike(outside))
    apart = Tables(others.known, others.released, chance)
    control = taught(apart, "likelihood", WAY, targets=others.targets)
    assert len(others.targets) == 434
    for rung, (name, *learnt) in zip(RUNGS, FIGURES[row], strict=True):
        mine, other = here[rung], control[rung]
        made = [mine.mean, other.mean, mine.laid_open, other.laid_open]
        assert made == pytest.approx(learnt, abs=0.05), rung
        if unit == "customer":
            assert found(mine.supposed, tables, targets, names) == pytest.approx(name, abs=0.05), rung
