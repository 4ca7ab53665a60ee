"""The board, the matrix of who found whom, and after the end a full report about every team."""

from typing import Any

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from kakurenbo.contest import teams
from kakurenbo.contest.board import board as board_of
from kakurenbo.contest.board import histories
from kakurenbo.contest.drawing import sparkline
from kakurenbo.contest.matrix import matrix as matrix_of
from kakurenbo.contest.matrix import svg
from kakurenbo.contest.pages.common import contest_of, visitor_of
from kakurenbo.contest.pages.reports import report_of
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render
from kakurenbo.web.visit import visit_of

router = APIRouter(include_in_schema=False)


@router.get("/board", dependencies=[needs("anyone")])
def board(request: Request) -> Response:
    """Show the board, as far as it is open."""
    return render(request, "board.html", **_board(request))


@router.get("/live/board", dependencies=[needs("anyone")])
def live_board(request: Request) -> Response:
    """Show the part of the board's page that moves."""
    return render(request, "live/board.html", **_board(request))


@router.get("/matrix", dependencies=[needs("anyone")])
def matrix(request: Request) -> Response:
    """Show who found whom: as a picture, and as a table."""
    found = matrix_of(contest_of(request))
    picture = Markup(svg(found, visit_of(request).lang))  # noqa: S704 - drawn by us, its texts escaped
    return render(request, "matrix.html", matrix=found, picture=picture)


@router.get("/reports/{team}", dependencies=[needs("anyone")])
def report(request: Request, team: str) -> Response:
    """Show everything about a team's release and guesses, once the contest has ended."""
    contest = contest_of(request)
    found, final = teams.team(contest, team), board_of(contest)
    if found is None:
        raise Refusal(404)
    if not final.final:
        raise Refusal(409, "Reports open when the contest has ended and everything is judged.", code="closed")
    return render(request, "report.html", report=report_of(contest, found, final))


def _board(request: Request) -> dict[str, Any]:
    contest, visitor, lang = contest_of(request), visitor_of(request), visit_of(request).lang
    lines = {team: Markup(sparkline(one, lang)) for team, one in histories(contest).items()}  # noqa: S704 - drawn by us
    return {
        "board": board_of(contest),
        "lines": lines,
        "own": visitor.team.id if visitor is not None and visitor.team is not None else None,
    }
