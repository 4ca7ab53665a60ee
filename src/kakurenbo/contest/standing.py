"""Where everybody stands: the one look at the database that board, matrix and history are made of.

It sees one moment, so no board is ever half of one moment and half of another. Before the contest has ended,
which is when its last submission is judged, what guesses found is not even read: nothing made of this can
tell it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from sqlalchemy import func, or_, select

from kakurenbo.contest import listing, schedule
from kakurenbo.contest.database import models
from kakurenbo.contest.judging.records import Score
from kakurenbo.contest.judging.remembered import Remembered
from kakurenbo.contest.judging.scoring import GUESS, mean

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator

    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Kind, SubmissionView
    from kakurenbo.contest.rules import PhaseName

Verdict = Literal["open", "failed", "invalid", "valid"]
Seen = TypeVar("Seen")
_seen: Remembered[Any] = Remembered(4)
_settled: set[tuple[str, str]] = set()  # contests that nobody can hand in to any more


@dataclass(frozen=True, slots=True)
class TeamName:
    """A team, as boards call it."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Release:
    """A release that was received while hiding.

    Attributes:
        team: whose it is.
        verdict: what became of it.
        score: by utility and sample attacks; None unless it is valid.
        counts: whether it is the one that counts.
    """

    id: str
    team: str
    received: dt.datetime
    verdict: Verdict
    score: Score | None = None
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess that was received while seeking.

    Attributes:
        team: who guessed.
        target: in whose release.
        verdict: what became of it.
        found: the share of people found, the mean over levels of knowledge; None until the contest has ended.
    """

    team: str
    target: str
    received: dt.datetime
    verdict: Verdict
    found: float | None = None


@dataclass(frozen=True)
class Standing:
    """One moment of a contest.

    Attributes:
        teams: in the order they were founded.
        releases: oldest first, as are `guesses`.
    """

    phase: PhaseName | None
    teams: tuple[TeamName, ...]
    releases: tuple[Release, ...] = ()
    guesses: tuple[Guess, ...] = ()

    def having(self, verdict: Verdict) -> int:
        """Return how many submissions that count have this verdict."""
        verdicts = [one.verdict for one in self.releases] + [one.verdict for one in self.guesses]
        return verdicts.count(verdict)

    @property
    def ended(self) -> bool:
        """Whether the contest is over and everything is judged."""
        return self.phase == "final" and not self.having("open")

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of the teams by their ids."""
        return {team.id: team.name for team in self.teams}

    @cached_property
    def counted(self) -> dict[str, Release]:
        """The valid release of each team that counts, by the team's id."""
        return {one.team: one for one in self.releases if one.counts and one.verdict == "valid"}

    @cached_property
    def tried(self) -> frozenset[tuple[str, str]]:
        """Who has a valid guess about whose release: seeker and hider, by their ids."""
        valid = {(one.team, one.target) for one in self.guesses if one.verdict == "valid"}
        return frozenset(pair for pair in valid if pair[1] in self.counted)

    @cached_property
    def found(self) -> dict[tuple[str, str], float]:
        """What the last valid guess of a team found in a release, by seeker and hider; empty before the end.

        As of releases, the last one counts: the best of many blind guesses would be luck, which grows with
        the number of tries.
        """
        last: dict[tuple[str, str], float] = {}
        for one in self.guesses:
            if one.found is not None and (pair := (one.team, one.target)) in self.tried:
                last[pair] = one.found
        return last


def standing(contest: Contest) -> Standing:
    """Return where everybody stands now; what was read is kept until something changes."""

    def look(session: Session, phase: PhaseName | None) -> Standing:
        seen: Standing = _seen.once(
            (_place(contest), phase, _moved(session)), lambda: _read(session, phase, contest.clock())
        )
        return seen

    return _looked(contest, look)


def has_ended(contest: Contest) -> bool:
    """Return whether the contest is over and everything that counts is judged, so that all may be told."""
    return _looked(contest, _over)


