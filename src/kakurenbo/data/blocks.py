"""Purchases in blocks: more people than memory holds, some of them at a time.

A block is itself `Purchases`: whole customers, with all their records, checked and encoded like any other
table. Which block a customer is in depends on his id and on how many blocks there are, and on nothing else,
so a table has the same blocks in memory, on disk and on a cluster. Work is a function of one block, and what
it returns is small; whoever asks puts the parts together in the order of the blocks. So every engine gives
equal answers, to the last digit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

import numpy as np
import polars as pl

from kakurenbo.chance import Chance
from kakurenbo.data.checks.policy import Dropped
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from kakurenbo.about import Kind
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.layout import Layout, Role
    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.source import Source


Made = TypeVar("Made")
RECORDS = 1_000_000  # in a block, about
_SPREAD = Chance(0)  # the same for everybody and for ever: it places people, and hides nothing


@dataclass(frozen=True)
class Whole:
    """What is known of a table in blocks without looking at a block.

    Attributes:
        counts: customers, records, receipts where there are any, and goods.
        goods: all goods, sorted.
        roles: the roles present, in their fixed order.
        layout: the form the table came in.
        shown: the roles, and `master` where there is more of it than the ids.
        keep_master: the columns of the master that a release may hold.
        dropped: rows the policy left out, by reason.
        hierarchies: what the words of the table stand for.
        source: the file or folder it was read from.
        without_purchases: people of the master who bought nothing, and are in no block.
        master_dropped: the columns of the master that no release will hold.
    """

    counts: Mapping[str, int]
    goods: pl.Series
    roles: tuple[Role, ...]
    layout: Layout
    shown: frozenset[str]
    keep_master: tuple[str, ...] = ()
    dropped: Dropped = field(default_factory=Dropped)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    source: Source | None = None
    without_purchases: int = 0
    master_dropped: tuple[str, ...] = ()


class Blocks(ABC):
    """Purchases in blocks of whole customers."""

    kind: ClassVar[Kind] = "purchases"
    engine: ClassVar[Literal["memory", "blocks", "spark"]] = "blocks"  # what holds them

    @property
    @abstractmethod
    def whole(self) -> Whole:
        """What is known of all blocks together."""

    @abstractmethod
    def __len__(self) -> int:
        """How many blocks there are."""

    @property
    def left_out(self) -> Mapping[str, int]:
        """How many rows were not read, by reason."""
        return self.whole.dropped.as_dict()

    @property
    def source(self) -> Source | None:
        """The file or folder it was read from."""
        return self.whole.source

    @property
    def by_threads(self) -> bool:
        """Whether several threads may go through it at a time; passes over a cluster follow one another."""
        return True

    def fingerprint(self) -> str:
        """Return what tells these purchases from all others: the same however they are cut into blocks."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        from kakurenbo.data.content import Content, fingerprint_of  # noqa: PLC0415 - few ask for it

        return fingerprint_of(self.map(Content(), doing="taking the fingerprint"))

    @property
    def keep_master(self) -> tuple[str, ...]:
        """The columns of the master that a release may hold."""
        return self.whole.keep_master

    @property
    def master_dropped(self) -> tuple[str, ...]:
        """The columns of the master that no release will hold."""
        return self.whole.master_dropped

    @property
    def without_purchases(self) -> int:
        """How many people the master knows who bought nothing."""
        return self.whole.without_purchases

    @abstractmethod
    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        """Yield what the work makes of every block, in their order; one without anybody is left out.

        Args:
            work: what is done; it gets a block and returns something small. It is picklable, since it may be
                sent to another process: a module's function, or a small frozen dataclass with `__call__`.
            progress: told how far it is, and how long it will take.
            doing: what is being done, in words.
        """

    def regrouped(self, parts: pl.DataFrame) -> Blocks:
        """Return the same purchases in other blocks: a block for every part that people are given.

        Methods that look at people beside others like them need these in one block. Blocks come in the order
        of the parts' numbers, each with exactly the people of one part. Work on them must not hang on where
        its block stands: what it draws, it draws by the people there. What is known of the whole stays what
        it was, people who are left out included.

        This way puts the people into files by one pass of work that runs on this machine (see `aside`); an
        engine whose work runs elsewhere has a way of its own.

        Args:
            parts: `customer`, each at most once, and `part`, whole numbers from 0; people who are not among
                them are left out.
        """
        from kakurenbo.data.aside import Aside  # noqa: PLC0415 - it stands on this file

        return Aside.of(self, parts)

    def some(self, people: int, *, seed: int | None = None) -> Purchases:
        """Return so many customers with all their records, drawn by chance: a table in memory.

        Args:
            people: how many; everybody where there are fewer.
            seed: draws the same ones again, whatever holds the table.
        """
        from kakurenbo.data.sampling import draw_and_fetch  # noqa: PLC0415 - it stands on blocks itself

        return draw_and_fetch(self, people, Chance(seed))


