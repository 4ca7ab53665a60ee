"""Propagation: two tables of people x goods, people and goods under other names; who is who, what is what?

A few people who are surely the same tell which goods are the same: those that the same people buy. Goods that
are surely the same tell more people, these tell more goods, and so on until nothing changes. Rows are paired
where each is the other's nearest, by the cosine over the columns paired so far. A column counts by its
rarity, and by how many of the rows paired so far have it on both sides: a pair of goods that one person
vouches for is soon wrong, one that three vouch for hardly ever. So a start of which most is wrong still ends
right, as long as what is right in it agrees with itself and what is wrong does not.

Only nearest rows are kept, so memory is linear in the tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from kakurenbo.data.baskets import equal_rows
from kakurenbo.kernels.nearest import top

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.kernels.nearest import Matrix

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

_ROUNDS = 20
_STABLE = 0.002  # of the people who may be paired otherwise than a round before, at the end
_GROWTH = 0.03  # of what is explained, that two rounds must add
_SMALL = 200_000  # entries that are compared before threads have started
_LITTLE = 1e-3  # what a column counts that everybody has


class Pairs(NamedTuple):
    """Released row `theirs[i]` is taken for original row `mine[i]`; each row stands there once at most."""

    theirs: Ints
    mine: Ints

    def over(self, rows: int) -> Ints:
        """Return for each of so many released rows the original one, -1 where there is none."""
        named = np.full(rows, -1, dtype=np.int64)
        named[self.theirs] = self.mine
        return named


class Matched(NamedTuple):
    """Who is who and what is what, and how many (person, good) of the release are then in the original."""

    people: Pairs
    goods: Pairs
    common: int

    def at(self, theirs: Ints, mine: Ints) -> Matched:
        """Return the same of tables whose rows stood in this order when they were paired."""
        return self._replace(people=Pairs(theirs[self.people.theirs], mine[self.people.mine]))


class _Sides(NamedTuple):
    """The released and the original table, rows to be paired over columns that are."""

    theirs: Matrix
    mine: Matrix

    def turned(self) -> _Sides:
        return _Sides(sparse.csr_array(self.theirs.T), sparse.csr_array(self.mine.T))


def propagate(released: Matrix, originals: Matrix, people: Pairs) -> Matched:
    """Pair goods and people in turn until nothing changes.

    Args:
        released: released people x goods; what has a value is bought.
        originals: original people x goods.
        people: who is who, to begin with.
    """
    sides = _Sides(_bought(released), _bought(originals))
    turned = sides.turned()
    goods = _paired(turned, people)
    vouching = _vouching(sides, people, goods)
    common = [0, int(vouching.sum())]
    for _ in range(_ROUNDS):
        before = people.over(released.shape[0])
        people = _paired(sides, goods, np.log1p(vouching))
        goods = _paired(turned, people, np.log1p(_vouching(turned, goods, people)))
        vouching = _vouching(sides, people, goods)
        common.append(int(vouching.sum()))
        stable = np.mean(people.over(released.shape[0]) != before) <= _STABLE
        if stable or common[-1] <= (1 + _GROWTH) * common[-3]:
            break
    goods = _with_equals(turned, goods, people)
    return Matched(people, goods, int(_vouching(sides, people, goods).sum()))


def by_goods(released: Matrix, originals: Matrix, goods: Pairs) -> Matched:
    """Pair the people over these goods, and leave it at that."""
    sides = _Sides(_bought(released), _bought(originals))
    people = _paired(sides, goods)
    return Matched(people, goods, int(_vouching(sides, people, goods).sum()))


def _bought(matrix: Matrix) -> Matrix:
    return sparse.csr_array(
        (np.ones(matrix.nnz), matrix.indices, matrix.indptr), shape=matrix.shape, dtype=np.float64
    )


def _paired(sides: _Sides, columns: Pairs, sure: Floats | None = None) -> Pairs:
    """Pair the rows that are each other's nearest over paired columns, given how sure each column is."""
    theirs, mine = sides.theirs[:, columns.theirs], sides.mine[:, columns.mine]
    held = np.bincount(theirs.indices, minlength=theirs.shape[1])
    held += np.bincount(mine.indices, minlength=mine.shape[1])
    rarity = np.log((theirs.shape[0] + mine.shape[0]) / np.maximum(held, 1))
    worth = np.maximum(rarity, _LITTLE) * (1.0 if sure is None else sure)
    theirs, mine = _weighed(theirs, worth), _weighed(mine, worth)
    threads = 1 if theirs.nnz + mine.nnz < _SMALL else None
    nearest, back = (
        top(a, b, 1, "cosine", threads=threads).indices[:, 0] for a, b in ((theirs, mine), (mine, theirs))
    )
    return mutual(nearest, back)


def _with_equals(sides: _Sides, rows: Pairs, columns: Pairs) -> Pairs:
    """Return the pairs of rows, and beside them rows that are equal over the paired columns, in any order.

    What one person alone bought cannot be told apart, and is his all the same.
    """
    left = sides.theirs[:, columns.theirs], sides.mine[:, columns.mine]
    theirs, mine = (
        np.setdiff1d(np.flatnonzero(np.diff(side.indptr)), paired)
        for side, paired in zip(left, rows, strict=True)
    )
    both = sparse.csr_array(sparse.vstack([left[0][theirs], left[1][mine]], format="csr"))
    both.sort_indices()
    group = equal_rows(both)
    turn = np.concatenate([_turns(group[: len(theirs)]), _turns(group[len(theirs) :])])
    place = group * (len(group) + 1) + turn
    _, one, other = np.intersect1d(
        place[: len(theirs)], place[len(theirs) :], assume_unique=True, return_indices=True
    )
    return Pairs(np.concatenate([rows.theirs, theirs[one]]), np.concatenate([rows.mine, mine[other]]))


def _turns(group: Ints) -> Ints:
    """Return the place of each among the equal ones before it."""
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    start = np.searchsorted(ordered, ordered)
    turns = np.empty(len(group), dtype=np.int64)
    turns[order] = np.arange(len(group)) - start
    return turns


def mutual(nearest: Ints, back: Ints) -> Pairs:
    """Return the rows that are each other's nearest, -1 having none."""
    rows = np.flatnonzero(nearest >= 0)
    rows = rows[back[nearest[rows]] == rows]
    return Pairs(rows, nearest[rows])


def _weighed(matrix: Matrix, worth: Floats) -> Matrix:
    weighed: Matrix = sparse.csr_array(
        (worth[matrix.indices], matrix.indices, matrix.indptr), shape=matrix.shape
    )
    weighed.eliminate_zeros()
    return weighed


def _vouching(sides: _Sides, rows: Pairs, columns: Pairs) -> Ints:
    """Return how many paired rows have each pair of columns on both sides."""
    theirs = sides.theirs[rows.theirs][:, columns.theirs]
    both = theirs.multiply(sides.mine[rows.mine][:, columns.mine])
    return np.asarray(both.sum(axis=0)).ravel().astype(np.int64)
