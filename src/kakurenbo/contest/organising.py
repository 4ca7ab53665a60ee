"""What an organiser does for teams and people: a new password, a new code to join, shutting a team out.

Whoever forgot a password or lost a code comes to the organiser, for there is no mail. What is made is random
and shown once. A team that is shut out cannot submit any more; what it submitted before stays.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from kakurenbo.contest import log
from kakurenbo.contest.accounts import digest
from kakurenbo.contest.database import models
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import User

_SHUT_OUT = "shut-out:"  # before a team's id, the name of a setting


def new_password(contest: Contest, user: str, by: User) -> str:
    """Return a new password of somebody, who is signed out everywhere; organisers change their own."""
    from kakurenbo.web.passwords import hash_password  # noqa: PLC0415 - needs an extra

    _organises(by)
    password = secrets.token_urlsafe(12)
    hashed = hash_password(password)
    with contest.database.writing() as session:
        row = session.scalar(select(models.User).where(models.User.token == user))
        if row is None or row.organiser:
            raise ParameterError("There is no such account.", code="denied")
        row.password = hashed
        session.execute(delete(models.WebSession).where(models.WebSession.user_id == row.id))
        log.write(session, contest.clock(), by.name, "new-password", row.name)
    return password


def new_code(contest: Contest, team: str, by: User) -> str:
    """Return a new code to join a team; the one before is worth nothing any more."""
    _organises(by)
    code = secrets.token_urlsafe(12)
    with contest.database.writing() as session:
        _team(session, team).join_digest = digest(code)
        log.write(session, contest.clock(), by.name, "join-code", team)
    return code


def shut_out(contest: Contest, team: str, by: User) -> None:
    """Let a team submit nothing any more, until it is let in again."""
    _organises(by)
    with contest.database.writing() as session:
        _team(session, team)
        session.merge(models.Setting(name=f"{_SHUT_OUT}{team}", value=by.name))
        log.write(session, contest.clock(), by.name, "disable", team)


def let_in(contest: Contest, team: str, by: User) -> None:
    """Let a team that was shut out take part again."""
    _organises(by)
    with contest.database.writing() as session:
        _team(session, team)
        session.execute(delete(models.Setting).where(models.Setting.name == f"{_SHUT_OUT}{team}"))
        log.write(session, contest.clock(), by.name, "enable", team)


def are_shut_out(contest: Contest) -> frozenset[str]:
    """Return the ids of the teams that are shut out."""
    query = select(models.Setting.name).where(models.Setting.name.startswith(_SHUT_OUT, autoescape=True))
    with contest.database.reading() as session:
        return frozenset(name.removeprefix(_SHUT_OUT) for name in session.scalars(query))


def members(contest: Contest) -> dict[str, list[tuple[str, str]]]:
    """Return id and name of everybody by the id of the team; those without one stand under an empty id."""
    query = (
        select(models.User.token, models.User.name, models.Team.token)
        .outerjoin(models.Member, models.Member.user_id == models.User.id)
        .outerjoin(models.Team, models.Team.id == models.Member.team_id)
        .where(models.User.organiser.is_(False))
        .order_by(models.User.id)
    )
    found: dict[str, list[tuple[str, str]]] = {}
    with contest.database.reading() as session:
        for user, name, team in session.execute(query):
            found.setdefault(team or "", []).append((user, name))
    return found


def _organises(by: User) -> None:
    if not by.organiser:
        raise ParameterError("Only an organiser does this.", code="denied")


def _team(session: Session, team: str) -> models.Team:
    row = session.scalar(select(models.Team).where(models.Team.token == team))
    if row is None:
        raise ParameterError("There is no such team.", code="unknown-name")
    return row
