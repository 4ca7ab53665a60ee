"""The organiser's page of teams: members, codes to join, lost passwords, and shutting a team out."""

from typing import Any

from fastapi import APIRouter, Request, Response

from kakurenbo.contest import organising, submissions, teams
from kakurenbo.contest.pages.common import contest_of, me
from kakurenbo.web.flash import flash
from kakurenbo.web.redirects import go
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render

router = APIRouter(prefix="/organise", include_in_schema=False, dependencies=[needs("organiser")])


@router.get("/teams")
def all_teams(request: Request) -> Response:
    """Show all teams with their members."""
    return _shown(request)


@router.post("/teams/{team}/code")
def code(request: Request, team: str) -> Response:
    """Make a new code to join a team, which is shown on this very answer and never again."""
    made = organising.new_code(contest_of(request), team, me(request).user)
    return _shown(request, code=made, about=_named(request, team))


@router.post("/teams/{team}/shut-out")
def shut_out(request: Request, team: str) -> Response:
    """Let a team submit nothing any more."""
    organising.shut_out(contest_of(request), team, me(request).user)
    flash(request, "The team {team} is shut out.", team=_named(request, team))
    return go("/organise/teams")


@router.post("/teams/{team}/let-in")
def let_in(request: Request, team: str) -> Response:
    """Let a team take part again."""
    organising.let_in(contest_of(request), team, me(request).user)
    flash(request, "The team {team} takes part again.", team=_named(request, team))
    return go("/organise/teams")


@router.post("/people/{user}/password")
def password(request: Request, user: str) -> Response:
    """Make a new password for somebody, which is shown on this very answer and never again."""
    everybody = organising.members(contest_of(request)).values()
    name = next((name for people in everybody for who, name in people if who == user), None)
    if name is None:
        raise Refusal(404)
    made = organising.new_password(contest_of(request), user, me(request).user)
    return _shown(request, password=made, about=name)


def _named(request: Request, team: str) -> str:
    found = teams.team(contest_of(request), team)
    return "" if found is None else found.name


def _shown(request: Request, **made: str) -> Response:
    contest = contest_of(request)
    values: dict[str, Any] = {"code": None, "password": None, "about": "", **made}
    return render(
        request, "organise/teams.html", status=201 if made else 200, teams=teams.teams(contest),
        members=organising.members(contest), shut_out=organising.are_shut_out(contest),
        counted=submissions.counted(contest), **values,
    )  # fmt: skip
