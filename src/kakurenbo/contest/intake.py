"""The intake: the one transaction that decides whether a submission counts.

Its file is sealed and durable before. Within the transaction the schedule is locked, then the clock is read,
then phase, team, target and quota are looked at, then submission and job are written: what was stored before
the deadline counts, by the server's clock, and nothing else does.

A transaction costs a wait for the disk, however much is written. So those who come while another one's
transaction is under way wait for it and then go together: the first takes all that wait into one transaction.
Each is decided by itself, in the order they came, and is answered after all is durable.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from kakurenbo.contest import schedule
from kakurenbo.contest.database import models
from kakurenbo.contest.quotas import Tries, Used
from kakurenbo.contest.records import Receipt
from kakurenbo.contest.targets import Targets
from kakurenbo.errors import KakurenboError, ParameterError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Kind
    from kakurenbo.contest.rules import PhaseName
    from kakurenbo.contest.vault import Sealed

_PHASES: dict[str, tuple[PhaseName, ...]] = {"release": ("practice", "hide"), "guess": ("practice", "seek")}


@dataclass(eq=False)
class Entry:
    """A submission that waits to be decided, and then its answer."""

    user: str
    kind: Kind
    target: str | None
    filename: str
    sealed: Sealed
    answer: Receipt | BaseException | None = field(default=None)


class Intake:
    """Where submissions wait for their transaction; one for each contest and process."""

    def __init__(self) -> None:
        self._waiting: list[Entry] = []
        self._list, self._turn = threading.Lock(), threading.Lock()

    def enter(self, contest: Contest, entry: Entry) -> Receipt:
        """Decide on a submission together with those that wait; return its receipt, or raise why not."""
        with self._list:
            self._waiting.append(entry)
        with self._turn:
            if entry.answer is None:
                _decide(contest, self._taken())
        if isinstance(entry.answer, Receipt):
            return entry.answer
        raise entry.answer or AssertionError("undecided")

    def _taken(self) -> list[Entry]:
        """Return all that wait; who comes now waits for the next transaction."""
        with self._list:
            batch, self._waiting = self._waiting, []
        return batch


def _decide(contest: Contest, batch: Sequence[Entry]) -> None:
    """Answer all entries; a fault of the database that one of many met is told to those alone who meet it."""
    try:
        answers = _transaction(contest, batch)
    except Exception as error:  # noqa: BLE001 - it is raised where the submission came from
        if len(batch) == 1:
            batch[0].answer = error
            return
        for entry in batch:
            _decide(contest, [entry])
        return
    for entry, answer in zip(batch, answers, strict=True):
        entry.answer = answer


def _transaction(contest: Contest, batch: Sequence[Entry]) -> list[Receipt | KakurenboError]:
    with contest.database.writing() as session:
        phases, teams = schedule.locked(session), _teams(session, batch)
        targets = Targets(session, (entry.target for entry in batch))
        used = Used(session, (team for _, team in teams.values()), targets.teams)
        desk = _Desk(contest, session, phases, teams, targets, used)
        answers = [desk.answer(entry) for entry in batch]
        desk.write()
        return answers


def _teams(session: Session, batch: Sequence[Entry]) -> dict[str, tuple[int, int]]:
    """Return the numbers of user and team of everybody; the teams are locked, always in the same order."""
    query = _MEMBERS.where(models.User.token.in_({entry.user for entry in batch}))
    locking = query.with_for_update(of=models.Team, key_share=True)
    return {token: (user, team) for token, user, team in session.execute(locking)}


_MEMBERS = (
    select(models.User.token, models.User.id, models.Team.id)
    .join(models.Member, models.Member.user_id == models.User.id)
    .join(models.Team, models.Team.id == models.Member.team_id)
    .order_by(models.Team.id)
)


@dataclass(frozen=True)
class _Desk:
    """Where a transaction decides: with the schedule locked, and the teams of all who wait.

    Attributes:
        teams: the numbers of user and team, by the id of the user.
        targets: the teams that they guess about.
        used: the tries that those teams have used.
        rows: what is to be written.
    """

    contest: Contest
    session: Session
    phases: Sequence[models.Phase]
    teams: dict[str, tuple[int, int]]
    targets: Targets
    used: Used
    rows: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, entry: Entry) -> Receipt | KakurenboError:
        """Accept a submission, or say why not."""
        now, sealed = self.contest.clock(), entry.sealed
        try:
            token = self._accepted(entry, now)
        except KakurenboError as error:
            return error
        return Receipt(token, sealed.digest, sealed.size, now, sealed.commitment, sealed.salt)

    def _accepted(self, entry: Entry, now: dt.datetime) -> str:
        """Return the id of a new submission, once phase, team, target and quota were looked at."""
        phase = schedule.require(self.phases, now, _PHASES[entry.kind], f"Submitting a {entry.kind}")
        if entry.user not in self.teams:
            raise ParameterError("Join a team first.", code="denied")
        user, team = self.teams[entry.user]
        target, release = None, None
        if entry.kind == "guess":
            target, release = self.targets.of(team, phase, entry.target)
        tries = Tries(team, entry.kind, phase, target)
        self.used.require(self.contest.rules, tries, now)
        self.used.add(tries, now)
        token = models.new_token()
        self.rows.append(
            {**_stored(entry), "token": token, "team_id": team, "user_id": user, "phase": phase,
             "target_id": target, "release_id": release, "received": now, "round": 1}
        )  # fmt: skip
        return token

    def write(self) -> None:
        """Write what was accepted: the submissions, and a job for each."""
        if not self.rows:
            return
        numbers = self.session.scalars(
            insert(models.Submission).returning(models.Submission.id, sort_by_parameter_order=True), self.rows
        )
        jobs = [
            {"submission_id": number, "round": 1, "state": "open", "due": row["received"],
             "attempts": 0, "created": row["received"]}
            for number, row in zip(numbers, self.rows, strict=True)
        ]  # fmt: skip
        self.session.execute(insert(models.Job), jobs)


def _stored(entry: Entry) -> dict[str, Any]:
    """Return what a row says of the file."""
    sealed = entry.sealed
    return {
        "kind": entry.kind, "filename": entry.filename, "stored": sealed.name, "digest": sealed.digest,
        "size": sealed.size, "commitment": sealed.commitment, "salt": sealed.salt,
    }  # fmt: skip
