"""A table goes by in batches: each is checked as a whole table is, and its ids become numbers.

What the first rows decide, roles, patterns of times and marks of numbers, holds for all that follow; a value
that does not fit is refused with its row in the whole file. What can be told only of all rows together, such
as two spellings of one id, is looked at when the last batch has gone by.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from kakurenbo.data import goods_table as goods_tables
from kakurenbo.data.checks import ids, spelling, values
from kakurenbo.data.checks import records as door
from kakurenbo.data.checks.policy import Dropped
from kakurenbo.errors import InputError
from kakurenbo.files.read import always_zero, marks_of, time_format_of
from kakurenbo.files.store.dictionary import Dictionary
from kakurenbo.threads import ahead, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.data.layout import Role
    from kakurenbo.files.read import Opening, Prepared

BATCH = 500_000  # rows, about
_MOST_WORDS = 2_000_000  # pairs of a good and a word that wait to be counted together
_IDS: tuple[Role, ...] = ("customer", "goods")


@dataclass(frozen=True)
class _Read:
    """A batch as it reads by what was known.

    Attributes:
        known: what was known before it.
        after: what is known since.
        kept: its rows without those that a release deleted.
        goods: of these rows.
        forms: how they are written.
        records: those of them that are purchases.
        dropped: the others, by reason.
    """

    known: door.Known
    after: door.Known
    kept: pl.DataFrame
    goods: pl.Series
    forms: dict[str, dict[str, Any]]
    records: pl.DataFrame
    dropped: Dropped


@dataclass
class Encoder:
    """Checks the batches of one table, and gives their ids numbers.

    Batches are read beside one another by what the first ones tell. One before which something came to be
    known, and one that is refused, are read again in their turn: so all is as if each had waited for the one
    before.
    """

    prepared: Prepared
    options: dict[str, Any]
    opening: Opening
    read: int = 0
    records: int = 0
    pieces: int = 0
    dropped: Dropped = field(default_factory=Dropped)
    customers: Dictionary = field(default_factory=Dictionary)
    goods: Dictionary = field(default_factory=Dictionary)
    forms: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        prepared = self.prepared
        head = prepared.table.load(prepared.wanted)
        self.kept, self.roles = prepared.kept(head)
        self.known = door.Known(
            prepared.given.time_format, marks_of(prepared, head, self.roles, self.opening)
        )
        self._words: dict[str, list[pl.DataFrame]] = {name: [] for name in prepared.spoken}
        self._in_doubt(head)

    def batches(self) -> Iterator[tuple[pl.DataFrame, pl.Series]]:
        """Yield the records of every batch, ids as numbers, and the customers that it brings."""
        for frame, read in in_order(self._tried, self._frames()):
            with _rows_from(self.read):
                records = self._checked(frame, read)
            self.read += frame.height
            self.records += records.height
            customer, newcomers = self.customers.numbers(records["customer"])
            goods, _ = self.goods.numbers(records["goods"])
            yield records.with_columns(customer.alias("customer"), goods.alias("goods")), newcomers
        self._finish()

    def goods_table(self) -> pl.DataFrame | None:
        """Return what is known of the goods beside their codes, None where nothing is."""
        apart = self.prepared.goods_table()
        if apart is not None:
            name = self.prepared.roles["goods"][0]
            return goods_tables.from_frame(apart, name, self.prepared.given.spelling)
        if not self._words:
            return None
        return goods_tables.usual({name: goods_tables.summed(parts) for name, parts in self._words.items()})

    def _frames(self) -> Iterator[pl.DataFrame]:
        return ahead(self.prepared.table.batches(self.prepared.wanted, BATCH))

    def _tried(self, frame: pl.DataFrame) -> tuple[pl.DataFrame, _Read | None]:
        """Return a batch, and how it reads by what is known by now; nothing where it is refused."""
        try:
            return frame, self._as_known(frame, self.known)
        except InputError:
            return frame, None

    def _as_known(self, frame: pl.DataFrame, known: door.Known) -> _Read:
        prepared = self.prepared
        kept = prepared.without_deleted(frame)
        if not kept.height:
            nothing = pl.DataFrame(schema=dict.fromkeys(self.roles, pl.String))
            return _Read(known, known, kept, nothing["goods"], {}, nothing, Dropped(deleted=frame.height))
        records, forms, after = door.converted(kept, self.roles, prepared.given.spelling, known)
        clean, dropped = door.cleaned(records, prepared.policy, prepared.cancelled, self.roles)
        dropped = replace(dropped, deleted=frame.height - kept.height)
        return _Read(known, after, kept, records["goods"], forms, clean, dropped)

    def _checked(self, frame: pl.DataFrame, read: _Read | None) -> pl.DataFrame:
        """Return the records of a batch in its turn."""
        self._refuse_late_receipts(frame)
        if read is None or read.known != self.known:
            read = self._as_known(frame, self.known)
        self.known, self.dropped = read.after, _sum(self.dropped, read.dropped)
        if read.forms:
            self.forms = door.joined(self.forms, read.forms, self.known.zone) if self.forms else read.forms
        self._count_words(read.goods, read.kept)
        if "quantity" in self.roles and read.kept.height:
            self._refuse_too_many(read.records["quantity"])
        return read.records

    def _refuse_late_receipts(self, frame: pl.DataFrame) -> None:
        """Refuse receipts below rows whose receipts are all 0: what was taken for none are some."""
        name = self.prepared.roles.get("receipt", ("",))[0]
        if not name or "receipt" in self.roles:
            return
        receipts = frame[name].drop_nulls()
        if len(receipts) and not always_zero(receipts):
            raise InputError(
                'The receipts of the first rows are all 0, and later ones are not; with receipt="" none are '
                "read.",
                code="roles",
                column=name,
                parameter="receipt",
            )

    def _count_words(self, goods: pl.Series, frame: pl.DataFrame) -> None:
        for name, parts in self._words.items():
            parts.append(goods_tables.counted(goods, frame[name]))
            if sum(part.height for part in parts) > _MOST_WORDS:
                self._words[name] = [goods_tables.summed(parts)]

    def _refuse_too_many(self, quantities: pl.Series) -> None:
        self.pieces += int(quantities.sum())
        if self.pieces > values.LARGEST_TOTAL:
            values.counted(pl.Series([self.pieces], dtype=pl.Int128), column=self.roles["quantity"][0])

    def _finish(self) -> None:
        if not self.records:
            raise door.nothing_left()
        if self.prepared.given.spelling == "refuse":
            for role, dictionary in zip(_IDS, (self.customers, self.goods), strict=True):
                self._refuse_twins(role, dictionary.ids)
                if spelling.has_fractions(dictionary.ids):
                    self._refuse_whole(self.roles[role][0])

    def _refuse_twins(self, role: Role, distinct: pl.Series) -> None:
        """Refuse ids that differ only in how they are written though no batch holds both, with the row."""
        name = self.roles[role][0]
        try:
            spelling.refuse_twins(distinct, column=name)
        except InputError as error:
            error.row = self._first_row(name, spelling.twins(distinct))
            raise

    def _refuse_whole(self, name: str) -> None:
        """Refuse ids that end in .0, for other batches hold some with a fraction."""
        read = 0
        for frame in self.prepared.table.batches([name], BATCH):
            with _rows_from(read):
                if frame[name].dtype == pl.String:
                    spelling.refuse_whole(ids.trimmed(frame[name]), column=name)
            read += frame.height

    def _first_row(self, name: str, wanted: pl.Series) -> int | None:
        read = 0
        for frame in self.prepared.table.batches([name], BATCH):
            text = ids.as_text(frame[name], column=name, spelling=self.prepared.given.spelling)
            places = text.is_in(wanted.implode()).arg_true()
            if len(places):
                return read + int(places[0]) + 1
            read += frame.height
        return None

    def _in_doubt(self, head: pl.DataFrame) -> None:
        """Settle the form of times and numbers by all rows, where the first ones leave two readings."""
        frame = self.prepared.without_deleted(head)
        if not frame.height:
            return
        for role in ("time", "price", "quantity"):
            if role not in self.roles:
                continue
            with _rows_from(0):
                self._settle(role, frame)

    def _settle(self, role: Role, frame: pl.DataFrame) -> None:
        only = {role: self.roles[role]}
        try:
            door.converted(frame, only, "keep", self.known)
        except InputError as error:
            if error.row is not None or error.parameter not in {"time_format", "decimal"}:
                raise
            if error.parameter == "time_format" and self.prepared.like is not None:
                pattern = time_format_of(self.prepared, self.options, self.opening)
                self.known = replace(self.known, time_format=pattern)
                return
            _, _, self.known = door.converted(self._distinct(only[role]), only, "keep", self.known)

    def _distinct(self, names: tuple[str, ...]) -> pl.DataFrame:
        """Return the distinct values of some columns, of all rows."""
        found: pl.DataFrame | None = None
        for frame in self.prepared.table.batches(names, BATCH):
            fresh = frame.unique(maintain_order=True)
            found = fresh if found is None else pl.concat([found, fresh]).unique(maintain_order=True)
        return frame if found is None else found


@contextmanager
def _rows_from(read: int) -> Iterator[None]:
    """Name the row in the whole table in what is wrong with one of its batches."""
    try:
        yield
    except InputError as error:
        error.row = None if error.row is None else error.row + read
        raise


def _sum(first: Dropped, other: Dropped) -> Dropped:
    return Dropped(
        **{one.name: getattr(first, one.name) + getattr(other, one.name) for one in fields(Dropped)}
    )