@dataclass(frozen=True, eq=False)
class InMemory(Blocks):
    """A table in memory, seen in blocks.

    Attributes:
        data: the table.
        blocks: how many blocks there are.
        places: the block of every customer, where his id does not say it; below 0 he is in none.
    """

    engine = "memory"

    data: Purchases
    blocks: int
    places: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, data: Purchases, records: int = RECORDS) -> InMemory:
        """See a table in blocks of about so many records."""
        return cls(data, block_count(len(data), records))

    @property
    def whole(self) -> Whole:
        """What is known of the table."""
        data = self.data
        return Whole(
            data.counts, data.goods, data.roles, data.layout, data.shown, data.keep_master, data.dropped,
            data.hierarchies, data.source, data.without_purchases, data.master_dropped,
        )  # fmt: skip

    def __len__(self) -> int:
        return self.blocks

    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        """Yield what the work makes of every block."""
        steps = progress or Progress()
        if self.blocks == 1 and self.places is None:
            steps.step(doing or "going through the blocks", 0)
            yield work(self.data)
            return
        places = block_of(self.data.customers, self.blocks) if self.places is None else self.places
        for number in range(self.blocks):
            steps.step(doing or "going through the blocks", number / self.blocks)
            inside = places == number
            if inside.any():
                yield work(self._block(inside))

    def regrouped(self, parts: pl.DataFrame) -> InMemory:
        """Return the same table, seen in a block for every part."""
        named = parts.select(pl.col("customer").cast(pl.String), pl.col("part").cast(pl.Int64))
        joined = self.data.customers.to_frame("customer").join(
            named, on="customer", how="left", maintain_order="left"
        )
        places = joined["part"].fill_null(-1).to_numpy()
        return InMemory(self.data, int(places.max(initial=-1)) + 1, places)

    def _block(self, inside: NDArray[np.bool_]) -> Purchases:
        data = self.data
        rows = inside[data.records["customer"].to_physical().to_numpy()]
        master = data.master
        if master is not None:
            people = data.customers.filter(pl.Series(inside))
            master = master.filter(pl.col("customer").is_in(people.implode()))
        return data.with_records(data.records.filter(pl.Series(rows)), master=master)


def in_blocks(data: Purchases | Blocks) -> Blocks:
    """Return the data in blocks: as they are, or a table in memory seen so."""
    return data if isinstance(data, Blocks) else InMemory.of(data)


def block_count(records: int, each: int = RECORDS) -> int:
    """Return into how many blocks a table of so many records is cut."""
    return max(-(-records // each), 1)


def block_of(customers: pl.Series, blocks: int) -> NDArray[np.int64]:
    """Return the block of every customer: the same for the same id and number of blocks, wherever it is."""
    return placed(draws_of(customers), blocks)


def draws_of(customers: pl.Series) -> NDArray[np.float64]:
    """Return what places every customer, however many blocks there will be: a number of [0, 1)."""
    return _SPREAD.uniform("block", customers)


def placed(draws: NDArray[np.float64], blocks: int) -> NDArray[np.int64]:
    """Return the block of everybody of whom it is known what places him."""
    return np.minimum((draws * blocks).astype(np.int64), blocks - 1)
