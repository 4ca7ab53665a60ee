"""The attacks on microdata against slow obvious ones in plain Python."""

import datetime as dt
from fractions import Fraction
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakurenbo as kb
from kakurenbo.attacks import Euc1, Euc2, IdentifyRand, IdentifySa, IdentifySa21, IdentifySort
from kakurenbo.kernels.euclid import assign_in_groups, nearest_in_groups
from people import microdata_of, people_rows

many = settings(max_examples=14)


def chances(guess, known, released):
    """Chance of each (released, original) that has one, asked one original at a time."""
    found = {}
    for whom in known.ids:
        secret = kb.Pairing.of(dict.fromkeys(released.ids, whom))
        found.update({(who, whom): chance for who, chance in guess.expected(secret).iter_rows() if chance})
    return found


def plain(table, other, candidates, numbers):
    """Name the nearest of the candidates, all ties evenly."""
    found = {}
    for j, their in enumerate(other):
        mine = [i for i, row in enumerate(table) if candidates(row, their, table)]
        far = {i: sum((table[i][k] - their[k]) ** 2 for k in numbers) for i in mine}
        nearest = [i for i in mine if far[i] == min(far.values())]
        found.update({(str(j + 1), str(i + 1)): 1 / len(nearest) for i in nearest})
    return found


def equal(row, their, _):
    return row[:2] == their[:2]


def equal_or_all(row, their, table):
    return equal(row, their, table) or not any(equal(one, their, table) for one in table)


PLAIN = [
    (IdentifyRand(), equal, ()),
    (IdentifySa(s=("rent",)), equal, (3,)),
    (IdentifySa(), equal, (2,)),
    (IdentifySa21(s=("rent",)), lambda *_: True, (3,)),
    (Euc1(), equal, (2, 3)),
    (Euc2(), equal_or_all, (2, 3)),
    (Euc1(q=("age",), s=("rent",)), lambda row, their, _: row[0] == their[0], (3,)),
]


@pytest.mark.parametrize(("attack", "candidates", "numbers"), PLAIN)
@given(table=people_rows, other=people_rows)
@many
def test_candidates_and_nearest_are_those_of_plain_python(attack, candidates, numbers, table, other):
    known, released = microdata_of(table), microdata_of(other)
    guess = attack.guess(known, released, seed=1)
    assert chances(guess, known, released) == pytest.approx(plain(table, other, candidates, numbers))
    expected = plain(table, other, candidates, numbers)
    for who, whom in guess.to_dict().items():
        assert (who, whom) in expected or (whom is None and all(pair[0] != who for pair in expected))


@given(table=people_rows.map(lambda rows: rows[:5]), other=people_rows.map(lambda rows: rows[:5]))
@many
def test_sort_averages_over_every_order_of_equal_sums(table, other):
    known, released = microdata_of(table), microdata_of(other)
    found = chances(IdentifySort().guess(known, released, seed=1), known, released)

    def orders(rows):
        every = permutations(range(len(rows)))
        sums = [row[2] + row[3] for row in rows]
        return [order for order in every if [sums[i] for i in order] == sorted(sums)]

    mine, theirs = orders(table), orders(other)
    expected = {}
    for one in mine:
        for another in theirs:
            for i, j in zip(one, another, strict=False):
                pair = (str(j + 1), str(i + 1))
                expected[pair] = expected.get(pair, 0) + Fraction(1, len(mine) * len(theirs))
    assert found == pytest.approx({pair: float(chance) for pair, chance in expected.items()})


def test_an_assignment_is_the_cheapest_of_all():
    rng = np.random.default_rng(1)
    for _ in range(20):
        a, b = rng.random((4, 2)), rng.random((5, 2))
        (paired,) = assign_in_groups(a, np.zeros(4, dtype=int), b, np.zeros(5, dtype=int), rng)
        cost = np.linalg.norm(a - b[paired], axis=1).sum()
        best = min(np.linalg.norm(a - b[list(p)], axis=1).sum() for p in permutations(range(5), 4))
        assert cost == pytest.approx(best)


