"""Answers on standard output, as tables or one JSON document; progress on standard error of a terminal.

Names of files and columns are other people's: they are printed as they are, never as markup or as commands
to the terminal.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kakurenbo.document import text
from kakurenbo.progress import Progress, TimeLeft

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kakurenbo.progress import Step
    from kakurenbo.report import blocks

_PIPE_WIDTH = 160
_LONGEST = 600
_A_MINUTE = 60


def print_json(document: Any) -> None:  # noqa: ANN401 - anything JSON holds
    """Print one JSON document; where the output is not Unicode, with its other characters escaped."""
    said = text(document)
    if not (sys.stdout.encoding or "").lower().startswith("utf"):
        said = json.dumps(json.loads(said), indent=2) + "\n"
    print(said, end="")


class _Screen(Console):
    """Shows text as it is."""

    def render_str(self, text: str, **settings: Any) -> Text:  # noqa: ANN401 - rich's own
        """Return text whose control characters are visible and do nothing."""
        return super().render_str(visible(text), **settings)


def console() -> Console:
    """Return a console for answers; to a pipe it writes plain text, wide enough not to cut.

    Names and paths are printed as they are, whatever brackets and colons stand in them.
    """
    piped = not sys.stdout.isatty()
    return _Screen(
        highlight=False, markup=False, emoji=False, soft_wrap=piped, width=_PIPE_WIDTH if piped else None
    )


def visible(text: str) -> str:
    """Return text with what is not printable written out, ends of lines apart."""
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


def sentence(text: str) -> str:
    """Return an error's text as one line of a length that can be read."""
    line = visible(" ".join(text.split("\n")))
    if len(line) <= _LONGEST:
        return line
    return f"{line[: 2 * _LONGEST // 3]} ... {line[-_LONGEST // 3 :]}"


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
    unicode = (screen.encoding or "").startswith("utf")
    with screen.status("reading", spinner="dots" if unicode else "line") as status:
        left = TimeLeft()
        yield Progress(lambda step: status.update(_spoken(step, left.after(step))))


@contextmanager
def telling() -> Iterator[Progress]:
    """Tell every new step on a line of its own on standard error, with the seconds since the first."""
    start, last = time.monotonic(), ""

    def tell(message: str) -> None:
        nonlocal last
        if message != last:
            print(f"{time.monotonic() - start:8.2f} s  {visible(message)}", file=sys.stderr, flush=True)
        last = message

    tell("reading")
    yield Progress(lambda step: tell(step.message))
    tell("answering")


def _spoken(step: Step, left: float | None = None) -> Text:
    said = step.message if step.share is None else f"{step.share:.0%} {step.message}"
    return Text(visible(said if left is None else f"{said}, about {_duration(left)} left"))


def _duration(seconds: float) -> str:
    if seconds < _A_MINUTE:
        return f"{seconds:.0f} s"
    minutes = round(seconds / _A_MINUTE)
    return f"{minutes} min" if minutes < _A_MINUTE else f"{minutes // _A_MINUTE} h {minutes % _A_MINUTE} min"
