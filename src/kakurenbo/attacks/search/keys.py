"""Keys of records, the same in every block: what a record shows, hashed; and who of a block has which key.

Two records have the same key if they show the same parts alike. The parts are read as both tables can be
compared: as they are where both have one type, else as numbers, else as text. The keys that matter, those of
the targets, are numbered in a dictionary, and a block is laid out by it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from kakurenbo.attacks.purchases.view import PART_VALUES, with_master
from kakurenbo.data.groups import as_text
from kakurenbo.kernels.scan import Codes, Spread, distinct, joined, spread, tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from kakurenbo.attacks.purchases.view import Counting, Part
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.purchases import Purchases

    Bits = NDArray[np.uint64]
    Grain = tuple[Part, ...]

Form = Literal["plain", "number", "text"]
_COLUMNS = {part: value.meta.output_name() for part, value in PART_VALUES.items() if value.meta.is_column()}
_MOST = 0.5  # of the records: where more of them differ, all are taken as they are


@dataclass(frozen=True, eq=False)
class Forms:
    """How every part is read.

    Attributes:
        of: the form of each part.
    """

    of: Mapping[Part, Form]

    @classmethod
    def common(cls, known: pl.DataFrame, released: pl.DataFrame, parts: Iterable[Part]) -> Forms:
        """Return the forms in which both tables can be compared."""
        return cls({part: _form(_read(known, part), _read(released, part)) for part in set(parts)})

    def hashes(self, records: pl.DataFrame, grains: Iterable[Grain]) -> dict[Grain, Bits]:
        """Return the key of every record at each grain."""
        wanted = tuple(grains)
        parts = {part: self.hashed(records, part) for part in {part for grain in wanted for part in grain}}
        return {grain: joined([parts[part] for part in grain], records.height) for grain in wanted}

    def hashed(self, records: pl.DataFrame, part: Part) -> Bits:
        """Return a part of every record as bits."""
        column = _read(records, part)
        if isinstance(column.dtype, pl.Enum):
            words: Bits = column.dtype.categories.hash().to_numpy()
            coded: Bits = words[column.to_physical().to_numpy()]
            return coded
        form = self.of[part]
        if form == "number":
            column = column.cast(pl.Float64)
        elif form == "text":
            column = as_text(column)
        return (column + 0.0 if column.dtype.is_float() else column).hash().to_numpy()


def _read(records: pl.DataFrame, part: Part) -> pl.Series:
    """Return a part of every record; a column as it is costs no query."""
    column = _COLUMNS.get(part)
    return records[column] if column else records.select(PART_VALUES[part]).to_series()


def _form(known: pl.Series, released: pl.Series) -> Form:
    texts = {pl.Categorical, pl.Enum}
    kinds = {pl.String() if column.dtype in texts else column.dtype for column in (known, released)}
    if len(kinds) == 1:
        return "plain"
    return "number" if all(kind.is_numeric() for kind in kinds) else "text"


@dataclass(frozen=True, eq=False)
class Reading:
    """How tables are read: forms, and the keys that matter, by grain.

    Attributes:
        forms: how parts are read.
        codes: the dictionary of every grain.
        released: the released master that a known one is read beside, where masters are compared.
        trees: what its words stand for.
        known: the known master that a released one is read beside, where that is laid out.
        keeps: whether what was laid out is kept, since tables are held whole and gone through several times.
    """

    forms: Forms
    codes: Mapping[Grain, Codes]
    released: Purchases | None = None
    trees: Mapping[str, Hierarchy] | None = None
    known: Purchases | None = None
    keeps: bool = False
    _laid: dict[int, Laid] = field(init=False, default_factory=dict, repr=False)

    def lay(self, block: Purchases) -> Laid:
        """Return a block laid out by its keys."""
        if not self.keeps:
            return Laid(block, self)
        if id(block) not in self._laid:
            self._laid[id(block)] = Laid(block, self)  # which holds the block, so that no other has its id
        return self._laid[id(block)]


class Laid:
    """A block laid out by its keys, grain by grain, as far as it is asked for."""

    def __init__(self, block: Purchases, reading: Reading) -> None:
        people = block.records["customer"].to_physical().to_numpy().astype(np.int32)
        order = None if (people[1:] >= people[:-1]).all() else np.argsort(people, kind="stable")
        self.block, self._reading = block, reading
        self._people = people if order is None else people[order]
        self._records = block.records if order is None else block.records[order]
        self._made: dict[object, Spread] = {}
        self._parts: dict[tuple[Part, bool], Bits] = {}  # with the master or without

    def __len__(self) -> int:
        return len(self.block.customers)

    @cached_property
    def records(self) -> NDArray[np.int64]:
        """How many records everybody has."""
        return np.bincount(self._people, minlength=len(self)).astype(np.int64)

    def at(self, grain: Grain, counting: Counting = "records") -> Spread:
        """Return who holds which key of a grain, in how many records or pieces."""
        pieces = counting == "pieces"
        key = grain, pieces
        if key not in self._made:
            quantity = self._records["quantity"].to_numpy() if pieces else None
            self._made[key] = spread(self._people, *self._numbers(grain), len(self), quantity)
        return self._made[key]

    def tally(self, grain: Grain) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return how many people have each key of the dictionary, and how many records, without a layout."""
        return tally(self._people, self._numbers(grain)[0], len(self._reading.codes[grain]))

    def _numbers(self, grain: Grain) -> tuple[NDArray[np.int32], int]:
        """Return the number of every record's key, and how many keys there are with those of nobody sought.

        Where records are coarse, many are the same but for their people: keys are made of different ones.
        """
        codes, master = self._reading.codes[grain], "master" in grain
        different, which = (self._with_master, None) if master else self._different
        for part in grain:
            if (part, master) not in self._parts:
                self._parts[part, master] = self._reading.forms.hashed(different, part)
        keys = joined([self._parts[part, master] for part in grain], different.height)
        numbers, others = codes.number(keys)
        return numbers if which is None else numbers[which], len(codes) + len(others)

    @cached_property
    def _different(self) -> tuple[pl.DataFrame, NDArray[np.int32] | None]:
        """The different records, and which of them each record is; all of them where most differ."""
        parts = {part for grain in self._reading.codes for part in grain if part != "master"}
        names = sorted({name for part in parts for name in PART_VALUES[part].meta.root_names()})
        bits = [_bits(self._records[name]) for name in names]
        which, first = distinct(joined(bits, self._records.height))
        if len(first) > _MOST * len(which):
            return self._records, None
        return self._records[first], which

    @cached_property
    def _with_master(self) -> pl.DataFrame:
        """The records with what the master says."""
        beside = self._reading
        if beside.released is None:
            return self._records
        block = self.block.with_records(self._records, master=self.block.master)
        if beside.known is not None:
            return with_master(beside.known, block, beside.trees or {})[1]
        return with_master(block, beside.released, beside.trees or {})[0]


def _bits(column: pl.Series) -> Bits:
    """Return the values of a column of one block as bits: the same for the same."""
    if isinstance(column.dtype, pl.Enum):
        return column.to_physical().to_numpy().astype(np.uint64)
    return column.hash().to_numpy()
