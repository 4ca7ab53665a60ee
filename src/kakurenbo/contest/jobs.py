"""Jobs: who judges what, by leases.

A worker takes the oldest job that is due and holds its lease for a while; it says again and again that it is
alive (`beat`). If it dies, the lease runs out and another worker takes the job. Every lease has a fence, a
random token: only who holds the newest may write, so a worker that was thought dead and comes back writes
nothing, and there is exactly one result of each round. After `MOST_ATTEMPTS` the job has failed, which is a
fault of the server: the organiser sees it, and the team has its try back.
"""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, cast

from sqlalchemy import func, select, update

from kakurenbo.contest import listing, log
from kakurenbo.contest.database.models import Job, Result, Submission, Team, new_token
from kakurenbo.contest.records import JobView, Lease, Queue
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from sqlalchemy.engine import CursorResult
    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Kind, Outcome, State, User

MOST_ATTEMPTS = 5
_UNDONE: tuple[State, ...] = ("waiting", "judging", "failed")
_PAUSE = dt.timedelta(seconds=1)  # after a failed attempt, doubled by each


def take(contest: Contest, worker: str, lease: dt.timedelta) -> Lease | None:
    """Take the oldest job that is due, if there is one."""
    while _any(contest):  # looking takes no lock
        with contest.database.writing(durable=False) as session:  # a lease that is lost is given again
            job = _next(session, contest.clock())
            if job is None:
                return None
            if job.attempts < MOST_ATTEMPTS:
                return _leased(session, job, worker, lease, contest.clock())
            _failed(session, job, contest.clock())
    return None


def beat(contest: Contest, lease: Lease) -> bool:
    """Say that the worker is alive, which makes its lease longer; return whether it still holds it."""
    with contest.database.writing(durable=False) as session:
        return _held(session, lease, due=contest.clock() + lease.length)


def finish(contest: Contest, lease: Lease, outcome: Outcome) -> bool:
    """Write the result, if the lease is still held; return whether it was."""
    hits = None if outcome.hits is None else contest.vault.put(json.dumps(outcome.hits).encode()).name
    with contest.database.writing() as session:
        now = contest.clock()
        held = _held(session, lease, state="done", lease=None, ended=now)
        if held:
            session.add(
                Result(
                    submission_id=session.get_one(Job, lease.job).submission_id,
                    round=lease.round,
                    valid=outcome.judged.valid,
                    document=json.dumps(outcome.judged.to_dict()),
                    hits=hits,
                    judged=now,
                )
            )
    if not held and hits is not None:
        contest.vault.remove(hits)
    return held


def fail(contest: Contest, lease: Lease, trouble: str) -> bool:
    """Give a job back that could not be judged, for another attempt after a pause; the last one fails it.

    Args:
        contest: the contest.
        lease: what `take` gave.
        trouble: the kind of the fault, without a value of anybody.
    """
    with contest.database.writing() as session:
        now = contest.clock()
        due = now + _PAUSE * 2**lease.attempt
        held = _held(session, lease, lease=None, due=due, trouble=trouble[:120])
        if held and lease.attempt >= MOST_ATTEMPTS:
            _failed(session, session.get_one(Job, lease.job), now)
        return held


def rejudge(contest: Contest, submission: str, by: User) -> int:
    """Let a submission be judged once more; return the number of the new round.

    Until the new round is judged, the submission counts as not judged.
    """
    if not by.organiser:
        raise ParameterError("Only an organiser lets judge again.", code="denied")
    with contest.database.writing() as session:
        query = select(Submission).where(Submission.token == submission)
        row = session.scalar(query.with_for_update(key_share=True))
        if row is None:
            raise ParameterError("There is no such submission.", code="denied")
        now = contest.clock()
        session.execute(
            update(Job)
            .where(Job.submission_id == row.id, Job.state == "open")
            .values(state="failed", lease=None, ended=now)
        )
        row.round += 1
        session.add(
            Job(submission_id=row.id, round=row.round, state="open", due=now, attempts=0, created=now)
        )
        log.write(session, now, by.name, "rejudge", row.token)
        return row.round


def queue(contest: Contest, *, most: int = 200) -> Queue:
    """Return what stands in the queue, for the organiser."""
    now = contest.clock()
    query = (
        select(Job, Submission, Team.name)
        .join(Submission, (Submission.id == Job.submission_id) & (Submission.round == Job.round))
        .join(Team, Team.id == Submission.team_id)
        .order_by(Job.id)
    )
    with contest.database.reading() as session:
        rows = [
            _view(job, row, team, now) for job, row, team in session.execute(query.where(Job.state != "done"))
        ]
        done = session.scalar(select(func.count()).select_from(Job).where(Job.state == "done"))
    states = [row.state for row in rows]
    counts: dict[State, int] = {state: states.count(state) for state in _UNDONE}
    return Queue({**counts, "done": done or 0}, tuple(rows[:most]))


def _any(contest: Contest) -> bool:
    with contest.database.reading() as session:
        query = select(Job.id).where(Job.state == "open", Job.due <= contest.clock()).limit(1)
        return session.scalar(query) is not None


def _next(session: Session, now: dt.datetime) -> Job | None:
    query = select(Job).where(Job.state == "open", Job.due <= now).order_by(Job.id).limit(1)
    return session.scalar(query.with_for_update(skip_locked=True))


def _leased(session: Session, job: Job, worker: str, length: dt.timedelta, now: dt.datetime) -> Lease:
    fence = new_token()
    job.lease, job.worker, job.due, job.attempts = fence, worker[:80], now + length, job.attempts + 1
    token = session.scalar(select(Submission.token).where(Submission.id == job.submission_id))
    return Lease(job.id, fence, cast("str", token), job.round, job.attempts, worker, length, job.due)


def _failed(session: Session, job: Job, now: dt.datetime) -> None:
    job.state, job.lease, job.ended = "failed", None, now
    token = session.scalar(select(Submission.token).where(Submission.id == job.submission_id))
    log.write(session, now, job.worker or "worker", "judging-failed", token or "")


def _held(session: Session, lease: Lease, /, **values: object) -> bool:
    """Change a job if and only if the lease is still its own; return whether it was."""
    statement = (
        update(Job).where(Job.id == lease.job, Job.lease == lease.fence, Job.state == "open").values(**values)
    )
    return cast("CursorResult[object]", session.execute(statement)).rowcount == 1


def _view(job: Job, row: Submission, team: str, now: dt.datetime) -> JobView:
    return JobView(
        submission=row.token,
        team_name=team,
        kind=cast("Kind", row.kind),
        round=job.round,
        state=listing.state(job, now),
        attempts=job.attempts,
        worker=job.worker,
        due=job.due,
        created=job.created,
        ended=job.ended,
        trouble=job.trouble,
    )
