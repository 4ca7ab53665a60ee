"""The organiser's pages: phases, announcements, what stands in the queue, the log."""

import datetime as dt
from typing import Any, Final, cast

from fastapi import APIRouter, Request, Response

from kakurenbo.contest import announcements, jobs, log, schedule, submissions, teams
from kakurenbo.contest.pages.common import FormFault, about, again, contest_of, me
from kakurenbo.contest.pages.state import state_of, timeline
from kakurenbo.contest.pages.words import PHASES
from kakurenbo.web.flash import flash
from kakurenbo.web.forms import form
from kakurenbo.web.redirects import back, go
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render

router = APIRouter(include_in_schema=False, dependencies=[needs("organiser")])

_LAST: Final = 100  # submissions, and lines of the log, on a page
_FOR_GOOD: Final = ("seek", "final")  # phases that cannot be taken back


@router.get("/organise")
def overview(request: Request) -> Response:
    """Show how the contest is doing."""
    contest = contest_of(request)
    return render(
        request, "organise/overview.html", state=state_of(contest), queue=jobs.queue(contest),
        teams=teams.teams(contest), events=log.read(contest, most=8),
    )  # fmt: skip


@router.get("/organise/phases")
def phases(request: Request) -> Response:
    """Show when phases begin."""
    return render(request, "organise/phases.html", faults={}, **_phases(request))


@router.post("/organise/phases/{phase}/start")
def start(request: Request, phase: str) -> Response:
    """Begin a phase now; one that cannot be taken back has to be confirmed."""
    try:
        if phase in _FOR_GOOD and not form(request).flag("sure"):
            raise FormFault(f"sure-{phase}", Refusal(422, "Please confirm: this cannot be undone."))  # noqa: TRY301
        _move(request, phase, contest_of(request).clock(), f"sure-{phase}")
    except FormFault as fault:
        return again(request, "organise/phases.html", fault, **_phases(request))
    flash(request, "The phase has begun.")
    return go("/organise/phases")


@router.post("/organise/phases/{phase}")
def set_time(request: Request, phase: str) -> Response:
    """Let a phase begin at another time, or when the organiser says so."""
    field = f"starts-{phase}"
    try:
        with about(field):
            starts = _time(form(request).text("starts", longest=40, required=False))
        _move(request, phase, starts, field)
    except FormFault as fault:
        return again(request, "organise/phases.html", fault, **_phases(request))
    flash(request, "The time is set.")
    return go("/organise/phases")


@router.get("/organise/queue")
def queue(request: Request) -> Response:
    """Show what waits, what is being judged, and what failed."""
    contest = contest_of(request)
    last = submissions.everything(contest)[: -_LAST - 1 : -1]
    return render(request, "organise/queue.html", queue=jobs.queue(contest), submissions=last)


@router.get("/live/queue")
def live_queue(request: Request) -> Response:
    """Show the part of the queue's page that moves."""
    return render(request, "live/queue.html", queue=jobs.queue(contest_of(request)))


@router.post("/organise/queue/{submission}/judge")
def judge_again(request: Request, submission: str) -> Response:
    """Let a submission be judged once more."""
    contest = contest_of(request)
    if submissions.one(contest, submission) is None:
        raise Refusal(404)
    jobs.rejudge(contest, submission, me(request).user)
    flash(request, "It will be judged again.")
    return back(request, "/organise/queue")


@router.get("/organise/announcements")
def announcing(request: Request) -> Response:
    """Show what was announced, and the form to announce more."""
    return render(request, "organise/announcements.html", faults={}, **_announced(request))


@router.post("/organise/announcements")
def announce(request: Request) -> Response:
    """Tell everybody something, in one language or both."""
    sent = form(request)
    try:
        with about("text"):
            text, text_ja = sent.long_text("text"), sent.long_text("text_ja", required=False)
            announcements.announce(contest_of(request), me(request).user, text, text_ja)
    except FormFault as fault:
        drafts = {"text": sent.get("text", "")[:5_000], "text_ja": sent.get("text_ja", "")[:5_000]}
        return again(request, "organise/announcements.html", fault, **{**_announced(request), **drafts})
    flash(request, "It is announced on the front page.")
    return go("/organise/announcements")


@router.post("/organise/announcements/{announcement}/withdraw")
def withdraw(request: Request, announcement: str) -> Response:
    """Take an announcement off the front page."""
    announcements.withdraw(contest_of(request), announcement, me(request).user)
    flash(request, "The announcement is withdrawn.")
    return go("/organise/announcements")


@router.get("/organise/log")
def events(request: Request) -> Response:
    """Show who did what, newest first, a page at a time."""
    asked = request.query_params.get("page", "1")
    page = min(max(int(asked), 1), 10_000) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 1
    found = log.read(contest_of(request), most=_LAST + 1, skip=(page - 1) * _LAST)
    return render(request, "organise/log.html", events=found[:_LAST], page=page, more=len(found) > _LAST)


def _move(request: Request, phase: str, starts: dt.datetime | None, field: str) -> None:
    if phase not in PHASES:
        raise Refusal(404)
    with about(field):
        schedule.move(contest_of(request), cast("Any", phase), starts, me(request).user)


def _time(text: str) -> dt.datetime | None:
    """Return a time that was typed, in UTC; None for none."""
    if not text:
        return None
    try:
        typed = dt.datetime.fromisoformat(text)
    except ValueError:
        raise Refusal(422, "A time is written like 2026-12-01T09:00, in UTC.") from None
    return typed.replace(tzinfo=dt.UTC) if typed.tzinfo is None else typed.astimezone(dt.UTC)


def _phases(request: Request) -> dict[str, Any]:
    contest = contest_of(request)
    where, planned = schedule.now_in(contest), schedule.schedule(contest)
    return {
        "planned": planned,
        "line": timeline(contest),
        "where": where,
        "names": PHASES,
        "for_good": _FOR_GOOD,
    }


def _announced(request: Request) -> dict[str, Any]:
    return {"announcements": announcements.announcements(contest_of(request)), "text": "", "text_ja": ""}