def test_a_group_too_large_for_all_pairs_is_matched_over_neighbours(monkeypatch):
    monkeypatch.setattr("kakurenbo.kernels.euclid.search.DENSE", 10)
    people = kb.demo.households(300, seed=1)
    release = kb.methods.PseudonymizeMicrodata().release(people, seed=2)
    guess = Euc1(q=("sex",), reading="assignment").guess(people, release.data, seed=1)
    assert kb.reidentification(release.pairing, guess).rate.value == 1


@given(st.integers(0, 200), st.integers(1, 60), st.integers(1, 4), st.integers(0, 9))
@many
def test_the_outward_search_is_exact(rows, others, columns, seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 9, (rows, columns)) / 4, rng.integers(0, 9, (others, columns)) / 4
    one, other = rng.integers(0, 3, rows), rng.integers(0, 3, others)
    indptr, indices = nearest_in_groups(a, one, b, other)
    for i in range(rows):
        far = np.where(other == one[i], ((a[i] - b) ** 2).sum(axis=1), np.inf)
        expected = np.flatnonzero((far == far.min()) & np.isfinite(far))
        assert sorted(indices[indptr[i] : indptr[i + 1]]) == expected.tolist()


def test_scaling_makes_small_amounts_count():
    known = microdata_of([(20, "a", 0, 0), (20, "a", 1000, 9), (20, "a", 520, 9)])
    released = microdata_of([(20, "a", 510, 0)])
    assert Euc1().guess(known, released, seed=1).to_dict() == {"1": "3"}
    for scaling in ("spread", "range"):
        assert Euc1(scaling=scaling).guess(known, released, seed=1).to_dict() == {"1": "1"}


def test_generalised_values_equal_only_themselves():
    people = kb.demo.households(200, seed=1)
    release = kb.methods.KAnonymize(k=20).release(people, seed=1)
    assert Euc1().guess(people, release.data, seed=1).abstained == 200
    found = kb.reidentification(release.pairing, Euc2().guess(people, release.data, seed=1))
    assert found.rate.value == 1  # the amounts were never touched


def test_a_time_left_as_it_is_equals_itself_beside_ranges():
    clock = [dt.time(1, 2, 3, 100), dt.time(1, 2, 3, 100), dt.time(4), dt.time(5)]
    people = kb.Microdata.from_frame(pl.DataFrame({"clock": clock}), qi=["clock"])
    release = kb.methods.KAnonymize(k=2).release(people, seed=1)
    assert Euc1().guess(people, release.data, seed=1).abstained == 2


def test_the_papers_row_i_is_only_said_where_there_is_one():
    known, released = microdata_of([(20, "a", 1, 1)]), microdata_of([(21, "a", 1, 1), (22, "a", 1, 1)])
    guess = Euc1(give_up="same-row").guess(known, released, seed=1)
    assert guess.to_dict() == {"1": "1", "2": None}
    assert Euc1(give_up="same-row", reading="assignment").guess(known, released, seed=1) == guess


def test_one_attribute_means_one(small_frame):
    with pytest.raises(kb.ParameterError):
        IdentifySa(s=("income", "rent"))
    bare = kb.Microdata.from_frame(small_frame, qi=["what"])
    with pytest.raises(kb.InputError) as error:
        IdentifySa().guess(bare, bare)
    assert error.value.code == "roles"
    assert (
        kb.reidentification(kb.Pairing(bare.ids, bare.ids), Euc1().guess(bare, bare, seed=1)).rate.value
        == 0.5
    )


def test_a_guess_can_be_silenced_and_speaks_of_its_own_people():
    people = microdata_of([(20, "a", 1, 1), (21, "b", 2, 2)])
    guess = Euc1().guess(people, people, seed=1)
    secret = kb.Pairing(people.ids, people.ids)
    assert kb.reidentification(secret, guess.without(people.ids.head(1))).hits == 1
    with pytest.raises(kb.InputError):
        guess.expected(kb.Pairing.of({"9": "1"}))
