"""Commands that are loaded when they are called: what is only listed costs nothing.

To hide, seek and judge takes libraries that need two seconds to load; to be told the version, or which
commands there are, should take none of them. So the list of commands stands here with a line each, and a
command's own file, named like it, is imported when the command is called.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

# The first sentence of each command's own text, which a test compares.
COMMANDS = {
    "attack": "Seek people: guess who is who in a release.",
    "audit": "Attack a release with everything there is, measure what is kept, and answer "
    "(exit code 1 means no).",
    "contest": "Hide-and-seek between teams: run a contest, take part in one, or judge a submission.",
    "datasheet": "Renew the data sheet of a release: measured anew, and with what an audit found.",
    "deidentify": "Hide people: make a release and its secret pairing.",
    "demo": "The whole story on a made-up shop: hide, seek, judge, tune, report.",
    "excess": "Whether a release is so far from its data that its pairing may be a cheat "
    "(exit code 1 if so).",
    "guess-method": "Which methods made a release, with the reasons: of purchases the plan, of microdata as "
    "in 001 table 15.",
    "init": "Show which column seems to play which role, ask, and write it to kakurenbo.toml beside the "
    "data.",
    "ledger": "Show a ledger and verify it (exit code 1 if it was changed or cut).",
    "measure": "Measure what a release cost, or how large its groups are.",
    "methods": "Everything in the catalogue, with one line each.",
    "profile": "Who is in the data and how unique they are.",
    "reproduce": "The papers' tables and figures, the printed numbers beside ours.",
    "score": "How many people a guess names rightly, with interval and chance level.",
    "tree": "A tree of goods with a name for every kind, one row a good, to be looked at, edited and used "
    "again.",
    "tune": "The frontier of measured risk and utility loss, and the best plan under a limit "
    "(exit code 1 if none).",
}


class Commands(TyperGroup):
    """The commands of this program: listed by their lines, loaded when called."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - the option parser's own
        super().__init__(**settings)
        self.commands = _Loading()

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - the same
        """Return all names."""
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401, ARG002 - the same
        """Return a command as it is listed, which loads nothing."""
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - the same
        """Return the command that was called, loaded."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and self.commands[name or ""], rest


class _Loading(MutableMapping[str, Any]):
    """Name to command; each is imported when it is first asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - the option parser's command
        if name not in self._loaded:
            if name not in COMMANDS:
                raise KeyError(name)
            self._loaded[name] = _load(name)
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:  # noqa: ANN401 - the same
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _load(name: str) -> Any:  # noqa: ANN401 - the option parser's command
    """Import the file of a command: it holds a group, `app`, or a function of the command's name."""
    file = name.replace("-", "_")
    module = import_module(f"kakurenbo.cli.{file}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False)
        app.command(name)(getattr(module, file))
    made = typer.main.get_command(app)
    made.name = name
    return made
