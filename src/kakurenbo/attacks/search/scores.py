"""Scores: how well two people match, said once by an attack and worked out wherever the people are.

An attack says what it compares and how; the search works it out, in a table that is held, in one of any
number of blocks and on a cluster alike, because a pair of people is judged by itself. Who is looked up in the
release (reading `target`) is compared with the blocks of the release; a name that is given to somebody is
compared with the blocks of the original. What must be learnt from people first is what `fit` returns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from kakurenbo.kernels.nearest import Nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.view import Part, Sight
    from kakurenbo.kernels.nearest import Similarity

    Floats = NDArray[np.float64]

TIE = 1e-12  # rounded similarities that lie so close, relatively, are equal


@dataclass(frozen=True)
class LookUp:
    """How much of what is known of a target each released person has.

    Attributes:
        grains: the parts of a record that make a key, several grains side by side.
        counts: what a key that a person has counts: one; its rarity among the released; the share of that
            person's records that have it; or that share against the share of all records.
        least: what is added to that before the logarithm is taken of a record; 0 adds up keys, each once.
        shorter: whether the shorter history is the better among equals.
        close: sums that lie so close, relatively, are a tie.
    """

    grains: tuple[tuple[Part, ...], ...]
    counts: Literal["one", "rarity", "share", "ratio"]
    least: float = 0.0
    shorter: bool = False
    close: float = 1e-9


@dataclass(frozen=True)
class Overlap:
    """How similar two people are in the keys of their records.

    Attributes:
        sights: what is looked at; the keys of several sights stand side by side.
        similarity: how two people are compared.
        rare: whether a key counts for more, the fewer of the known people have it. What `fit` returns is how
            much each sight counts, where that is not the same.
    """

    sights: tuple[Sight, ...]
    similarity: Similarity = "jaccard"
    rare: bool = False

    @property
    def close(self) -> float:
        """Similarities that lie so close, relatively, are a tie: equal ones where nothing is rounded."""
        return TIE if self.similarity == "cosine" or self.rare else 0.0


@dataclass(frozen=True)
class Points:
    """How near two people are, each being a point.

    Attributes:
        of: returns people x numbers of a table.
        close: distances that differ by no more are a tie.
    """

    of: Callable[[Any], Floats]
    close: float = 1e-9

    def nearest(self, sought: Floats, held: Any) -> Nearest:  # noqa: ANN401 - a table of either kind
        """Return who of a table lies nearest to each point, with a score that falls with the distance."""
        from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to load

        tree = cKDTree(self.of(held))
        distance, _ = tree.query(sought)
        equals = tree.query_ball_point(sought, np.asarray(distance) + self.close, return_sorted=True)
        indptr = np.concatenate([[0], np.cumsum([len(row) for row in equals])]).astype(np.int64)
        indices = np.fromiter((i for row in equals for i in row), dtype=np.int64, count=int(indptr[-1]))
        return Nearest(indptr, indices, 1 / (1 + np.asarray(distance)))

    def matched(self, sought: Any, held: Any) -> Floats:  # noqa: ANN401 - tables of either kind
        """Return how near everybody of one table is to everybody of another."""
        from scipy.spatial.distance import cdist  # noqa: PLC0415 - slow to load

        near: Floats = 1 / (1 + cdist(self.of(sought), self.of(held)))
        return near


@dataclass(frozen=True)
class Pairwise:
    """How well two people match by any function of two tables.

    Attributes:
        matched: returns for the people of two tables, those who are sought first, how well each matches each:
            the larger the better, and 0 where nothing speaks for it. What is returned of a pair may not
            depend on who else is in the tables.
        close: numbers that lie so close, relatively, are a tie.
    """

    matched: Callable[[Any, Any], Floats]
    close: float = 1e-9

    def nearest(self, sought: Any, held: Any) -> Nearest:  # noqa: ANN401 - tables of either kind
        """Return who of a table matches each of another best; nobody where nothing speaks for anybody."""
        scores = self.matched(sought, held)
        best = scores.max(axis=1, initial=0.0)
        tied = (scores >= (best * (1 - self.close))[:, None]) & (best > 0)[:, None]
        indptr = np.concatenate([[0], np.cumsum(tied.sum(axis=1))]).astype(np.int64)
        return Nearest(indptr, np.nonzero(tied)[1].astype(np.int64), best)


@dataclass(frozen=True)
class Agreement:
    """How far the records or visits of two people agree, and how telling that is, as `fit` has learnt it."""


Score = LookUp | Overlap | Points | Pairwise | Agreement


def of_rows(best: Nearest, rows: NDArray[np.int64]) -> Nearest:
    """Return the nearest of these rows alone, in this order."""
    counts = np.diff(best.indptr)[rows]
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    places = np.arange(indptr[-1]) + np.repeat(best.indptr[rows] - indptr[:-1], counts)
    return Nearest(indptr, best.indices[places], best.score[rows])
