"""What a contest's database holds before anybody comes: the schedule of the rules, and which key was used."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from kakurenbo.contest.database.models import Phase, Setting
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from kakurenbo.contest.contest import Contest

_KEY = "key-check"


def set_up(contest: Contest) -> None:
    """Fill a new database; refuse one that was begun with another key."""
    with contest.database.reading() as session:
        known = _known(session)
    if known is None:
        with contest.database.writing() as session:
            known = _known(session, lock=True) or _begin(contest, session)
    if not hmac.compare_digest(known, contest.vault.check):
        raise ParameterError("The contest was begun with another key than this one.", code="contest")


def _known(session: Session, *, lock: bool = False) -> str | None:
    if lock and session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(17)))
    return session.scalar(select(Setting.value).where(Setting.name == _KEY))


def _begin(contest: Contest, session: Session) -> str:
    """Write the schedule; a first phase without a time begins now."""
    for place, phase in enumerate(contest.rules.phases):
        starts = contest.clock() if place == 0 and phase.starts is None else phase.starts
        session.add(Phase(name=phase.name, place=place, starts=starts))
    session.add(Setting(name=_KEY, value=contest.vault.check))
    return contest.vault.check
