"""The comparison: the names of targets beside everybody in one block of the original after the other.

What stands under the names is laid out once and sent to every block, which is loaded once for all who compare
by likeness or by points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from kakurenbo.attacks.purchases.scans import Near
from kakurenbo.attacks.purchases.view import View
from kakurenbo.attacks.search.keys import Laid
from kakurenbo.attacks.search.targets import bits_of
from kakurenbo.kernels.scan import tied

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.scans import Alike
    from kakurenbo.attacks.purchases.view import Sight
    from kakurenbo.attacks.search.counts import Counts
    from kakurenbo.attacks.search.keys import Reading
    from kakurenbo.attacks.search.targets import Targets
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Matrix
    from kakurenbo.kernels.scan import Ties

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Seen(View):
    """A view of some people, in which keys are as rare as among all."""

    whole: NDArray[np.float64] | None = None

    @property
    def rarity(self) -> Floats:
        """The rarity of every key among all known people."""
        return np.ones(self.mine.shape[1]) if self.whole is None else self.whole


@dataclass(frozen=True, eq=False)
class Comparison:
    """One comparison by likeness, or by points.

    Attributes:
        how: who compares, and what.
        theirs: names x keys through all grains, where keys are compared.
        points: of the names, where points are.
        reached: how like its owner every name is, where that is known; who is less so is not looked at.
    """

    how: Alike | Near
    theirs: Matrix | None = None
    points: Floats | None = None
    reached: Floats | None = None


@dataclass(frozen=True, eq=False)
class ScanOriginal:
    """Work: the names of targets compared with everybody in a block of the original."""

    reading: Reading
    comparisons: tuple[Comparison, ...]
    counts: Counts
    targets: Targets
    chance: Chance

    def __call__(self, known: Purchases) -> tuple[Ties, ...]:
        """Return the known people most like every name, comparison by comparison."""
        laid, people = Laid(known, self.reading), bits_of(self.chance, known.customers)
        own, made = self.targets.own.among(people), Views(laid, self.reading, self.counts)
        bits = self.targets.bits, people
        found = []
        for comparison in self.comparisons:
            if comparison.points is not None:
                places, size = _nearest_points(comparison, known), np.zeros(len(people))
            else:
                seen = made.through(comparison.how.sights, comparison.theirs, comparison.how.rarity)  # type: ignore[union-attr]
                best, size = comparison.how.by.weighed_nearest(seen, comparison.reached)  # type: ignore[union-attr]
                places = best.indptr, best.indices, best.score
            found.append(tied(*places, size, own, bits, self.targets.remembering))
        return tuple(found)

    def barred(self, known: Purchases, owners: Ints) -> ScanOriginal:
        """Return the same work, given some known people and which of them owns every name; -1 for none.

        Whoever is most like a name is so at least as much as its owner.
        """
        views = Views(Laid(known, self.reading), self.reading, self.counts)

        def barred(one: Comparison) -> Comparison:
            if isinstance(one.how, Near):
                return one
            seen = views.through(one.how.sights, one.theirs, one.how.rarity)
            reached = one.how.by.reached(replace(seen, mine=seen.mine[np.maximum(owners, 0)]))
            reached[owners < 0] = (0, 1)
            return replace(one, reached=reached)

        return replace(self, comparisons=tuple(barred(one) for one in self.comparisons))


class Views:
    """The views of one block, each made once for all who look through the same sights."""

    def __init__(self, laid: Laid, reading: Reading, counts: Counts) -> None:
        self._laid, self._reading, self._counts = laid, reading, counts
        self._made: dict[tuple[Sight, ...], tuple[Matrix, Floats | None]] = {}

    def through(self, sights: tuple[Sight, ...], theirs: Matrix | None, rarity: bool) -> Seen:
        """Return the names beside the people of the block."""
        if sights not in self._made:
            self._made[sights] = columns_of(self._laid, self._reading, sights), None
        mine, whole = self._made[sights]
        if rarity and whole is None:
            whole = self._rarity(sights, mine.shape[1])
            self._made[sights] = mine, whole
        assert theirs is not None  # noqa: S101 - of who compares by keys
        wide = sparse.csr_array(
            (theirs.data, theirs.indices, theirs.indptr), shape=(theirs.shape[0], mine.shape[1])
        )
        nobody = self._laid.block.customers.head(0)
        return Seen(mine, wide, nobody, nobody, (), whole=whole if rarity else None)

    def _rarity(self, sights: tuple[Sight, ...], width: int) -> Floats:
        """Return how rare keys are; one that no target has counts as if one person had it."""
        known = np.concatenate([self._counts.rarity(sight.parts) for sight in sights])
        made = np.full(width, np.log(max(self._counts.people, 1)) + 1)
        made[: len(known)] = known
        return made


def columns_of(laid: Laid, reading: Reading, sights: tuple[Sight, ...]) -> Matrix:
    """Return people x keys through all sights: those of the dictionary first, then all others."""
    seen = [laid.at(sight.parts, sight.counting) for sight in sights]
    last = [len(reading.codes[sight.parts]) for sight in sights]
    ends = [int(one.starts[codes]) for one, codes in zip(seen, last, strict=True)]
    known = [(one, slice(0, end)) for one, end in zip(seen, ends, strict=True)]
    pieces = [*known, *((one, slice(end, None)) for one, end in zip(seen, ends, strict=True))]
    each = [np.diff(one.starts) for one in seen]
    counts = [count[:codes] for count, codes in zip(each, last, strict=True)]
    counts += [count[codes:] for count, codes in zip(each, last, strict=True)]
    starts = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    held = np.concatenate([one.held[piece] for one, piece in pieces])
    if all(sight.counting == "set" for sight in sights):
        held = np.ones(len(held), np.int8)
    who = np.concatenate([one.who[piece] for one, piece in pieces])
    turned = sparse.csc_array((held, who, starts), shape=(len(laid), len(starts) - 1))
    made = turned.tocsr()  # key after key, so every row ascends
    made.has_sorted_indices = made.has_canonical_format = True
    return made


def _nearest_points(comparison: Comparison, known: Purchases) -> tuple[Ints, Ints, Floats]:
    """Return who lies nearest to every name, with a score that falls with the distance."""
    from scipy.spatial import cKDTree  # noqa: PLC0415 - slow to load

    how, theirs = comparison.how, comparison.points
    assert theirs is not None  # noqa: S101 - of who compares points
    tree = cKDTree(how.by.located(known))  # type: ignore[union-attr]
    distance, _ = tree.query(theirs)
    equals = tree.query_ball_point(theirs, np.asarray(distance) + how.close, return_sorted=True)
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in equals])]).astype(np.int64)
    indices = np.fromiter((i for row in equals for i in row), dtype=np.int64, count=int(indptr[-1]))
    return indptr, indices, 1 / (1 + np.asarray(distance))
