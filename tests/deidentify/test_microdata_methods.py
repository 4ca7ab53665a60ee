"""What is special about each method on microdata."""

import datetime as dt
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.cheats import CheatMicrodata
from kakurenbo.kernels.groups import Column, mdav, mondrian
from kakurenbo.measures import InformationLoss
from kakurenbo.methods import (
    Average,
    Chain,
    DeleteMicrodata,
    KAnonymize,
    Microaggregate,
    NoiseMicrodata,
    Swap,
    Unify,
)
from people import QI, microdata_of, people_rows

many = settings(max_examples=20)


@given(table=people_rows, k=st.integers(1, 25), cut=st.sampled_from(["strict", "relaxed"]),
       write=st.sampled_from(["ranges", "typical"]))  # fmt: skip
@many
def test_every_group_has_k_or_the_k_is_refused(table, k, cut, write):
    people = microdata_of(table)
    method = KAnonymize(k=k, cut=cut, write=write)
    if k > len(people):
        with pytest.raises(kb.ParameterError):
            method.release(people)
        return
    release = method.release(people, seed=1)
    assert min(Counter(release.data.records.select(QI).rows()).values()) >= k
    assert release.facts.smallest_group >= k


@given(table=people_rows, k=st.integers(1, 5))
@many
def test_ranges_and_sets_hold_the_original_values(table, k):
    people = microdata_of(table)
    release = KAnonymize(k=min(k, len(people))).release(people, seed=1)
    back = release.pairing.to_dict()
    rows = dict(zip(people.ids, people.records.rows(), strict=True))
    towns = {row[1] for row in table}
    for who, (age, town, *amounts) in zip(release.data.ids, release.data.records.rows(), strict=True):
        before = rows[back[who]]
        low, _, high = str(age).strip("[]").partition("..")
        assert int(low) <= before[0] <= int(high or low)
        assert before[1] in (towns if town == "*" else town.strip("{}").split(","))
        assert tuple(amounts) == before[2:]


def test_relaxed_cuts_part_equal_values_and_strict_ones_do_not():
    people = microdata_of([(20, "a", i, 0) for i in range(8)] + [(21, "a", 0, 0)] * 4)
    strict = KAnonymize(k=3).release(people, seed=1)
    assert Counter(strict.data.records["age"]) == {20: 8, 21: 4}
    relaxed = KAnonymize(k=3, cut="relaxed").release(people, seed=1)
    assert sorted(Counter(relaxed.data.records["age"]).values()) == [3, 3, 6]


def test_columns_that_need_no_range_keep_their_type():
    people = microdata_of([(20, "a", 0, 0), (20, "a", 1, 1), (21, "b", 0, 0), (21, "b", 1, 1)])
    assert KAnonymize(k=2).release(people, seed=1).data.records.schema == people.records.schema
    dated = people.records.with_columns(age=pl.Series(["2020-01-01"] * 2 + ["2021-01-01"] * 2).str.to_date())
    dates = kb.Microdata.from_frame(dated, qi=QI, sa=["income"])
    assert KAnonymize(k=4).release(dates, seed=1).data.records["age"][0] == "[2020-01-01..2021-01-01]"
    assert KAnonymize(k=4, write="typical").release(dates, seed=1).data.records["age"].dtype == pl.Date


def test_times_within_one_second_are_made_equal_too():
    clock = [dt.time(1, 2, 3, 100), dt.time(1, 2, 3, 900)]
    people = kb.Microdata.from_frame(pl.DataFrame({"clock": clock}), qi=["clock"])
    release = KAnonymize(k=2).release(people, seed=1)
    assert release.data.records["clock"].to_list() == ["[01:02:03.000100..01:02:03.000900]"] * 2


def test_mondrian_cuts_the_widest_column_first():
    label = mondrian([Column(np.array([0.0, 1, 2, 9])), Column(np.array([0.0, 1, 0, 1]), nominal=True)], 2)
    assert label.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("shape", ["gaussian", "laplace", "uniform"])
@pytest.mark.parametrize("unit", ["spread", "absolute"])
def test_noise_has_the_spread_asked_for(shape, unit):
    people = kb.demo.households(4000, seed=1)
    release = NoiseMicrodata(scale=0.5, shape=shape, unit=unit, s=("income",)).release(people, seed=1)
    back = release.pairing.to_dict()
    before = dict(zip(people.ids, people.records["income"], strict=True))
    noise = [
        after - before[back[who]]
        for who, after in zip(release.data.ids, release.data.records["income"], strict=True)
    ]
    wanted = 0.5 * (people.records["income"].to_numpy().std() if unit == "spread" else 1)
    assert np.std(noise) == pytest.approx(wanted, rel=0.06)
    assert abs(np.mean(noise)) < 0.1 * wanted
    assert sorted(release.data.records["food"]) == sorted(people.records["food"])


