"""Submitting: one form, two buttons. A check tells all faults, costs no try; a submission gets a receipt."""

import threading
from dataclasses import dataclass
from typing import Any, cast

from fastapi import APIRouter, Request, Response

from kakurenbo.contest import results, schedule, submissions
from kakurenbo.contest.contest import Contest
from kakurenbo.contest.pages.common import FormFault, about, again, contest_of, me, my_team
from kakurenbo.contest.pages.formats import asked
from kakurenbo.contest.pages.preview import previews
from kakurenbo.contest.records import Kind, Quota, Team
from kakurenbo.contest.uploads import unpack
from kakurenbo.web import limits
from kakurenbo.web.flash import flash
from kakurenbo.web.redirects import go
from kakurenbo.web.refusals import Refusal
from kakurenbo.web.roles import needs
from kakurenbo.web.templating import render
from kakurenbo.web.uploads import Upload, UploadForm, in_thread, upload_form

router = APIRouter(include_in_schema=False)

_KINDS = {"practice": ("release", "guess"), "hide": ("release",), "seek": ("guess",)}
_CHECKS = threading.BoundedSemaphore(2)  # checks that run at once: they use a processor each
_PATIENCE = 20.0  # seconds to wait for one of them


@dataclass(frozen=True, slots=True)
class Target:
    """A team whose release can be guessed at, and how many tries are left."""

    id: str
    name: str
    quota: Quota


@router.get("/submit", dependencies=[needs("member")])
def submit_page(request: Request) -> Response:
    """Show what can be submitted now."""
    about_team = request.query_params.get("target", "")
    return render(request, "submit.html", faults={}, **_choices(request, target=about_team))


@router.post("/submit", dependencies=[needs("member", upload=True)])
async def submit(request: Request) -> Response:
    """Check a file, or take it in."""
    limit = contest_of(request).rules.limits.megabytes * 1_000_000
    async with upload_form(request, limit=limit) as sent:
        return await in_thread(_answered, request, sent)


def _answered(request: Request, sent: UploadForm) -> Response:
    target = sent.get("target", "")
    try:
        with about("kind"):
            kind = cast("Kind", sent.choice("kind", ("release", "guess")))
        with about("file"):
            return _taken(request, kind, target, sent)
    except FormFault as fault:
        return again(
            request, "submit.html", fault, **_choices(request, kind=sent.get("kind", ""), target=target)
        )


def _taken(request: Request, kind: Kind, target: str, sent: UploadForm) -> Response:
    limits.check(request, limits.SUBMIT, me(request).user.id)
    upload = sent.file("file")
    if upload is None:
        raise Refusal(422, "Please choose a file.")
    answer = _checked if sent.get("action") == "check" else _submitted
    return answer(request, kind, target, upload)


def _checked(request: Request, kind: Kind, target: str, upload: Upload) -> Response:
    contest = contest_of(request)
    if not _CHECKS.acquire(timeout=_PATIENCE):
        raise Refusal(503)
    try:
        files = unpack(upload.path, upload.name, contest.rules.limits)
        found = submissions.check(contest, me(request).user, kind, upload.path, upload.name, target or None)
    finally:
        _CHECKS.release()
    return render(
        request, "checked.html", found=found, previews=previews(files, found), upload=upload, faults={},
        **_choices(request, kind=kind, target=target),
    )  # fmt: skip


def _submitted(request: Request, kind: Kind, target: str, upload: Upload) -> Response:
    receipt = submissions.submit(
        contest_of(request), me(request).user, kind, upload.path, upload.name, target or None
    )
    flash(request, "Your file is stored. Keep the receipt below.")
    return go(f"/submissions/{receipt.id}")


def _choices(request: Request, *, kind: str = "", target: str = "") -> dict[str, Any]:
    """Return what the form offers in this phase."""
    contest, team = contest_of(request), my_team(request)
    where = schedule.now_in(contest)
    kinds = _KINDS.get(where.phase or "", ())
    return {
        "asked": asked(contest.rules),
        "where": where,
        "kinds": kinds,
        "kind": kind if kind in kinds else (kinds[0] if kinds else ""),
        "quota": submissions.quota(contest, team, "release") if "release" in kinds else None,
        "targets": _targets(contest, team) if "guess" in kinds else [],
        "target": target,
        "practice": where.phase == "practice",
        "megabytes": contest.rules.limits.megabytes,
    }


def _targets(contest: Contest, team: Team) -> list[Target]:
    """Return whose release can be guessed at: in practice one's own, later that of every other team."""
    if schedule.now_in(contest).phase == "practice":
        return [Target(team.id, team.name, submissions.quota(contest, team, "guess", team.id))]
    return [
        Target(release.team, release.team_name, submissions.quota(contest, team, "guess", release.team))
        for release in results.releases(contest)
        if release.team != team.id
    ]
