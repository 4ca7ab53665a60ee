"""Measures that follow from counts: of goods, of visits, of months.

Such a number needs no more of a table than a small one of counts, and counts of blocks add up to those of
the whole. So it is known exactly at any size, and nobody is drawn for it. Money is added up in whole numbers
too, because a sum of fractions hangs on their order.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import reduce
from typing import TYPE_CHECKING, Final, Protocol

import polars as pl

from kakurenbo.data.blocks import InMemory
from kakurenbo.data.purchases import Purchases
from kakurenbo.errors import InputError
from kakurenbo.measure import Detailed, Measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from kakurenbo.data.blocks import Blocks
    from kakurenbo.data.owners import Secret
    from kakurenbo.data.pairing import Pairing

    Counting = Callable[[Purchases], pl.DataFrame]

UNIT: Final = 2.0**-30  # of money: what amounts are counted in
_ADDED = ("n", "money")
_LARGEST = 2.0**90  # units, of which as many as there will ever be can be added


class Shows(Protocol):
    """What says which roles it shows: a table, or what is known of one in blocks."""

    @property
    def shown(self) -> frozenset[str]:
        """The roles, and `master` where there is more of it than the ids."""


def added(tables: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return tables of counts as one: `n` and `money` of equal keys are added, and the keys sorted."""
    return reduce(
        lambda some, more: _summed(pl.concat([some, more], how="vertical_relaxed")), map(_summed, tables)
    )


def _summed(table: pl.DataFrame) -> pl.DataFrame:
    keys = [name for name in table.columns if name not in _ADDED]
    counts = [name for name in table.columns if name in _ADDED]
    return table.group_by(keys).agg(pl.col(counts).sum()).sort(keys)


def in_units(values: pl.Series) -> pl.Series:
    """Return amounts of money in `UNIT`: whole numbers, whose sums hang on no order.

    Where an amount is beyond all reason, they are fractions, and the last digit of a sum may hang on blocks.
    """
    units = (values / UNIT).round()
    if not units.is_finite().all():
        raise InputError("The amounts are too large to be added up.", code="limit")
    return units.cast(pl.Int128) if units.is_between(-_LARGEST, _LARGEST).all() else units


class InPasses(Measure[Purchases]):
    """A measure that passes over the blocks of both tables tell exactly; a table in memory is one block."""

    @abstractmethod
    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> float | Detailed:
        """Return the number of all blocks; see `Measure.in_blocks`."""

    def value(self, original: Purchases, released: Purchases, secret: Pairing | None) -> float | Detailed:
        """Return the number of two tables in memory."""
        return self.in_blocks(InMemory(original, 1), InMemory(released, 1), secret)


class Counted(InPasses):
    """A measure of two tables of counts: the same work counts every block of them."""

    @abstractmethod
    def counting(self, original: Shows, released: Shows) -> Counting:
        """Return the work that counts a table: keys, and `n` or `money`; by what both of them show."""

    @abstractmethod
    def compared(self, before: pl.DataFrame, after: pl.DataFrame) -> float | Detailed:
        """Return the number, given the counts of the original and of the release."""

    def in_blocks(self, original: Blocks, released: Blocks, secret: Secret) -> float | Detailed:  # noqa: ARG002
        """Return the number of all blocks."""
        count = self.counting(original.whole, released.whole)
        doing = f"counting for {self.about.name}"
        before, after = (added(side.map(count, doing=doing)) for side in (original, released))
        return self.compared(before, after)
