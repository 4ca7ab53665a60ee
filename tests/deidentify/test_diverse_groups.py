"""k-anonymize with l, t, hierarchies and suppression, checked by plain code of its own."""

from collections import Counter, defaultdict
from math import exp, log

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from adults import COUNTRIES, SCHOOLS, adults
from kakurenbo.data.hierarchy import Hierarchy
from kakurenbo.kernels.groups import Protected
from people import microdata_of, people_rows

KAnonymize = kb.methods.KAnonymize


def grouped(data, name):
    """The values of an attribute by combination of quasi-identifiers."""
    held = defaultdict(list)
    for row in data.records.iter_rows(named=True):
        held[tuple(row[column] for column in data.qi)].append(row[name])
    return held


def plain_l(values, way, c):
    counts = sorted(Counter(values).values(), reverse=True)
    if way == "distinct":
        return len(counts)
    if way == "entropy":
        return exp(-sum(n / len(values) * log(n / len(values)) for n in counts)) + 1e-9
    return max(
        (depth for depth in range(1, len(counts) + 1) if counts[0] < c * sum(counts[depth - 1 :])), default=0
    )


def plain_t(values, everybody, ordered):
    names = sorted(set(everybody))
    apart = [values.count(name) / len(values) - everybody.count(name) / len(everybody) for name in names]
    if not ordered:
        return sum(map(abs, apart)) / 2
    return sum(abs(sum(apart[: place + 1])) for place in range(len(names))) / max(len(names) - 1, 1)


@given(
    table=people_rows, k=st.integers(1, 4), least=st.integers(1, 3), t=st.sampled_from([0.2, 0.5, 1.0]),
    way=st.sampled_from(["distinct", "entropy", "recursive"]), cut=st.sampled_from(["strict", "relaxed"]),
    suppress=st.sampled_from([0.0, 0.3]),
)  # fmt: skip
@settings(max_examples=30)
def test_every_group_keeps_k_l_and_t(table, k, least, t, way, cut, suppress):
    people = microdata_of([(age, town, income, "xyz"[rent % 3]) for age, town, income, rent in table])
    k = min(k, len(people))
    method = KAnonymize(k=k, l=least, t=t, diversity=way, c=2, cut=cut, suppress=suppress)
    whole = min(plain_l(people.records[name].to_list(), way, 2) for name in people.sa)
    if whole < least:
        with pytest.raises(kb.ParameterError):
            method.release(people, seed=1)
        return
    release = method.release(people, seed=1)
    assert len(release.data) == len(people) - release.facts.deleted >= len(people) * (1 - suppress)
    for name, ordered in (("income", True), ("rent", False)):
        everybody = release.data.records[name].to_list()
        for values in grouped(release.data, name).values():
            assert len(values) >= k
            assert plain_l(values, way, 2) >= least
            assert plain_t(values, everybody, ordered) <= t + 1e-9


def test_adults_are_generalised_by_ranges_sets_and_words_and_read_back(tmp_path):
    people = adults(400)
    release = KAnonymize(k=4, l=3, suppress=0.05).release(people, seed=1)
    words = {*SCHOOLS, *SCHOOLS.values(), "*"}, {*COUNTRIES, *COUNTRIES.values(), "*"}
    assert set(release.data.records["education"]) <= words[0]
    assert set(release.data.records["country"]) <= words[1]
    assert {"School", "University"} & set(release.data.records["education"])
    assert release.data.records["age"].str.contains(r"^\[?[0-9]+").all()
    names, before = release.pairing.to_dict(), dict(zip(people.ids, people.records["education"], strict=True))
    for who, word in zip(release.data.ids, release.data.records["education"], strict=True):
        assert word in {before[names[who]], SCHOOLS[before[names[who]]], "*"}
    kb.write_release(release, tmp_path / "out", secret=tmp_path / "secret.csv")
    again = kb.read_microdata(tmp_path / "out", qi=people.qi, sa=people.sa)
    assert kb.profile(again).diversity == kb.profile(release.data).diversity


def test_a_value_that_its_hierarchy_does_not_know_is_refused():
    people = microdata_of([(20, "a", 1, 2), (21, "b", 3, 4)])
    unknown = kb.Microdata.from_frame(
        people.records, qi=people.qi, sa=people.sa, hierarchies={"town": Hierarchy.of({"a": "x"})}
    )
    with pytest.raises(kb.InputError) as error:
        KAnonymize(k=2).release(unknown)
    assert (error.value.code, error.value.column) == ("hierarchy", "town")


def test_rows_are_left_out_only_where_the_others_gain_more():
    rows = [(20 + i % 3, "a", i, i) for i in range(30)]
    even = KAnonymize(k=5, suppress=0.2).release(microdata_of(rows), seed=1)
    assert even.facts.deleted == 0, "nobody stands out"
    odd = KAnonymize(k=10, suppress=0.2).release(microdata_of([*rows, (24, "a", 1, 1)]), seed=1)
    assert odd.facts.deleted == 1
    assert set(odd.data.records["age"]) == {20, 21, 22}


def test_a_category_may_be_kept_apart_where_numbers_are_not_asked_for():
    people = microdata_of([(20 + i, "a", i, i % 2) for i in range(16)])
    release = KAnonymize(k=2, l=2, s=["rent"]).release(people, seed=1)
    assert release.facts.groups == 8
    with pytest.raises(kb.InputError):
        KAnonymize(k=2, l=2, s=["height"]).release(people)


@pytest.mark.campaign
def test_the_whole_table_is_always_close_to_itself():
    codes = pl.Series([0, 1, 1, 2]).to_numpy()[:, None]
    assert Protected(codes, [True], t=0.0).kept()
    assert not Protected(codes, [True], least=4).kept()
