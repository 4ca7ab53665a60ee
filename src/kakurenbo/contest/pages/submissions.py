"""What a team submitted: a list that follows the judge, and each submission with its receipt and result."""

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Request, Response

from kakurenbo.contest import results, submissions
from kakurenbo.contest.contest import Contest
from kakurenbo.contest.disclosure import told
from kakurenbo.contest.pages.common import contest_of, me, my_team
from kakurenbo.contest.pages.numbers import numbers_of
from kakurenbo.contest.records import SubmissionView
from kakurenbo.contest.standing import has_ended
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render

router = APIRouter(include_in_schema=False)


@router.get("/submissions", dependencies=[needs("member")])
def mine(request: Request) -> Response:
    """Show what the team submitted."""
    return render(request, "submissions.html", team=my_team(request), **_mine(request))


@router.get("/live/submissions", dependencies=[needs("member")])
def live_mine(request: Request) -> Response:
    """Show the part of the list that moves."""
    return render(request, "live/submissions.html", **_mine(request))


@router.get("/submissions/{submission}", dependencies=[needs("user")])
def one(request: Request, submission: str) -> Response:
    """Show a submission with its receipt, to its team and to organisers."""
    return render(request, "submission.html", **_one(request, submission))


@router.get("/live/submissions/{submission}", dependencies=[needs("user")])
def live_one(request: Request, submission: str) -> Response:
    """Show the part of a submission's page that moves."""
    return render(request, "live/submission.html", **_one(request, submission))


def _mine(request: Request) -> dict[str, Any]:
    contest, team = contest_of(request), my_team(request)
    found = submissions.mine(contest, team)
    return {
        "submissions": found,
        "counted": counting(contest, team.id, found),
        "open": sum(view.state in {"waiting", "judging"} for view in found),
    }


def _one(request: Request, submission: str) -> dict[str, Any]:
    contest = contest_of(request)
    view = submissions.one(contest, submission)
    if view is None or not _may_see(request, view):
        raise Refusal(404, "There is no such submission.")
    counted = counting(contest, view.team, submissions.mine(contest, view.team))
    document, said = results.of(contest, view) or {}, told(contest, view)
    return {
        "one": view,
        "faults": document.get("faults", []),
        "told": said,
        "numbers_told": numbers_of(contest.rules, said) if said and said["tells"] == "everything" else None,
        "counted": view.id in counted,
        "ended": has_ended(contest),
    }


def counting(contest: Contest, team: str, newest_first: Iterable[SubmissionView]) -> frozenset[str]:
    """Return what of a team's submissions counts: its release, and its last valid guess about every other."""
    release = submissions.counted(contest).get(team)
    guesses: dict[str | None, str] = {}
    for view in newest_first:
        if view.kind == "guess" and view.counts and view.valid:
            guesses.setdefault(view.target, view.id)
    return frozenset((*guesses.values(), *([] if release is None else [release.id])))


def _may_see(request: Request, view: SubmissionView) -> bool:
    visitor = me(request)
    return visitor.user.organiser or (visitor.team is not None and visitor.team.id == view.team)
