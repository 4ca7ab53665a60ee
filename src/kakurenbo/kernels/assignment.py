"""Assignment: everybody is somebody, so who is who for all at once?

The one-to-one pairing of released and known people with the largest sum of similarities. Up to `DENSE`
people all pairs are weighed; beyond that only the `NEIGHBOURS` most similar of each, so that memory stays
linear, and who gets none of them abstains.

Mostly several pairings are equally good, and which of them is found is a lottery. So draws of it are
returned, each of the best pairings equally likely. One solution gives prices, and with them a pair is tight
if it costs no more than it must; the best pairings are those of tight pairs alone (complementary slackness),
so one solution is enough for any number of draws. Rows and columns are shuffled first, so that their order
decides nothing where only the most similar are weighed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy import sparse

from kakurenbo.kernels.nearest import similarity_block, top

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from kakurenbo.kernels.nearest import Matrix, Similarity

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

DENSE = 6000
NEIGHBOURS = 50
DRAWS = 60  # of equally good pairings; of 2, 3, 4, 5 or 6 each comes up equally often
_PLACES = 1_000_000  # names drawn in all: of many people fewer draws say as much
_FEWEST = 8
_FLOOR = 1e-9  # a pairing that says nothing is still better than leaving a person out, by this much
_CLOSE = 1e-11  # of the largest cost: far above rounding, far below the floor
_ROWS = 256  # rows of costs that are added up at a time


def assign(
    released: Matrix,
    originals: Matrix,
    similarity: Similarity,
    rng: np.random.Generator,
    *,
    weights: ArrayLike | None = None,
) -> Ints:
    """Return draws x released: the original paired with each row in each draw, -1 where none is left.

    Args:
        released: released customers x goods.
        originals: original customers x the same goods.
        similarity: see `kernels.nearest`.
        rng: draws among equally good assignments; where one is better than all others, it is the only draw.
        weights: for the weighted Jaccard.
    """
    if max(released.shape[0], originals.shape[0]) <= DENSE:
        return assign_by(similarity_block(released, originals, similarity, weights=weights), rng)
    columns = rng.permutation(originals.shape[0])
    best = top(released, originals[columns], NEIGHBOURS, similarity, weights=weights)
    some = best.indices >= 0
    who, whom = np.nonzero(some)[0], columns[best.indices[some]]
    score = best.score[some] / max(best.score.max(initial=0.0), _FLOOR)
    return assign_among(who, whom, score, (released.shape[0], len(columns)), rng)


def assign_by(scores: Floats, rng: np.random.Generator) -> Ints:
    """Return what `assign` does, from all similarities (released x originals) where they are known."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - slow to load

    if scores.shape[0] > scores.shape[1]:
        return _transpose(assign_by(scores.T, rng), scores.shape[0])
    rows, columns = rng.permutation(scores.shape[0]), rng.permutation(scores.shape[1])
    costs = scores[np.ix_(rows, columns)]
    np.negative(costs, out=costs)  # asking for the maximum would copy all of it
    drawn = _draw_alternatives(_AllPairs(costs), linear_sum_assignment(costs)[1].astype(np.int64), rng)
    paired = np.empty(drawn.shape, dtype=np.int64)
    paired[:, rows] = columns[drawn]
    return paired


def assign_among(
    who: NDArray[np.intp],
    whom: Ints,
    score: Floats,
    shape: tuple[int, int],
    rng: np.random.Generator,
) -> Ints:
    """Return the same where scores (0 to 1) are known of these pairs alone, each there once.

    Everybody also has a place of his own, so that a full matching exists; who ends there is left out.
    """
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # noqa: PLC0415 - slow to load

    n, m = shape
    people, rows, columns = np.arange(n), rng.permutation(n), rng.permutation(m)
    left = np.concatenate([np.argsort(rows)[who], people])
    right = np.concatenate([np.argsort(columns)[whom], m + people])
    costs = -np.concatenate([score + 2 * _FLOOR, np.full(n, _FLOOR)])
    places = left.astype(np.int32), right.astype(np.int32)
    graph = sparse.coo_array((costs, places), shape=(n, m + n)).tocsr()
    match = min_weight_full_bipartite_matching(graph)[1].astype(np.int64)
    drawn = _draw_alternatives(_SomePairs(left, right, costs, m + n), match, rng)
    paired = np.empty(drawn.shape, dtype=np.int64)
    paired[:, rows] = np.append(columns, np.full(n, -1))[drawn]
    return paired


