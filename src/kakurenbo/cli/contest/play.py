"""`kakurenbo contest play`: bots of the catalogue play a whole contest."""

from __future__ import annotations

import logging
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kakurenbo.cli import options, output
from kakurenbo.cli.contest.boards import matrices, rankings
from kakurenbo.extras import require
from kakurenbo.files import outputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.play import Played

FOLDER = Path("kakurenbo-contest")


@options.command
def play(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="The new folder of the contest.", show_default=False)
    ] = FOLDER,
    *,
    rules: Annotated[
        str,
        typer.Option(help="The rules to play by, or a TOML file.", metavar="pws2016|pws2015|pws2017|custom"),
    ] = "pws2016",
    teams: Annotated[int, typer.Option(min=2, max=64, help="How many teams take part.")] = 8,
    people: Annotated[int, typer.Option(min=50, help="How many people are made up to be hidden.")] = 200,
    run: options.Run,
) -> None:
    """Let bots play a whole contest in about a minute: hide, seek, board and matrix.

    Methods of the catalogue hide, its attacks seek, everything through a real server and real workers. The
    folder stays: serve it to see every page full.
    """
    require("contest", "report")
    outputs.check([outputs.Output("folder", folder)])
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr)
    from kakurenbo.contest.opening import opened  # noqa: PLC0415 - needs the extra
    from kakurenbo.contest.play import LINES  # noqa: PLC0415 - the same

    password = secrets.token_urlsafe(12)
    contest = opened(folder, rules, people=people, lines=LINES, seed=run.seed)
    try:
        played = _played(contest, teams, password, run)
    finally:
        contest.close()
    document = {
        "folder": str(folder), "organiser": "organiser", "password": password, "board": played.board,
        "matrix": played.matrix, "submissions": played.submissions, "seconds": played.seconds,
    }  # fmt: skip
    run.answer(document, _shown(folder, password, played))


def _played(contest: Contest, teams: int, password: str, run: options.Run) -> Played:
    from kakurenbo.contest.accounts import make_organiser  # noqa: PLC0415 - needs the extra
    from kakurenbo.contest.play import play as play_all  # noqa: PLC0415 - the same

    chief = make_organiser(contest, "organiser", password)
    tell = (lambda _: None) if run.json or run.quiet else _line
    return play_all(contest, chief, count=teams, seed=run.seed, tell=tell)


def _line(text: str) -> None:
    print(output.visible(text), flush=True)


def _shown(folder: Path, password: str, played: Played) -> Iterator[Any]:
    yield f"\n{played.submissions} submissions were judged in {played.seconds:.0f} s.\n"
    yield from rankings(played.board)
    yield from matrices(played.matrix)
    yield (
        f"\nLook around: kakurenbo contest serve {folder}\n"
        f"Sign in as organiser with the password {password} (shown once)."
    )
