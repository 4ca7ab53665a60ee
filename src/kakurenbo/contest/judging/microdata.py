"""Contests about microdata, as PWS Cup 2015 was: one row a person.

A submission is the released rows X with a header, and the secret pairing P: `X.csv`, `microdata.csv` or
Parquet, and `P.csv`, `pairing.csv` or `secret.csv`. Without a column of ids a person is called by the number
of the row, from 1, in the original as in the release; so the order of the released rows is a part of the
release, and it is published as it was submitted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import polars as pl

from kakurenbo.chance import Chance
from kakurenbo.contest.judging.cells import Form
from kakurenbo.contest.judging.columns import are_numbers, check_numbers, ids_of
from kakurenbo.contest.judging.faults import WORDS
from kakurenbo.contest.judging.originals import Original
from kakurenbo.contest.judging.reading import PAIRING, Reading
from kakurenbo.contest.judging.tabled import Tabled
from kakurenbo.data.checks.kinds import Kinds
from kakurenbo.data.checks.values import LARGEST
from kakurenbo.data.microdata import Microdata
from kakurenbo.files.read import read_microdata

if TYPE_CHECKING:
    from pathlib import Path

    from kakurenbo.contest.judging.cells import Cells
    from kakurenbo.contest.judging.formats import Files
    from kakurenbo.contest.rules import Rules


class PeopleReading(Reading[Microdata]):
    """A submission of microdata being read."""

    names: ClassVar = {"X": ("x", "microdata"), "P": PAIRING}
    main: ClassVar = "X"
    wanted: ClassVar = ("X", "P")

    def __init__(self, rules: Rules, original: Original[Microdata], files: Files) -> None:
        super().__init__(rules, original, files)
        self._original = original.data

    @property
    def person(self) -> str | None:
        """The column of ids, where there is one."""
        return self._original.id_column

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a release: all of the original."""
        own = () if self.person is None else (self.person,)
        return (*own, *self._original.qi, *self._original.sa)

    def check(self) -> pl.Series | None:
        """Check the rows; return whose each is."""
        form = Form(separator=self._original.layout.separator)
        cells = self.taken_apart("X", form, {name: name for name in self.columns})
        if cells is None:
            return None
        self.check_kept(cells, len(self._original))
        for name in self.columns:
            if name not in cells.names:
                self.faults.add(cells.file, "column-missing", f"{WORDS['column-missing']}: {name}")
            elif name != self.person:
                self._values(cells, name)
        return self._ids(cells)

    def _values(self, cells: Cells, name: str) -> None:
        """Check a column: what is a number in the original and sensitive is one in the release."""
        if name in self._original.numbers:
            form = next((one.number for one in self._original.layout.columns if one.name == name), None)
            check_numbers(cells, name, self.faults, form, largest=LARGEST)
        else:
            cells.blame(self.faults, "missing", cells.text(name).is_null(), name)

    def _ids(self, cells: Cells) -> pl.Series | None:
        """Return the id of every row: its number, where there is no column of ids."""
        if self.person is None:
            return (cells.lines - (cells.header_line or 0)).cast(pl.String)
        if self.person not in cells.names:
            return None
        found = ids_of(cells, self.person, self.faults)
        cells.blame(
            self.faults, "duplicate-id", ~found.is_first_distinct() & found.is_not_null(), self.person
        )
        cells.blame(self.faults, "original-id", found.is_in(self._people.implode()), self.person)
        return found

    def data(self) -> Microdata:
        """Return the rows that were released; a quasi-identifier with words among numbers is in words."""
        cells, original = self.tables["X"], self._original
        words = [name for name in original.qi if not are_numbers(cells.text(name))]
        names = [name for name in original.sa if name not in original.numbers]
        return Microdata.from_frame(
            cells.frame, qi=original.qi, sa=original.sa, id=original.id_column,
            layout=original.layout, kinds=Kinds([*words, *names], original.numbers),
        )  # fmt: skip


class MicrodataFormat(Tabled[Microdata]):
    """Rows of people and a pairing; see the module."""

    def read_original(self, rules: Rules, original: Path) -> Original[Microdata]:
        """Read the table of the contest; the rules name its columns."""
        data = rules.data
        return Original(read_microdata(original, qi=data.qi, sa=data.sa, id=data.id))

    def reading(self, rules: Rules, original: Original[Microdata], files: Files) -> PeopleReading:
        """Return a submission to be read."""
        return PeopleReading(rules, original, files)

    def shuffled(self, released: Microdata, chance: Chance) -> Microdata:
        """Return the release with its rows in an order of chance, where they are not called by it."""
        if released.id_column is None:
            return released
        return released.at(chance.stream("shown X").permutation(len(released)))

    def published(
        self, rules: Rules, original: Path, submission: Files, *, seed: int | None = None
    ) -> dict[str, bytes]:
        """Return X; its rows are in an order of chance where ids name them, else as they were submitted."""
        cells = self.submitted(rules, original, submission).tables["X"]
        order = None if rules.data.id is None else Chance(seed).stream("published X")
        return {"X.csv": cells.written(order)}


FORMAT = MicrodataFormat()
