"""The tree of goods and the cut through it, against plain computations."""

from collections import Counter, defaultdict
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster.hierarchy import cut_tree, linkage

from kakurenbo.kernels.taxonomy import Bought, Forest, cut_for, described, points_of, tree_levels
from kakurenbo.kernels.taxonomy.levels import nodes_of

records = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(0, 1)), min_size=1, max_size=30
)
# Goods 0 to 5; 6 = {0, 1}, 7 = {2, 3}, 8 = {6, 7}, 9 = {4, 5}, 10 = all.
PARENTS = np.array([6, 6, 7, 7, 9, 9, 8, 8, 10, 10, -1])
BELOW = {6: (0, 1), 7: (2, 3), 8: (0, 1, 2, 3), 9: (4, 5), 10: (0, 1, 2, 3, 4, 5)}
CUTS = [[10]] + [
    [*left, *right] for left in ([8], [6, 7], [6, 2, 3], [0, 1, 7], [0, 1, 2, 3]) for right in ([9], [4, 5])
]


def dense(table):
    """The records with codes of people and goods that leave none out: every person and good has one."""
    table = [*table, *((who, 0, 0) for who in range(5)), *((0, good, 0) for good in range(6))]
    return table, (np.array(column, dtype=np.int64) for column in zip(*table, strict=True))


def value(table, word):
    """V: of the people that the best seeker finds who knows one record of everybody, in plain Python."""
    counts, each = Counter((who, word[good], when) for who, good, when in table), Counter(r[0] for r in table)
    greatest = defaultdict(float)
    for (who, what, when), count in counts.items():
        greatest[what, when] = max(greatest[what, when], count / each[who])
    return sum(greatest.values()) / len(each)


def lost(table, word, own, span):
    """What the records lose on average, in bits."""
    goods, words = Counter(good for _, good, _ in table), Counter(word[good] for _, good, _ in table)
    kinds = Counter(word.values())
    each = (
        log2(words[word[good]] / goods[good])
        + (kinds[word[good]] > 1) * own
        + span * (kinds[word[good]] - 1) / 5
        for _, good, _ in table
    )
    return sum(each) / len(table)


def words_of(cut):
    return {good: good if cut.own[good] else int(cut.nodes[good]) for good in range(6)}


@given(
    table=records, most=st.floats(0.1, 1), own=st.sampled_from([0.0, 2.0]), span=st.sampled_from([0.0, 9.0])
)
def test_a_cut_holds_the_risk_and_no_plain_cut_is_better_at_any_price(table, most, own, span):
    table, arrays = dense(table)
    forest = Forest(PARENTS, 6, np.zeros(6, dtype=bool))
    cut = cut_for(Bought.of(*arrays), forest, most, own=own, span=span)
    word = words_of(cut)
    assert cut.risk == pytest.approx(value(table, word))
    for good, node in enumerate(cut.nodes):
        assert node == good or good in BELOW[node], "a word stands for its own goods"
    at_root = value(table, dict.fromkeys(range(6), 10))
    assert cut.risk <= max(most, at_root) + 1e-12
    mine = lost(table, word, own, span)
    for plain in CUTS:
        other = {good: node for node in plain for good in BELOW.get(node, (node,))}
        assert not (value(table, other) < cut.risk - 1e-9 and lost(table, other, own, span) < mine - 1e-9), (
            "less risk and less loss"
        )


def test_popular_goods_stay_themselves_beside_a_lump_of_rare_ones():
    people = np.concatenate([np.arange(40), np.arange(40)])
    goods = np.concatenate([np.zeros(40, dtype=np.int64), 1 + np.arange(40) % 8])
    forest = Forest(np.array([9] * 9 + [-1]), 9, np.zeros(9, dtype=bool))
    cut = cut_for(Bought.of(people, goods, np.zeros(80, dtype=np.int64)), forest, 1 / 40, own=0.0, span=0.0)
    assert cut.own.tolist() == [True] + [False] * 8
    assert cut.risk == pytest.approx(1 / 40)


def test_a_good_named_as_a_kind_never_stays_itself():
    people, goods = np.arange(6).repeat(2), np.array([0, 1] * 6)
    forest = Forest(np.array([2, 2, -1]), 2, np.array([True, False]))
    cut = cut_for(Bought.of(people, goods, np.zeros(12, dtype=np.int64)), forest, 1.0, own=0.0, span=0.0)
    assert not cut.own[0]
    assert cut.nodes[0] == 2


@pytest.mark.parametrize("count", [1, 2, 7, 60])
def test_levels_halve_and_divide_no_node(count, monkeypatch):
    points = np.random.default_rng(1).normal(size=(count, 3))
    for paired in (4096, 16):
        monkeypatch.setattr("kakurenbo.kernels.taxonomy.levels._PAIRED", paired)
        levels = tree_levels(points, np.random.default_rng(2))
        assert len(levels) == count
        assert set(levels[:, -1]) == {0}
        for fine, coarse in zip(levels.T, levels.T[1:], strict=False):
            assert len(set(zip(fine, coarse, strict=True))) == len(set(fine)), (
                "a node lies in one of the next"
            )
            assert set(fine) == set(range(max(fine) + 1))


@given(st.integers(2, 40), st.integers(0, 2**32 - 1))
def test_nodes_of_a_linkage_are_those_of_scipy_where_no_distances_are_equal(count, seed):
    joined = linkage(np.random.default_rng(seed).normal(size=(count, 2)), "ward")
    for left in range(1, count + 1):
        nodes = nodes_of(joined[:, :2].astype(np.int64), left)
        np.testing.assert_array_equal(nodes, cut_tree(joined, n_clusters=left)[:, 0])


def test_goods_of_the_same_people_and_of_the_same_words_are_near():
    bought = np.kron(np.eye(2), np.ones((20, 3)))  # two circles of people, three goods each
    words, vocabulary = described(["red cup", "red cup", "blue bag", "blue bag", "green hat", "green hat"])
    assert vocabulary == ["bag", "blue", "cup", "green", "hat", "red"]
    rng = np.random.default_rng(1)
    plain = points_of(sparse.csr_array(bought), sparse.csr_array((6, 0)), rng)
    both = points_of(sparse.csr_array(bought), words, rng)

    def apart(points, a, b):
        return np.linalg.norm(points[a] - points[b])

    assert apart(plain, 0, 2) < 1e-6
    assert apart(plain, 2, 3) > 0.5
    assert apart(both, 0, 1) < apart(both, 0, 2) < apart(both, 2, 4)


def test_codes_of_any_width_are_counted_alike():
    """Periods far apart do not fit one number with people and goods; what is counted stays the same."""
    rng = np.random.default_rng(1)
    people, goods, periods = rng.permutation(60) % 7, rng.integers(0, 9, 60), rng.integers(0, 4, 60)
    near = Bought.of(people, goods, periods, all_goods=2**20)
    far = Bought.of(people, goods, periods << 45, all_goods=2**20)
    for name in ("starts", "goods", "shares", "records"):
        assert np.array_equal(getattr(near, name), getattr(far, name)), name
    assert np.array_equal(near.periods << 45, far.periods)
