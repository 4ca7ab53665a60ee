"""A table of a submission as it is written: cells with their lines, so that every fault has its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from kakurenbo.data.checks.ids import trimmed

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from kakurenbo.contest.judging.faults import Faults

TEXT = (".csv", ".txt")


@dataclass(frozen=True)
class Form:
    """How a table has to be written.

    Attributes:
        header: whether its first line names the columns.
        separator: what stands between two cells.
        width: how many cells a line has, where no header tells.
        rows: how many lines there may be.
        megabytes: what a packed table may unpack to.
    """

    header: bool = True
    separator: str = ","
    width: int = 0
    rows: int = 2_000_000
    megabytes: int = 64


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a table, of all lines that have as many as there are columns.

    Attributes:
        file: in which they stand.
        names: of the columns, or their numbers from 1.
        frame: the cells; text, or of a Parquet file as they are typed.
        lines: the line of each row.
        form: how it is written.
    """

    file: str
    names: tuple[str, ...]
    frame: pl.DataFrame
    lines: pl.Series
    form: Form

    def text(self, name: str) -> pl.Series:
        """Return a column as text without blanks at either end; what is empty is missing."""
        return trimmed(self.frame[name].cast(pl.String))

    def place(self, name: str) -> int:
        """Return which cell of a line a column is, from 1."""
        return self.names.index(name) + 1

    def called(self, names: Mapping[str, str], faults: Faults) -> Cells:
        """Return the table with its columns called as the original's are; note those that it has not.

        Args:
            names: what the original's columns are called in a file, in any letters, each with the name that
                it is read under.
            faults: where they are noted.
        """
        if not self.form.header:
            return self._renamed({own: names[own] for own in self.names if own in names})
        alike = {name.casefold(): read for name, read in names.items()}
        alike |= {name.casefold(): name for name in names.values()}
        found: dict[str, str] = {}
        for own in self.names:
            name = alike.get(own.casefold())
            if name is None or name in found.values():
                code, line = ("column-unknown" if name is None else "column-twice"), self.header_line
                faults.add(self.file, code, line=line, column=self.place(own))
            else:
                found[own] = name
        return self._renamed(found)

    @property
    def header_line(self) -> int | None:
        """The line that names the columns, where there is one."""
        return 1 if self.form.header and self.file.lower().endswith(TEXT) else None

    def _renamed(self, names: Mapping[str, str]) -> Cells:
        own = tuple(names.get(name, f"\0{name}") for name in self.names)
        return replace(self, names=own, frame=self.frame.rename(dict(zip(self.names, own, strict=True))))

    def written(self, order: np.random.Generator | None = None) -> bytes:
        """Return the table as text, its rows in an order of chance where one is given."""
        frame = self.frame.select(pl.all().cast(pl.String))
        if order is not None:  # sorted first: then nothing is left of how they stood
            frame = frame.sort(frame.columns)[order.permutation(frame.height)]
        text = frame.write_csv(include_header=self.form.header, separator=self.form.separator)
        return text.encode()

    def blame(self, faults: Faults, code: str, faulty: pl.Series, name: str | None) -> None:
        """Note the same fault in every row that is marked, in the cell of a column if one is named."""
        where = self.lines.filter(faulty.fill_null(value=False))
        if len(where):
            place = None if name is None else self.place(name)
            faults.at(self.file, code, where.to_list(), column=place)
