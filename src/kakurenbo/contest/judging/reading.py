"""Reading a submission: every table is taken apart, then set beside the others, and all faults are noted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Generic

from kakurenbo.contest.judging import pairs
from kakurenbo.contest.judging.chosen import chosen
from kakurenbo.contest.judging.faults import Faults
from kakurenbo.contest.judging.lines import read_cells
from kakurenbo.data.table import Data
from kakurenbo.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars as pl

    from kakurenbo.contest.judging.cells import Cells, Form
    from kakurenbo.contest.judging.formats import Files
    from kakurenbo.contest.judging.originals import Original
    from kakurenbo.contest.judging.records import Fault
    from kakurenbo.contest.rules import Rules
    from kakurenbo.data.pairing import Pairing

PAIRING = ("p", "pairing", "secret")  # what its file may be called


@dataclass(frozen=True, eq=False)
class Submitted(Generic[Data]):
    """A submission that was read.

    Attributes:
        faults: all of them.
        data: the release, where there are none.
        pairing: its secret, likewise.
        tables: the cells of every table that could be read, by its letter.
    """

    faults: tuple[Fault, ...]
    data: Data | None = None
    pairing: Pairing | None = None
    tables: Mapping[str, Cells] = field(default_factory=dict)

    @property
    def release(self) -> tuple[Data, Pairing]:
        """The release and its secret; whoever asks for them has checked that there are no faults."""
        if self.data is None or self.pairing is None:
            raise InputError("The submission has faults, so nothing can be told of it.", code="submission")
        return self.data, self.pairing


class Reading(ABC, Generic[Data]):
    """One submission being read; `submitted` is the one verb.

    Attributes:
        names: what the file of every table may be called, without its ending, by the table's letter.
        main: the letter of the table that has a row, or rows, for everybody.
    """

    names: ClassVar[Mapping[str, tuple[str, ...]]]
    main: ClassVar[str]

    def __init__(self, rules: Rules, original: Original[Data], files: Files) -> None:
        self.rules, self._people = rules, original.people
        self.faults = Faults(rules.limits.faults)
        self.tables: dict[str, Cells] = {}
        self._files = chosen(files, self.names, self.faults)

    @property
    @abstractmethod
    def wanted(self) -> Iterable[str]:
        """The letters of the tables that must be there."""

    @property
    @abstractmethod
    def person(self) -> str | None:
        """The column of the main table that names people; None where rows are called by their numbers."""

    @abstractmethod
    def check(self) -> pl.Series | None:
        """Check all tables but the pairing; return whose every row of the main table is."""

    @abstractmethod
    def data(self) -> Data:
        """Return the release; its tables have no faults."""

    def submitted(self) -> Submitted[Data]:
        """Return what was read: all faults, or the release and its pairing."""
        for letter in (letter for letter in self.wanted if letter not in self._files):
            self.faults.add(f"{letter}.csv", "file-missing")
        lines = self._pairing(self.check())
        if self.faults or lines is None:
            return Submitted(self.faults.listed(), tables=self.tables)
        try:
            return Submitted((), self.data(), lines.pairing, self.tables)
        except InputError as error:  # what no cell shows by itself, such as a sum that is too large
            self.faults.add(self.tables[self.main].file, error.code, error.message.rstrip("."))
            return Submitted(self.faults.listed(), tables=self.tables)

    def taken_apart(self, letter: str, form: Form, names: Mapping[str, str]) -> Cells | None:
        """Return the cells of a table under the original's names of its columns: see `Cells.called`."""
        if letter not in self._files:
            return None
        limits = self.rules.limits
        sized = replace(form, rows=limits.rows, megabytes=limits.megabytes)
        cells = read_cells(*self._files[letter], sized, self.faults)
        if cells is None:
            return None
        self.tables[letter] = cells.called(names, self.faults)
        return self.tables[letter]

    def check_kept(self, cells: Cells, rows: int) -> None:
        """Note that fewer rows are kept than the rules ask for, of so many."""
        if cells.frame.height < self.rules.hide.keep_share * rows:
            self.faults.add(cells.file, "kept")

    def blame_first(self, code: str, names: pl.Series, known: pl.Series) -> None:
        """Note names that another table does not know, where they first stand in the main one."""
        foreign = names.is_not_null() & names.is_first_distinct() & ~names.is_in(known.implode())
        self.tables[self.main].blame(self.faults, code, foreign, self.person)

    def _pairing(self, names: pl.Series | None) -> pairs.Lines | None:
        """Check the pairing: one line for every name of the main table, each with his own original."""
        if "P" not in self._files:
            return None
        lines = pairs.read_lines(*self._files["P"], self.faults, rows=self.rules.limits.rows, blanks=False)
        if lines is None:
            return None
        self.tables["P"] = lines.cells
        there = None if names is None else names.drop_nulls().unique()
        pairs.check_known(lines, self.faults, released=there, original=self._people)
        if names is not None:
            self.blame_first("unpaired", names, lines.released)
        return lines
