"""Results: what the judge said, what is published, and who was found. Who may see it is decided elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.orm import undefer

from kakurenbo.contest import listing
from kakurenbo.contest.database import models
from kakurenbo.contest.records import Judgement, PublishedRelease, id_of
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from sqlalchemy import Select

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Kind, SubmissionView, Team
    from kakurenbo.contest.rules import PhaseName


def of(contest: Contest, submission: SubmissionView | str) -> dict[str, Any] | None:
    """Return what the judge said of a submission in its newest round, `Judged.to_dict()`, or None."""
    with contest.database.reading() as session:
        row = session.execute(_whole().where(listing.Submission.token == id_of(submission))).first()
        return None if row is None or row[-1] is None else _document(row[-1])


def judgements(
    contest: Contest, *, kind: Kind | None = None, phase: PhaseName | None = None
) -> list[Judgement]:
    """Return all submissions that are judged, oldest first, with what the judge said."""
    narrowed = _whole().where(listing.Result.id.is_not(None))
    if kind is not None:
        narrowed = narrowed.where(listing.Submission.kind == kind)
    if phase is not None:
        narrowed = narrowed.where(listing.Submission.phase == phase)
    with contest.database.reading() as session:
        now = contest.clock()
        return [Judgement(listing.view(row, now), _document(row[-1])) for row in session.execute(narrowed)]


def hits(contest: Contest, submission: SubmissionView | str) -> tuple[float, ...] | None:
    """Return whom a guess found, for computing what may be told; it is never served."""
    with contest.database.reading() as session:
        row = session.execute(listing.query().where(listing.Submission.token == id_of(submission))).first()
        stored = None if row is None or row[-1] is None else row[-1].hits
    return None if stored is None else tuple(json.loads(contest.vault.get(stored)))


def releases(contest: Contest) -> list[PublishedRelease]:
    """Return what is published, in the order the teams were founded."""
    query = (
        select(models.Release, models.Team, models.Submission.token)
        .join(models.Team, models.Team.id == models.Release.team_id)
        .join(models.Submission, models.Submission.id == models.Release.submission_id)
        .order_by(models.Team.id)
    )
    with contest.database.reading() as session:
        return [
            PublishedRelease(
                team.token, team.name, submission, row.filename, row.size, row.digest, row.published
            )
            for row, team, submission in session.execute(query)
        ]


def published_file(contest: Contest, team: Team | str) -> tuple[str, bytes]:
    """Return the name and the bytes of what other teams may download of a team's release."""
    query = select(models.Release).join(models.Team).where(models.Team.token == id_of(team))
    with contest.database.reading() as session:
        row = session.scalar(query)
        if row is None:
            raise ParameterError("This team has no published release.", code="denied")
        filename, stored = row.filename, row.stored
    return filename, contest.vault.get(stored)


def _whole() -> Select[*tuple[Any, ...]]:
    return listing.query().options(undefer(models.Result.document))


def _document(row: models.Result) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(row.document)
    return document
