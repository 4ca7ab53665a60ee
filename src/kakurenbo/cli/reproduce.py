"""`kakurenbo reproduce [PAPER] --data FILE`: the papers' tables and figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from kakurenbo.cli import options, output
from kakurenbo.files import known, outputs, tables
from kakurenbo.files.datasets import tc400
from kakurenbo.files.read import read_purchases
from kakurenbo.report import drawable, write
from kakurenbo.report import reproduction as words
from kakurenbo.reproduction.paper import OFFERED, chosen
from kakurenbo.reproduction.paper import reproduce as reproduction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.data.purchases import Purchases
    from kakurenbo.reproduction.results import Reproduction

ALL = "all"


@options.command
def reproduce(
    paper: Annotated[
        str, typer.Argument(metavar="PAPER", help=f"The paper's number: {', '.join(OFFERED)} or {ALL}.")
    ] = ALL,
    *,
    data: Annotated[
        Path | None,
        typer.Option(
            help="tc400.csv, or the UCI Online Retail file, from which TC400 is rebuilt with its countries; "
            "001 needs none.",
            metavar="FILE",
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="How many runs to average.")] = 5,
    out: Annotated[
        Path | None,
        typer.Option(help="A new folder for report.md, report.json and figures/.", metavar="DIR"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first run's seed; the others count up from it.")] = 0,
    run: options.Run,
) -> None:
    """The papers' tables and figures, the printed numbers beside ours."""
    papers = chosen(OFFERED if paper == ALL else [paper])
    if out is not None:
        outputs.check([outputs.Output("out", out)], outputs.inputs_of(data))
        drawable()
    with run.working() as progress:
        result = reproduction(
            None if data is None else _read(data), papers, range(seed, seed + seeds), progress.part(0, 0.9)
        )
        if out is not None:
            with run.keeping():
                write(result, out, progress.part(0.9, 1))
    run.answer(result.to_dict(), shown(result))


def shown(result: Reproduction) -> Iterator[Any]:
    """Yield every table with its notes, and the verdicts in a sentence."""
    for table in result.tables:
        notes = words.notes_of(table)
        rows = [words.cells(row, notes) for row in table.rows]
        yield output.table(f"{table.name}: {table.title}", words.COLUMNS, rows)
        for note in (table.note, *(f"[{place}] {reason}" for reason, place in notes.items())):
            if note:
                yield Text(f"  {note}", style="dim")
        yield ""
    closing = words.summary(result), words.conditions(result), *words.warnings(result), *result.omitted
    yield from closing


def _read(path: Path) -> Purchases:
    """Read the contest table; the UCI file is cut down to it and keeps the customers' countries."""
    if path.is_file():
        table = tables.open_any(path)
        if known.recognise(table.names, table.head) is known.ONLINE_RETAIL:
            return tc400(path)
    return read_purchases(path)
