"""A reproduction as Markdown, and as a folder with its data and figures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kakurenbo.progress import Progress
from kakurenbo.report import charts, words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kakurenbo.reproduction.results import Figure, Reproduction, Table


def markdown(result: Reproduction) -> str:
    """Return the report: every table with its notes, every figure that has something to show."""
    lines = ["# The papers' numbers beside ours", "", words.summary(result), "", words.conditions(result), ""]
    lines += [line for told in words.warnings(result) for line in (f"**{told}**", "")]
    for paper in result.papers:
        lines += [f"## Paper {paper}", ""]
        for table in result.tables:
            if table.paper == paper:
                lines += _table(table)
        for figure in result.figures:
            if figure.paper == paper:
                lines += _figure(figure)
    lines += ["## Not reproduced", "", *(f"- {what}" for what in result.omitted), ""]
    return "\n".join(lines)


def fill(result: Reproduction, progress: Progress | None = None) -> Callable[[Path], None]:
    """Return what writes report.md, report.json and figures/ into a folder."""
    progress = progress or Progress()

    def write(folder: Path) -> None:
        (folder / "report.md").write_text(markdown(result), encoding="utf-8")
        document = json.dumps(result.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)
        (folder / "report.json").write_text(document + "\n", encoding="utf-8")
        place = folder / "figures"
        place.mkdir()
        shown = [figure for figure in result.figures if charts.drawable(figure)]
        for done, figure in enumerate(shown):
            progress.step(f"drawing {figure.paper} {figure.number}", done / len(shown))
            drawn = charts.draw(figure)
            (place / f"{figure.slug}.svg").write_text(drawn.svg, encoding="utf-8")
            (place / f"{figure.slug}.png").write_bytes(drawn.png)

    return write


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


def _figure(figure: Figure) -> list[str]:
    lines = [f"### {figure.paper} {figure.number}: {figure.title}", ""]
    if charts.drawable(figure):
        lines += [f"![{figure.title}](figures/{figure.slug}.svg)", ""]
    return [*lines, figure.note, ""] if figure.note else lines


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
