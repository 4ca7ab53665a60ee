"""Submissions: what teams hand in, sealed at once, counted by one transaction, shown as they are judged."""

from __future__ import annotations

import io
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from sqlalchemy import select

from kakurenbo.contest import listing, schedule
from kakurenbo.contest.database import models
from kakurenbo.contest.intake import Entry
from kakurenbo.contest.quotas import Tries, Used
from kakurenbo.contest.records import Quota, id_of
from kakurenbo.contest.targets import Targets
from kakurenbo.contest.uploads import unpack
from kakurenbo.errors import KakurenboError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.judging.records import Fault
    from kakurenbo.contest.records import Kind, Receipt, SubmissionView, Team, User
    from kakurenbo.contest.vault import Sealed

_LONGEST_NAME = 120
_UNTOUCHED = 24 * 3600.0  # seconds after which a file that belongs to nothing is no submission under way


def submit(  # noqa: PLR0917 - what a form holds
    contest: Contest,
    user: User | str,
    kind: Kind,
    upload: bytes | Path | IO[bytes],
    filename: str,
    target: str | None = None,
) -> Receipt:
    """Hand in a release or a guess; when this returns, it is durable and counts.

    Args:
        contest: the contest.
        user: who hands it in, for their team.
        kind: `release` or `guess`.
        upload: the file: its bytes, its path, or a stream of it.
        filename: what its owner calls it; only shown, never a path.
        target: for a guess: the id of the team whose release it is about; in practice one's own, or None.

    Raises:
        ParameterError: with the code `closed` too early or too late, `quota` where no try is left, `denied`
            without a team, `submission` where there is nothing to guess about.
        InputError: with the code `limit` where it is too large.
    """
    if kind not in {"release", "guess"}:
        raise ParameterError("A submission is a release or a guess.", code="parameter")
    if kind == "release" and target is not None:
        raise ParameterError("A release is about no other team.", code="parameter")
    entry = Entry(id_of(user), kind, target, shown_name(filename), _sealed(contest, upload))
    try:
        return contest.intake.enter(contest, entry)
    except KakurenboError:
        contest.vault.remove(entry.sealed.name)
        raise


def check(  # noqa: PLR0917 - as `submit`
    contest: Contest,
    user: User | str,
    kind: Kind,
    upload: bytes | Path,
    filename: str,
    target: str | None = None,
) -> tuple[Fault, ...]:
    """Return the faults of what somebody would hand in; nothing is stored and no try is used."""
    from kakurenbo.contest.judging.judge import check as faults_of  # noqa: PLC0415 - loads the measures

    files = unpack(upload, filename, contest.rules.limits)
    if kind == "release":
        return faults_of(contest.rules, contest.data, files)
    return faults_of(contest.rules, contest.data, _sought_in(contest, user, target), files)


def mine(contest: Contest, team: Team | str) -> list[SubmissionView]:
    """Return what a team handed in, newest first."""
    return _found(contest, listing.Team.token == id_of(team))[::-1]


def one(contest: Contest, submission: str) -> SubmissionView | None:
    """Return the submission with this id."""
    return next(iter(_found(contest, listing.Submission.token == id_of(submission))), None)


def everything(contest: Contest) -> list[SubmissionView]:
    """Return all submissions, oldest first."""
    return _found(contest)


def counted(contest: Contest) -> dict[str, SubmissionView]:
    """Return the release of each team that counts, by the team's id.

    It is the one that was published, and before that the last valid one received in the phase hide.
    """
    with contest.database.reading() as session:
        published = set(session.scalars(select(models.Submission.token).join(models.Release)))
        narrowed = listing.query().where(
            listing.Submission.kind == "release", listing.Submission.phase == "hide",
            listing.Result.valid | listing.Submission.id.in_(select(models.Release.submission_id)),
        )  # fmt: skip
        last: dict[str, SubmissionView] = {}
        for view in listing.views(session, narrowed, contest.clock()):
            if view.team not in last or last[view.team].id not in published:
                last[view.team] = view
        return last


def quota(contest: Contest, team: Team | str, kind: Kind, target: str | None = None) -> Quota:
    """Return how many tries a team has left in the phase of this moment; for guesses about this target."""
    with contest.database.reading() as session:
        rows, now = schedule.unlocked(session), contest.clock()
        number = _number(session, id_of(team))
        about = None if kind == "release" else _number(session, target or id_of(team))
        phase = schedule.where(rows, now).phase or ""
        used = Used(session, [number], [] if about is None else [about])
        return used.left(contest.rules, Tries(number, kind, phase, about), now)


def files_of(contest: Contest, submission: str) -> Mapping[str, bytes]:
    """Return the content of a submission, unpacked: for the judge, and for the team that handed it in."""
    filename, content = content_of(contest, submission)
    return unpack(content, filename, contest.rules.limits)


def content_of(contest: Contest, submission: str) -> tuple[str, bytes]:
    """Return the name and the bytes of what was handed in, for the judge and for its team."""
    with contest.database.reading() as session:
        query = select(models.Submission).where(models.Submission.token == submission)
        row = session.scalar(query)
        if row is None:
            raise ParameterError("There is no such submission.", code="denied")
        filename, stored = row.filename, row.stored
    return filename, contest.vault.get(stored)


def sweep(contest: Contest) -> int:
    """Remove files that belong to nothing: a server that was killed left them; return how many."""
    old = contest.vault.names(older=_UNTOUCHED)
    with contest.database.reading() as session:
        used = set(_stored(session))
    lost = [name for name in old if name not in used]
    for name in lost:
        contest.vault.remove(name)
    return len(lost)


def shown_name(filename: str) -> str:
    """Return a file's name as it can be shown: its last part, printable, not too long."""
    last = PurePosixPath(filename.replace("\\", "/")).name
    plain = "".join(letter for letter in last if letter.isprintable())
    return plain[-_LONGEST_NAME:] if plain.strip(".") else "file"


def _sealed(contest: Contest, upload: bytes | Path | IO[bytes]) -> Sealed:
    limit = contest.rules.limits.megabytes * 1_000_000
    if isinstance(upload, Path):
        with upload.open("rb") as stream:
            return contest.vault.put(stream, limit=limit)
    return contest.vault.put(io.BytesIO(upload) if isinstance(upload, bytes) else upload, limit=limit)


def _found(contest: Contest, *conditions: ColumnElement[bool]) -> list[SubmissionView]:
    with contest.database.reading() as session:
        return listing.views(session, listing.query().where(*conditions), contest.clock())


def _number(session: Session, team: str) -> int:
    number = session.scalar(select(models.Team.id).where(models.Team.token == team))
    if number is None:
        raise ParameterError("There is no such team.", code="denied")
    return number


def _sought_in(contest: Contest, user: User | str, target: str | None) -> Mapping[str, bytes]:
    """Return the release that a guess would be about."""
    with contest.database.reading() as session:
        query = select(models.Member.team_id).join(models.User).where(models.User.token == id_of(user))
        own = session.scalar(query)
        if own is None:
            raise ParameterError("Join a team first.", code="denied")
        phase = schedule.where(schedule.unlocked(session), contest.clock()).phase
        _, release = Targets(session, [target]).of(own, phase, target)
        token = session.get_one(models.Submission, release).token
    return files_of(contest, token)


def _stored(session: Session) -> Iterable[str]:
    yield from session.scalars(select(models.Submission.stored))
    yield from session.scalars(select(models.Release.stored))
    yield from (name for name in session.scalars(select(models.Result.hits)) if name is not None)
