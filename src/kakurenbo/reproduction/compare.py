"""Printed numbers beside ours: the question a print answers, how near ours must come, and the verdict.

A tolerance is declared with every printed number: "equal" for what is counted, the printed rounding for what
is computed, and room for the start of k-means, which no paper prints, for what is drawn.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from kakurenbo.reproduction.results import NEEDS_UCI, Row, Spread, Table

if TYPE_CHECKING:
    from kakurenbo.reproduction.results import Verdict
    from kakurenbo.reproduction.runs import Laboratory, Number, Plan

SweepNumber = Literal["delta_m", "u1", "u2", "u3", "likeness", "chance", "clusters"]
# A number of the data or the theory, a list of one number for each seed, or text; None without the column.
Question = Callable[["Laboratory"], Any]

NO_MASTER = f"Ours {NEEDS_UCI}: tc400.csv has no master with the customers' countries."
TOO_FEW = "The data has too few customers for this plan."
NO_COLUMN = "The data lacks the columns for it."
NO_SPREAD = "A correlation needs values that differ over the sweep of c."
_ROUNDING = 1e-9  # what float64 may lose on the way


class NoAnswerError(Exception):
    """The data cannot answer a question; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Within:
    """Our mean lies within this distance of the print, in its unit or in % of it; 0 means equal."""

    size: float
    percent: bool = False

    def holds(self, printed: float, ours: Spread) -> bool:
        """Tell whether ours agrees."""
        allowed = self.size / 100 * abs(printed) if self.percent else self.size
        return abs(ours.mean - printed) <= allowed + _ROUNDING

    def __str__(self) -> str:
        if not self.size:
            return "equal"
        return f"± {self.size:g} %" if self.percent else f"± {self.size:g}"


@dataclass(frozen=True, slots=True)
class Between:
    """Our mean lies in a span: for numbers that the papers themselves print differently."""

    low: float
    high: float

    def holds(self, printed: float, ours: Spread) -> bool:  # noqa: ARG002 - the span stands for the print
        """Tell whether ours agrees."""
        return self.low <= ours.mean <= self.high

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


Tolerance = Within | Between
EQUAL = Within(0)


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed number; `comparable` is False where nothing can be held against it: `reason` says why."""

    label: str
    value: float | str
    asks: Question
    tolerance: Tolerance = EQUAL
    reason: str = ""
    comparable: bool = True

    def row(self, lab: Laboratory) -> Row:
        """Return the print beside our answer."""
        ours, reason = None, self.reason
        try:
            ours = _answer(self.asks(lab))
        except NoAnswerError as lacking:
            reason = str(lacking)
        return beside(self.label, self.value, ours, self.tolerance, reason, comparable=self.comparable)


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of a paper, or the numbers of its text."""

    paper: str
    number: str
    title: str
    cells: tuple[Printed, ...]
    note: str = ""

    def beside_ours(self, lab: Laboratory) -> Table:
        """Return every cell beside ours."""
        rows = tuple(cell.row(lab) for cell in self.cells)
        return Table(self.paper, self.number, self.title, rows, self.note)


def beside(
    label: str,
    printed: float | str,
    ours: Spread | str | None,
    tolerance: Tolerance = EQUAL,
    reason: str = "",
    *,
    comparable: bool = True,
) -> Row:
    """Return a printed number beside ours: the difference, and the verdict where they can be compared."""
    difference = percent = None
    same = ours == printed
    if isinstance(ours, Spread) and not isinstance(printed, str):
        difference = ours.mean - printed
        percent = 100 * difference / abs(printed) if printed else None
        same = tolerance.holds(printed, ours)
    verdict: Verdict = "agrees" if same else "differs"
    if ours is None or not comparable:
        verdict = "undefined"
    allowed = str(tolerance) if comparable else "none"
    return Row(label, printed, ours, difference, percent, allowed, verdict, reason)


def of_plan(plan: Plan, number: Number) -> Question:
    """Ask for a number of the clusters or of the release that a plan makes."""

    def ask(lab: Laboratory) -> list[float | None]:
        if not lab.fits(plan):
            raise NoAnswerError(TOO_FEW)
        return [lab.number(plan, number, seed) for seed in lab.seeds]

    return ask


def correlated(first: SweepNumber, second: SweepNumber) -> Question:
    """Ask for the correlation of two numbers over the sweep of c, Method 2 with s_min = floor(n/c)."""

    def ask(lab: Laboratory) -> list[float]:
        if lab.shop.master is None and {first, second} & {"u1", "u2"}:
            raise NoAnswerError(NO_MASTER)
        try:
            return [
                statistics.correlation(_swept(first, seed, lab), _swept(second, seed, lab))
                for seed in lab.seeds
            ]
        except statistics.StatisticsError:  # too few values, missing ones, or all the same
            raise NoAnswerError(NO_SPREAD) from None

    return ask


def _swept(name: SweepNumber, seed: int, lab: Laboratory) -> list[float]:
    if name == "clusters":
        return list(map(float, lab.sweep))
    values = (lab.number(lab.widest(c), name, seed) for c in lab.sweep)
    return [value for value in values if value is not None]


def _answer(value: Any) -> Spread | str:  # noqa: ANN401 - whatever a question may return
    if value is None:
        raise NoAnswerError(NO_COLUMN)
    if isinstance(value, str):
        return value
    return Spread.of(value if isinstance(value, list) else [float(value)])
