"""The made-up survey must have the shape of PWS Cup 2015's microdata, and columns that hang together."""

import numpy as np
import polars as pl
import pytest

from kakurenbo.demo import QUASI_IDENTIFIERS, SENSITIVE, Nation, households, households_frame
from kakurenbo.errors import ParameterError

SEEDS = range(8)


@pytest.fixture(scope="module")
def frames():
    return [households_frame(seed=seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def frame(frames):
    return frames[1]


def correlation(frame, one, other):
    return frame.select(pl.corr(one, other)).item()


def test_shape_and_names(frame):
    assert frame.shape == (8333, 25)
    assert len(QUASI_IDENTIFIERS) == 13
    assert len(SENSITIVE) == 12
    assert frame.columns == [*QUASI_IDENTIFIERS, *SENSITIVE]
    assert frame.null_count().sum_horizontal().item() == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_sensitive_amounts_are_skewed_and_never_negative(frames, seed):
    amounts = frames[seed].select(SENSITIVE)
    assert amounts.min().min_horizontal().item() >= 0
    assert all(amounts[name].skew() > 0.5 for name in SENSITIVE)
    assert all((amounts[name] % 100 == 0).all() for name in SENSITIVE)


@pytest.mark.parametrize("seed", SEEDS)
def test_only_education_costs_are_mostly_zero(frames, seed):
    zeros = {name: (frames[seed][name] == 0).mean() for name in SENSITIVE}
    assert 0.70 <= zeros.pop("education_costs") <= 0.80
    assert max(zeros.values()) < 0.05


def test_quasi_identifiers_are_discrete(frame):
    for name in QUASI_IDENTIFIERS:
        assert 2 <= frame[name].n_unique() < 50
        assert frame[name].dtype in {pl.String, pl.Int64}


@pytest.mark.parametrize("seed", SEEDS)
def test_some_households_are_unique_and_some_hide_in_a_crowd(frames, seed):
    groups = frames[seed].group_by(QUASI_IDENTIFIERS).len()["len"]
    assert 0.3 < (groups == 1).sum() / 8333 < 0.7
    assert groups.max() >= 10
    few = frames[seed].group_by(QUASI_IDENTIFIERS[:4]).len()["len"]
    assert (few == 1).sum() / 8333 < 0.02


def test_households_are_possible(frame):
    assert (frame["children"] < frame["household_size"]).all()
    assert (frame["earners"] + frame["children"] <= frame["household_size"]).all()
    assert frame.select(pl.col("household_size", "rooms").min()).row(0) == (1, 1)


def test_columns_depend_on_each_other_as_expected(frame):
    assert correlation(frame, "income", "leisure") > 0.4
    assert correlation(frame, "food", "household_size") > 0.3
    assert correlation(frame, "rooms", "household_size") > 0.3
    cars = dict(frame.group_by("settlement").agg(pl.col("cars").mean()).iter_rows())
    assert cars["city"] < cars["town"] < cars["village"]
    retired = dict(frame.group_by("age_band").agg((pl.col("work") == "retired").mean()).iter_rows())
    assert retired["30-39"] == 0
    assert retired["70 and over"] > 0.5
    school = (
        frame.group_by(pl.col("children") > 0).agg((pl.col("education_costs") > 0).mean()).sort("children")
    )
    assert school["education_costs"][0] < 0.1
    assert school["education_costs"][1] > 0.7


def test_a_seed_repeats_the_survey_and_another_makes_another(frame):
    assert households_frame(seed=1).equals(frame)
    assert not households_frame(seed=2).equals(frame)
    assert not households_frame(20).equals(households_frame(20))


def test_it_grows_and_shrinks():
    assert households_frame(1, seed=1).height == 1
    many = households_frame(200_000, seed=1)
    assert many.height == 200_000
    assert 0.70 <= (many["education_costs"] == 0).mean() <= 0.80


def test_the_nation_can_be_another():
    frame = households_frame(100, seed=1, nation=Nation(pays_with=0.0, pays_without=0.0))
    assert frame["education_costs"].sum() == 0
    assert np.isfinite(frame.select(SENSITIVE).to_numpy()).all()


@pytest.mark.parametrize("make", [households, households_frame])
def test_a_survey_of_nobody_is_refused(make):
    with pytest.raises(ParameterError, match="rows must be at least 1") as refusal:
        make(0)
    assert refusal.value.code == "parameter"


def test_the_survey_is_accepted_as_microdata(frame):
    microdata = households(seed=1)
    assert len(microdata) == frame.height
    assert microdata.qi == QUASI_IDENTIFIERS
    assert microdata.sa == SENSITIVE