def _looked(contest: Contest, look: Callable[[Session, PhaseName | None], Seen]) -> Seen:
    """Look at one moment; at the final not before everybody who was in time stands in the queue.

    Whoever hands in holds the schedule until that is written: who gets it for himself is after them all.
    """
    with contest.database.reading() as session:
        phase = schedule.where(schedule.unlocked(session), contest.clock()).phase
        if phase != "final":
            _settled.discard(_place(contest))  # it may have been opened again
        if phase != "final" or _place(contest) in _settled:
            return look(session, phase)
    with contest.database.writing() as session:
        schedule.locked(session, alone=True)
    _settled.add(_place(contest))
    return _looked(contest, look)


def _place(contest: Contest) -> tuple[str, str]:
    return str(contest.database.engine.url), str(contest.folder)


def _over(session: Session, phase: PhaseName | None) -> bool:
    job, submission = models.Job, models.Submission
    counts = [
        (submission.kind == kind) & (submission.phase == phase) for kind, phase in listing.COUNTED.items()
    ]
    waiting = (
        select(func.count())
        .select_from(job)
        .join(submission, (submission.id == job.submission_id) & (submission.round == job.round))
        .where(job.state == "open", or_(*counts))
    )
    return phase == "final" and not session.scalar(waiting)


def _moved(session: Session) -> tuple[Any, ...]:
    """Return what differs after anything was founded, received, judged, judged anew or published."""
    job, result, submission, team = models.Job, models.Result, models.Submission, models.Team
    counts = (
        select(func.count(), func.max(team.id)).select_from(team),
        select(func.count(), func.sum(submission.round)).select_from(submission),
        select(job.state, func.count()).group_by(job.state).order_by(job.state),
        select(func.count(), func.max(result.id)).select_from(result),
        select(func.count()).select_from(models.Release),
    )
    return tuple(tuple(map(tuple, session.execute(query))) for query in counts)


def _read(session: Session, phase: PhaseName | None, now: dt.datetime) -> Standing:
    rows = session.execute(select(models.Team.token, models.Team.name).order_by(models.Team.id))
    teams = tuple(TeamName(token, name) for token, name in rows)
    found = _documents(session, "guess") if _over(session, phase) else {}
    guesses = tuple(_guess(view, found.get(view.id)) for view in _views(session, "guess", now))
    return Standing(phase, teams, tuple(_releases(session, now)), guesses)


def _releases(session: Session, now: dt.datetime) -> Iterator[Release]:
    published = set(session.scalars(select(models.Submission.token).join(models.Release)))
    views, documents = _views(session, "release", now), _documents(session, "release")
    last = {view.team: view.id for view in views if view.valid}
    last |= {view.team: view.id for view in views if view.id in published}
    for view in views:
        score = Score(**documents[view.id]["score"]) if view.id in documents else None
        counts = last.get(view.team) == view.id
        yield Release(view.id, view.team, view.received, _verdict(view), score, counts=counts)


def _guess(view: SubmissionView, document: dict[str, Any] | None) -> Guess:
    found = None if document is None else mean(document["attacks"].get(GUESS, ()))
    return Guess(view.team, view.target or "", view.received, _verdict(view), found)


def _views(session: Session, kind: Kind, now: dt.datetime) -> list[SubmissionView]:
    """Return the submissions that count, oldest first."""
    submission = models.Submission
    narrowed = listing.query().where(submission.kind == kind, submission.phase == listing.COUNTED[kind])
    return listing.views(session, narrowed, now)


def _documents(session: Session, kind: Kind) -> dict[str, dict[str, Any]]:
    """Return what the judge said of the valid ones among them, in their newest rounds."""
    submission, result = models.Submission, models.Result
    query = (
        select(submission.token, result.document)
        .join(result, (result.submission_id == submission.id) & (result.round == submission.round))
        .where(submission.kind == kind, submission.phase == listing.COUNTED[kind], result.valid)
    )
    return {token: json.loads(document) for token, document in session.execute(query)}


def _verdict(view: SubmissionView) -> Verdict:
    if view.state in {"waiting", "judging"}:
        return "open"
    if view.state == "failed" or view.valid is None:
        return "failed"
    return "valid" if view.valid else "invalid"
