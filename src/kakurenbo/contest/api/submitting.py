"""What a team does: submit, check without submitting, and look at what became of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from kakurenbo.contest import results, submissions, teams
from kakurenbo.contest.api.answers import (
    CheckAnswer,
    FaultAnswer,
    MeAnswer,
    OneSubmission,
    ReceiptAnswer,
    SubmissionAnswer,
    SubmissionsAnswer,
    TeamName,
)
from kakurenbo.contest.api.routing import contest_of, route
from kakurenbo.contest.api.throttle import throttle
from kakurenbo.contest.contest import Contest
from kakurenbo.contest.disclosure import told
from kakurenbo.contest.records import Kind, SubmissionView
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import person
from kakurenbo.web.uploads import in_thread, raw_body

MEGABYTE = 1_000_000
_SMALL = 1 << 16  # bytes that may wait in memory, in as many requests as there are
_FILE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "The file itself, as it is: a CSV, a Parquet file, or a zip of them.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
KindAsked = Annotated[Kind, Query(description="A release of one's own, or a guess about another team's.")]
Target = Annotated[
    str | None, Query(max_length=40, description="Of a guess: the id of the team it is about.")
]
Name = Annotated[
    str,
    Query(min_length=1, max_length=200, description="What the file is called; its ending says what it is."),
]

router = APIRouter(tags=["team"])


@router.get("/me", **route("user"))
def me(request: Request) -> MeAnswer:
    """Tell whose token it is, and for which team they play."""
    user = person(request)
    team = teams.team_of(contest_of(request), user.id)
    return MeAnswer(
        name=user.name,
        organiser=user.has("organiser"),
        team=None if team is None else TeamName.model_validate(team),
    )


@router.put("/submissions", status_code=201, openapi_extra=_FILE, **route("member", 409, 413, 422, 429))
async def submit(
    request: Request, kind: KindAsked = "release", target: Target = None, name: Name = "release.csv"
) -> ReceiptAnswer:
    """Hand in a release or a guess: when this is answered it is durably stored, and counts.

    What counts is the moment in which it was stored, by the server's clock, not when it was sent. Judging
    comes after: ask for the submission by the receipt's id.
    """
    contest, user = contest_of(request), person(request).id
    throttle(request, user)
    async with _sent(request, contest) as file:
        receipt = await in_thread(submissions.submit, contest, user, kind, file, name, target)
    return ReceiptAnswer.model_validate(receipt)


@router.post("/checks", openapi_extra=_FILE, **route("member", 413, 422, 429))
async def only_check(
    request: Request, kind: KindAsked = "release", target: Target = None, name: Name = "release.csv"
) -> CheckAnswer:
    """Check the format of a file without handing it in: nothing is stored, and no try is used."""
    contest, user = contest_of(request), person(request).id
    throttle(request, user)
    async with _sent(request, contest) as file:
        faults = await in_thread(submissions.check, contest, user, kind, file, name, target)
    return CheckAnswer(valid=not faults, faults=[FaultAnswer.model_validate(fault) for fault in faults])


@router.get("/submissions", **route("member"))
def mine(request: Request) -> SubmissionsAnswer:
    """List what the team handed in, the newest first."""
    contest = contest_of(request)
    team = teams.team_of(contest, person(request).id)
    views = [] if team is None else submissions.mine(contest, team)
    return SubmissionsAnswer(submissions=[SubmissionAnswer.model_validate(view) for view in views])


@router.get("/submissions/{submission}", **route("user", 404))
def one(request: Request, submission: str) -> OneSubmission:
    """Tell how far the judging of a submission is: its faults, or what may be told of its result now."""
    contest = contest_of(request)
    view = submissions.one(contest, submission)
    if view is None or not _may_see(request, contest, view):
        raise Refusal(404, "There is no such submission.", code="missing")
    document = results.of(contest, view)
    faults = [] if document is None else document["faults"]
    return OneSubmission(
        **SubmissionAnswer.model_validate(view).model_dump(), commitment=view.commitment, salt=view.salt,
        faults=[FaultAnswer(**fault) for fault in faults], told=told(contest, view),
    )  # fmt: skip


def _may_see(request: Request, contest: Contest, view: SubmissionView) -> bool:
    """Return whether a submission is the team's own; organisers see all of them."""
    if person(request).has("organiser"):
        return True
    team = teams.team_of(contest, person(request).id)
    return team is not None and team.id == view.team


@asynccontextmanager
async def _sent(request: Request, contest: Contest) -> AsyncIterator[bytes | Path]:
    """Give what was sent: a small file as it is, a large one streamed to the disk meanwhile."""
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) <= _SMALL and "content-encoding" not in request.headers:
        content = await request.body()
        _refuse_empty(len(content))
        yield content
        return
    async with raw_body(request, limit=contest.rules.limits.megabytes * MEGABYTE) as upload:
        _refuse_empty(upload.size)
        yield upload.path


def _refuse_empty(size: int) -> None:
    """Refuse a file that was sent by mistake and is not worth a try."""
    if not size:
        raise Refusal(422, "The file is empty.", code="submission")