def test_noise_beyond_the_numbers_is_refused():
    people = microdata_of([(20, "a", 1e300, 0), (20, "a", -1e300, 0)])
    with pytest.raises(kb.ParameterError):
        NoiseMicrodata(scale=10, s=("income",)).release(people, seed=1)


def test_the_cheat_exchanges_people_within_groups_if_told():
    people = kb.demo.households(300, seed=1)
    release = CheatMicrodata(within=("region",)).release(people, seed=1)
    region = dict(zip(people.ids, people.records["region"], strict=True))
    declared = release.pairing.to_dict()
    assert all(
        region[declared[who]] == own
        for who, own in zip(release.data.ids, release.data.records["region"], strict=True)
    )
    guess = kb.attacks.Euc1().guess(people, release.data, seed=1)
    assert kb.reidentification(release.pairing, guess).rate.value < 0.1
    assert InformationLoss().of(people, release.data, release.pairing).value > 0.05


def test_cheats_in_a_chain_still_pair_everybody_once():
    people = kb.demo.households(50, seed=1)
    chain = Chain(methods=(CheatMicrodata(), DeleteMicrodata(share=0.3), CheatMicrodata(), Average()))
    release = chain.release(people, seed=1)
    assert release.pairing.is_bijection
    assert (len(release.data), release.facts.deleted) == (35, 15)


def test_unify_takes_the_most_frequent_value_or_the_one_given():
    people = microdata_of([(20, "a", 0, 0), (21, "b", 0, 0), (21, "c", 0, 0)])
    assert Unify().release(people, seed=1).data.records["age"].to_list() == [21] * 3
    assert Unify(q=("town",)).release(people, seed=1).data.records["town"].to_list() == ["a"] * 3
    assert Unify(q=("age",), value="7").release(people, seed=1).data.records["age"].to_list() == [7] * 3
    with pytest.raises(kb.ParameterError):
        Unify(q=("age",), value="old").release(people)


@given(table=people_rows, seed=st.integers(0, 9))
@many
def test_average_and_swap_stay_within_equal_quasi_identifiers(table, seed):
    people = microdata_of(table)
    by_group = {}
    for row in table:
        by_group.setdefault(row[:2], []).append(row[2:])
    swapped = {}
    for row in Swap().release(people, seed=seed).data.records.rows():
        swapped.setdefault(row[:2], []).append(row[2:])
    for group, rows in by_group.items():
        for column in range(2):
            assert Counter(row[column] for row in swapped[group]) == Counter(row[column] for row in rows)
    for row in Average().release(people, seed=seed).data.records.rows():
        rows = by_group[row[:2]]
        assert row[2:] == pytest.approx([np.mean([one[c] for one in rows]) for c in range(2)])


@given(n=st.integers(1, 40), k=st.integers(1, 8), seed=st.integers(0, 20))
@many
def test_mdav_groups_are_those_of_plain_python(n, k, seed):
    if k > n:
        return
    points = np.random.default_rng(seed).random((n, 3))
    scaled = points / np.abs(points).max(axis=0)
    scaled = scaled / np.where(scaled.std(axis=0) > 0, scaled.std(axis=0), 1)
    left, groups = list(range(n)), []

    def take(seed_row):
        near = sorted(left, key=lambda i: (i != seed_row, ((scaled[i] - scaled[seed_row]) ** 2).sum()))[:k]
        groups.append(frozenset(near))
        for i in near:
            left.remove(i)

    while len(left) >= 2 * k:
        twice = len(left) >= 3 * k
        centre = scaled[left].mean(axis=0)
        far = max(left, key=lambda i: ((scaled[i] - centre) ** 2).sum())
        take(far)
        if twice:
            take(max(left, key=lambda i: ((scaled[i] - scaled[far]) ** 2).sum()))
    if left:
        groups.append(frozenset(left))
    label = mdav(points, k)
    assert {frozenset(np.flatnonzero(label == one)) for one in set(label)} == set(groups)
    assert all(len(group) >= k for group in groups)


def test_microaggregate_keeps_means_and_needs_numbers():
    people = kb.demo.households(100, seed=1)
    release = Microaggregate(k=4).release(people, seed=1)
    assert min(Counter(release.data.records.select(people.sa).rows()).values()) >= 4
    bare = kb.Microdata.from_frame(people.records, qi=people.qi)
    with pytest.raises(kb.InputError):
        Microaggregate(k=4).release(bare)


def test_rows_that_say_something_else_are_counted_as_altered():
    people = kb.demo.households(60, seed=1)
    same = kb.methods.KAnonymize(k=1).release(people, seed=1)
    coarse = kb.methods.KAnonymize(k=60).release(people, seed=1)
    assert same.facts.altered == 0
    assert coarse.facts.altered == 60
