"""`kakurenbo contest new FOLDER --rules pws2016`: a contest from its rules, with data or a made-up shop."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kakurenbo.cli import options
from kakurenbo.errors import InputError
from kakurenbo.extras import require
from kakurenbo.files import outputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.contest.contest import Contest

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the contest.")]
Database = Annotated[
    str | None,
    typer.Option(
        help="The database, if not the folder's own: postgresql+psycopg://user@host/name. One with a "
        "password belongs into KAKURENBO_CONTEST_DATABASE, where other users of the machine do not see it.",
        metavar="URL",
        envvar="KAKURENBO_CONTEST_DATABASE",
        show_envvar=False,
    ),
]
OwnPassword = Annotated[
    bool,
    typer.Option(
        "--own-password",
        help="Read the organiser's password, from the terminal or standard input, instead of making one.",
    ),
]
_PASSWORD_BYTES = 12


@options.command
def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The new folder of the contest.")],
    *,
    rules: Annotated[
        str,
        typer.Option(
            help="The rules to begin with, or a TOML file.", metavar="pws2016|pws2015|pws2017|custom"
        ),
    ],
    data: Annotated[
        Path | None,
        typer.Option(help="The tables that teams download; without them they are made up.", metavar="DIR"),
    ] = None,
    people: Annotated[int, typer.Option(min=20, help="How many people to make up.")] = 300,
    organiser: Annotated[
        str, typer.Option(help="The organiser's name to sign in with.", metavar="NAME")
    ] = "organiser",
    own_password: OwnPassword = False,
    run: options.Run,
) -> None:
    """Make a contest: a folder with its rules, its data, a key, and an account for the organiser.

    The rules are copied into contest.toml, to be edited before anybody signs up. Without data of your own a
    shop, or a survey of households, is made up, in which nobody exists.
    """
    require("contest", "report")
    from kakurenbo.contest.opening import opened  # noqa: PLC0415 - needs the extra

    outputs.check([outputs.Output("folder", folder)])
    password = _password(ask=own_password)
    with run.working() as progress:
        progress.step("making the contest")
        contest = opened(folder, rules, data, people=people, seed=run.seed)
        try:
            _account(contest, organiser, password)
        finally:
            contest.close()
    document = {
        "folder": str(folder), "title": contest.rules.title, "format": contest.rules.format,
        "organiser": organiser,
        "password": None if own_password else password,
        "data": sorted(path.name for path in (folder / "data").iterdir()),
    }  # fmt: skip
    run.answer(document, _next_steps(folder, organiser, None if own_password else password))


@options.command
def organiser(
    folder: Folder,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to sign in with.")],
    *,
    own_password: OwnPassword = False,
    database: Database = None,
    run: options.Run,
) -> None:
    """Make an account for an organiser, or give one that exists another password.

    The password is made and shown once, unless one of your own is read from the terminal or standard input.
    """
    require("contest", "report")
    from kakurenbo.contest.contest import Contest  # noqa: PLC0415 - needs the extra

    password = _password(ask=own_password)
    contest = Contest.open(folder, database=database)
    try:
        _account(contest, name, password)
    finally:
        contest.close()
    told = None if own_password else password
    run.answer({"organiser": name, "password": told}, _shown_once(name, told))


def _account(contest: Contest, name: str, password: str) -> None:
    from kakurenbo.contest.accounts import make_organiser  # noqa: PLC0415 - needs the extra

    make_organiser(contest, name, password)


def _password(*, ask: bool) -> str:
    """Return a password that was typed or piped, else a new one."""
    if not ask:
        return secrets.token_urlsafe(_PASSWORD_BYTES)
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    line = sys.stdin.readline().rstrip("\r\n")
    if not line:
        raise InputError(
            "There is no password on standard input.", code="parameter", parameter="own_password"
        )
    return line


def _shown_once(name: str, password: str | None) -> list[str]:
    told = f", password {password} (shown once: keep it)" if password else ""
    return [f"Organiser: sign in as {name}{told}."]


def _next_steps(folder: Path, name: str, password: str | None) -> Iterator[str]:
    yield f"A new contest lies in {folder}."
    yield from _shown_once(name, password)
    yield (
        f"\nNext:\n  1. Look through {folder / 'contest.toml'}: phases, tries, limits.\n"
        f"  2. kakurenbo contest serve {folder}\n"
        "  3. Sign in at http://127.0.0.1:8000/sign-in; phases are moved under Organise.\n"
        f"\n{folder / 'private'} holds the key and what teams submit: keep it to yourself, and keep a copy."
    )
