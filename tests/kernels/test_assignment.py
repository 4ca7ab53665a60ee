"""One-to-one assignment: every draw is a best one, and each of the best comes up equally often."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from kakurenbo.kernels import assignment
from kakurenbo.kernels.assignment import DRAWS, assign, assign_among, assign_by, draw_count
from kakurenbo.kernels.euclid import assign_in_groups


def best_of_all(scores):
    """Return all best assignments of small tables by trying every one; -1 for a row that gets no column."""
    rows, columns = len(scores), len(scores[0])
    places = [*range(columns), *[-1] * max(rows - columns, 0)]
    tried = {
        pairs: sum(scores[row][column] for row, column in enumerate(pairs) if column >= 0)
        for pairs in set(permutations(places, rows))
    }
    return {pairs for pairs, total in tried.items() if total == max(tried.values())}


def shares(pairings, columns):
    """Return how often each row has each column."""
    table = np.zeros((len(pairings[0]), columns))
    for pairs in pairings:
        for row, column in enumerate(pairs):
            if column >= 0:
                table[row, column] += 1 / len(pairings)
    return table


def table_of(largest):
    sizes = st.tuples(st.integers(1, 5), st.integers(1, 5))
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, largest), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    )


@pytest.fixture(scope="module")
def often():
    """Draw so often that chance is far from any bound below: a share of 4000 deviates by 0.008."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "DRAWS", 4000)
        yield 4000


@given(table=st.one_of(table_of(1), table_of(3)), seed=st.integers(0, 100))
def test_draws_are_the_best_assignments_each_as_likely(often, table, seed):
    """By thirds: sums of them differ in the last digits, and still tie."""
    best = best_of_all(table)
    drawn = assign_by(np.array(table) / 3, np.random.default_rng(seed)).tolist()
    assert {tuple(pairs) for pairs in drawn} <= best
    assert len(drawn) == (1 if len(best) == 1 else often)
    assert np.abs(shares(drawn, len(table[0])) - shares(list(best), len(table[0]))).max() < 0.04


@pytest.mark.parametrize(
    "table",
    [
        np.zeros((8, 8)),
        np.zeros((7, 9)),
        np.zeros((9, 7)),
        -np.eye(8),  # anybody but himself
        np.eye(8) + np.roll(np.eye(8), 1, axis=1),  # two in all, all turned or none
        np.triu(np.ones((8, 8))) + np.eye(8, k=-1),  # one row in two of each, and longer ways around
        np.ones((7, 8)) - np.eye(7, 8),
    ],
)
def test_larger_parts_are_walked_through_evenly(often, table):
    expected = marginals((table * 10).astype(int).tolist())
    drawn = assign_by(table, np.random.default_rng(3))
    assert len(drawn) == often
    assert np.abs(shares(drawn.tolist(), table.shape[1]) - expected).max() < 0.04


def marginals(scores):
    """Return how often each row has each column over all best assignments, counted by sets of columns."""
    rows, columns = len(scores), len(scores[0])
    if rows > columns:
        return marginals([list(column) for column in zip(*scores, strict=True)]).T

    def counted(order):
        """Return (best total, number) after each row of an order, by the set of columns taken."""
        steps = [{0: (0, 1)}]
        for row in order:
            after = {}
            for taken, (total, number) in steps[-1].items():
                for column in range(columns):
                    if not taken >> column & 1:
                        key, made = taken | 1 << column, total + scores[row][column]
                        there = after.get(key, (made, 0))
                        if made >= there[0]:
                            after[key] = (made, number + (there[1] if made == there[0] else 0))
            steps.append(after)
        return steps

    table = np.zeros((rows, columns))
    for row in range(rows):
        *_, before, after = counted([*(other for other in range(rows) if other != row), row])
        best = max(total for total, _ in after.values())
        whole = sum(number for total, number in after.values() if total == best)
        for column in range(columns):
            fit = (
                number
                for taken, (total, number) in before.items()
                if not taken >> column & 1 and total + scores[row][column] == best
            )
            table[row, column] = Fraction(sum(fit), whole)
    return table


