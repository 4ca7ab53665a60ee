import subprocess
import sys
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from kakurenbo.errors import InputError, ParameterError
from kakurenbo.files.datasets import online_retail
from kakurenbo.kernels.nearest import best_in, nearest, row_by_row, search, similarity_block, top
from kakurenbo.kernels.nearest.counting import bench_for
from kakurenbo.kernels.nearest.few import sum_few
from kakurenbo.kernels.nearest.loops import turn
from kakurenbo.kernels.nearest.rows import Search, Task

GOODS = 7
MEASURES = ["jaccard", "weighted", "containment", "multiset", "votes", "cosine"]
baskets = st.lists(
    st.dictionaries(st.integers(0, GOODS - 1), st.integers(1, 4), max_size=GOODS), min_size=1, max_size=12
)
eighths = st.lists(st.integers(1, 40).map(lambda x: x / 8), min_size=GOODS, max_size=GOODS)


def matrix(rows, goods=GOODS):
    dense = np.zeros((len(rows), goods), dtype=np.int64)
    for j, row in enumerate(rows):
        dense[j, list(row.keys())] = list(row.values())
    return sparse.csr_array(dense)


def score(released, original, measure, weights):
    """Return a number that orders pairs as the similarity does; it is the square for cosine, see `shown`."""
    both, either = released.keys() & original.keys(), released.keys() | original.keys()
    if not both:
        return (Fraction(0),)
    if measure == "jaccard":
        return (Fraction(len(both), len(either)),)
    if measure == "weighted":
        return (sum(Fraction(weights[g]) for g in both) / sum(Fraction(weights[g]) for g in either),)
    if measure == "containment":
        return Fraction(len(both), len(original)), len(original)
    if measure == "multiset":
        pairs = [(released.get(g, 0), original.get(g, 0)) for g in either]
        return (Fraction(sum(map(min, pairs)), sum(map(max, pairs))),)
    if measure == "votes":
        return (Fraction(sum(min(released[g], original[g]) for g in both)),)
    dot = sum(released[g] * original[g] for g in both)
    lengths = sum(x * x for x in released.values()) * sum(x * x for x in original.values())
    return (Fraction(dot * dot, lengths),)


def shown(rank, measure):
    return float(rank[0]) ** (0.5 if measure == "cosine" else 1)


def how(measure, weights):
    return {"similarity": "jaccard", "weights": weights} if measure == "weighted" else {"similarity": measure}


def blocks(width, frequent):
    """Run with small blocks, and with all, some or none of the goods as columns."""
    return mock.patch.multiple(search, _WIDTH=width, _FREQUENT=frequent)


def slices(found):
    return [found.indices[a:b].tolist() for a, b in zip(found.indptr, found.indptr[1:], strict=False)]


shapes = st.builds(blocks, st.sampled_from([1, 3, 2048]), st.sampled_from([0.0, 0.3, 2.0]))


@pytest.mark.parametrize("measure", MEASURES)
@given(released=baskets, originals=baskets, weights=eighths, shape=shapes, threads=st.integers(1, 3))
@settings(max_examples=75, deadline=None)
def test_all_ties_of_the_best_are_found(measure, released, originals, weights, shape, threads):
    with shape:
        found = nearest(matrix(released), matrix(originals), **how(measure, weights), threads=threads)
    ranks = [[score(r, k, measure, weights) for k in originals] for r in released]
    best = [max(row) for row in ranks]
    expected = [
        [i for i, rank in enumerate(row) if rank == high] if high[0] else []
        for row, high in zip(ranks, best, strict=True)
    ]
    assert slices(found) == expected
    assert found.score == pytest.approx([shown(high, measure) for high in best], rel=1e-13)


@pytest.mark.parametrize("measure", MEASURES)
@given(released=baskets, originals=baskets, weights=eighths, shape=shapes)
@settings(max_examples=30, deadline=None)
def test_a_block_holds_every_score(measure, released, originals, weights, shape):
    with shape:
        scores = similarity_block(matrix(released), matrix(originals), **how(measure, weights))
    for r, row in zip(released, scores, strict=True):
        expected = [shown(score(r, k, measure, weights), measure) for k in originals]
        assert row == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("measure", MEASURES)
@given(released=baskets, originals=baskets, weights=eighths)
def test_the_best_of_a_block_are_the_nearest(measure, released, originals, weights):
    a, b = matrix(released), matrix(originals)
    direct = nearest(a, b, **how(measure, weights))
    sizes = np.diff(b.indptr) if measure == "containment" else None
    shared = best_in(similarity_block(a, b, **how(measure, weights)), sizes)
    assert shared.indptr.tolist() == direct.indptr.tolist()
    assert shared.indices.tolist() == direct.indices.tolist()
    assert shared.score == pytest.approx(direct.score)


