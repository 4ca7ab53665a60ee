"""`kakurenbo contest submit|status|board --server URL`: taking part from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.text import Text

from kakurenbo.cli import options, output
from kakurenbo.cli.contest.boards import rankings
from kakurenbo.contest.asking import Server as Asked
from kakurenbo.contest.client import Client, token_of
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kakurenbo.contest.client import Kind

Server = Annotated[
    str,
    typer.Option(
        help="The address of the contest, such as https://cup.example.", metavar="URL",
        envvar="KAKURENBO_CONTEST_SERVER", show_envvar=False,
    ),
]  # fmt: skip
TokenFile = Annotated[
    Path | None,
    typer.Option(
        help="The file that holds the token of your account; else KAKURENBO_CONTEST_TOKEN is read.",
        metavar="FILE",
    ),
]
Plain = Annotated[
    bool,
    typer.Option(
        "--plain", help="Send the token over plain HTTP to another machine, on a network that is your own."
    ),
]


@options.command
def submit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What to submit: a CSV, Parquet or zip file.")],
    *,
    server: Server,
    token_file: TokenFile = None,
    kind: Annotated[
        str, typer.Option(help="A release of your own, or a guess about another's.", metavar="release|guess")
    ] = "release",
    target: Annotated[
        str | None, typer.Option(help="Of a guess: the team, by its name or id.", metavar="TEAM")
    ] = None,
    plain: Plain = False,
    run: options.Run,
) -> None:
    """Submit a release or a guess, and print the receipt.

    The receipt says what was stored and when, by the server's clock: keep it. What became of a submission is
    told by `kakurenbo contest status`.
    """
    if kind not in {"release", "guess"}:
        raise ParameterError("A submission is a release or a guess.", code="parameter", parameter="kind")
    if (kind == "guess") != (target is not None):
        raise ParameterError(
            "A guess names the team it is about, and a release names none.",
            code="parameter",
            parameter="target",
        )
    with run.working() as progress:
        progress.step("sending")
        receipt = _client(server, token_file, plain=plain).submit(file, cast("Kind", kind), target)
    run.answer(receipt, [
        Text(f"Received {receipt['received']}: {receipt['size']:,} bytes, SHA-256 {receipt['digest']}."),
        Text(f"Submission {receipt['id']}; commitment {receipt['commitment']}, salt {receipt['salt']}."),
    ])  # fmt: skip


@options.command
def status(
    submission: Annotated[
        str | None, typer.Argument(metavar="SUBMISSION", help="One submission, with all its faults.")
    ] = None,
    *,
    server: Server,
    token_file: TokenFile = None,
    plain: Plain = False,
    run: options.Run,
) -> None:
    """Tell the phase of the contest and how far the judging of your team's submissions is.

    With the id of a submission: its faults, or what may be told of its result now. Exit code 1 if it is not
    valid.
    """
    client = _client(server, token_file, plain=plain)
    if submission is not None:
        found = client.submission(submission)
        run.answer(found, _one(found))
        if found["valid"] is False:
            raise typer.Exit(1)
        return
    contest, mine = client.contest(), client.submissions()
    document = {"phase": contest["phase"], "until": contest["until"], "submissions": mine}
    run.answer(document, _listed(contest, mine))


@options.command
def board(*, server: Server, token_file: TokenFile = None, plain: Plain = False, run: options.Run) -> None:
    """Show the board, as far as it may be seen now.

    Before the end a board shows what the rules allow; at the end everything appears for all at once.
    """
    found = _client(server, token_file, plain=plain).board()
    run.answer(found, rankings(found))


def _client(server: str, token_file: Path | None, *, plain: bool) -> Client:
    return Client(Asked(server, token_of(token_file), plain=plain))


def _listed(contest: Mapping[str, Any], mine: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
    until = f", until {contest['until']}" if contest["until"] else ""
    yield Text(f"{contest['title']}: phase {contest['phase'] or 'not begun'}{until}.")
    if mine:
        rows = [
            (s["id"], s["received"], s["kind"], s["target_name"] or "", s["phase"], _state(s)) for s in mine
        ]
        yield output.table(
            "\nSubmissions", ("id", "received", "kind", "about", "phase", "state"), rows, others="left"
        )


def _state(submission: Mapping[str, Any]) -> str:
    if submission["valid"] is None:
        return str(submission["state"])
    return "valid" if submission["valid"] else "not valid"


def _one(found: Mapping[str, Any]) -> Iterator[Any]:
    yield Text(f"{found['kind']} {found['id']}, received {found['received']}: {_state(found)}.")
    if found["faults"]:
        rows = [
            (f["file"], str(f["line"] or ""), str(f["column"] or ""), f["fault"]) for f in found["faults"]
        ]
        yield output.table("\nFaults", ("file", "line", "cell", "what is wrong"), rows, others="left")
    if found["told"]:
        numbers = [(name, _told(value)) for name, value in found["told"].items()]
        yield output.table("\nResult", ("", ""), numbers, others="left")


def _told(value: Any) -> str:  # noqa: ANN401 - anything JSON holds
    if isinstance(value, dict):
        return ", ".join(f"{name} {_told(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return " ".join(map(_told, value))
    return f"{value:.6f}" if isinstance(value, float) else str(value)
