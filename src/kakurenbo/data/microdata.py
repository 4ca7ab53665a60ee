"""Microdata: one row a person, with quasi-identifiers (QI) and sensitive attributes (SA).

The table X of paper 001. QIs are discrete values an outsider may know; SAs are numbers to protect and to
analyse. Without an id column a person is identified by the row number, from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl

from kakurenbo.data.checks import columns, frames, ids, values
from kakurenbo.data.checks.numbers import Marks, likely_decimal
from kakurenbo.data.layout import Column, Layout
from kakurenbo.data.table import fingerprint
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kakurenbo.about import Kind
    from kakurenbo.data.checks.policy import Policy
    from kakurenbo.data.checks.spelling import Spelling
    from kakurenbo.data.hierarchy import Hierarchy
    from kakurenbo.data.source import Source

_WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)
_DISCRETE = (*_WHOLE, pl.Categorical, pl.Enum, pl.Boolean, pl.Date, pl.Datetime, pl.Time, pl.Null)


@dataclass(frozen=True, eq=False)
class Microdata:
    """A checked table of persons.

    Attributes:
        records: the QI columns, then the SA columns (Float64), under their own names.
        ids: the person of each row, as text, distinct.
        qi: names of the quasi-identifiers.
        sa: names of the sensitive attributes.
        id_column: the name of the id column, or None where the row number is the id.
        dropped: rows left out because a value was missing (policy `drop`).
        library: of the dataframe it came from.
        source: the file or folder it was read from, None for a table that was made.
        hierarchies: what the words of this table stand for, by column.
        layout: the form the table came in, kept for its release.
    """

    records: pl.DataFrame
    ids: pl.Series
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    id_column: str | None = None
    dropped: int = 0
    library: frames.Library = "polars"
    source: Source | None = field(default=None, repr=False)
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)
    layout: Layout = field(default=Layout(()), repr=False)
    kind: ClassVar[Kind] = "microdata"

    @classmethod
    def from_frame(
        cls,
        frame: Any,  # noqa: ANN401 - any dataframe is welcome
        *,
        qi: Sequence[str],
        sa: Sequence[str] = (),
        id: str | None = None,  # noqa: A002 - the word users know
        policy: Policy = "refuse",
        spelling: Spelling = "refuse",
        hierarchies: Mapping[str, Hierarchy] | None = None,
        marks: Marks | None = None,
        layout: Layout | None = None,
    ) -> Microdata:
        """Check a dataframe at the door and return it as Microdata.

        Args:
            frame: a polars, pandas or pyarrow dataframe, one row a person.
            qi: the quasi-identifiers: text, whole numbers, booleans, dates or times.
            sa: the sensitive attributes: finite numbers.
            id: the column of person ids; without it the row number is the id.
            policy: `refuse` rows with a missing value, or `drop` them with a count.
            spelling: ids that differ only in how they are written: `refuse`, `merge` or `keep` them apart.
            hierarchies: coarser names of the values of columns.
            marks: the marks of text numbers, where they cannot be told from the values.
            layout: the form of the file the frame was read from.
        """
        table, library = frames.to_polars(frame)
        qi, sa = tuple(qi), tuple(sa)
        _check_names(table, (*qi, *sa, *([id] if id else [])), qi)
        person = ids.as_text(table[id], column=id, spelling=spelling) if id else _row_numbers(table.height)
        made = [_discrete(table[name]) for name in qi]
        known = replace(marks or Marks(), likely=likely_decimal(table[name] for name in sa))
        known = known if known.likely or marks is None else marks
        numbers = {name: values.numbers_in_form(table[name], column=name, marks=known) for name in sa}
        made += [series.alias(name) for name, (series, _) in numbers.items()]
        records, dropped = _complete(pl.DataFrame([person.alias("\0id"), *made]), policy)
        person = records.drop_in_place("\0id").alias("id")
        if person.n_unique() < len(person):
            raise InputError(
                "Each person must have one row and an id of his own.", code="duplicate-id", column=id
            )
        trees = dict(hierarchies or {})
        forms = tuple(Column(name, None, number=form) for name, (_, form) in numbers.items())
        written = replace(layout or Layout(()), columns=forms)
        return cls(records, person, qi, sa, id, dropped, library, hierarchies=trees, layout=written)

    def __len__(self) -> int:
        return self.records.height

    def __repr__(self) -> str:
        return f"Microdata({len(self)} rows, {len(self.qi)} QI, {len(self.sa)} SA)"

    @property
    def people(self) -> pl.Series:
        """The ids, row by row."""
        return self.ids

    @property
    def attributes(self) -> pl.DataFrame:
        """The quasi-identifiers."""
        return self.records.select(self.qi)

    @property
    def left_out(self) -> dict[str, int]:
        """How many rows were not read, by reason."""
        return {"missing_value": self.dropped}

    @property
    def records_each(self) -> NDArray[np.int64]:
        """One row a person."""
        return pl.ones(len(self), dtype=pl.Int64, eager=True).to_numpy()

    @property
    def shown(self) -> frozenset[str]:
        """Quasi-identifiers, and sensitive attributes where there are any."""
        return frozenset(["qi", "sa"] if self.sa else ["qi"])

    @property
    def counts(self) -> dict[str, int]:
        """People and columns."""
        return {"people": len(self), "quasi-identifiers": len(self.qi), "sensitive attributes": len(self.sa)}

    def of(self, people: pl.Series) -> Microdata:
        """Return the rows of these people."""
        return self.at(self.ids.is_in(people.implode()).arg_true())

    def at(self, rows: Any) -> Microdata:  # noqa: ANN401 - whatever indexes rows
        """Return these rows."""
        return replace(self, records=self.records[rows], ids=self.ids.gather(rows))

    def with_columns(self, *changed: pl.Series | pl.Expr) -> Microdata:
        """Return the table with these columns in place of those of the same name."""
        return replace(self, records=self.records.with_columns(*changed))

    def by_content(self) -> Microdata:
        """Return the rows sorted by content, so that nothing depends on the order they came in."""
        table = self.records.with_columns(self.ids.alias("\0id")).sort([*self.records.columns, "\0id"])
        return replace(self, ids=table.drop_in_place("\0id").alias("id"), records=table)

    def common_with(self, released: Microdata) -> tuple[Microdata, int]:
        """Return the table with the columns that the release has too, and how many it has not."""
        qi = tuple(name for name in self.qi if name in released.qi)
        sa = tuple(name for name in self.sa if name in released.sa)
        if not qi:
            raise InputError("The release has none of the original's quasi-identifiers.", code="roles")
        lost = len(self.qi) + len(self.sa) - len(qi) - len(sa)
        same = replace(self, records=self.records.select(*qi, *sa), qi=qi, sa=sa) if lost else self
        return same, lost

    def require_columns_of(self, released: Microdata) -> None:
        """Refuse a release without one of the columns."""
        columns.require(self.qi, released.qi)
        columns.require(self.sa, released.sa)

    def summarised(self, values: Iterable[pl.Expr]) -> pl.DataFrame:
        """Return these values of each row."""
        return self.records.select(*values)

    def fingerprint(self) -> str:
        """Return the SHA-256 of the rows with their ids."""
        return fingerprint(self.records.with_columns(self.ids.alias("\0id")))

    @property
    def with_ids(self) -> pl.DataFrame:
        """The records, after the id column where there is one."""
        person = [self.ids.alias(self.id_column)] if self.id_column else []
        return self.records.select(*person, pl.all())

    def to_frame(self) -> Any:  # noqa: ANN401 - the kind decides the type
        """Return the table, with its id column if it had one, as the kind of dataframe it came in."""
        return frames.from_polars(self.with_ids, self.library)


def _check_names(table: pl.DataFrame, names: tuple[str, ...], qi: tuple[str, ...]) -> None:
    if not qi:
        raise InputError(
            "Microdata needs at least one quasi-identifier; name it in qi.", code="roles", parameter="qi"
        )
    columns.require(names, table.columns)
    if not table.height:
        raise InputError("The table has no rows.", code="file-empty")


def _row_numbers(height: int) -> pl.Series:
    return pl.int_range(1, height + 1, eager=True).cast(pl.String)


def _discrete(column: pl.Series) -> pl.Series:
    """Return a QI column; floats and decimals must be whole, and what has no text of its own is refused."""
    if column.dtype == pl.String:
        return ids.trimmed(column)
    if column.dtype.is_float() or column.dtype.is_decimal():
        return values.as_whole_numbers(column, column=column.name)
    if column.dtype not in _DISCRETE:
        raise InputError(
            "A quasi-identifier is text, whole numbers, booleans, dates or times, "
            f"but not {column.dtype.base_type()}.",
            code="frame",
            column=column.name,
        )
    return column


def _complete(table: pl.DataFrame, policy: Policy) -> tuple[pl.DataFrame, int]:
    """Return the rows without a missing value, and how many were dropped (or refuse)."""
    if policy == "drop":
        kept = table.drop_nulls()
        if not kept.height:
            raise InputError("No row is left: each had a missing value.", code="file-empty")
        return kept, table.height - kept.height
    for name in table.columns:
        values.refuse_missing(table[name], column="id" if name == "\0id" else name, code="missing-id")
    return table, 0
