"""How a table was laid out, so that its release can look the same.

A partner who reads headerless `id,receipt,Y/M/D,H:MM,...` must get a release in that very form. The layout
is what remains of the input file: its format, column names in order, its encoding, and how dates and numbers
were written. It holds no value of any person.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from kakurenbo.data.checks.numbers import NumberForm

Role = Literal["customer", "goods", "receipt", "time", "price", "quantity"]
ROLES: tuple[Role, ...] = ("customer", "receipt", "time", "goods", "price", "quantity")

Format = Literal["csv", "parquet"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: its name, what it means, and how its values were written.

    `role` is None for a column that only keeps its place (PWS Cup 2017's receipt, always 0); then `constant`
    is written in every row. `pattern` is the strftime pattern of a time, or of the part of it that stands in
    this column; None means the value is kept as a date or time in a typed file, ISO 8601 in text. A column
    without either is empty. `number` is how its numbers were written.
    """

    name: str
    role: Role | None
    pattern: str | None = None
    constant: str | None = None
    number: NumberForm | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """The form of a table: its columns in order, and the file they stood in.

    Of text the encoding is kept, with its byte order mark (`mark`), and what ends a line.
    """

    columns: tuple[Column, ...]
    format: Format = "csv"
    header: bool = True
    separator: str = ","
    name: str = "transactions"
    encoding: str = "utf-8"
    mark: bool = False
    line_end: str = "\n"

    def column(self, role: Role) -> Column | None:
        """Return the first column with this role, or None."""
        return next((column for column in self.columns if column.role == role), None)

    def name_of(self, role: Role) -> str:
        """Return the column name to show in messages about a role."""
        column = self.column(role)
        return column.name if column else role

    def in_form(self, forms: Mapping[str, Mapping[str, Any]]) -> Layout:
        """Return the layout with how the times and numbers of its columns are written."""
        written = (
            replace(column, **{"pattern": None, **forms.get(column.name, {})}) for column in self.columns
        )
        return replace(self, columns=tuple(written))

    def without(self, roles: Collection[str]) -> Layout:
        """Return the layout of a table that lacks these roles.

        Where no header names the columns, they are told by their place: there one that is left out stays,
        with nothing in it.
        """
        if self.header:
            kept = tuple(column for column in self.columns if column.role not in roles)
            return replace(self, columns=kept)
        emptied = (Column(column.name, None) if column.role in roles else column for column in self.columns)
        return replace(self, columns=tuple(emptied))
