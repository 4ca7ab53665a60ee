"""The team: founding one, joining by its code, leaving."""

from typing import Any

from fastapi import APIRouter, Request, Response

from kakurenbo.contest import teams
from kakurenbo.contest.pages.common import FormFault, about, again, contest_of, me
from kakurenbo.web import limits
from kakurenbo.web.flash import flash
from kakurenbo.web.forms import form
from kakurenbo.web.redirects import go
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render

router = APIRouter(include_in_schema=False)


@router.get("/team", dependencies=[needs("user")])
def team(request: Request) -> Response:
    """Show one's team, or how to get into one."""
    return render(request, "team.html", faults={}, **_team(request))


@router.post("/team/found", dependencies=[needs("user")])
def found(request: Request) -> Response:
    """Found a team; the code to join it is shown on this very answer and never again."""
    sent = form(request)
    try:
        with about("name"):
            _, code = teams.create_team(contest_of(request), me(request).user, sent.text("name", longest=60))
    except FormFault as fault:
        return again(request, "team.html", fault, **{**_team(request), "name": sent.get("name", "")[:60]})
    return render(request, "team.html", status=201, faults={}, **{**_team(request), "code": code})


@router.post("/team/join", dependencies=[needs("user")])
def join(request: Request) -> Response:
    """Join a team by its code."""
    user = me(request).user
    limits.check(request, limits.JOIN, user.id)
    try:
        with about("code"):
            joined = teams.join_team(contest_of(request), user, form(request).text("code", longest=60))
    except FormFault as fault:
        return again(request, "team.html", fault, **_team(request))
    flash(request, "You are in the team {team}.", team=joined.name)
    return go("/team")


@router.post("/team/code", dependencies=[needs("member")])
def code(request: Request) -> Response:
    """Make another code to join; the one before is worth nothing any more."""
    made = teams.renew_code(contest_of(request), me(request).user)
    return render(request, "team.html", status=201, faults={}, **{**_team(request), "code": made})


@router.post("/team/leave", dependencies=[needs("member")])
def leave(request: Request) -> Response:
    """Leave the team, once that was confirmed."""
    if not form(request).flag("sure"):
        fault = FormFault("sure", Refusal(422, "Please confirm that you want to leave."))
        return again(request, "team.html", fault, **_team(request))
    teams.leave_team(contest_of(request), me(request).user)
    flash(request, "You have left the team.")
    return go("/team")


def _team(request: Request) -> dict[str, Any]:
    contest, user = contest_of(request), me(request).user
    return {"team": teams.team_of(contest, user), "user": user, "code": None, "name": "",
            "most": contest.rules.limits.members}  # fmt: skip
