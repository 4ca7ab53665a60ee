"""The front page, the rules, and the data: what everybody may read."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from fastapi import APIRouter, Request, Response

from kakurenbo.contest.announcements import announcements
from kakurenbo.contest.pages.common import contest_of, visitor_of
from kakurenbo.contest.pages.formats import asked
from kakurenbo.contest.pages.state import next_step, state_of, timeline
from kakurenbo.contest.pages.telling import sections
from kakurenbo.web.redirects import attachment
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class File:
    """A file that teams download."""

    name: str
    size: int
    digest: str


@router.get("/", dependencies=[needs("anyone")])
def front(request: Request) -> Response:
    """Show where the contest stands and what to do next."""
    contest = contest_of(request)
    return render(
        request, "front.html", asked=asked(contest.rules), state=state_of(contest), phases=timeline(contest),
        announcements=announcements(contest), step=next_step(contest, visitor_of(request)),
    )  # fmt: skip


@router.get("/live/state", dependencies=[needs("anyone")])
def live_state(request: Request) -> Response:
    """Show the part of the front page that moves."""
    return render(request, "live/state.html", state=state_of(contest_of(request)))


@router.get("/rules", dependencies=[needs("anyone")])
def rules(request: Request) -> Response:
    """Show the rules in sentences."""
    contest = contest_of(request)
    return render(
        request, "rules.html", asked=asked(contest.rules), sections=sections(contest.rules),
        phases=timeline(contest),
    )  # fmt: skip


@router.get("/rules.toml", dependencies=[needs("anyone")])
def rules_as_written(request: Request) -> Response:
    """Give the rules as the judge reads them."""
    return attachment(contest_of(request).folder / "contest.toml", "contest.toml", "application/toml")


@router.get("/data", dependencies=[needs("anyone")])
def data(request: Request) -> Response:
    """Show which files there are, with their hashes."""
    return render(request, "data.html", files=files_of(contest_of(request).data))


@router.get("/data/{name}", dependencies=[needs("user")])
def data_file(request: Request, name: str) -> Response:
    """Give a file of the data: one that the folder lists, whatever the name asks for."""
    found = {file.name: file for file in _listed(contest_of(request).data)}.get(name)
    if found is None:
        raise Refusal(404)
    return attachment(found, found.name)


def files_of(folder: Path) -> list[File]:
    """Return the files of a folder with sizes and hashes."""
    return [
        File(path.name, path.stat().st_size, _digest(path, path.stat().st_mtime_ns))
        for path in _listed(folder)
    ]


def _listed(folder: Path) -> list[Path]:
    return [
        path for path in sorted(folder.iterdir())
        if path.is_file() and not path.is_symlink() and not path.name.startswith(".")
    ]  # fmt: skip


@lru_cache(maxsize=256)
def _digest(path: Path, changed: int) -> str:  # noqa: ARG001 - a file that was changed is read again
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
