import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

import kakurenbo as kb
from kakurenbo.chance import Chance
from kakurenbo.risk.classical.groups import MeanGroup, SmallestGroup
from kakurenbo.risk.found import looked_up
from kakurenbo.theory.rate import Rate

many = settings(max_examples=100)  # rare cases are what this is about


@given(st.integers(1, 3000), st.data())
def test_the_interval_is_wilsons(trials, data):
    hits = data.draw(st.integers(0, trials))
    found = Rate.estimated(hits, trials)
    plain = binomtest(hits, trials).proportion_ci(method="wilson")
    assert found.low == pytest.approx(plain.low, abs=1e-12)
    assert found.high == pytest.approx(plain.high, abs=1e-12)
    assert found.low <= found.value <= found.high


def test_a_plain_guess_is_counted_and_an_abstention_is_no_hit():
    secret = kb.Pairing.of({"a": "1", "b": "2", "c": "3", "d": "4"})
    guess = kb.Pairing.of({"a": "1", "b": "1", "c": None, "d": "4"})
    found = kb.reidentification(secret, guess)
    told = {key: value for key, value in found.to_dict().items() if not key.endswith(("low", "high"))}
    assert told == {
        "rate": 0.5, "hits": 2.0, "people": 4, "chance": 0.25, "abstained": 1,
        "persons": 4, "persons_rate": 0.5, "persons_chance": 0.25,
    }  # fmt: skip
    assert found.by_person.rows() == [("a", "1", 1.0), ("b", "2", 0.0), ("c", "3", 0.0), ("d", "4", 1.0)]
    assert (found.persons, found.persons_rate) == (4, found.rate), "one to one, a name is a person"


def test_luck_finds_more_people_than_names_where_people_have_several():
    secret = kb.Pairing.of({"a": "1", "b": "1", "c": "1", "d": "2"})
    guess = kb.Pairing.of({"a": "2", "b": None, "c": "1", "d": "1"})
    found = kb.reidentification(secret, guess)
    assert (found.rate.value, found.persons_rate.value) == (0.25, 0.5)
    assert (found.chance, found.persons_chance) == (0.5, (7 / 8 + 1 / 2) / 2)


def test_other_people_cannot_be_scored():
    with pytest.raises(kb.InputError):
        kb.reidentification(kb.Pairing.of({"a": "1"}), kb.Pairing.of({"b": "1"}))


def owners(rows):
    return kb.Owners(*(pl.Series(ids, dtype=pl.String) for ids in zip(*rows, strict=True)))


def test_a_person_is_found_by_one_of_his_names_and_a_fake_is_nobody():
    months = owners(
        [("a1", "A"), ("a2", "A"), ("a3", "A"), ("b", "B"), ("fake", None), ("cd", "C"), ("cd", "D")]
    )
    guess = kb.Pairing.of({"a1": "B", "a2": "A", "a3": None, "b": "A", "fake": "A", "cd": "D"})
    found = kb.reidentification(months, guess)
    assert (found.people, found.hits, found.rate.value) == (5, 2.0, 0.4), "the names a2 and cd, of five"
    assert (found.persons, found.persons_rate.value) == (4, 0.5), "A and D, of four"
    assert found.abstained == 1
    assert found.chance == pytest.approx((4 * 1 / 4 + 2 / 4) / 5), "a name of two is easier"


rows_of_owners = st.lists(st.lists(st.integers(0, 3), max_size=2, unique=True), min_size=1, max_size=5)


