"""A team's side of the API: submit a file, see what became of it, read the board.

It needs nothing but the standard library, so that a participant can use it, or copy how it is done, on any
machine with Python.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote, urlencode

from kakurenbo.contest.asking import Body, Server
from kakurenbo.errors import InputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TOKEN: Final = "KAKURENBO_CONTEST_TOKEN"  # noqa: S105 - the name of a variable
_MEGABYTE: Final = 1_000_000
_LONGEST: Final = 300

Kind = Literal["release", "guess"]


@dataclass(frozen=True)
class Client:
    """The server of a contest, asked for a team."""

    server: Server

    def contest(self) -> dict[str, Any]:
        """Return what the contest is, its phase, and who takes part."""
        return self.server.document("contest")

    def board(self) -> dict[str, Any]:
        """Return the board, as far as it may be seen."""
        return self.server.document("board")

    def matrix(self) -> dict[str, Any]:
        """Return who found how many of whom, as far as it may be seen."""
        return self.server.document("matrix")

    def submissions(self) -> list[dict[str, Any]]:
        """Return those of the team, the newest first."""
        return list(self.server.document("submissions")["submissions"])

    def submission(self, number: str) -> dict[str, Any]:
        """Return one of them, with its faults or what may be told of its result."""
        return self.server.document(f"submissions/{quote(number, safe='')}")

    def releases(self) -> list[dict[str, Any]]:
        """Return what was published of every team."""
        return list(self.server.document("releases")["releases"])

    def download(self, path: str, file: IO[bytes]) -> None:
        """Write a file that the server offers, such as `releases/TEAM` or `data/T.csv`, piece by piece."""
        with self.server.answer(path) as answer:
            shutil.copyfileobj(answer, file)

    def submit(self, file: str | Path, kind: Kind = "release", target: str | None = None) -> dict[str, Any]:
        """Send a file, piece by piece, and return its receipt.

        Args:
            file: a CSV, Parquet or zip file.
            kind: a release of one's own, or a guess about another team's.
            target: of a guess, whose release it is about: the team's id or name.
        """
        path, contest = Path(file), self.contest()
        about = None if target is None else _team(contest, target)
        with _readable(path) as content:
            size, most = os.fstat(content.fileno()).st_size, int(contest["limits"]["megabytes"])
            if size > most * _MEGABYTE:  # told now, and not after it was sent
                raise ParameterError(
                    f"The file is larger than the {most} megabytes that the rules allow.", code="limit"
                )
            return self.send(Body(content, size), path.name, kind, about)

    def send(
        self, body: Body, name: str, kind: Kind = "release", target: str | None = None
    ) -> dict[str, Any]:
        """Send what is called `name`, about the team with the id `target`, and return its receipt."""
        asked = {"kind": kind, "name": name} | ({} if target is None else {"target": target})
        return self.server.document(f"submissions?{urlencode(asked)}", "PUT", body)

    def put(self, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
        """Put a document where the API says, such as an organiser's `schedule/hide`."""
        content = json.dumps(document).encode()
        return self.server.document(path, "PUT", Body(content, len(content), "application/json"))


def _team(contest: Mapping[str, Any], named: str) -> str:
    """Return the id of the team that has this id or name."""
    teams = contest["teams"]
    found = [team["id"] for team in teams if team["id"] == named]
    found = found or [team["id"] for team in teams if team["name"] == named]
    if len(found) != 1:
        raise ParameterError(
            "No team has this id or name." if not found else "Several teams have this name; give an id.",
            code="unknown-name",
            parameter="target",
        )
    return str(found[0])


def token_of(file: Path | None) -> str | None:
    """Return the token that a file, else the environment, holds; None where there is none."""
    if file is None:
        return _token(os.environ[TOKEN]) if os.environ.get(TOKEN) else None
    with _readable(file) as content:
        return _token(content.read(_LONGEST).decode("utf-8", "replace"))


def _token(text: str) -> str:
    token = text.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise InputError(
            "This is no token: make one on the page of your account, and keep it in a file.", code="denied"
        )
    return token


@contextmanager
def _readable(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        raise InputError(f"There is no file {path.name}.", code="path-missing") from None
    except (IsADirectoryError, PermissionError):
        raise InputError(f"{path.name} cannot be read as a file.", code="path-unreadable") from None
