"""s_exact(r) against all permutations, and distances against plain Python."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import kakurenbo as kb
from kakurenbo import theory
from kakurenbo.kernels import distances, shuffles
from kakurenbo.kernels.permutations import s_exact

whole = st.integers(0, 15)


@st.composite
def matrices(draw, most=6):
    """Whole numbers, so that sums are exact; symmetric or not; zeros off the diagonal are twins."""
    n = draw(st.integers(2, most))
    matrix = np.array([[draw(whole) for _ in range(n)] for _ in range(n)], dtype=float)
    if draw(st.booleans()):
        matrix += matrix.T
    np.fill_diagonal(matrix, 0)
    return matrix


def true_curve(matrix):
    """004 eq. 6 by trying all permutations."""
    n = len(matrix)
    best = [math.inf] * (n + 1)
    for p in permutations(range(n)):
        fixed = sum(i == j for i, j in enumerate(p))
        best[fixed] = min(best[fixed], math.fsum(matrix[i, j] for i, j in enumerate(p)))
    return np.minimum.accumulate(best)


def check(matrix, brackets, truth):
    people = np.arange(len(matrix))
    for bracket in brackets:
        assert bracket.lower <= truth[bracket.r] + 1e-9
        assert truth[bracket.r] <= bracket.upper + 1e-9
        assert math.fsum(matrix[people, bracket.permutation]) == bracket.upper
        assert sorted(bracket.permutation) == people.tolist()
        assert (bracket.permutation == people).sum() <= bracket.r
        assert bracket.exact == (bracket.lower == bracket.upper)
        if bracket.exact:
            assert bracket.upper == pytest.approx(truth[bracket.r], abs=1e-9)


@given(matrix=matrices(), solves=st.sampled_from([None, 1, 2, 3]))
@settings(max_examples=60)
def test_the_truth_lies_in_every_bracket(matrix, solves):
    before = matrix.copy()
    brackets = s_exact(matrix, solves=solves)
    assert [bracket.r for bracket in brackets] == list(range(len(matrix) + 1))
    check(matrix, brackets, true_curve(matrix))
    assert (matrix == before).all(), "the matrix is given back as it was"
    assert brackets[0].exact
    assert brackets[-1].upper == 0


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7])
def test_with_the_programme_every_value_is_that_of_all_permutations(n):
    rng = np.random.default_rng(n)
    for trial in range(4):
        points = rng.random((n, 2))
        matrix = distances.matrix(points, "euclid") if trial % 2 else rng.random((n, n))
        np.fill_diagonal(matrix, 0)
        truth = true_curve(matrix)
        brackets = s_exact(matrix, seconds=10)
        check(matrix, brackets, truth)
        assert all(bracket.exact for bracket in brackets)
        assert [bracket.upper for bracket in brackets] == pytest.approx(truth.tolist(), abs=1e-9)
        assert {bracket.programme for bracket in brackets} <= {True, None}


def test_only_what_is_asked_for_is_solved_and_in_the_order_asked():
    matrix = distances.matrix(np.random.default_rng(3).random((40, 2)), "euclid")
    every = s_exact(matrix)
    some = s_exact(matrix, [9, 0, 40, 9])
    assert [bracket.r for bracket in some] == [9, 0, 40, 9]
    for bracket in some:
        assert (bracket.lower, bracket.upper) == pytest.approx(
            (every[bracket.r].lower, every[bracket.r].upper)
        )
    assert s_exact(matrix, []) == []
    assert [b.upper for b in every] == sorted((b.upper for b in every), reverse=True), "004 lemma 1"
    assert every[0].upper == pytest.approx(theory.s_exact_0(matrix))


def test_a_programme_without_time_says_that_it_did_not_close():
    matrix = distances.matrix(np.random.default_rng(5).random((60, 6)), "euclid")
    left = [bracket for bracket in s_exact(matrix, seconds=1e-9) if not bracket.exact]
    assert left
    assert all(bracket.programme is False and bracket.lower < bracket.upper for bracket in left)


@pytest.mark.parametrize(("shape", "r"), [((1, 1), [0]), ((3, 2), [0]), ((3, 3), [4]), ((3, 3), [-1])])
def test_impossible_questions_are_refused(shape, r):
    with pytest.raises(kb.ParameterError):
        s_exact(np.zeros(shape), r)


baskets = st.lists(st.lists(st.integers(0, 4), min_size=5, max_size=5), min_size=2, max_size=6)


@given(a=baskets, b=baskets)
@settings(max_examples=50)
def test_distances_along_a_pairing_are_those_of_plain_python(a, b):
    n = min(len(a), len(b))
    rows = [sparse.csr_array(np.array(table[:n])) for table in (a, b)]
    for distance in ("multiset", "set"):
        wanted = []
        for one, two in zip(a[:n], b[:n], strict=True):
            if distance == "set":
                one, two = [min(x, 1) for x in one], [min(x, 1) for x in two]  # noqa: PLW2901
            both, either = sum(map(min, one, two)), sum(map(max, one, two))
            wanted.append(1 - both / either if either else 0.0)
        for table in rows:
            table.eliminate_zeros()
        assert distances.along(*rows, distance).tolist() == wanted


@given(table=baskets.filter(lambda rows: all(map(any, rows))), twin=st.booleans())
@settings(max_examples=50)
def test_nearest_other_is_the_smallest_off_the_diagonal_twins_included(table, twin):
    people = np.array(table + (table + table if twin else []))
    for distance in ("multiset", "set", "euclid"):
        rows = people.astype(float) if distance == "euclid" else sparse.csr_array(people)
        full = distances.matrix(rows, distance)
        wanted = theory.nearest_distances(full)
        assert distances.nearest_other(rows, rows, distance).tolist() == pytest.approx(wanted, abs=1e-12)
        assert (np.diagonal(full) == 0).all()


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(kb.ParameterError):
        distances.along(sparse.csr_array((2, 3)), sparse.csr_array((2, 4)), "set")


@given(n=st.integers(2, 50), seed=st.integers(0, 9))
def test_shuffles_are_permutations_that_keep_their_word(n, seed):
    rng = np.random.default_rng(seed)
    people, groups = np.arange(n), rng.integers(0, 4, n)
    assert shuffles.shift(people).tolist() == [*range(1, n), 0]
    for p in (shuffles.shift(rng.permutation(n)), shuffles.within(groups, rng.random(n))):
        assert sorted(p) == people.tolist()
    assert not (shuffles.shift(rng.permutation(n)) == people).any()
    assert (groups[shuffles.within(groups, rng.random(n))] == groups).all()


def test_a_shuffle_within_groups_is_even():
    rng = np.random.default_rng(1)
    groups = np.array([0, 1, 0, 0])
    seen = {}
    for _ in range(6000):
        p = tuple(shuffles.within(groups, rng.random(len(groups))).tolist())
        seen[p] = seen.get(p, 0) + 1
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())