@pytest.mark.parametrize("measure", MEASURES)
@given(
    released=baskets,
    originals=baskets,
    weights=eighths,
    shape=shapes,
    k=st.integers(1, 15),
    threads=st.integers(1, 2),
)
@settings(max_examples=30, deadline=None)
def test_top_lists_the_k_best_by_score_then_index(measure, released, originals, weights, shape, k, threads):
    with shape:
        found = top(matrix(released), matrix(originals), k, **how(measure, weights), threads=threads)
    for j, r in enumerate(released):
        ranks = [score(r, known, measure, weights) for known in originals]
        order = sorted(
            (i for i in range(len(originals)) if ranks[i][0]), key=lambda i: [-x for x in ranks[i]]
        )
        fill = max(0, k - len(order))
        expected = [shown(ranks[i], measure) for i in order[:k]] + [0.0] * fill
        assert found.score[j] == pytest.approx(expected, rel=1e-13)
        named = found.indices[j, : k - fill].tolist()
        if measure in {"weighted", "cosine"}:  # equal scores may be rounded apart, and then change places
            assert len(set(named)) == len(named)
            assert [shown(ranks[i], measure) for i in named] == pytest.approx(expected[: k - fill], rel=1e-13)
        else:
            assert named == order[:k]
        assert found.indices[j, k - fill :].tolist() == [-1] * fill


@pytest.mark.parametrize("measure", MEASURES)
@given(released=baskets, originals=baskets, weights=eighths, random=st.randoms())
@settings(max_examples=20, deadline=None)
def test_the_order_of_originals_does_not_matter(measure, released, originals, weights, random):
    order = list(range(len(originals)))
    random.shuffle(order)
    straight = nearest(matrix(released), matrix(originals), **how(measure, weights))
    mixed = nearest(matrix(released), matrix([originals[i] for i in order]), **how(measure, weights))
    assert slices(straight) == [sorted(order[i] for i in row) for row in slices(mixed)]
    assert straight.score.tolist() == mixed.score.tolist()


def _copies(rng, noise, goods=400):
    """Return released rows and originals: everybody, some of him replaced, and each tenth original twice."""
    originals = (rng.random((300, goods)) < rng.random(goods) ** 3) * rng.integers(1, 4, (300, goods))
    originals[::10] = originals[5::10]
    released = np.where(rng.random(originals.shape) < noise, rng.permutation(originals), originals)
    return sparse.csr_array(released), sparse.csr_array(originals)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("noise", [0.0, 0.02, 0.3, 1.0])
@pytest.mark.parametrize("reached", [False, True])
def test_leaving_out_who_cannot_win_changes_nothing(measure, noise, reached):
    """All pairs are scored in a block; the search looks at some, and finds the same."""
    rng = np.random.default_rng(7)
    released, originals = _copies(rng, noise)
    asked = how(measure, np.log(300 / np.maximum((originals > 0).sum(axis=0), 1)) + 1)
    bar = row_by_row(released, originals, **asked) if reached else None
    with blocks(64, 0.3):
        found = nearest(released, originals, **asked, reached=bar)
        scores = similarity_block(released, originals, **asked)
    sizes = np.diff(originals.indptr) if measure == "containment" else None
    expected = best_in(scores, sizes)
    assert slices(found) == slices(expected)
    assert found.score == pytest.approx(expected.score)


@pytest.mark.parametrize(("goods", "expected"), [([0, 1, 2, 3], 1), ([0, 1, 2], -1)])
def test_sums_are_made_for_a_few_who_can_win_and_not_one_by_one_for_many(goods, expected):
    """A hundred have three goods, one of them a fourth: who has all four is met by it, the others by none."""
    originals = [dict.fromkeys([0, 1, 2], 1)] * 99 + [dict.fromkeys([0, 1, 2, 3], 1)]
    task = Task.of(matrix([dict.fromkeys(goods, 1)]), matrix(originals), "jaccard", np.ones(GOODS))
    block = turn(task.originals, np.arange(100), task.goods, np.inf)
    asked = Search(task.released, block, task.measure, task.originals, task.rarest())
    assert sum_few(asked, 0, bench_for(asked, 0, 1), (1.0, 1.0)) == expected


