"""From the source to the store: a stream of batches, runs, then block after block.

Memory holds a batch, the ids with their numbers, a run and two blocks, whatever the number of rows. Runs take
about as much room on the disk as the records do, and are gone when the store stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from kakurenbo.data.blocks import RECORDS as IN_A_BLOCK
from kakurenbo.data.blocks import block_count, placed
from kakurenbo.data.layout import ROLES
from kakurenbo.data.purchases import check_kept, master_of, require_everybody
from kakurenbo.files import disk
from kakurenbo.files.store import form
from kakurenbo.files.store.distinct import Distinct
from kakurenbo.files.store.encode import Encoder
from kakurenbo.files.store.runs import Runs
from kakurenbo.threads import ahead, in_order

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from kakurenbo.files.read import Opening, Prepared
    from kakurenbo.progress import Progress

_READING = 0.6  # of the work, about


@dataclass(frozen=True)
class Making:
    """What a store is made of, and in blocks of how many records.

    Attributes:
        prepared: the table, opened, with the roles of its columns.
        options: the options it is read with, as they were given.
        opening: how the beginning of a table is opened.
        origin: the identity of the source.
        rows: about how many rows there are, for the progress; None where nobody knows.
        each: records of a block, about.
    """

    prepared: Prepared
    options: dict[str, Any]
    opening: Opening
    origin: Mapping[str, Any]
    rows: int | None = None
    each: int = IN_A_BLOCK

    def fill(self, folder: Path, progress: Progress) -> None:
        """Write the store into a folder that is there and empty."""
        people = self._people()
        check_kept(people, self.prepared.given.keep_master, self.prepared.given.keep_direct)
        (folder / ".gitignore").write_text("*\n", encoding="ascii")
        for name in ("runs", form.BLOCKS, form.PEOPLE):
            (folder / name).mkdir()
        encoder = Encoder(self.prepared, self.options, self.opening)
        runs = self._read(encoder, folder / "runs", progress.part(0, _READING))
        if people is not None:
            require_everybody(people, encoder.customers.ids)
        made = _Blocks.of(folder, encoder, runs, people, self.each)
        receipts = made.write(progress.part(_READING, 1))
        self._describe(folder, encoder, made, receipts)
        disk.remove(folder / "runs")

    def _people(self) -> pl.DataFrame | None:
        """Return the master, where there is one; who bought nothing is in no block."""
        frame, customer = self.prepared.people(), self.prepared.roles["customer"][0]
        return None if frame is None else master_of(frame, customer, self.prepared.given.spelling)

    def _read(self, encoder: Encoder, folder: Path, progress: Progress) -> Runs:
        runs = Runs(folder)
        for records, newcomers in ahead(encoder.batches()):
            share = None if not self.rows else min(encoder.read / self.rows, 1.0)
            progress.step(f"reading into blocks: {encoder.read:,} rows", share)
            runs.add(records, newcomers)
        runs.finish()
        return runs

    def _describe(self, folder: Path, encoder: Encoder, made: _Blocks, receipts: int | None) -> None:
        prepared = self.prepared
        made.goods.to_frame("goods").write_parquet(folder / form.GOODS)
        spoken = encoder.goods_table()
        if spoken is not None:
            spoken.write_parquet(folder / form.GOODS_TABLE)
        source = prepared.source(encoder.kept)
        told = form.About(
            origin=self.origin,
            blocks=made.count,
            roles=tuple(role for role in ROLES if role in encoder.roles),
            layout=prepared.layout(encoder.kept).in_form(encoder.forms),
            counts={
                "customers": encoder.customers.size,
                "records": encoder.records,
                **({} if receipts is None else {"receipts": receipts}),
                "goods": len(made.goods),
            },
            dropped=encoder.dropped,
            master=None if made.people is None else tuple(made.people.columns),
            keep_master=tuple(prepared.given.keep_master),
            source=source,
            idle=0 if made.people is None else max(made.people.height - encoder.customers.size, 0),
        )
        (folder / form.ABOUT).write_text(told.to_json(), encoding="utf-8")


@dataclass(frozen=True)
class _Blocks:
    """The records on their way from the runs to the blocks.

    Attributes:
        customers: the ids of all customers, by block and there sorted.
        starts: where the customers of every block begin.
        block_of: the block of every customer, by number.
        place_of: his place in the people of his block, by number.
        goods: all goods, sorted.
        rank_of: the place of every good among them, by number.
    """

    folder: Path
    runs: Runs
    customers: pl.Series
    starts: NDArray[np.int64]
    block_of: NDArray[np.int64]
    place_of: NDArray[np.uint32]
    goods: pl.Series
    rank_of: NDArray[np.uint32]
    people: pl.DataFrame | None
    columns: tuple[str, ...]

    @classmethod
    def of(
        cls, folder: Path, encoder: Encoder, runs: Runs, people: pl.DataFrame | None, each: int
    ) -> _Blocks:
        """Place all customers, of whom the last has come by now."""
        ids, ranks = encoder.customers.ranks()
        blocks = block_count(encoder.records, each)
        by_number = placed(runs.draws, blocks)
        by_rank = np.empty_like(by_number)
        by_rank[ranks] = by_number
        order = np.argsort(by_rank, kind="stable")
        starts = np.zeros(blocks + 1, dtype=np.int64)
        np.cumsum(np.bincount(by_rank, minlength=blocks), out=starts[1:])
        places = np.empty(len(ids), dtype=np.uint32)
        places[order] = np.arange(len(ids)) - np.repeat(starts[:-1], np.diff(starts))
        goods, rank_of = encoder.goods.ranks()
        columns = tuple(role for role in ROLES if role in encoder.roles)
        return cls(
            folder, runs, ids.gather(order), starts, by_number, places[ranks], goods, rank_of, people,
            columns,
        )  # fmt: skip

    @property
    def count(self) -> int:
        """How many blocks there are."""
        return len(self.starts) - 1

    def write(self, progress: Progress) -> int | None:
        """Write all blocks, and return how many receipts there are, where there are any."""
        receipts = Distinct(self.folder / "runs")
        for number, hashes in enumerate(in_order(self._written, range(self.count))):
            progress.step("sorting into blocks", number / self.count)
            if hashes is not None:
                receipts.add(hashes)
        return receipts.count() if "receipt" in self.columns else None

    def _written(self, block: int) -> NDArray[np.uint64] | None:
        """Write one block, and return its distinct receipts as numbers."""
        ids = self.customers[int(self.starts[block]) : int(self.starts[block + 1])].alias("customer")
        if not len(ids):
            return None
        frame = self.runs.stretch(block, self.count)
        numbers = frame["customer"].to_numpy()
        inside = np.flatnonzero(self.block_of[numbers] == block)
        places = self.place_of[numbers[inside]]
        small = places.astype(np.uint16) if len(ids) <= 1 << 16 else places
        order = np.argsort(small, kind="stable")
        records = frame[inside[order]].with_columns(
            pl.Series("customer", places[order]),
            pl.Series("goods", self.rank_of[frame["goods"].to_numpy()[inside[order]]]),
        )
        records.select(self.columns).write_parquet(
            form.block_file(self.folder, form.BLOCKS, block), compression="lz4", statistics=False
        )
        people = ids.to_frame()
        if self.people is not None:
            people = people.join(self.people, on="customer", how="left", maintain_order="left")
        people.write_parquet(form.block_file(self.folder, form.PEOPLE, block), compression="lz4")
        return np.unique(records["receipt"].hash().to_numpy()) if "receipt" in self.columns else None
