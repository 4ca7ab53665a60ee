"""The comparison: the names of targets beside everybody in one block of the original after the other.

What stands under the names is laid out once and sent to every block, which is loaded once for all who compare
by likeness or by points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from kakurenbo.attacks.purchases.view import View
from kakurenbo.attacks.search import overlap
from kakurenbo.attacks.search.scores import Overlap, Pairwise, Points, of_rows
from kakurenbo.attacks.search.targets import bits_of
from kakurenbo.kernels.nearest import Nearest
from kakurenbo.kernels.scan import tied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.view import Sight
    from kakurenbo.attacks.search.counts import Counts
    from kakurenbo.attacks.search.keys import Laid, Reading
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
    """One comparison of those who are sought with everybody in a table.

    Attributes:
        how: what is compared.
        theirs: names x keys through all grains, where keys are compared.
        points: of those who are sought, where points are.
        sought: those who are sought, where a function compares tables, in parts, and their rows in order.
        reached: how like its owner every name is, where that is known; who is less so is not looked at.
    """

    how: Overlap | Points | Pairwise
    theirs: Matrix | None = None
    points: Floats | None = None
    sought: tuple[tuple[Purchases, Ints], ...] = ()
    reached: Floats | None = None

    def nearest(self, held: Purchases) -> Nearest:
        """Return who of a block is nearest to everybody who is sought, by points or by a function."""
        if isinstance(self.how, Points):
            assert self.points is not None  # noqa: S101 - of who compares points
            return self.how.nearest(self.points, held)
        assert isinstance(self.how, Pairwise)  # noqa: S101 - keys are compared in a view
        return stacked([of_rows(self.how.nearest(some, held), rows) for some, rows in self.sought])


@dataclass(frozen=True, eq=False)
class ScanPeople:
    """Work: those who are sought compared with everybody in a block; names of targets, where keys are."""

    reading: Reading
    comparisons: tuple[Comparison, ...]
    counts: Counts
    targets: Targets
    chance: Chance

    def __call__(self, known: Purchases) -> tuple[Ties, ...]:
        """Return the people of the block most like everybody who is sought, comparison by comparison."""
        laid, people = self.reading.lay(known), bits_of(self.chance, known.customers)
        own, made = self.targets.own.among(people), Views(laid, self.reading, self.counts)
        bits = self.targets.bits, people
        found = []
        for comparison in self.comparisons:
            how = comparison.how
            if isinstance(how, Overlap):
                seen = made.through(how.sights, comparison.theirs, how.rare)
                best, size = overlap.most_similar(how, seen, comparison.reached)
            else:
                best, size = comparison.nearest(known), np.zeros(len(people))
            places = best.indptr, best.indices, best.score
            found.append(tied(*places, size, own, bits, self.targets.remembering, few=self.targets.few))
        return tuple(found)

    def barred(self, known: Purchases, owners: Ints) -> ScanPeople:
        """Return the same work, given some known people and which of them owns every name; -1 for none.

        Whoever is most like a name is so at least as much as its owner.
        """
        views = Views(self.reading.lay(known), self.reading, self.counts)

        def barred(one: Comparison) -> Comparison:
            if not isinstance(one.how, Overlap):
                return one
            seen = views.through(one.how.sights, one.theirs, one.how.rare)
            reached = overlap.reached(one.how, replace(seen, mine=seen.mine[np.maximum(owners, 0)]))
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


def stacked(parts: Sequence[Nearest]) -> Nearest:
    """Return the best of several parts of those who are sought, one after the other."""
    counts = np.concatenate([np.empty(0, np.int64), *(np.diff(part.indptr) for part in parts)])
    return Nearest(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate([np.empty(0, np.int64), *(part.indices for part in parts)]),
        np.concatenate([np.empty(0), *(part.score for part in parts)]),
    )
