"""Make the reference pages of docs/ from the program itself: catalogue, commands, errors, formulas.

A test compares the pages in the repository with what this makes, so they cannot lie.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from kakurenbo import theory
from kakurenbo.catalogue import CATALOGUE, PROMISES
from kakurenbo.cli.main import app
from kakurenbo.errors import CODES

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
NOTE = "<!-- Made by `make docs`; do not edit. -->\n\n"


def catalogue_page() -> str:
    lines = ["# Catalogue\n", "Everything that can be asked for by name.\n"]
    for entry in CATALOGUE:
        lines += [f"## {entry.name} ({entry.family}, {entry.kind})\n", inspect.getdoc(entry.what) or "", ""]
        lines += [
            f"Source: {entry.source}.\n",
            *_parameters(entry.what.model_json_schema().get("properties", {})),
        ]
        if entry.obeys:
            lines += [f"Promises: {'; '.join(PROMISES[promise] for promise in sorted(entry.obeys))}.\n"]
    return NOTE + "\n".join(lines)


def _parameters(properties: dict) -> list[str]:
    if not properties:
        return ["It has no parameters.\n"]
    rows = ["| parameter | default | meaning |", "|---|---|---|"]
    for name, field in properties.items():
        rows.append(f"| `{name}` | {field.get('default', 'required')} | {field.get('description', '')} |")
    return [*rows, ""]


def commands_page() -> str:
    lines = ["# Commands\n", "Options that tell how to read a table are listed once, under `profile`.\n"]
    for words, command in _commands(typer.main.get_command(app), ["kakurenbo"]):
        lines += [f"## {' '.join(words)}\n", f"{inspect.cleandoc(command.help or '')}\n"]
        lines += ["| argument or option | meaning |", "|---|---|"]
        for parameter in command.params:
            reading = getattr(parameter, "rich_help_panel", None) in {"Columns", "Reading"}
            if reading and words[-1] != "profile":
                continue
            names = (
                parameter.metavar if parameter.param_type_name == "argument" else ", ".join(parameter.opts)
            )
            lines.append(f"| `{names}` | {(parameter.help or '').replace('|', '&#124;')} |")
        lines.append("")
    return NOTE + "\n".join(lines)


def _commands(command: Any, words: list[str]) -> Iterator[tuple[list[str], Any]]:
    """Yield every command that does something, with the words that call it."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield words, command
        return
    for name, sub in sorted(inner.items()):
        yield from _commands(sub, [*words, name])


def errors_page() -> str:
    lines = [
        "# Errors\n",
        "Every refusal is one or two sentences with a stable code in brackets, and where it can be told the",
        "row (from 1, header not counted) and the column. Exit codes: 0 done, 1 the answer is no, 2 wrong",
        "use or bad input, 74 could not write, 70 a fault of the program, 130 stopped or interrupted.\n",
        "| code | meaning |",
        "|---|---|",
        *(f"| `{code}` | {meaning} |" for code, meaning in CODES.items()),
    ]
    return NOTE + "\n".join(lines) + "\n"


def theory_page() -> str:
    lines = [
        "# Formulas\n",
        "`kakurenbo.theory`: numbers in, numbers out, with sources, ranges and misprints.\n",
    ]
    for name, what in sorted(vars(theory).items()):
        if not getattr(what, "__module__", "").startswith("kakurenbo.theory"):
            continue
        shown = f"{name}{inspect.signature(what)}" if inspect.isfunction(what) else name
        lines += [f"## {name}\n", f"```text\n{shown}\n```\n", f"```text\n{inspect.getdoc(what)}\n```\n"]
    return NOTE + "\n".join(lines)


PAGES = {
    "catalogue.md": catalogue_page,
    "commands.md": commands_page,
    "errors.md": errors_page,
    "theory.md": theory_page,
}

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        (FOLDER / name).write_text(make(), encoding="utf-8")
    sys.stdout.write(f"{len(PAGES)} pages made in docs/reference\n")
