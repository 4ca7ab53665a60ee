"""The counting pass: how many people and records have each key of the targets, in all blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from kakurenbo.attacks.search.keys import Grain, Reading
    from kakurenbo.data.purchases import Purchases

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Counts:
    """How many people of a whole table have each key of the dictionary, and how many records."""

    people: int
    records: int
    holders: Mapping[Grain, Ints]
    having: Mapping[Grain, Ints]

    def rarity(self, grain: Grain) -> Floats:
        """Return ln(n / holders) + 1 of every key; of one that nobody has, as if one had it."""
        made: Floats = np.log(self.people / np.maximum(self.holders[grain], 1)) + 1
        return made


@dataclass(frozen=True, eq=False)
class Count:
    """Work: how many people of a block have each key, and how many records; only keys that are there."""

    reading: Reading
    grains: tuple[Grain, ...]

    def __call__(self, block: Purchases) -> tuple[int, int, dict[Grain, tuple[Any, Any, Any]]]:
        """Return people, records, and for every grain (keys, holders, records)."""
        laid = self.reading.lay(block)
        made = {}
        for grain in self.grains:
            holders, having = laid.tally(grain)
            there = np.flatnonzero(holders).astype(np.int32)
            made[grain] = (there, holders[there].astype(np.int32), having[there].astype(np.int32))
        return len(laid), len(block), made


def counted(parts: Any, reading: Reading, grains: tuple[Grain, ...]) -> Counts:  # noqa: ANN401 - as `Count` returns
    """Add up what was counted in all blocks."""
    holders = {grain: np.zeros(len(reading.codes[grain]), np.int64) for grain in grains}
    having = {grain: np.zeros(len(reading.codes[grain]), np.int64) for grain in grains}
    people = records = 0
    for some, rows, made in parts:
        people, records = people + some, records + rows
        for grain, (keys, held, sums) in made.items():
            holders[grain][keys] += held
            having[grain][keys] += sums
    return Counts(people, records, holders, having)
