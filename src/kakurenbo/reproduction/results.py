"""What a reproduction comes back as: frozen records of plain numbers that turn into JSON.

Reports and the command line see these and nothing else of this package.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from kakurenbo.document import text, written

if TYPE_CHECKING:
    from collections.abc import Sequence

Verdict = Literal["agrees", "differs", "undefined"]
Whose = Literal["ours", "printed", "theory"]
Mark = Literal["line", "points", "bars", "rule"]

NEEDS_UCI = "needs the UCI file"


@dataclass(frozen=True, slots=True)
class Spread:
    """A number measured once for every seed: its mean, smallest and largest value."""

    mean: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise one value for each run; the mean is summed exactly, so order does not matter."""
        mean = math.fsum(values) / len(values)
        low, high = float(min(values)), float(max(values))
        return cls(min(max(mean, low), high), low, high, len(values))


@dataclass(frozen=True, slots=True)
class Row:
    """A printed number and ours.

    Attributes:
        label: what it is a number of.
        printed: the number, or text such as a date, as the paper prints it.
        ours: the same measured here; None where it could not be.
        difference: our mean less the print, where both are numbers; `percent` the same in % of the print.
        tolerance: how far ours may be from the print to agree, in words.
        verdict: agrees, differs, or undefined where the two cannot be compared.
        reason: what is to be known about the print or about ours; empty where nothing is.
    """

    label: str
    printed: float | str
    ours: Spread | str | None
    difference: float | None
    percent: float | None
    tolerance: str
    verdict: Verdict
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a paper, or the numbers of its text."""

    paper: str
    number: str
    title: str
    rows: tuple[Row, ...]
    note: str = ""

    @property
    def name(self) -> str:
        """The paper and the table, as one speaks of it."""
        return f"{self.paper} {self.number}"


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a series, with the smallest and largest y over seeds where it was measured."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """A named set of points of a figure: whose they are, and how they are best drawn."""

    name: str
    whose: Whose
    mark: Mark
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """The data of one figure, without any drawing."""

    paper: str
    number: str
    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    note: str = ""

    @property
    def drawable(self) -> bool:
        """Whether there is anything of ours or of the theory to show."""
        return any(series.points and series.whose != "printed" for series in self.series)

    @property
    def slug(self) -> str:
        """A file name without ending."""
        return f"{self.paper}-{self.number.replace(' ', '-')}"


Parts = tuple[tuple[Table, ...], tuple[Figure, ...]]


@dataclass(frozen=True)
class Reproduction:
    """Everything that was reproduced, and under which conditions.

    Attributes:
        papers: the papers asked for.
        seeds: the seeds of the runs.
        clusters: the sweep of c.
        customers: n of the data, and `records` m.
        contest: whether the data is TC400, the table the papers print numbers of.
        nations: whether a master was there, without which U1 and U2 have no value.
        tables: printed numbers beside ours.
        figures: the data of the figures.
        omitted: what was not reproduced, and why.
    """

    papers: tuple[str, ...]
    seeds: tuple[int, ...]
    clusters: tuple[int, ...]
    customers: int
    records: int
    contest: bool
    nations: bool
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    omitted: tuple[str, ...]

    def count(self, verdict: Verdict) -> int:
        """Return how many rows have this verdict."""
        return sum(row.verdict == verdict for table in self.tables for row in table.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists, numbers and text, ready for JSON."""
        return {**written(self), "verdicts": {v: self.count(v) for v in ("agrees", "differs", "undefined")}}

    def to_json(self) -> str:
        """Return `to_dict` as the text of a file."""
        return text(self.to_dict())
