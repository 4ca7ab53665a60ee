"""Printed numbers beside ours: the difference, the verdict, and the reason where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.reproduction import excess_004
from kakurenbo.reproduction.answers import answer, why_not
from kakurenbo.reproduction.printed import TABLES
from kakurenbo.reproduction.results import Row, Spread, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kakurenbo.reproduction.printed import Printed, PrintedTable
    from kakurenbo.reproduction.results import Verdict
    from kakurenbo.reproduction.runs import Laboratory


def tables(papers: Sequence[str], lab: Laboratory) -> tuple[Table, ...]:
    """Return every table of these papers, in the order of print."""
    made = tuple(_table(printed, lab) for printed in TABLES if printed.paper in papers)
    return made + excess_004.tables(lab.excess) if excess_004.PAPER in papers else made


def _table(printed: PrintedTable, lab: Laboratory) -> Table:
    rows = tuple(_row(cell, lab) for cell in printed.cells)
    return Table(printed.paper, printed.number, printed.title, rows, printed.note)


def _row(cell: Printed, lab: Laboratory) -> Row:
    ours = answer(cell.asks, lab)
    difference = percent = None
    if isinstance(ours, Spread) and not isinstance(cell.value, str):
        difference = ours.mean - cell.value
        percent = 100 * difference / abs(cell.value) if cell.value else None
    reason = why_not(cell.asks, lab) if ours is None else cell.reason
    tolerance = str(cell.tolerance) if cell.comparable else "none"
    return Row(cell.label, cell.value, ours, difference, percent, tolerance, _verdict(cell, ours), reason)


def _verdict(cell: Printed, ours: Spread | str | None) -> Verdict:
    if ours is None or not cell.comparable:
        return "undefined"
    if isinstance(ours, str) or isinstance(cell.value, str):
        return "agrees" if ours == cell.value else "differs"
    return "agrees" if cell.tolerance.holds(cell.value, ours) else "differs"
