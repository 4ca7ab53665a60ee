"""A reproduction in words: tables of the papers' numbers beside ours, for a terminal and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.report.words import number, signed
from kakurenbo.reproduction.results import NEEDS_UCI, Spread

if TYPE_CHECKING:
    from kakurenbo.reproduction.results import Figure, Reproduction, Row, Table

COLUMNS = ("", "printed", "ours", "over seeds", "difference", "%", "tolerance", "verdict", "note")
NOT_CONTEST = (
    "The data is not TC400, the table the papers measured: their numbers are shown, but no agreement is "
    "to be expected."
)
NO_NATIONS = "The data has no master, so U1 and U2 have no value; the UCI Online Retail file brings one."


def markdown(result: Reproduction, figures: str | None = None) -> str:
    """Return the report: every table with its notes, every figure that has something to show.

    Args:
        result: of the reproduction.
        figures: the folder of the pictures, as seen from the file; None leaves them out.
    """
    lines = ["# The papers' numbers beside ours", "", summary(result), "", conditions(result), ""]
    lines += [line for warning in warnings(result) for line in (f"**{warning}**", "")]
    for paper in result.papers:
        lines += [f"## Paper {paper}", ""]
        for table in result.tables:
            if table.paper == paper:
                lines += _table(table)
        for figure in result.figures:
            if figure.paper == paper:
                lines += _figure(figure, figures)
    lines += ["## Not reproduced", "", *(f"- {what}" for what in result.omitted), ""]
    return "\n".join(lines)


def cells(row: Row, notes: dict[str, int]) -> tuple[str, ...]:
    """Return a row as text under `COLUMNS`; `notes` gives every reason its number."""
    return (
        row.label, number(row.printed), _ours(row), _span(row.ours), signed(row.difference),
        signed(row.percent, 1), row.tolerance, row.verdict, f"[{notes[row.reason]}]" if row.reason else "",
    )  # fmt: skip


def notes_of(table: Table) -> dict[str, int]:
    """Number the reasons of a table in the order they come up."""
    reasons = dict.fromkeys(row.reason for row in table.rows if row.reason)
    return {reason: place for place, reason in enumerate(reasons, 1)}


def summary(result: Reproduction) -> str:
    """Return the verdicts in one sentence."""
    counts = {verdict: result.count(verdict) for verdict in ("agrees", "differs", "undefined")}
    return (
        f"{sum(counts.values())} printed numbers: {counts['agrees']} agree within their tolerance, "
        f"{counts['differs']} differ, {counts['undefined']} cannot be compared. What several papers "
        "print counts once for each."
    )


def conditions(result: Reproduction) -> str:
    """Return how the numbers came about, in a sentence or two."""
    if not result.customers:
        return f"Made-up households, seed {result.seeds[0]}."
    sweep = ", ".join(map(str, result.clusters))
    return (
        f"{result.customers:,} customers, {result.records:,} records; seeds {_listed(result.seeds)}; "
        f"sweep of c: {sweep}. Ours is the mean over the seeds, with the smallest and largest beside it."
    )


def warnings(result: Reproduction) -> list[str]:
    """Return what a reader must know before comparing."""
    contest = [] if result.contest else [NOT_CONTEST]
    return contest if result.nations else [*contest, NO_NATIONS]


def _table(table: Table) -> list[str]:
    notes = notes_of(table)
    lines = [f"### {table.name}: {table.title}", ""]
    if table.note:
        lines += [table.note, ""]
    lines += [_line(COLUMNS), _line(["---", *["---:"] * 5, "---", "---", "---"])]
    lines += [_line(cells(row, notes)) for row in table.rows]
    lines.append("")
    if notes:
        lines += [*(f"{place}. {reason}" for reason, place in notes.items()), ""]
    return lines


def _figure(figure: Figure, folder: str | None) -> list[str]:
    lines = [f"### {figure.paper} {figure.number}: {figure.title}", ""]
    if folder is not None and figure.drawable:
        lines += [f"![{figure.title}]({folder}/{figure.slug}.svg)", ""]
    return [*lines, figure.note, ""] if figure.note else lines


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _ours(row: Row) -> str:
    if row.ours is None and NEEDS_UCI in row.reason:
        return NEEDS_UCI
    return number(row.ours.mean if isinstance(row.ours, Spread) else row.ours)


def _span(spread: Spread | str | None) -> str:
    if not isinstance(spread, Spread) or spread.low == spread.high:
        return "-"
    return f"{number(spread.low)} to {number(spread.high)}"


def _listed(seeds: tuple[int, ...]) -> str:
    whole = len(seeds) > 1 and seeds == tuple(range(seeds[0], seeds[-1] + 1))
    return f"{seeds[0]} to {seeds[-1]}" if whole else ", ".join(map(str, seeds))
