"""Agreement in blocks: targets whose records or visits are compared with those of everybody in a block.

How telling it is that two units agree is learnt from the targets and their names. How telling a unit is goes
by what all people have, so the blocks are gone through twice: once to add up what units weigh among all of
them, and once to compare. A table in memory is one block, where comparing adds that up on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from kakurenbo.attacks.search.targets import bits_of, first_of
from kakurenbo.attacks.search.units import MANY, affordable
from kakurenbo.errors import KakurenboError
from kakurenbo.kernels.agreement import Comparison, agreeing, compacted
from kakurenbo.kernels.scan import tied

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from kakurenbo.attacks.base import Tables
    from kakurenbo.attacks.purchases.base import PurchasesAttack
    from kakurenbo.attacks.search.targets import Member, Targets
    from kakurenbo.attacks.search.units import Fitted, UnitModel
    from kakurenbo.chance import Chance
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.kernels.agreement import CandidateUnits, TargetUnits
    from kakurenbo.kernels.scan import Ties

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

PAIRS = 5_000_000_000  # of units, that an attacker compares where not everybody is at hand


@dataclass(frozen=True, eq=False)
class UnitSearch:
    """Members who compare units by one model, and know more or less of each target.

    Attributes:
        model: how units are read and compared.
        sought: what each attacker knows of the targets; equal units are written down once for all of them.
        total: how many units all people have; None where all of them are in one block.
        masses: what all their units weigh that agree with each distinct one, blocking by blocking.
    """

    model: UnitModel
    sought: tuple[TargetUnits, ...]
    total: float | None = None
    masses: Floats | None = None

    def compared(self, candidates: CandidateUnits) -> Comparison:
        """Compare the targets with the people of a block."""
        return Comparison(self.sought[0], candidates, self.model.levels, self.masses)


@dataclass(frozen=True, eq=False)
class Room:
    """How many units are compared.

    Attributes:
        more: how many people there are in all for each one at hand.
        fewest: of how many of the first targets all units are compared, however long it takes.
    """

    more: float
    fewest: int

    @property
    def complete(self) -> bool:
        """Whether everybody is at hand."""
        return self.more <= 1

    def scale(self, targets: int) -> float:
        """Return how many pairs are compared in all for each pair at hand, of so many targets the first."""
        return 1.0 if self.complete else self.more * min(1.0, self.fewest / max(targets, 1))

    def taken(self, units: TargetUnits, sizes: Ints, order: Ints) -> TargetUnits:
        """Return the units of targets in an order: of the first targets alone, or only some, if too many.

        Args:
            units: of all targets.
            sizes: how many units at hand stand in each block.
            order: the numbers of the targets that are sought, as they were drawn.
        """
        if self.complete:
            return affordable(units, sizes, MANY).sample(order)
        asked, sizes = units.sample(order), np.ceil(sizes * self.more).astype(np.int64)
        pairs = np.concatenate([[0], np.cumsum(asked.pairs(sizes))])[asked.bounds[1:]]
        first = max(int(np.searchsorted(pairs, PAIRS, "right")), min(self.fewest, len(order)))
        return affordable(asked.sample(np.arange(first)), sizes, PAIRS)


def unit_searches(
    tables: Tables[Purchases],
    members: Sequence[Member],
    order: Ints,
    room: Room,
    skipped: list[tuple[Member, str]],
) -> tuple[tuple[UnitSearch, ...], list[tuple[Member, int]]]:
    """Return what is compared, and the place of every attacker among what is known, all numbered through.

    Args:
        tables: the targets in the words of the release, and what stands under their names.
        members: who compares, all looking the same way around.
        order: the numbers of those who are sought, as they were drawn.
        room: how many units are compared.
        skipped: takes who cannot, and why.
    """
    fits: dict[int, tuple[Fitted, dict[object, Ints | None], list[tuple[Member, object]]]] = {}
    for who in members:
        attack = cast("PurchasesAttack", who.attack)
        try:
            rows = attack.known_rows(tables)
        except KakurenboError as error:  # such as nobody having so many records
            skipped.append((who, str(error)))
            continue
        fitted = attack.fit(tables, room.scale(len(order)))
        _, known, askers = fits.setdefault(id(fitted), (fitted, {}, []))
        key = None if rows is None else rows.tobytes()
        known[key] = rows
        askers.append((who, key))
    searches, places, first = [], [], 0
    for fitted, known, askers in fits.values():
        sizes = fitted.held.sizes
        taken = [room.taken(fitted.knowing(rows), sizes, order) for rows in known.values()]
        searches.append(UnitSearch(fitted.model, compacted(taken)))
        places += [(who, first + list(known).index(key)) for who, key in askers]
        first += len(known)
    return tuple(searches), places


@dataclass(frozen=True, eq=False)
class Weigh:
    """Work: what the units of a block weigh that agree with those of the targets, and how many they are."""

    searches: tuple[UnitSearch, ...]

    def __call__(self, block: Purchases) -> tuple[tuple[float, Floats], ...]:
        """Return both, search by search."""
        return tuple(self._weighed(block))

    def _weighed(self, block: Purchases) -> Iterator[tuple[float, Floats]]:
        for search in self.searches:
            candidates = search.model.candidates(block)
            yield candidates.total, search.compared(candidates).masses()

    def added(self, parts: Iterable[tuple[tuple[float, Floats], ...]]) -> tuple[UnitSearch, ...]:
        """Return the searches with what the units of all blocks weigh."""
        made = list(self.searches)
        for part in parts:
            for place, (total, masses) in enumerate(part):
                one = made[place]
                made[place] = replace(
                    one,
                    total=total + (one.total or 0.0),
                    masses=masses if one.masses is None else one.masses + masses,
                )
        return tuple(made)


@dataclass(frozen=True, eq=False)
class ScanUnits:
    """Work: every target compared with the people of a block."""

    searches: tuple[UnitSearch, ...]
    targets: Targets
    chance: Chance

    def __call__(self, block: Purchases) -> tuple[Ties, ...]:
        """Return the people who agree best with every target, attacker by attacker."""
        people = bits_of(self.chance, block.customers)
        return tuple(self._compared(block, people))

    def _compared(self, block: Purchases, people: NDArray[np.uint64]) -> Iterator[Ties]:
        for search in self.searches:
            comparison = search.compared(search.model.candidates(block, search.total))
            for units in search.sought:
                best, surety = agreeing(comparison, units)
                targets = first_of(self.targets, len(units.bounds) - 1)
                yield tied(
                    best.indptr, best.indices, best.score, np.zeros(len(people)),
                    targets.own.among(people), (targets.bits, people), targets.remembering, mass=1 / surety,
                    few=targets.few,
                )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Together:
    """Several works on a block that is loaded, and put into other words, once.

    Attributes:
        works: what is done.
        alike: writes a block of the original in the words of the release; None where it is written so.
    """

    works: tuple[Any, ...]
    alike: Any = None

    def __call__(self, block: Purchases) -> tuple[Any, ...]:
        """Return what each of them makes of it."""
        known = block if self.alike is None else self.alike(block)
        return tuple(work(known) for work in self.works)
