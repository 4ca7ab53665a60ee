"""The range-aware attacker against a slow obvious one, and what he finds in releases of ours."""

import datetime as dt

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.attacks import Euc1, Euc2, IdentifyRand, Within
from kakurenbo.kernels import assignment
from kakurenbo.methods import KAnonymize
from people import QI, SA, microdata_of, people_rows

many = settings(max_examples=14)
AGES, TOWNS = range(20, 25), "abc"
# A released value as text, and the values inside it as its writer meant them.
released_ages = st.one_of(
    st.sampled_from(AGES).map(lambda age: (str(age), {age})),
    st.tuples(
        st.sampled_from(["[{}..{}]", "{}-{}", "[{}, {}]"]), st.sampled_from(AGES), st.sampled_from(AGES)
    ).map(lambda ends: (ends[0].format(*sorted(ends[1:])), set(range(min(ends[1:]), max(ends[1:]) + 1)))),
    st.sampled_from(AGES).map(lambda age: (f">{age}", set(range(age + 1, 25)))),
    st.just(("*", set(AGES))),
    st.just(("2*", set(AGES))),
    st.just(("?", set())),
)
released_towns = st.one_of(
    st.sampled_from(TOWNS).map(lambda town: (town, {town})),
    st.sets(st.sampled_from(TOWNS), min_size=2).map(
        lambda towns: ("{" + ",".join(sorted(towns)) + "}", towns)
    ),
    st.just(("*", set(TOWNS))),
    st.just(("z", set())),
)
released_rows = st.lists(
    st.tuples(released_ages, released_towns, st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12
)


def released_of(table):
    rows = [(age[0], town[0], *amounts) for age, town, *amounts in table]
    return kb.Microdata.from_frame(pl.DataFrame(rows, schema=[*QI, *SA], orient="row"), qi=QI, sa=SA)


def plain(table, other, *, amounts, most):
    """Ask every original about every released row; the nearest of those who fit in the most, ties evenly."""
    found = {}
    for j, (ages, towns, *theirs) in enumerate(other):
        fits = [(age in ages[1]) + (town in towns[1]) for age, town, *_ in table]
        wanted = max(fits) if most else 2
        inside = [i for i, fit in enumerate(fits) if fit == wanted]
        far = {i: sum((table[i][2 + k] - theirs[k]) ** 2 for k in amounts) for i in inside}
        nearest = [i for i in inside if far[i] == min(far.values())]
        found.update({(str(j + 1), str(i + 1)): 1 / len(nearest) for i in nearest})
    return found


def chances(guess, known, released):
    found = {}
    for whom in known.ids:
        secret = kb.Pairing.of(dict.fromkeys(released.ids, whom))
        found.update({(who, whom): chance for who, chance in guess.expected(secret).iter_rows() if chance})
    return found


@pytest.mark.parametrize("room", [1, *in_campaign(2**23)])
@pytest.mark.parametrize(
    ("options", "amounts"), [({}, (0, 1)), ({"s": ("rent",)}, (1,)), ({"knows": "qi"}, ())]
)
@pytest.mark.parametrize("otherwise", ["most", "abstain"])
@given(table=people_rows, other=released_rows)
@many
def test_it_is_the_attack_of_plain_python(room, options, amounts, otherwise, table, other):
    known, released = microdata_of(table), released_of(other)
    attack = Within(scaling="none", otherwise=otherwise, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kakurenbo.attacks.microdata.within._ROOM", room)
        guess = attack.guess(known, released, seed=1)
    expected = plain(table, other, amounts=amounts, most=otherwise == "most")
    assert chances(guess, known, released) == pytest.approx(expected)
    for who, whom in guess.to_dict().items():
        assert (who, whom) in expected or (whom is None and all(pair[0] != who for pair in expected))


@given(table=people_rows, other=released_rows, knows=st.sampled_from(["all", "qi"]), seed=st.integers(0, 9))
@many
def test_an_assignment_pairs_only_candidates_and_nobody_twice(table, other, knows, seed):
    known, released = microdata_of(table), released_of(other)
    attack = Within(knows=knows, otherwise="abstain", reading="assignment")
    guess = attack.guess(known, released, seed=seed)
    named = guess.original.drop_nulls()
    assert named.n_unique() == len(named)
    for who, whom in guess.to_dict().items():
        if whom is not None:
            (ages, towns, *_), (age, town, *_) = other[int(who) - 1], table[int(whom) - 1]
            assert age in ages[1]
            assert town in towns[1]


odd_people = st.lists(
    st.tuples(
        st.integers(-3, 3),
        st.sampled_from(["10-20", "14-16", "a", "a,b", "b", "{a}", "65+", "north; south"]),
        st.dates(dt.date(2023, 12, 30), dt.date(2024, 1, 3)),
        st.datetimes(dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2)),
        st.times(),
        st.booleans(),
    ),
    min_size=1,
    max_size=20,
)


@given(table=odd_people, k=st.integers(1, 5), cut=st.sampled_from(["strict", "relaxed"]))
@many
def test_everybody_lies_in_what_k_anonymize_wrote_for_him(table, k, cut):
    names = ["number", "word", "day", "moment", "clock", "yes"]
    people = kb.Microdata.from_frame(pl.DataFrame(table, schema=names, orient="row"), qi=names)
    release = KAnonymize(k=min(k, len(table)), cut=cut).release(people, seed=1)
    found = Within(otherwise="abstain").guess(people, release.data, seed=1).expected(release.pairing)
    assert found["chance"].min() > 0


def rate(attack, people, release):
    return kb.reidentification(release.pairing, attack.guess(people, release.data, seed=1)).rate.value


def test_ranges_do_not_hide_whose_amounts_were_left_alone():
    people = kb.demo.households(1000, seed=1)
    release = KAnonymize(k=5).release(people, seed=1)
    assert rate(IdentifyRand(), people, release) < 0.02
    assert rate(Euc1(), people, release) < 0.05
    assert rate(Within(), people, release) > 0.99
    groups = release.facts.groups  # strict groups do not overlap: one of each is found
    assert rate(Within(knows="qi"), people, release) == pytest.approx(groups / 1000)
    assert rate(Within(knows="qi", otherwise="abstain"), people, release) == pytest.approx(groups / 1000)


def test_candidates_help_where_amounts_alone_do_not():
    people = kb.demo.households(1000, seed=1)
    methods = (KAnonymize(k=5), kb.methods.Microaggregate(k=5))
    release = kb.methods.Chain(methods=methods).release(people, seed=1)
    assert rate(Within(), people, release) > rate(Euc2(scaling="spread"), people, release) + 0.1


def test_a_star_too_large_for_all_pairs_is_assigned_over_neighbours(monkeypatch):
    monkeypatch.setattr("kakurenbo.attacks.microdata.within.NEIGHBOURS", 5)
    assert assignment.NEIGHBOURS > 5
    people = kb.demo.households(200, seed=1)
    release = KAnonymize(k=200).release(people, seed=1)
    assert rate(Within(reading="assignment"), people, release) == 1


def test_equal_amounts_leave_nobody_out_of_an_assignment(monkeypatch):
    monkeypatch.setattr("kakurenbo.attacks.microdata.within.NEIGHBOURS", 20)
    people = microdata_of([(20, "a", 0, 0)] * 100)
    guess = Within(reading="assignment").guess(people, people, seed=1)
    assert guess.abstained < 10


def test_what_is_compared_must_be_known():
    with pytest.raises(kb.ParameterError) as error:
        Within(knows="qi", s=("rent",))
    assert "knows is qi" in str(error.value)
    with pytest.raises(kb.ParameterError):
        Within(otherwise="shrug")
