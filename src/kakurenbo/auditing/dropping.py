"""A release in blocks, of which only what is believed is left.

Who suspects dummies drops them before he looks people up, and then learns what is left. In blocks he must
drop the same records: what dummies look like is read from the people drawn, once for all blocks. Rows that
were appended to a table cannot be told there, since blocks keep no order of rows. And who holds earlier
releases believes of the names that he has linked only what stands in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import polars as pl

from kakurenbo.attacks.purchases.strip import StripAttack
from kakurenbo.data.blocks import Blocks
from kakurenbo.data.checks.ids import stacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kakurenbo.data.blocks import Whole
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

Made = TypeVar("Made")
Drop = Literal["last-receipt", "appended"]
DROPPED = 0.05  # of the records, at least, or dropping them changes next to nothing
DROPS: dict[Drop, str] = {
    "last-receipt": "without the last receipt's look-alikes",
    "appended": "without appended rows",
}


@dataclass(frozen=True)
class Left:
    """What is left of a block without what looks like a dummy.

    Attributes:
        drop: what is taken for one: records of so many pieces on everybody's last receipt, or appended rows.
        pieces: how many.
    """

    drop: Drop
    pieces: float | None

    @classmethod
    def of(cls, sample: Purchases, drop: Drop, *, in_order: bool) -> Left | None:
        """Read from some people what dummies look like; None where hardly anything looks like one.

        Args:
            sample: the release, or what stands under some of its names.
            drop: what is taken for a dummy.
            in_order: whether rows stand in the order in which they came.
        """
        strip = StripAttack(drop=drop)
        if not all(role in sample.shown for role in strip.needs) or (strip.by_rows and not in_order):
            return None
        left = cls(drop, strip.pieces_of(sample) if drop == "last-receipt" else None)
        kept = left.kept(sample)
        return left if int(kept.sum()) <= (1 - DROPPED) * len(kept) else None

    def kept(self, block: Purchases) -> pl.Series:
        """Mark the records of a block that are left."""
        return StripAttack(drop=self.drop).keeps(block, self.pieces)

    def __call__(self, block: Purchases) -> Purchases:
        """Return what is left of a block."""
        return block.with_records(block.records.filter(self.kept(block)), master=block.master)


@dataclass(frozen=True, eq=False)
class Believed:
    """What is believed of some people instead of what was released; of all others everything is.

    Attributes:
        people: what is believed of them.
    """

    people: Purchases

    def __call__(self, block: Purchases) -> Purchases:
        """Return what is believed of a block."""
        known = block.customers.is_in(self.people.customers.cast(pl.String).implode())
        if not known.any():
            return block
        records = self.people.of(block.customers.filter(known)).records.select(block.records.columns)
        if not known.all():
            others = block.records.filter(~known.gather(block.records["customer"].to_physical()))
            records = stacked([others, records])
        return block.with_records(records, master=block.master)


@dataclass(frozen=True)
class _Then:
    """Work on what is left of a block."""

    left: Callable[[Purchases], Purchases]
    work: Any

    def __call__(self, block: Purchases) -> Any:  # noqa: ANN401 - as the work returns
        return self.work(self.left(block))


@dataclass(frozen=True, eq=False)
class Dropping(Blocks):
    """A table in blocks, of each of which only this is left, or so written; everybody keeps something."""

    table: Blocks
    left: Callable[[Purchases], Purchases]

    @property
    def whole(self) -> Whole:
        """What is known of the table as it was."""
        return self.table.whole

    @property
    def by_threads(self) -> bool:
        """As these blocks."""
        return self.table.by_threads

    def __len__(self) -> int:
        return len(self.table)

    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        """Yield what the work makes of what is left of every block."""
        return self.table.map(_Then(self.left, work), progress=progress, doing=doing)


@dataclass(frozen=True, eq=False)
class Joined(Blocks):
    """A table in blocks, and other people as one block more, of whom the whole says nothing."""

    table: Blocks
    others: Purchases

    @property
    def whole(self) -> Whole:
        """What is known of the table without them."""
        return self.table.whole

    @property
    def by_threads(self) -> bool:
        """As the table."""
        return self.table.by_threads

    def __len__(self) -> int:
        return len(self.table) + 1

    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        """Yield what the work makes of every block, and of the others last."""
        yield from self.table.map(work, progress=progress, doing=doing)
        yield work(self.others)
