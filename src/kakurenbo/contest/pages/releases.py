"""The releases of the other teams: what may be sought in, once it is published."""

from fastapi import APIRouter, Request, Response

from kakurenbo.contest import results, schedule
from kakurenbo.contest.pages.common import contest_of, me
from kakurenbo.web.redirects import attachment
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render

router = APIRouter(include_in_schema=False)


@router.get("/releases", dependencies=[needs("user")])
def releases(request: Request) -> Response:
    """Show what is published of every team."""
    contest = contest_of(request)
    return render(
        request, "releases.html", releases=results.releases(contest), team=me(request).team,
        phase=schedule.now_in(contest).phase,
    )  # fmt: skip


@router.get("/releases/{team}", dependencies=[needs("user")])
def release(request: Request, team: str) -> Response:
    """Give what is published of a team."""
    contest = contest_of(request)
    found = next((one for one in results.releases(contest) if one.team == team), None)
    if found is None:
        raise Refusal(404)
    filename, content = results.published_file(contest, team)
    return attachment(content, f"{found.team_name}-{filename}")