@given(rows_of_owners, st.lists(st.sets(st.integers(0, 3), min_size=1), min_size=5, max_size=5))
@many
def test_names_and_persons_are_found_as_all_draws_from_the_ties_would(whose, tied):
    if not any(whose):
        whose = [[0], *whose[1:]]
    people = pl.Series([f"o{i}" for i in range(4)])
    released = pl.Series([f"r{j}" for j in range(len(whose))])
    relation = [(f"r{j}", f"o{i}") for j, mine in enumerate(whose) for i in mine]
    relation += [(f"r{j}", None) for j, mine in enumerate(whose) if not mine]
    indptr = np.cumsum([0, *(len(tied[j]) for j in range(len(whose)))])
    indices = np.array([i for j in range(len(whose)) for i in sorted(tied[j])], dtype=np.int64)
    guess = kb.Guess.drawn(released, people, indptr, indices, Chance(1))
    names = persons = draws = 0
    for drawn in itertools.product(*(tied[j] for j in range(len(whose)))):
        draws += 1
        names += sum(i in whose[j] for j, i in enumerate(drawn))
        persons += len({i for j, i in enumerate(drawn) if i in whose[j]})
    found = kb.reidentification(owners(relation), guess)
    assert found.hits == pytest.approx(names / draws)
    assert found.persons == len({i for mine in whose for i in mine})
    assert found.persons_rate.value == pytest.approx(persons / draws / found.persons)


@given(
    st.lists(st.lists(st.integers(0, 5), max_size=4, unique=True), min_size=1, max_size=6), st.integers(0, 9)
)
@many
def test_ties_are_averaged_as_drawing_many_times_would(candidates, seed):
    people = pl.Series([f"o{i}" for i in range(6)])
    released = pl.Series([f"r{i}" for i in range(len(candidates))])
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in candidates])]).astype(np.int64)
    indices = np.array([i for row in candidates for i in row], dtype=np.int64)
    guess = kb.Guess.drawn(released, people, indptr, indices, Chance(seed))
    secret = kb.Pairing(released, people.head(len(released)))
    by_hand = [(i in row) / len(row) if row else 1 / 6 for i, row in enumerate(candidates)]
    assert kb.reidentification(secret, guess).hits == pytest.approx(sum(by_hand))
    for name, who in guess.to_dict().items():
        row = candidates[int(name[1:])]
        assert int(who[1:]) in (row or range(6))


def test_groups_are_those_of_equal_goods_sets(small_frame):
    frame = pl.DataFrame({"u": ["a", "a", "b", "b", "c"], "g": ["x", "y", "y", "x", "x"]})
    shop = kb.Purchases.from_frame(frame, customer="u", goods="g")
    assert SmallestGroup().of(shop, shop).value == 1
    assert MeanGroup().of(shop, shop).value == 1.5


@given(st.data())
def test_who_is_looked_up_alone_has_no_rivals(data):
    """Against plain loops: several may be taken for one name, have several, share one, or have none."""
    people, names = [f"p{i}" for i in range(4)], [f"n{i}" for i in range(5)]
    pairs = data.draw(st.sets(st.tuples(st.sampled_from(names), st.sampled_from(people)), min_size=1))
    fakes = set(names) - {name for name, _ in pairs}
    rows = [*pairs, *((name, None) for name in fakes)]
    secret = kb.Owners(*(pl.Series([row[side] for row in rows], dtype=pl.String) for side in (0, 1)))
    places = [sorted(data.draw(st.sets(st.integers(0, 4)))) for _ in people]
    bounds = np.cumsum([0, *map(len, places)])
    fitting = np.array([*itertools.chain(*places)], dtype=np.int64)
    found = looked_up(secret, pl.Series(people), pl.Series(names), (bounds, fitting))

    def chance(name, person):
        fitting = places[people.index(person)] or range(5)
        return (names.index(name) in fitting) / len(fitting)

    owned, persons = {name for name, _ in pairs}, {person for _, person in pairs}
    expected = {pair: chance(*pair) for pair in pairs}
    assert {row[:2]: row[2] for row in found.by_person.iter_rows()} == pytest.approx(expected)
    assert found.hits == pytest.approx(sum(expected.values()))
    assert (found.people, found.persons, found.abstained) == (len(owned), len(persons), 0)
    assert found.rate.value == pytest.approx(min(found.hits / len(owned), 1))
    each = [sum(value for (_, owner), value in expected.items() if owner == person) for person in persons]
    assert found.persons_rate.value == pytest.approx(sum(each) / len(persons))
    lucky = [sum(owner == person for _, owner in pairs) / 5 for person in persons]
    assert found.persons_chance == pytest.approx(sum(lucky) / len(persons))
