"""Scans: how an attack goes through a table too large to be held, where it can.

Who looks each known person up goes through the release: what is known of the targets is held in memory, and
each block of released people is asked how well it fits. Who asks of each released name whom it resembles goes
through the original in the same way, with the released records of the targets held. Either way a pair of
people is judged by itself, so blocks change nothing. Who pairs everybody with somebody at once cannot be
scanned; what must be learnt from people first is learnt from the targets and their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.units import Fitted
    from kakurenbo.attacks.purchases.view import Part, Sight, View
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.nearest import Nearest


@dataclass(frozen=True)
class LookUp:
    """Looks each target up in the release.

    Attributes:
        grains: the parts of a record that make a key, several grains side by side.
        counts: what a key that a person has counts: one; its rarity among the released; the share of his
            records that have it; or that share against the share of all records.
        least: what is added to that before the logarithm is taken of a record; 0 adds up keys, each once.
        shorter: whether the shorter history is the better among equals.
        close: sums that lie so close, relatively, are a tie.
    """

    grains: tuple[tuple[Part, ...], ...]
    counts: Literal["one", "rarity", "share", "ratio"]
    least: float = 0.0
    shorter: bool = False
    close: float = 1e-9


class Likened(Protocol):
    """Who names the most similar known person for a released one."""

    def weighed_nearest(
        self, seen: View, reached: NDArray[np.float64] | None = None
    ) -> tuple[Nearest, NDArray[np.float64]]:
        """Return the known people most similar to each released one, and what decides among equal scores."""

    def reached(self, seen: View) -> NDArray[np.float64]:
        """Return how like each released one is the known person in the same row."""

    def takes(self, released: Purchases) -> Purchases:
        """Return what he takes seriously of a release."""


@dataclass(frozen=True)
class Alike:
    """Names the most similar known person for each released name.

    Attributes:
        sights: what is looked at.
        by: who compares.
        rarity: whether he needs to know how rare keys are among the known.
        close: similarities that lie so close, relatively, are a tie.
    """

    sights: tuple[Sight, ...]
    by: Likened
    rarity: bool
    close: float


class Pointed(Protocol):
    """Who sees people as points."""

    def located(self, data: Purchases) -> NDArray[np.float64]:
        """Return the point of everybody."""


@dataclass(frozen=True)
class Near:
    """Names the nearest known person for each released name, people being points.

    Attributes:
        by: who sees them so.
        close: distances that differ by no more are a tie.
    """

    by: Pointed
    close: float


class Agreeing(Protocol):
    """Who asks how far the units of two people agree."""

    def fitted(self, tables: Tables[Purchases], scale: float = 1.0) -> Fitted:
        """Return the units that are sought, and what is learnt of both tables.

        Args:
            tables: both, or the targets and what stands under their names.
            scale: how many pairs of people are compared in all for each pair of people at hand.
        """


@dataclass(frozen=True)
class Agree:
    """Names whose records or visits agree best, weighing each by how few units of all people agree as well.

    Attributes:
        by: who compares.
        turned: whether released names are sought among known people; else people in the release.
    """

    by: Agreeing
    turned: bool


Scan = LookUp | Alike | Near | Agree
