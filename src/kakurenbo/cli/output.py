"""Answers on standard output, as tables or one JSON document; progress on standard error of a terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kakurenbo.document import text
from kakurenbo.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kakurenbo.progress import Step
    from kakurenbo.report import blocks

_PIPE_WIDTH = 160


def print_json(document: Any) -> None:  # noqa: ANN401 - anything JSON holds
    """Print one JSON document."""
    print(text(document), end="")


def console() -> Console:
    """Return a console for answers; to a pipe it writes plain text, wide enough not to cut.

    Names and paths are printed as they are, whatever brackets and colons stand in them.
    """
    piped = not sys.stdout.isatty()
    width = _PIPE_WIDTH if piped else None
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=piped, width=width)


def table(
    title: str,
    columns: Iterable[str],
    rows: Iterable[Iterable[str]],
    others: Literal["left", "right"] = "right",
) -> Table:
    """Return a table whose first column is left and whose others are aligned as asked."""
    names = tuple(columns)
    made = Table(
        title=title,
        title_justify="left",
        box=None,
        padding=(0, 2, 0, 0),
        header_style="dim",
        show_header=any(names),
    )
    for index, column in enumerate(names):
        made.add_column(column, justify=others if index else "left")
    for row in rows:
        made.add_row(*row)
    return made


def block(made: blocks.Table) -> Table:
    """Return a report's table for the terminal."""
    return table(made.caption, (column.name for column in made.columns), made.rows)


@contextmanager
def working(*, quiet: bool) -> Iterator[Progress]:
    """Show on a terminal's standard error what is being done and, where known, the share that is done."""
    screen = Console(stderr=True)
    if quiet or not screen.is_terminal:
        yield Progress()
        return
    with screen.status("reading") as status:
        yield Progress(lambda step: status.update(Text(_spoken(step))))


def _spoken(step: Step) -> str:
    return step.message if step.share is None else f"{step.share:.0%} {step.message}"
