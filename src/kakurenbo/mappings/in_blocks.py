"""The original in the words of a release, block by block.

How a release writes is inferred from people drawn by chance, and then every block is written so. A hierarchy
of goods is asked for the words of all goods, those that nobody drawn has bought among them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Generic

from kakurenbo.data.blocks import Blocks, Made, Whole
from kakurenbo.mappings.tree import Generalised, generalised
from kakurenbo.mappings.vocabulary import common_vocabulary, written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.sampling import Sample
    from kakurenbo.mappings.vocabulary import Mapping
    from kakurenbo.progress import Progress


def in_words(block: Purchases, mappings: tuple[Mapping, ...], own: tuple[str, ...]) -> Purchases:
    """Return a table as a release writes, but for the roles that keep their own values."""
    return keeping(block, written(block, mappings), own)


def keeping(data: Purchases, spoken: Purchases, own: tuple[str, ...]) -> Purchases:
    """Return what is spoken, record by record, with these roles of the data as they were."""
    there = [role for role in own if role in data.roles]
    return replace(spoken, records=spoken.records.with_columns(data.records[there])) if there else spoken


@dataclass(frozen=True)
class _Written(Generic[Made]):
    """Work on a block as the release writes it."""

    work: Callable[[Purchases], Made]
    mappings: tuple[Mapping, ...]
    own: tuple[str, ...]

    def __call__(self, block: Purchases) -> Made:
        return self.work(in_words(block, self.mappings, self.own))


@dataclass(frozen=True, eq=False)
class InWords(Blocks):
    """Blocks as a release writes them; how it does is inferred when the first of them is asked for.

    What is known of the whole is still said in the original's own words.

    Attributes:
        original: the blocks.
        released: those of the release.
        draw: brings people of both, to infer from.
        own: the roles that keep their own values.
    """

    original: Blocks
    released: Blocks
    draw: Callable[[], Sample]
    own: tuple[str, ...] = ()

    @property
    def whole(self) -> Whole:
        """What is known of the original."""
        return self.original.whole

    @property
    def by_threads(self) -> bool:
        """As these blocks."""
        return self.original.by_threads

    def __len__(self) -> int:
        return len(self.original)

    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        """Yield what the work makes of every block in the words of the release."""
        work = _Written(work, self.mappings, self.own) if self.mappings else work
        return self.original.map(work, progress=progress, doing=doing)

    @cached_property
    def mappings(self) -> tuple[Mapping, ...]:
        """How the release writes what it writes otherwise."""
        some = self.draw()
        inferred = common_vocabulary(some.original, some.released).mappings
        tree = generalised(self.original.whole, self.released.whole)
        return tuple(tree if tree and isinstance(mapping, Generalised) else mapping for mapping in inferred)
