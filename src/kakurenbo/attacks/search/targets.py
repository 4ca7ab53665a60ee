"""Who seeks, those who are sought, who they are on the other side, and where they are taken to be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from kakurenbo.data.belief import Belief

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Attack
    from kakurenbo.attacks.purchases.view import View
    from kakurenbo.chance import Chance
    from kakurenbo.kernels.nearest import Nearest

    Bits = NDArray[np.uint64]
    Ints = NDArray[np.int64]


class Member(Protocol):
    """One who takes part in a search: an attack, and what tells it from the others."""

    @property
    def attack(self) -> Attack[Any]:
        """The attack with its parameters."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from the others."""


@dataclass(frozen=True, eq=False)
class Own:
    """Who is whose: of every target the bits of the names, or people, that are his own.

    Attributes:
        bits: ascending.
        target: whose each is.
        count: how many targets there are.
    """

    bits: Bits
    target: Ints
    count: int

    @classmethod
    def of(cls, bits: Bits, target: Ints, count: int) -> Own:
        """Return them sorted."""
        order = np.argsort(bits, kind="stable")
        return cls(bits[order], target[order], count)

    def among(self, people: Bits) -> tuple[Ints, Ints]:
        """Return (bounds, people): which of these, numbered as they stand, are each target's own."""
        start = np.searchsorted(self.bits, people, "left")
        count = np.searchsorted(self.bits, people, "right") - start
        who = np.repeat(np.arange(len(people)), count)
        rows = np.arange(len(who)) + np.repeat(start - (np.cumsum(count) - count), count)
        whose = self.target[rows]
        order = np.lexsort((who, whose))
        bounds = np.searchsorted(whose[order], np.arange(self.count + 1))
        return bounds.astype(np.int64), who[order].astype(np.int64)


@dataclass(frozen=True, eq=False)
class Targets:
    """Those who are sought.

    Attributes:
        bits: of every target.
        own: who they are on the other side.
        remembering: of how many of the first it is remembered who ties.
        few: how many of those who tie are kept.
    """

    bits: Bits
    own: Own
    remembering: int
    few: int


@dataclass(frozen=True, eq=False)
class Places:
    """The released people whom each target may be.

    Attributes:
        best: of every target.
        strength: how well each target is matched.
    """

    best: Nearest
    strength: NDArray[np.float64]

    def over(self, keys: View) -> Belief:
        """Return that a target has what stands under one of these names."""
        return Belief(keys.theirs, self.best.indptr, self.best.indices, self.strength)


def first_of(targets: Targets, count: int) -> Targets:
    """Return the first so many targets."""
    own = targets.own
    inside = own.target < count
    return replace(targets, bits=targets.bits[:count], own=Own(own.bits[inside], own.target[inside], count))


def bits_of(chance: Chance, names: pl.Series) -> NDArray[np.uint64]:
    """Return the bits that stand for names while tables are gone through: 64, so that no two are alike."""
    return chance.numbers("name", names)
