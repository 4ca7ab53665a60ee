"""A reproduction as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kakurenbo.report import charts, words

if TYPE_CHECKING:
    from kakurenbo.reproduction.results import Figure, Reproduction, Table


def markdown(result: Reproduction, figures: str | None = None) -> str:
    """Return the report: every table with its notes, every figure that has something to show.

    Args:
        result: of the reproduction.
        figures: the folder of the pictures, as seen from the file; None leaves them out.
    """
    lines = ["# The papers' numbers beside ours", "", words.summary(result), "", words.conditions(result), ""]
    lines += [line for told in words.warnings(result) for line in (f"**{told}**", "")]
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


def _table(table: Table) -> list[str]:
    notes = words.notes_of(table)
    lines = [f"### {table.name}: {table.title}", ""]
    if table.note:
        lines += [table.note, ""]
    lines += [_line(words.COLUMNS), _line(["---", *["---:"] * 5, "---", "---", "---"])]
    lines += [_line(words.cells(row, notes)) for row in table.rows]
    lines.append("")
    if notes:
        lines += [*(f"{place}. {reason}" for reason, place in notes.items()), ""]
    return lines


def _figure(figure: Figure, folder: str | None) -> list[str]:
    lines = [f"### {figure.paper} {figure.number}: {figure.title}", ""]
    if folder is not None and charts.drawable(figure):
        lines += [f"![{figure.title}]({folder}/{figure.slug}.svg)", ""]
    return [*lines, figure.note, ""] if figure.note else lines


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
