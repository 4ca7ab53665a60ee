"""What a report says of its own making: when, by whom, with what command, on what files.

The command is kept as it was typed, so that it can be typed again; folders are left out, because a report is
handed to others, and how somebody's disk is arranged is nobody's business. Nobody is looked up either: who
wants to be named says so.
"""

from __future__ import annotations

import shlex
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kakurenbo.provenance import Filing, filed, now

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPED: ContextVar[tuple[str, ...]] = ContextVar("TYPED", default=())

By = Annotated[
    str | None,
    typer.Option(help='Who runs it, for the report: "Name, role". Nobody is named otherwise.', metavar="WHO"),
]

Lang = Annotated[
    str, typer.Option(help="The language of the report: en or ja; JSON is the same in both.", metavar="LANG")
]


def filing(by: str | None, files: Sequence[tuple[str, Path | None]]) -> Filing:
    """Return when, by whom, with what command and on what files this run works."""
    read = [one for role, place in files if place is not None for one in filed(role, place)]
    return Filing(now(), by or "", command(TYPED.get()), tuple(read))


def command(typed: Sequence[str]) -> str:
    """Return a command as it was typed, files by their names only."""
    return shlex.join(["kakurenbo", *map(_named, typed)]) if typed else ""


def _named(word: str) -> str:
    option, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
    return f"{option}{equals}{_name(value)}"


def _name(value: str) -> str:
    """Return a path's name; what merely has slashes, such as the form of a date, stays."""
    if not {"/", "\\"} & set(value):
        return value
    try:
        path = Path(value)
        there = path.is_absolute() or value[0] in "~." or path.exists() or path.parent.exists()
    except OSError:  # too long for a path
        return value
    return path.name or value if there else value
