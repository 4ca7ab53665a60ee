"""Publishing: when hiding has ended and all of its releases are judged, each team's is shown to the others.

What is shown is made by the judge from the release that counts, and all of it appears in one transaction, so
no team sees another's earlier than the rest.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import select

from kakurenbo.contest import log, schedule, submissions
from kakurenbo.contest.database import models
from kakurenbo.contest.examine import seed_of
from kakurenbo.contest.zips import zipped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import SubmissionView
    from kakurenbo.contest.vault import Sealed

_log = logging.getLogger("kakurenbo.contest.worker")
_AFTER = ("seek", "final")


def publish(contest: Contest, failed: set[str] | None = None) -> int:
    """Publish what is not yet published; return how many releases were.

    Args:
        contest: the contest.
        failed: submissions that could not be published, which are not tried again; more are added.
    """
    failed = set() if failed is None else failed
    if not _missing(contest, failed) or not _is_settled(contest):
        return 0
    made = {view: ready for view in _missing(contest, failed) if (ready := _made(contest, view, failed))}
    with contest.database.writing() as session:
        schedule.locked(session, alone=True)
        new = {view: ready for view, ready in made.items() if not _known(session, view)}
        for view, (filename, sealed) in new.items():
            _add(contest, session, view, filename, sealed)
    for view in made.keys() - new.keys():
        contest.vault.remove(made[view][1].name)
    return len(new)


def packed(files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """Return one file to download: the only one, or all in a zip that tells no time."""
    if len(files) == 1:
        return next(iter(files.items()))
    return "release.zip", zipped(files)


def _missing(contest: Contest, failed: set[str]) -> list[SubmissionView]:
    """Return what counts and is not published, after hiding has ended."""
    if schedule.now_in(contest).phase not in _AFTER:
        return []
    with contest.database.reading() as session:
        known = set(session.scalars(select(models.Team.token).join(models.Release)))
    views = submissions.counted(contest)
    return [view for team, view in views.items() if team not in known and view.id not in failed]


def _is_settled(contest: Contest) -> bool:
    """Tell whether no release of the phase hide waits for the judge, nor for the transaction it is in."""
    with contest.database.writing(durable=False) as session:
        schedule.locked(session, alone=True)
        query = select(models.Job.id).join(models.Submission).where(models.Job.state == "open")
        hiding = query.where(models.Submission.kind == "release", models.Submission.phase == "hide")
        return session.scalar(hiding.limit(1)) is None


def _made(contest: Contest, view: SubmissionView, failed: set[str]) -> tuple[str, Sealed] | None:
    from kakurenbo.contest.judging.judge import published  # noqa: PLC0415 - loads the measures

    try:
        files = submissions.files_of(contest, view.id)
        shown = published(contest.rules, contest.data, files, seed=seed_of(contest, view.id))
    except Exception as error:  # noqa: BLE001 - the other teams' releases are to be published
        _log.error("publishing %s: %s", view.id, type(error).__name__)
        log.note(contest, "worker", "publish-failed", view.id)
        failed.add(view.id)
        return None
    filename, content = packed(shown)
    return filename, contest.vault.put(content)


def _known(session: Session, view: SubmissionView) -> bool:
    query = select(models.Release.team_id).join(models.Team).where(models.Team.token == view.team)
    return session.scalar(query) is not None


def _add(contest: Contest, session: Session, view: SubmissionView, filename: str, sealed: Sealed) -> None:
    now = contest.clock()
    row = session.scalars(select(models.Submission).where(models.Submission.token == view.id)).one()
    session.add(
        models.Release(team_id=row.team_id, submission_id=row.id, filename=filename, stored=sealed.name,
                       digest=sealed.digest, size=sealed.size, published=now)
    )  # fmt: skip
    log.write(session, now, "worker", "publish", view.id)
