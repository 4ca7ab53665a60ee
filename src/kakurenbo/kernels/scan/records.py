"""Looking up by records that many targets know alike, as where words are coarse.

A record is judged by several keys at once, and what it counts for a person takes a logarithm. Where there are
few different records, that is worked out once for all targets of all searches, and they only add it up.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.kernels.scan.look_up import nothing, ties_of
from kakurenbo.threads import processors

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from kakurenbo.kernels.scan.look_up import Beside, Floats, Integers, Postings, Ties

    Shared = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Integers]

WIDTH = 128  # people whose values lie in the cache together
_QUICKER = 8  # times, that a value in a row is added than one of a list
_WORKED_OUT = 4  # additions that a logarithm takes
_SHARED = 3  # records, at least, to one of those that have something in common


def quicker(lengths: Integers, numbers: Integers, people: int) -> bool:
    """Whether it is to work different records out once for everybody, and to add up rows.

    Args:
        lengths: how many entries the lists of each different record have.
        numbers: of all known records.
        people: how many there are.
    """
    one_by_one, adding = int(lengths[numbers].sum()), len(numbers) * people // _QUICKER
    return adding + _WORKED_OUT * int(lengths.sum()) < one_by_one


def shared(keys: npt.NDArray[np.int32]) -> Shared:
    """Lay different records out by what many of them have in common.

    Records of coarse words have few goods, and few goods with their prices; only with their months they are
    many. So the grains that make few of the records are worked out for those few.

    Args:
        keys: different records x grains, -1 for none.

    Returns:
        (coarse, fine, which): the different records of the coarse grains, what each record has of the
        others, and which of the coarse it is.
    """
    grains = sorted(range(keys.shape[1]), key=lambda grain: len(np.unique(keys[:, grain])))
    coarse, which = np.empty((1, 0), keys.dtype), np.zeros(len(keys), np.int64)
    for count in range(1, len(grains)):
        some, numbers = np.unique(keys[:, sorted(grains[:count])], axis=0, return_inverse=True)
        if len(some) * _SHARED > len(keys):
            return coarse, np.ascontiguousarray(keys[:, sorted(grains[count - 1 :])]), which
        coarse, which = some, numbers.ravel().astype(np.int64)
    return coarse, np.ascontiguousarray(keys[:, sorted(grains[-1:])]), which


@dataclass(frozen=True, eq=False)
class Records:
    """What the targets of several searches know, each different record once.

    Those of whom it is remembered who ties come first, search after search, then all others.

    Attributes:
        bounds: row t knows the records bounds[t]:bounds[t+1] of `numbers`.
        numbers: of the records.
        whose: the target of every row.
        keys: different records x grains.
        rows: the rows of every search, in the order of its targets.
        remembering: of how many rows it is remembered who ties.
        reached: what somebody is known to score for the target of every row, 0 where nothing is known.
    """

    bounds: Integers
    numbers: Integers
    whose: Integers
    keys: npt.NDArray[np.int32]
    rows: tuple[Integers, ...]
    remembering: int
    reached: Floats

    @classmethod
    def of(
        cls,
        searches: Sequence[tuple[Integers, npt.NDArray[np.int32]]],
        remembering: int,
        reached: Sequence[Floats] | None = None,
    ) -> Records:
        """Lay out (bounds, keys) of several searches, and what somebody scores for their targets."""
        keys, numbers = np.unique(np.concatenate([keys for _, keys in searches]), axis=0, return_inverse=True)
        counts = [len(bounds) - 1 for bounds, _ in searches]
        search = np.repeat(np.arange(len(counts)), counts)
        target = np.concatenate([np.arange(count) for count in counts])
        order = np.lexsort((target, search, target >= remembering))
        each = np.concatenate([np.diff(bounds) for bounds, _ in searches])
        begin = (np.cumsum(each) - each)[order]
        bounds = np.concatenate([[0], np.cumsum(each[order])]).astype(np.int64)
        places = np.arange(bounds[-1]) - np.repeat(bounds[:-1] - begin, each[order])
        rows = tuple(np.flatnonzero(search[order] == one) for one in range(len(counts)))
        return cls(
            bounds, numbers.ravel()[places].astype(np.int64), target[order].astype(np.int64),
            np.ascontiguousarray(keys), rows, int((target < remembering).sum()),
            np.zeros(len(order)) if reached is None else np.concatenate(reached)[order],
        )  # fmt: skip

    @cached_property
    def _shared(self) -> Shared:
        return shared(self.keys)

    def quicker(self, postings: Postings) -> bool:
        """Whether it is, in a block, to work every record out for everybody and to add up rows."""
        return quicker(postings.lengths[self.keys].sum(axis=1), self.numbers, postings.people)

    def look_up(
        self, postings: Postings, *, least: float, sizes: Floats, beside: Beside
    ) -> list[tuple[Ties, ...]]:
        """Look all targets up in a block; return their places search by search, as `look_up` does.

        Args:
            postings: who holds each key, and what that counts.
            least: what a record counts for that a person has not.
            sizes: rules x people of the block: the smaller is the better among equal scores.
            beside: who the people of the block are to the targets.
        """
        from kakurenbo.kernels.scan import by_records  # noqa: PLC0415 - loads the compiler

        known, close = (self.bounds, self.numbers, self.whose), beside.close
        records = self._shared

        def among(first: int, last: int) -> tuple[Ties, ...]:
            out = nothing(len(sizes), len(self.whose), self.remembering, beside.few)
            by_records.by_records(
                known, records, postings.lists, least, close, sizes, beside.own, beside.bits, self.reached,
                WIDTH, first, last, out,
            )  # fmt: skip
            return ties_of(out)

        crew = processors()
        cuts = np.linspace(0, postings.people, crew + 1).astype(int).tolist()
        with ThreadPoolExecutor(crew) as pool:
            parts = list(pool.map(among, cuts[:-1], cuts[1:]))
        made = [
            reduce(lambda one, other: one.beside(other, close), rule) for rule in zip(*parts, strict=True)
        ]
        return [tuple(ties.of(rows) for ties in made) for rows in self.rows]
