"""Releases made elsewhere: other columns, other types, other people. None may stop the audit."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.attacks.purchases.totals import TotalsAttack
from kakurenbo.auditing.audit import audit
from shops import light_shop


def table(people=60):
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "id": [f"person{i}" for i in range(people)],
            "age": rng.integers(20, 60, people),
            "sex": rng.choice(["m", "f"], people),
            "income": rng.gamma(2, 1000, people).round(),
            "food": rng.gamma(2, 100, people),
        }
    )


def shuffled(frame):
    """Return the table under other ids in another order, and who is who."""
    order = np.random.default_rng(1).permutation(frame.height)
    names = pl.Series([f"x{i:03}" for i in range(frame.height)])
    return frame[order].with_columns(id=names), kb.Pairing(names, frame["id"].gather(order))


def microdata(frame, qi=("age", "sex"), sa=("income", "food")):
    return kb.Microdata.from_frame(frame, qi=qi, sa=sa, id="id")


@pytest.mark.parametrize(
    ("qi", "sa", "rung"),
    [
        (("age", "sex"), (), "quasi-identifiers"),
        pytest.param(("age", "sex"), ("income",), "everything", marks=pytest.mark.campaign),
        pytest.param(("age",), ("income", "food"), "everything", marks=pytest.mark.campaign),
    ],
)
def test_microdata_without_some_columns_is_attacked_by_the_others(qi, sa, rung):
    released, secret = shuffled(table())
    result = audit(microdata(table()), microdata(released, qi, sa), secret, seed=1)
    assert result.worst_of(rung) is not None
    assert result.verdict == "no"
    assert result.proof.holds
    assert "columns" in result.skipped[0].name
    without = audit(microdata(table()), microdata(released, qi, sa), seed=1)
    assert without.verdict == ("no" if sa else "not measured")  # without attributes there is nothing to learn


def test_microdata_without_a_common_quasi_identifier_is_refused():
    released, secret = shuffled(table())
    with pytest.raises(kb.InputError, match="quasi-identifiers"):
        audit(microdata(table(), ("age",)), microdata(released, ("sex",)), secret)


@pytest.fixture(scope="module")
def shop():
    return light_shop(40, seed=3)


MASTERS = {
    "other columns": lambda master: master.select("customer", other=pl.lit("same")),
    "ids alone": lambda master: master.select("customer"),
    "numbers as text": lambda master: master.with_columns(pl.all().cast(pl.String)),
    "nothing known": lambda master: master.with_columns(pl.lit(None).alias(n) for n in master.columns[1:]),
    "floats": lambda master: master.with_columns(pl.col(pl.Int64).cast(pl.Float64)),
}


@pytest.mark.parametrize(
    "changed", in_campaign("nothing known", "other columns", "ids alone", "numbers as text", "floats")
)
def test_any_master_can_be_audited(shop, changed):
    release = kb.methods.Pseudonymize().release(shop, seed=1)
    other = release.data.with_records(release.data.records, master=MASTERS[changed](release.data.master))
    result = audit(shop, other, release.pairing, seed=1)
    assert result.verdict == "no"
    assert result.proof.holds


@pytest.mark.campaign
def test_numbers_in_a_master_are_the_same_numbers_whatever_their_type(shop):
    aged = shop.master.select("customer", age=pl.int_range(pl.len()))
    one = replace(shop, master=aged, keep_master=("age",))
    release = kb.methods.Pseudonymize().release(one, seed=1)
    floats = release.data.master.with_columns(pl.col("age").cast(pl.Float64))
    other = release.data.with_records(release.data.records, master=floats)
    result = audit(one, other, release.pairing, seed=1)
    assert result.worst_of("master").rate.value == 1
    assert {kept.name: kept.loss for kept in result.utility}["u1-cmae"] == pytest.approx(0)


def larger(shop, **factors):
    changed = [pl.col(name) * factor for name, factor in factors.items()]
    return shop.with_records(shop.under(None).with_columns(changed), master=shop.master)


@pytest.mark.campaign
def test_pieces_beyond_counting_stop_only_those_who_count_them(shop):
    large = larger(shop, quantity=10**12)
    result = audit(large, kb.methods.Pseudonymize().release(large, seed=1), seed=1)
    assert result.nearness.measure == "set"
    assert result.worst.rate.value == 1
    assert any("goods+quantity: multiset" in one.name for one in result.skipped)


def test_an_amount_that_is_no_number_any_more_is_told(shop):
    large = larger(shop, quantity=10**12, price=1e300)
    with pytest.raises(kb.InputError, match="too large"):
        TotalsAttack().guess(large, large)


def test_amounts_of_any_size_can_be_compared():
    huge = table().with_columns(pl.col("income") * 1e290)
    released, secret = shuffled(huge)
    result = audit(microdata(huge), microdata(released), secret, seed=1)
    assert result.worst_of("everything").rate.value == 1
    assert result.nearness.copies == 1


@pytest.mark.parametrize("limits", [{"max_risk": float("nan")}, {"max_risk": 2}, {"min_utility": -0.1}])
def test_limits_are_shares(shop, limits):
    with pytest.raises(kb.ParameterError, match="between 0 and 1"):
        audit(shop, kb.methods.Pseudonymize().release(shop, seed=1), **limits)
