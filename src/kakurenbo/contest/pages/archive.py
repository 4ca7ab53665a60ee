"""The archive: what everybody may keep of a contest that has ended."""

from fastapi import APIRouter, Request, Response

from kakurenbo.contest import archive, teams
from kakurenbo.contest.pages.common import contest_of
from kakurenbo.contest.standing import has_ended
from kakurenbo.web.redirects import attachment
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render

router = APIRouter(include_in_schema=False)


@router.get("/archive", dependencies=[needs("anyone")])
def archived(request: Request) -> Response:
    """Show what can be kept."""
    contest = contest_of(request)
    ended = has_ended(contest)
    return render(request, "archive.html", ended=ended, teams=teams.teams(contest) if ended else [])


@router.get("/archive/export.json", dependencies=[needs("anyone")])
def as_json(request: Request) -> Response:
    """Give everything for programs."""
    return attachment(archive.as_json(contest_of(request)), "export.json", "application/json")


@router.get("/archive/export.csv", dependencies=[needs("anyone")])
def as_csv(request: Request) -> Response:
    """Give a row for every submission."""
    return attachment(archive.as_csv(contest_of(request)), "export.csv", "text/csv")


@router.get("/archive/export.zip", dependencies=[needs("anyone")])
def as_pages(request: Request) -> Response:
    """Give the pages as files."""
    from kakurenbo.contest.static_pages import as_zip  # noqa: PLC0415 - it makes an application of these very pages

    contest = contest_of(request)
    archive.require_end(contest)
    return attachment(as_zip(contest, request.app.state.site), "export.zip", "application/zip")