def draw_count(people: int) -> int:
    """Return how many draws are made of a lottery among so many people."""
    return max(_FEWEST, min(DRAWS, _PLACES // max(people, 1)))


def _transpose(paired: Ints, released: int) -> Ints:
    """Return draws x released, given draws x originals of whom each has a released one."""
    turned = np.full((len(paired), released), -1, dtype=np.int64)
    np.put_along_axis(turned, paired, np.arange(paired.shape[1])[None], axis=1)
    return turned


class _Pairs(Protocol):
    """The pairs that are weighed, of at most as many rows as columns."""

    @property
    def width(self) -> int:
        """How many columns there are."""

    @property
    def largest(self) -> float:
        """The largest cost, whatever its sign."""

    def own_costs(self, match: Ints) -> Floats:
        """Return the cost of each row with its own column."""

    def lower_prices(self, paid: Floats, price: Floats) -> None:
        """Lower the price of every column to the least that a row pays on top of its cost."""

    def tight_pairs(
        self, match: Ints, price: Floats, close: float, rng: np.random.Generator
    ) -> tuple[Ints, Ints]:
        """Return (row, column) of the pairs that cost no more than they must, row by row.

        Of rows with very many, as of people who have nothing in common with anybody, some at random.
        """


@dataclass(frozen=True, eq=False)
class _AllPairs:
    """The cost of every pair."""

    costs: Floats

    @property
    def width(self) -> int:
        return len(self.costs.T)

    @property
    def largest(self) -> float:
        return float(max(self.costs.max(initial=0.0), -self.costs.min(initial=0.0)))

    def own_costs(self, match: Ints) -> Floats:
        return self.costs[np.arange(len(match)), match]

    def lower_prices(self, paid: Floats, price: Floats) -> None:
        for start in range(0, len(paid), _ROWS):
            rows = slice(start, start + _ROWS)
            np.minimum(price, (self.costs[rows] + paid[rows, None]).min(axis=0), out=price)

    def tight_pairs(
        self, match: Ints, price: Floats, close: float, rng: np.random.Generator
    ) -> tuple[Ints, Ints]:
        paid, most, found = price[match] - self.own_costs(match), _PLACES // len(match), []
        for start in range(0, len(paid), _ROWS):
            rows = slice(start, start + _ROWS)
            tight = self.costs[rows] + paid[rows, None] - price <= close
            count = tight.sum(axis=1, keepdims=True)
            if count.max() > most:
                tight &= rng.random(tight.shape) * count < most
                tight[np.arange(len(tight)), match[rows]] = True
            row, column = np.nonzero(tight)
            found.append((row + start, column))
        everywhere = (np.concatenate(part) for part in zip(*found, strict=True))
        return next(everywhere), next(everywhere)


@dataclass(frozen=True, eq=False)
class _SomePairs:
    """The costs of some pairs."""

    rows: Ints
    columns: Ints
    costs: Floats
    width: int

    @property
    def largest(self) -> float:
        return float(np.abs(self.costs).max(initial=0.0))

    def own_costs(self, match: Ints) -> Floats:
        own, held = self.columns == match[self.rows], np.empty(len(match))
        held[self.rows[own]] = self.costs[own]
        return held

    def lower_prices(self, paid: Floats, price: Floats) -> None:
        np.minimum.at(price, self.columns, self.costs + paid[self.rows])

    def tight_pairs(
        self,
        match: Ints,
        price: Floats,
        close: float,
        rng: np.random.Generator,  # noqa: ARG002 - nobody has many
    ) -> tuple[Ints, Ints]:
        paid = price[match] - self.own_costs(match)
        tight = np.flatnonzero(self.costs + paid[self.rows] - price[self.columns] <= close)
        order = tight[np.argsort(self.rows[tight], kind="stable")]
        return self.rows[order], self.columns[order]


def _draw_alternatives(pairs: _Pairs, match: Ints, rng: np.random.Generator) -> Ints:
    """Return draws x rows: columns that are paired as well as these, which are the best."""
    close = _CLOSE * pairs.largest
    price = _prices(pairs, match, close)
    row, column = pairs.tight_pairs(match, price, close, rng)
    if len(row) == len(match):
        return match[None]
    loose = column[price[column] >= -close] if len(match) < pairs.width else column[:0]
    ties = _Ties.of(row, column, np.unique(loose), match, pairs.width)
    return ties.draw(draw_count(len(match)), rng) if len(ties.moving) else match[None]


def _prices(pairs: _Pairs, match: Ints, close: float) -> Floats:
    """Return prices of columns such that none, its price taken off, costs a row less than its own does.

    They are 0 at most (Bellman and Ford), and 0 where a column may be left over: where it is not, something
    would be saved by taking it for another one.
    """
    price, before = np.zeros(pairs.width), np.full(pairs.width, np.inf)
    held = pairs.own_costs(match)
    while (before - price).max(initial=0.0) > close / 100:
        before = price.copy()
        pairs.lower_prices(price[match] - held, price)
    return price


@dataclass(frozen=True, eq=False)
class _Ties:
    """Who could have which column just as well.

    Columns that are left over are given to rows made up for them, behind the others: all alike.

    Attributes:
        begins: where the columns of each row begin.
        ends: where they end.
        columns: the columns that each row could have.
        match: the column of each row, those made up included.
        holder: the row of each column.
        part: the part that each row is in; nobody could have a column of another part.
        rows: how many rows are not made up.
    """

    begins: Ints
    ends: Ints
    columns: Ints
    match: Ints
    holder: Ints
    part: Ints
    rows: int

    @classmethod
    def of(cls, row: Ints, column: Ints, loose: Ints, match: Ints, width: int) -> _Ties:
        """Keep of tight pairs those that are in some best pairing: both ends reach each other.

        Args:
            row: of each pair, ascending.
            column: of each pair.
            loose: columns of these pairs that may be left over.
            match: the column of each row.
            width: how many columns there are.
        """
        rows = len(match)
        holder = np.full(width, rows)  # all that are made up stand together behind the others
        holder[match] = np.arange(rows)
        edges = (np.append(row, np.full(len(loose), rows)), holder[np.append(column, loose)])
        graph = sparse.coo_array((np.ones(len(edges[0]), dtype=bool), edges), shape=(rows + 1, rows + 1))
        part = sparse.csgraph.connected_components(graph.tocsr(), connection="strong")[1].astype(np.int64)
        both = part[row] == part[holder[column]]
        row, column = row[both], column[both]
        shared = loose[part[holder[loose]] == part[-1]]
        made_up = shared[holder[shared] == rows]
        holder[made_up] = rows + np.arange(len(made_up))
        starts = np.append(np.searchsorted(row, np.arange(rows)), np.full(len(made_up), len(row)))
        ends = np.append(
            np.searchsorted(row, np.arange(rows), "right"), np.full(len(made_up), len(row) + len(shared))
        )
        part = np.append(part[:-1], np.full(len(made_up), part[-1]))
        return cls(starts, ends, np.append(column, shared), np.append(match, made_up), holder, part, rows)

    @property
    def moving(self) -> Ints:
        """The rows that could have another column, part by part."""
        moving = np.flatnonzero(np.bincount(self.part)[self.part] > 1)
        return moving[np.argsort(self.part[moving], kind="stable")]

    def draw(self, draws: int, rng: np.random.Generator) -> Ints:
        """Return draws x rows: the columns of each, every pairing being equally likely."""
        from kakurenbo.kernels import alternating  # noqa: PLC0415 - loads the compiler

        moving = self.moving
        begins = np.flatnonzero(np.diff(self.part[moving], prepend=-1, append=-1)).astype(np.int64)
        drawn = np.repeat(self.match[None], draws, axis=0)
        alternating.redraw(
            (begins, moving), (self.begins, self.ends, self.columns),
            self.match, self.holder, rng.integers(2**63, size=1, dtype=np.uint64), drawn,
        )  # fmt: skip
        return drawn[:, : self.rows]
