"""Teams: founding one, joining by a code, leaving.

Teams are founded, and members change teams, until hiding ends: whoever has seen one team's secret must not
take it to another when seeking. Somebody without a team may join one until the final.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from kakurenbo.contest import log, schedule
from kakurenbo.contest.accounts import digest
from kakurenbo.contest.database import models
from kakurenbo.contest.names import cleaned, folded
from kakurenbo.contest.records import Team, id_of
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import User

_FOUNDING = ("sign-up", "practice", "hide")
_JOINING = (*_FOUNDING, "seek")


def create_team(contest: Contest, user: User | str, name: str) -> tuple[Team, str]:
    """Found a team and be its first member; also return the code for others to join, which is shown once."""
    shown, code = cleaned(name), _new_code()
    with contest.database.writing() as session:
        now = contest.clock()
        schedule.require(schedule.locked(session, alone=True), now, _FOUNDING, "Founding a team")
        who = _free(session, user)
        if session.scalar(select(func.count()).select_from(models.Team)) >= contest.rules.limits.teams:  # type: ignore[operator]
            raise ParameterError(f"There are {contest.rules.limits.teams} teams already.", code="quota")
        if session.scalar(select(models.Team.id).where(models.Team.folded == folded(shown))) is not None:
            raise ParameterError("A team of this name exists already.", code="exists")
        team = models.Team(name=shown, folded=folded(shown), join_digest=digest(code), created=now)
        session.add(team)
        session.flush()
        session.add(models.Member(user_id=who.id, team_id=team.id, joined=now))
        log.write(session, now, who.name, "team", team.token)
        return Team(team.token, team.name, (who.name,), team.created), code


def join_team(contest: Contest, user: User | str, join_code: str) -> Team:
    """Join the team that has this code."""
    with contest.database.writing() as session:
        now = contest.clock()
        schedule.require(schedule.locked(session), now, _JOINING, "Joining a team")
        who = _free(session, user)
        query = select(models.Team).where(models.Team.join_digest == digest(join_code.strip()))
        team = session.scalar(query.with_for_update(key_share=True))
        if team is None:
            raise ParameterError("No team has this code.", code="denied")
        if len(_members(session, [team.id])) >= contest.rules.limits.members:
            raise ParameterError(f"A team has at most {contest.rules.limits.members} members.", code="quota")
        session.add(models.Member(user_id=who.id, team_id=team.id, joined=now))
        session.flush()
        log.write(session, now, who.name, "join", team.token)
        return _view(session, team)


def leave_team(contest: Contest, user: User | str) -> None:
    """Leave one's team; a team that nobody is in and that handed in nothing is gone."""
    with contest.database.writing() as session:
        now = contest.clock()
        schedule.require(schedule.locked(session, alone=True), now, _FOUNDING, "Leaving a team")
        who = _user(session, user)
        member = session.get(models.Member, who.id)
        if member is None:
            return
        team = member.team
        session.delete(member)
        session.flush()
        log.write(session, now, who.name, "leave", team.token)
        handed_in = select(models.Submission.id).where(models.Submission.team_id == team.id).limit(1)
        if not _members(session, [team.id]) and session.scalar(handed_in) is None:
            session.delete(team)


def renew_code(contest: Contest, user: User | str) -> str:
    """Return another code for joining one's team; the one before is worth nothing any more."""
    code = _new_code()
    with contest.database.writing() as session:
        who = _user(session, user)
        member = session.get(models.Member, who.id)
        if member is None:
            raise ParameterError("Join a team first.", code="denied")
        member.team.join_digest = digest(code)
        log.write(session, contest.clock(), who.name, "join-code", member.team.token)
    return code


def team_of(contest: Contest, user: User | str) -> Team | None:
    """Return the team somebody is in."""
    query = select(models.Team).join(models.Member).join(models.User).where(models.User.token == id_of(user))
    with contest.database.reading() as session:
        row = session.scalar(query)
        return None if row is None else _view(session, row)


def team(contest: Contest, team: str) -> Team | None:
    """Return the team with this id."""
    with contest.database.reading() as session:
        row = session.scalar(select(models.Team).where(models.Team.token == team))
        return None if row is None else _view(session, row)


def teams(contest: Contest) -> list[Team]:
    """Return all teams, in the order they were founded."""
    with contest.database.reading() as session:
        rows = session.scalars(select(models.Team).order_by(models.Team.id)).all()
        members = _members(session, [row.id for row in rows])
        return [
            Team(row.token, row.name, tuple(name for team, name in members if team == row.id), row.created)
            for row in rows
        ]


def _view(session: Session, row: models.Team) -> Team:
    return Team(row.token, row.name, tuple(name for _, name in _members(session, [row.id])), row.created)


def _members(session: Session, teams: Iterable[int]) -> list[tuple[int, str]]:
    query = select(models.Member.team_id, models.User.name).join(models.User)
    ordered = query.where(models.Member.team_id.in_(list(teams))).order_by(
        models.Member.joined, models.User.id
    )
    return [(team, name) for team, name in session.execute(ordered)]


def _user(session: Session, user: User | str) -> models.User:
    row = session.scalar(
        select(models.User).where(models.User.token == id_of(user)).with_for_update(key_share=True)
    )
    if row is None:
        raise ParameterError("There is no such account.", code="denied")
    return row


def _free(session: Session, user: User | str) -> models.User:
    """Return somebody who may join a team."""
    row = _user(session, user)
    if row.organiser:
        raise ParameterError("Whoever organises a contest does not play in it.", code="denied")
    if session.get(models.Member, row.id) is not None:
        raise ParameterError("Leave your team first: nobody is in two.", code="denied")
    return row


def _new_code() -> str:
    return secrets.token_urlsafe(12)
