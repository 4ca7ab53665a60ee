"""A block laid out by the keys of its records: those that targets have under the numbers of a dictionary."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Bits = npt.NDArray[np.uint64]
    Integers = npt.NDArray[np.int64]

_ROOM = 2  # slots a key, at least
_STEP = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Codes:
    """A dictionary of hashed keys: a key's code is its place here.

    Attributes:
        keys: distinct, ascending.
    """

    keys: Bits

    @classmethod
    def of(cls, *hashes: Bits) -> Codes:
        """Return the dictionary of these keys, which may repeat."""
        return cls(np.unique(np.concatenate(hashes)) if hashes else np.empty(0, np.uint64))

    def __len__(self) -> int:
        return len(self.keys)

    def __getstate__(self) -> dict[str, Any]:
        """Return the keys alone: the slots are made where they are used."""
        return {"keys": self.keys}

    @cached_property
    def _slots(self) -> npt.NDArray[np.int32]:
        from kakurenbo.kernels.scan import laying  # noqa: PLC0415 - loads the compiler

        slots = np.full(_size(len(self.keys)), -1, np.int32)
        laying.fill(self.keys, slots)
        return slots

    def number(self, hashes: Bits) -> tuple[npt.NDArray[np.int32], Bits]:
        """Return the code of every key; those not in the dictionary are numbered on, and returned."""
        from kakurenbo.kernels.scan import laying  # noqa: PLC0415 - loads the compiler

        return laying.number(hashes, self.keys, self._slots, _size(len(hashes)))

    def place(self, hashes: Bits) -> npt.NDArray[np.int32]:
        """Return the code of every key, -1 for one that is not in the dictionary."""
        from kakurenbo.kernels.scan import laying  # noqa: PLC0415 - loads the compiler

        return laying.find(hashes, self.keys, self._slots)


@dataclass(frozen=True, eq=False)
class Spread:
    """Who of a block holds which key, and how often.

    Attributes:
        starts: code c is held by who[starts[c]:starts[c+1]].
        who: people, ascending within a code.
        held: in how many records, or pieces.
        people: how many they are.
    """

    starts: Integers
    who: npt.NDArray[np.int32]
    held: Integers
    people: int

    @property
    def matrix(self) -> sparse.csr_array[Any]:
        """People x codes."""
        shape = self.people, len(self.starts) - 1
        turned = sparse.csc_array((self.held, self.who, self.starts), shape=shape)
        made = turned.tocsr()  # key after key, so every row ascends
        made.has_sorted_indices = made.has_canonical_format = True
        return made

    @property
    def distinct(self) -> Integers:
        """How many keys everybody has."""
        return np.bincount(self.who, minlength=self.people).astype(np.int64)


def spread(
    people: npt.NDArray[np.int32],
    numbers: npt.NDArray[np.int32],
    keys: int,
    count: int,
    pieces: Integers | None = None,
) -> Spread:
    """Lay a block out.

    Args:
        people: whose each record is, ascending.
        numbers: the key of each.
        keys: how many there are.
        count: how many people there are.
        pieces: what each record counts; none given means one.
    """
    from kakurenbo.kernels.scan import laying  # noqa: PLC0415 - loads the compiler

    each = np.empty(0, np.int64) if pieces is None else pieces.astype(np.int64)
    return Spread(*laying.turn(people, numbers, each, keys), count)


def tally(
    people: npt.NDArray[np.int32], numbers: npt.NDArray[np.int32], keys: int
) -> tuple[Integers, Integers]:
    """Return how many people have each of the first so many keys, and how many records; as for `spread`."""
    from kakurenbo.kernels.scan import laying  # noqa: PLC0415 - loads the compiler

    return laying.tally(people, numbers, keys)


def distinct(hashes: Bits) -> tuple[npt.NDArray[np.int32], Integers]:
    """Return the number of every key in the order they come, and the first row of each."""
    from kakurenbo.kernels.scan import laying  # noqa: PLC0415 - loads the compiler

    return laying.distinct(hashes, _size(len(hashes)))


def joined(parts: Sequence[Bits], rows: int) -> Bits:
    """Return the keys of records, given their parts: the same bits for the same parts in the same order."""
    from kakurenbo.kernels.scan import laying  # noqa: PLC0415 - loads the compiler

    made = np.zeros(rows, np.uint64)
    for part in parts:
        laying.stir(made, part, _STEP)
    return made


def _size(keys: int) -> int:
    """Return how many slots so many keys need: a power of two."""
    return 1 << max(int(np.ceil(np.log2(max(_ROOM * keys, 2)))), 1)
