"""Purchases in blocks that a Spark cluster holds on its disks.

A partition is a block. It is checked, placed and sorted once, when the table is opened, and the workers keep
it; every pass then reads it where it lies. The work goes to the workers (broadcast, since targets may be
large), what it makes comes back: some blocks at a time, so that the driver holds a few answers at most.
"""

from __future__ import annotations

import pickle
import warnings
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.data.blocks import Blocks, Made, Whole
from kakurenbo.data.checks.policy import Dropped
from kakurenbo.progress import Progress
from kakurenbo.spark import pieces
from kakurenbo.spark.placing import Dealt, receipts, settled
from kakurenbo.spark.session import translated
from kakurenbo.spark.workers import Form, Refused, Sent, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from kakurenbo.data.purchases import Purchases
    from kakurenbo.data.source import Source

_ROUNDS = 4  # blocks that every processor of the cluster works on before answers are fetched


@dataclass(frozen=True, eq=False)
class SparkBlocks(Blocks):
    """A table of purchases on a cluster.

    Attributes:
        held: the blocks in pieces (see `pieces`): partition number = block number.
        form: what makes records `Purchases`.
        blocks: how many there are.
        dropped: rows that were left out on the way, by reason.
        source: where it was read from.
    """

    engine = "spark"

    held: DataFrame = field(repr=False)
    form: Form = field(repr=False)
    blocks: int
    dropped: Dropped = field(default_factory=Dropped, repr=False)
    source: Source | None = field(default=None, repr=False)

    @property
    def session(self) -> SparkSession:
        """The session that holds it."""
        return self.held.sparkSession

    @cached_property
    def whole(self) -> Whole:
        """What is known of all blocks together; it takes a pass, and for receipts another."""
        parts = list(self.map(_counted, doing="counting"))
        goods = pl.concat([part[2] for part in parts]).unique().sort()
        form = self.form
        receipts = {"receipts": self._receipts()} if "receipt" in form.roles else {}
        people, records = sum(part[0] for part in parts), sum(part[1] for part in parts)
        counts = {"customers": people, "records": records, **receipts, "goods": len(goods)}
        return Whole(
            counts, goods, form.roles, form.layout, frozenset(form.roles), dropped=self.dropped,
            hierarchies=form.hierarchies, source=self.source,
        )  # fmt: skip

    def _receipts(self) -> int:
        """Count the receipts of all blocks together: one may be of several people."""
        with translated():
            return int(mapped(self.held, partial(receipts, self.blocks), "receipt string").distinct().count())

    def regrouped(self, parts: pl.DataFrame) -> SparkBlocks:
        """Return the same purchases in a block for every part."""
        named = parts.select(pl.col("customer").cast(pl.String), pl.col("part").cast(pl.Int32))
        count = int(named["part"].to_numpy().max(initial=-1)) + 1
        sent = self.session.sparkContext.broadcast(named)
        held = shuffled(self.held, Dealt(sent, self.blocks, count), count)
        return SparkBlocks(held, self.form, count, self.dropped, self.source)

    @property
    def by_threads(self) -> bool:
        """They do not: one pass has all of the cluster."""
        return False

    def __len__(self) -> int:
        return self.blocks

    def map(
        self, work: Callable[[Purchases], Made], *, progress: Progress | None = None, doing: str = ""
    ) -> Iterator[Made]:
        """Yield what the work makes of every block, in their order."""
        steps, context = progress or Progress(), self.session.sparkContext
        sent = context.broadcast(Work(self.form, work))
        made = mapped(self.held, Sent(sent), pieces.SCHEMA)
        each = max(context.defaultParallelism * _ROUNDS, 1)
        try:
            for first in range(0, self.blocks, each):
                steps.step(doing or "going through the blocks", first / self.blocks)
                for _, body in fetched(made, range(first, min(first + each, self.blocks))):
                    answer = pickle.loads(body)  # noqa: S301 - from our own workers
                    if isinstance(answer, Refused):
                        raise answer.error()
                    yield answer
        finally:
            sent.unpersist()

    def close(self) -> None:
        """Let the workers forget the blocks."""
        self.held.unpersist()


def _counted(block: Purchases) -> tuple[int, int, pl.Series]:
    return len(block.customers), len(block), block.goods


def shuffled(frame: DataFrame, placing: Callable[..., Any], blocks: int) -> DataFrame:
    """Return what placing makes of a frame: blocks whole and in place, kept on the workers' disks."""
    from pyspark import StorageLevel  # noqa: PLC0415 - an extra

    parts = mapped(frame, placing, pieces.SCHEMA).repartitionById(blocks + 1, "block")
    return mapped(parts, partial(settled, blocks), pieces.SCHEMA).persist(StorageLevel.DISK_ONLY)


def fetched(frame: DataFrame, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """Yield the bodies of these partitions, in their order."""
    with translated():
        rows = frame.sparkSession.sparkContext.runJob(frame.rdd, list, partitions=list(numbers))
    yield from pieces.joined((row["block"], row["piece"], row["body"]) for row in rows)


def mapped(frame: DataFrame, work: Callable[..., Any], schema: str) -> DataFrame:
    """Return what work makes of every partition of a frame."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of pandas, which is asked for and not used
        return frame.mapInArrow(work, schema)