@pytest.mark.parametrize("measure", MEASURES)
def test_a_score_that_nobody_here_reaches_leaves_a_row_empty(measure):
    """Where the best is known to be elsewhere, rows get those alone who are as good."""
    rng = np.random.default_rng(8)
    released, originals = _copies(rng, 0.02)
    asked = how(measure, np.ones(released.shape[1]))
    bar, some = row_by_row(released, originals, **asked), originals[150:]
    found, free = nearest(released, some, **asked, reached=bar), nearest(released, some, **asked)
    there = free.score >= bar[:, 0] / bar[:, 1]
    assert 0 < there.sum() < len(there)
    assert [len(row) > 0 for row in slices(found)] == there.tolist()
    assert [row for row, same in zip(slices(found), there, strict=True) if same] == [
        row for row, same in zip(slices(free), there, strict=True) if same
    ]


@pytest.mark.parametrize("measure", MEASURES)
@given(released=baskets, weights=eighths, random=st.randoms())
@settings(max_examples=30, deadline=None)
def test_rows_are_scored_beside_each_other(measure, released, weights, random):
    originals = random.sample(released, len(released))
    found = row_by_row(matrix(released), matrix(originals), **how(measure, weights))
    ranks = [score(r, k, measure, weights) for r, k in zip(released, originals, strict=True)]
    assert (found[:, 0] / found[:, 1]).tolist() == pytest.approx([shown(rank, measure) for rank in ranks])


@pytest.mark.parametrize("measure", MEASURES)
def test_equal_originals_tie_wherever_they_stand(measure):
    rng = np.random.default_rng(5)
    table = matrix(
        [{g: int(rng.integers(1, 9)) for g in range(40) if rng.random() < 0.3} for _ in range(30)], 40
    )
    twice = sparse.vstack([table, table[::-1]], format="csr")
    found = nearest(table, twice, **how(measure, rng.random(40) + 0.1))
    assert all({j, 59 - j} <= set(row) for j, row in enumerate(slices(found)))


def test_rounded_scores_tie_though_their_sums_were_rounded_apart():
    weights = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1]
    released = matrix([dict.fromkeys(range(6), 1)], 6)
    originals = matrix([dict.fromkeys([0, 1, 2], 1), dict.fromkeys([3, 4, 5], 1)], 6)
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    assert slices(nearest(released, originals, weights=weights)) == [[0, 1]]


def test_whole_numbers_are_compared_beyond_the_precision_of_a_float():
    n = 2**31 - 2
    assert (n - 1) / n == n / (n + 1)
    found = nearest(matrix([{0: n}], 1), matrix([{0: n - 1}, {0: n + 1}], 1), "multiset")
    assert slices(found) == [[1]]


def test_containment_prefers_the_larger_known_set():
    released = matrix([{0: 1, 1: 1, 2: 1}])
    originals = matrix([{0: 1}, {0: 1, 1: 1}, {1: 1, 2: 1}, {0: 1, 1: 1, 2: 1, 3: 1}])
    found = nearest(released, originals, "containment")
    assert slices(found) == [[1, 2]]
    assert found.score.tolist() == [1.0]


def test_nothing_in_common_is_an_empty_slice():
    released, originals = matrix([{}, {0: 1}, {1: 1}]), matrix([{2: 1}, {}, {1: 1, 3: 1}])
    found = nearest(released, originals)
    assert slices(found) == [[], [], [2]]
    assert found.score.tolist() == [0.0, 0.0, 0.5]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_nobody_on_one_side(shape):
    released, originals = (sparse.csr_array((rows, GOODS), dtype=np.int64) for rows in shape)
    assert slices(nearest(released, originals)) == [[]] * shape[0]
    assert top(released, originals, 2).indices.tolist() == [[-1, -1]] * shape[0]
    assert similarity_block(released, originals).shape == shape


def test_more_frequent_goods_than_a_byte_counts():
    originals = sparse.csr_array(np.tri(20, 1000, 700, dtype=np.int64))
    with blocks(2048, 0.0):
        found = nearest(originals, originals)
    assert slices(found) == [[i] for i in range(20)]
    assert found.score.tolist() == [1.0] * 20


