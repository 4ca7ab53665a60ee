"""Methods beyond memory: what a method needs of the whole table is gathered first, then blocks are changed.

A method says how far it reaches (`MethodAbout.reach`), and `Method.fitted` turns it into work on one block:

| reach | what `fitted` does |
|---|---|
| person | nothing: a block of people is changed as they would be in the whole |
| table | passes over the blocks gather what it needs of the whole, which is small; the work knows it |
| group | passes find who belongs together; people are put into blocks anew, every group whole |
| whole | it refuses, and says why |

The law: **in blocks of any size the release is the one that the whole table gets in memory**. So a method
that reaches over the table has one body: in memory the table is its only block. Steps of a chain are fitted
one after another, each to what the steps before it make of the blocks; nothing is written in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import polars as pl

from kakurenbo.data.blocks import Blocks, Whole
from kakurenbo.data.pairing import Pairing
from kakurenbo.data.purchases import Purchases
from kakurenbo.data.release import Changed, Facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.chance import Chance
    from kakurenbo.deidentify.base import Method
    from kakurenbo.progress import Progress

Work: TypeAlias = Callable[[Purchases], Changed[Purchases]]
Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Fitted:
    """A method that knows what it needs of the whole.

    Attributes:
        blocks: what the work is done on: the blocks it was fitted to, or their people put together anew.
        work: what becomes of a block, under the original ids. It is picklable, may leave nothing of a block,
            and tells facts that add up over blocks.
        facts: what is told once of the whole.
        pairing: who the owners in the blocks are, where earlier steps gave them other names.
    """

    blocks: Blocks
    work: Work
    facts: Facts = field(default_factory=Facts)
    pairing: Pairing | None = None

    def then(self, step: Fitted, seen: Blocks, progress: Progress | None = None) -> Fitted:
        """Return this and a further step, which was fitted to `seen`, what this one makes of its blocks."""
        if step.blocks is seen:
            return Fitted(self.blocks, Then(self.work, step.work), self.facts.then(step.facts), self.pairing)
        told, names = Facts(), []
        for changed in self.blocks.map(Told(self.work), progress=progress, doing="counting what was changed"):
            told = told.beside(changed[0])
            names += [] if changed[1] is None else [changed[1].frame]
        renamed = Pairing(*pl.concat(names)) if names else None
        facts = told.then(self.facts).then(step.facts)
        return Fitted(step.blocks, step.work, facts, one_after_another(self.pairing, renamed))


@dataclass(frozen=True, eq=False)
class ByPerson:
    """The work of a method that needs nobody else's records: itself."""

    method: Method[Any]
    chance: Chance

    @property
    def keeps(self) -> bool:
        """Whether every record stays, its owner's and of its good."""
        return self.method.keeps

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        """Return the changed block."""
        return self.method.change(data, self.chance)


@dataclass(frozen=True, eq=False)
class Then:
    """Two works in turn; where the first leaves nothing, the second has nothing to do."""

    first: Work
    second: Work

    @property
    def keeps(self) -> bool:
        """Whether every record stays, its owner's and of its good."""
        return keeps(self.first) and keeps(self.second)

    def __call__(self, data: Purchases) -> Changed[Purchases]:
        """Return the block after both."""
        changed = self.first(data)
        if not len(changed.data):
            return changed
        later = self.second(changed.data)
        pairing = one_after_another(changed.pairing, later.pairing)
        return Changed(later.data, changed.facts.then(later.facts), pairing)


@dataclass(frozen=True, eq=False)
class Told:
    """What a work tells of a block, without the block."""

    work: Work

    def __call__(self, data: Purchases) -> tuple[Facts, Pairing | None]:
        """Return facts, and who the owners are where they got other names."""
        changed = self.work(data)
        return changed.facts, changed.pairing


@dataclass(frozen=True, eq=False)
class Through(Blocks):
    """Blocks as a work leaves them; made anew for every pass, and never all at once."""

    blocks: Blocks
    work: Work

    @property
    def by_threads(self) -> bool:
        """As these blocks."""
        return self.blocks.by_threads

    def __len__(self) -> int:
        return len(self.blocks)

    @cached_property
    def whole(self) -> Whole:
        """What is known of all blocks together; it takes a pass, unless all records stay where they are."""
        before, same = self.blocks.whole, keeps(self.work)
        parts = list(islice(self.map(_known), 1) if same else self.map(_known))
        first = parts[0] if parts else before
        if same:
            counts, goods = {name: before.counts[name] for name in first.counts}, before.goods
        else:
            counts = {name: sum(part.counts[name] for part in parts) for name in first.counts}
            goods = pl.concat([part.goods for part in parts] or [before.goods]).unique().sort()
        return Whole(
            {**counts, "goods": len(goods)}, goods, first.roles, first.layout, first.shown, first.keep_master,
            before.dropped, first.hierarchies, before.source,
        )  # fmt: skip

    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        """Yield what the work makes of every block of which something is left."""
        for made in self.blocks.map(_After(self.work, work), progress=progress, doing=doing):
            yield from made


@dataclass(frozen=True, eq=False)
class _After:
    """A pass over what a work leaves of the blocks."""

    first: Work
    work: Callable[[Purchases], Any]

    def __call__(self, data: Purchases) -> tuple[Any, ...]:
        """Return what is made of the block, nothing where none of it is left."""
        changed = self.first(data)
        return (self.work(changed.data),) if len(changed.data) else ()


def keeps(work: Work) -> bool:
    """Whether every record stays, its owner's and of its good."""
    return work is unchanged or bool(getattr(work, "keeps", False))


def unchanged(data: Purchases) -> Changed[Purchases]:
    """Return a block as it is."""
    return Changed(data)


def one_after_another(first: Pairing | None, second: Pairing | None) -> Pairing | None:
    """Return who an owner is said to be after two steps; people deleted between them are no obstacle."""
    if first is None or second is None:
        return second if first is None else first
    names = second.frame.join(first.frame, left_on="original", right_on="released", suffix="_at_last")
    return Pairing(names["released"], names["original_at_last"])


def declared(owners: pl.Series, pairing: Pairing | None) -> pl.Series:
    """Return who the owners are said to be."""
    if pairing is None:
        return owners
    return owners.to_frame("released").join(pairing.frame, on="released", maintain_order="left")["original"]


def _known(data: Purchases) -> Whole:
    return Whole(
        data.counts, data.goods, data.roles, data.layout, data.shown, data.keep_master, data.dropped,
        data.hierarchies,
    )  # fmt: skip