def test_the_slow_count_is_right():
    """Three rows, four columns: by hand 24 ways; and two of two."""
    assert marginals([[0] * 4] * 3) == pytest.approx(np.full((3, 4), 1 / 4))
    assert marginals([[1, 1], [1, 1]]) == pytest.approx(np.full((2, 2), 1 / 2))
    assert marginals([[1, 0], [1, 0]]) == pytest.approx(np.full((2, 2), 1 / 2))
    assert marginals([[2, 1], [1, 0], [0, 0]]) == pytest.approx(
        shares(list(best_of_all([[2, 1], [1, 0], [0, 0]])), 2)
    )


@pytest.fixture
def usually(monkeypatch):
    """Draw as often as the program does."""
    monkeypatch.setattr(assignment, "DRAWS", DRAWS)


@pytest.mark.usefixtures("usually")
def test_two_who_tie_change_places_in_half_of_the_draws():
    drawn = assign_by(np.array([[1.0, 1, 0], [1, 1, 0], [0, 0, 1]]), np.random.default_rng(0))
    assert len(drawn) == DRAWS
    assert (drawn[:, 0] == 0).sum() == (drawn[:, 0] == 1).sum() == DRAWS / 2
    assert (drawn[:, 2] == 2).all()


def test_a_pairing_better_than_all_others_is_the_only_draw():
    scores = np.random.default_rng(0).random((30, 40))
    drawn = assign_by(scores, np.random.default_rng(1))
    assert drawn.shape == (1, 30)


@pytest.mark.usefixtures("usually")
def test_many_people_are_drawn_fewer_times(monkeypatch):
    assert draw_count(60) == DRAWS
    assert draw_count(50_000) == 20
    assert draw_count(10**7) == 8
    monkeypatch.setattr(assignment, "_PLACES", 300)  # so of all-alike rows ten columns are kept for each
    drawn = assign_by(np.zeros((30, 30)), np.random.default_rng(1))
    assert len(drawn) == 10
    assert all(sorted(pairs) == list(range(30)) for pairs in drawn.tolist())
    assert len(np.unique(drawn, axis=0)) == 10


@given(table=table_of(2), seed=st.integers(0, 100))
def test_known_pairs_alone_are_drawn_in_the_same_way(often, table, seed):
    """Zeros are pairs that are not known: who has none of the others is left out."""
    scores = np.array(table) / 2
    who, whom = np.nonzero(scores)
    drawn = assign_among(who, whom, scores[who, whom], scores.shape, np.random.default_rng(seed))
    best = {
        tuple(column if column >= 0 and table[row][column] else -1 for row, column in enumerate(pairs))
        for pairs in best_of_all([[1000 * score + (score > 0) for score in row] for row in table])
    }
    assert {tuple(pairs) for pairs in drawn.tolist()} <= best
    assert len(drawn) == (1 if len(best) == 1 else often)
    assert np.abs(shares(drawn.tolist(), len(table[0])) - shares(list(best), len(table[0]))).max() < 0.04


def test_few_and_many_people_are_paired_alike(often, monkeypatch):
    """The same shop, all pairs weighed and only the most similar ones."""
    rng = np.random.default_rng(5)
    goods = sparse.csr_array((rng.random((12, 9)) < 0.4).astype(np.int64))
    dense = assign(goods, goods[::2], "jaccard", np.random.default_rng(1))
    monkeypatch.setattr(assignment, "DENSE", 3)
    few = assign(goods, goods[::2], "jaccard", np.random.default_rng(2))
    assert np.abs(shares(dense.tolist(), 6) - shares(few.tolist(), 6)).max() < 0.06


def test_groups_are_drawn_apart():
    """In one group two tie, another is unique, and one has nobody."""
    values = np.array([[0.0], [0.0], [5.0], [6.0], [1.0]])
    groups = np.array([0, 0, 1, 1, 2])
    drawn = assign_in_groups(values, groups, values[:4], groups[:4], np.random.default_rng(0))
    assert sorted(set(map(tuple, drawn.tolist()))) == [(0, 1, 2, 3, -1), (1, 0, 2, 3, -1)]
    assert drawn[:, 0].mean() == pytest.approx(0.5, abs=0.3)
