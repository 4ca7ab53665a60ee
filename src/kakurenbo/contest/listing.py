"""Submissions as people see them: one query for what they are and how far their judging is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import select
from sqlalchemy.orm import aliased

from kakurenbo.contest.database import models
from kakurenbo.contest.records import SubmissionView

if TYPE_CHECKING:
    import datetime as dt

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from kakurenbo.contest.records import Kind, State
    from kakurenbo.contest.rules import PhaseName

Submission, Job, Result = models.Submission, models.Job, models.Result
Team, User = models.Team, models.User
Target, About = aliased(models.Team), aliased(models.Submission)
COUNTED = {"release": "hide", "guess": "seek"}


def query() -> Select[*tuple[Any, ...]]:
    """Return the query of all submissions, oldest first, to be narrowed."""
    return (
        select(Submission, Team, User.name, Target, About.token, Job, Result)
        .join(Team, Team.id == Submission.team_id)
        .join(User, User.id == Submission.user_id)
        .join(Job, (Job.submission_id == Submission.id) & (Job.round == Submission.round))
        .outerjoin(Target, Target.id == Submission.target_id)
        .outerjoin(About, About.id == Submission.release_id)
        .outerjoin(Result, (Result.submission_id == Submission.id) & (Result.round == Submission.round))
        .order_by(Submission.id)
    )


def views(session: Session, narrowed: Select[*tuple[Any, ...]], now: dt.datetime) -> list[SubmissionView]:
    """Return what a narrowed query finds."""
    return [view(row, now) for row in session.execute(narrowed)]


def view(row: Any, now: dt.datetime) -> SubmissionView:  # noqa: ANN401 - a row of `query`
    """Return a row of the query as people see it."""
    submission, team, by, target, release, job, result = row
    return SubmissionView(
        id=submission.token,
        team=team.token,
        team_name=team.name,
        by=by,
        kind=cast("Kind", submission.kind),
        phase=cast("PhaseName", submission.phase),
        target=None if target is None else target.token,
        target_name=None if target is None else target.name,
        release=release,
        filename=submission.filename,
        digest=submission.digest,
        size=submission.size,
        commitment=submission.commitment,
        salt=submission.salt,
        received=submission.received,
        counts=COUNTED[submission.kind] == submission.phase,
        round=submission.round,
        state=state(job, now),
        valid=None if result is None else result.valid,
        judged=None if result is None else result.judged,
    )


def state(job: models.Job, now: dt.datetime) -> State:
    """Return how far a job is: an open one is being judged while somebody holds its lease."""
    if job.state != "open":
        return cast("State", job.state)
    return "judging" if job.lease is not None and job.due > now else "waiting"
