"""A release in blocks without what looks like a dummy.

Who suspects dummies drops them before he looks people up, and then learns what is left. In blocks he must
drop the same records: what dummies look like is read from the people drawn, once for all blocks. Rows that
were appended to a table cannot be told there, since blocks keep no order of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from kakurenbo.attacks.purchases.strip import StripAttack
from kakurenbo.auditing.learning.claimers import DROPPED, DROPS
from kakurenbo.data.blocks import Blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kakurenbo.data.blocks import Whole
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.progress import Progress

Made = TypeVar("Made")
_STRIP = StripAttack(drop="last-receipt")
WORDS = DROPS["last-receipt"]


@dataclass(frozen=True)
class Left:
    """What is left of a block without records of so many pieces on everybody's last receipt.

    Attributes:
        pieces: how many.
    """

    pieces: float

    @classmethod
    def of(cls, sample: Purchases) -> Left | None:
        """Read from some people what dummies look like; None where hardly anything looks like one."""
        if not all(role in sample.shown for role in _STRIP.needs):
            return None
        pieces = _STRIP.pieces_of(sample)
        kept = _STRIP.keeps(sample, pieces)
        return cls(pieces) if int(kept.sum()) <= (1 - DROPPED) * len(kept) else None

    def __call__(self, block: Purchases) -> Purchases:
        """Return it."""
        kept = _STRIP.keeps(block, self.pieces)
        return block.with_records(block.records.filter(kept), master=block.master)


@dataclass(frozen=True)
class _Then:
    """Work on what is left of a block."""

    left: Left
    work: Any

    def __call__(self, block: Purchases) -> Any:  # noqa: ANN401 - as the work returns
        return self.work(self.left(block))


@dataclass(frozen=True, eq=False)
class Dropping(Blocks):
    """A table in blocks, of which only this is left; everybody keeps something."""

    table: Blocks
    left: Left

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