@pytest.mark.parametrize("measure", ["jaccard", "containment", "multiset", "votes"])
@pytest.mark.parametrize("frequent", [0.0, 0.1, 2.0])
def test_planes_of_bits_count_what_a_dense_product_counts(measure, frequent):
    """Hundreds of originals, baskets of up to 200 goods: several words, carries into every plane, ties."""
    rng = np.random.default_rng(7)
    shares = rng.beta(0.4, 1.2, (150, 1)) * rng.beta(1, 2, (1, 260))
    b = rng.integers(1, 4, shares.shape) * (rng.random(shares.shape) < 2 * shares)
    b = np.vstack([b, b[:20]])
    a = b[rng.permutation(170)[:90]] * (rng.random((90, 260)) < 0.7)
    with blocks(100, frequent):
        found = nearest(sparse.csr_array(a), sparse.csr_array(b), measure, threads=2)
    if measure in {"jaccard", "containment"}:
        a, b = np.minimum(a, 1), np.minimum(b, 1)
    common = np.array([np.minimum(row, b).sum(axis=1) for row in a])
    whole = {"jaccard": a.sum(axis=1)[:, None] + b.sum(axis=1) - common, "containment": b.sum(axis=1)}
    whole["multiset"] = whole["jaccard"]
    score = common / np.maximum(whole.get(measure, 1), 1)
    rank = score * 1000 + b.sum(axis=1) / 1000 if measure == "containment" else score
    best = np.where(common > 0, rank, -1).max(axis=1)
    assert slices(found) == [
        np.flatnonzero((rank[j] == best[j]) & (common[j] > 0)).tolist() for j in range(90)
    ]


def test_untidy_matrices_are_read_and_left_as_they_are():
    values, columns = np.array([1, 0, 2, 1]), np.array([3, 1, 0, 3])
    for array in (values, columns):
        array.flags.writeable = False
    untidy = sparse.csr_array((values, columns, np.array([0, 4])), shape=(1, GOODS))
    found = nearest(untidy, matrix([{0: 2, 3: 1}, {0: 2, 3: 2}, {0: 2, 1: 1, 3: 2}]), "multiset")
    assert slices(found) == [[1]]
    assert untidy.indices.tolist() == [3, 1, 0, 3]


def test_values_of_any_size_have_a_cosine():
    rows = sparse.csr_array(np.array([[1e-200, 2e-200], [3e200, 1e200]]))
    assert slices(nearest(rows, rows, "cosine")) == [[0], [1]]


@pytest.mark.parametrize(
    ("released", "options", "error"),
    [
        (matrix([{0: 1}], GOODS + 1), {}, ParameterError),
        (matrix([{0: 1}]), {"similarity": "dice"}, ParameterError),
        (matrix([{0: 1}]), {"similarity": "cosine", "weights": [1.0] * GOODS}, ParameterError),
        (matrix([{0: 1}]), {"weights": [1.0] * (GOODS - 1)}, ParameterError),
        (matrix([{0: 1}]), {"weights": [0.0] + [1.0] * (GOODS - 1)}, ParameterError),
        (matrix([{0: 1}]), {"weights": [np.inf] + [1.0] * (GOODS - 1)}, ParameterError),
        (matrix([{0: 1}]), {"threads": 0}, ParameterError),
        (matrix([{0: -1}]), {}, InputError),
        (matrix([{0: 1}]) * np.nan, {}, InputError),
        (matrix([{0: 1}]) * 0.5, {"similarity": "multiset"}, InputError),
        (matrix([{0: 2**31}]), {"similarity": "multiset"}, InputError),
    ],
)
def test_what_cannot_be_compared_is_refused(released, options, error):
    with pytest.raises(error):
        nearest(released, matrix([{0: 1}]), **options)


def test_a_list_of_no_places_is_refused():
    with pytest.raises(ParameterError):
        top(matrix([{0: 1}]), matrix([{0: 1}]), 0)


def test_importing_does_not_load_numba():
    code = "import sys, kakurenbo.kernels.nearest; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def oracle(released, originals, rows=64):
    """All originals at the highest Jaccard, by scipy's sparse product and plain numpy, block by block."""
    sizes = np.diff(originals.indptr)
    for first in range(0, released.shape[0], rows):
        block = released[first : first + rows]
        common = (block @ originals.T).toarray()
        scores = common / (np.diff(block.indptr)[:, None] + sizes - common)
        yield from (np.flatnonzero(row == row.max()).tolist() if row.any() else [] for row in scores)


def test_online_retail_agrees_with_scipy(real):
    originals = online_retail(real("online_retail.parquet")).baskets().matrix
    kept = originals.data * (np.random.default_rng(1).random(originals.nnz) < 0.7)
    released = sparse.csr_array((kept, originals.indices, originals.indptr), shape=originals.shape, copy=True)
    released.eliminate_zeros()
    one, two = (nearest(released, originals, threads=threads) for threads in (1, 2))
    assert slices(one) == list(oracle(released, originals))
    assert one.indices.tolist() == two.indices.tolist()
    assert one.score.tolist() == two.score.tolist()
