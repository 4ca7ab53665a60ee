"""Quotas: how often a team may try, in a phase and within 24 hours.

Releases are counted for a team, guesses for a team and its target. What failed by a fault of the server is
not counted; what is not valid is, since the check before submitting costs nothing.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Select, select

from kakurenbo.contest.database.models import Job, Submission
from kakurenbo.contest.records import Quota
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from kakurenbo.contest.rules import Rules

_DAY = dt.timedelta(hours=24)


class Tries(NamedTuple):
    """What is counted together."""

    team: int
    kind: str
    phase: str
    target: int | None


class Used:
    """The tries that teams have used, to which more are added within the transaction that looks at them.

    Args:
        session: of the database.
        teams: the numbers of the teams that try.
        targets: the numbers of those they guess about, beside themselves.
    """

    def __init__(self, session: Session, teams: Iterable[int], targets: Iterable[int] = ()) -> None:
        self._received: dict[Tries, list[dt.datetime]] = {}
        asked = {*teams}
        about = Submission.target_id.is_(None) | Submission.target_id.in_({*targets, *asked})
        found = session.execute(_QUERY.where(Submission.team_id.in_(asked), about))
        for team, kind, phase, target, received in found:
            self.add(Tries(team, kind, phase, target), received)

    def add(self, tries: Tries, received: dt.datetime) -> None:
        """Count one more try."""
        self._received.setdefault(tries, []).append(received)

    def left(self, rules: Rules, tries: Tries, now: dt.datetime) -> Quota:
        """Return what is left."""
        allowed = rules.hide if tries.kind == "release" else rules.seek
        used = self._received.get(tries, [])
        today = [received for received in used if received > now - _DAY]
        ever, over = allowed.tries - len(used), len(today) - allowed.tries_a_day
        return Quota(
            left=max(0, ever),
            left_today=max(0, min(-over, ever)),
            next_at=today[over] + _DAY if over >= 0 and ever > 0 else None,
        )

    def require(self, rules: Rules, tries: Tries, now: dt.datetime) -> None:
        """Refuse a try that is one too many."""
        quota = self.left(rules, tries, now)
        if not quota.left:
            raise ParameterError("All tries of this phase are used up.", code="quota")
        if not quota.left_today:
            raise ParameterError("All tries of the last 24 hours are used up.", code="quota")


_QUERY: Select[int, str, str, int | None, dt.datetime] = (
    select(Submission.team_id, Submission.kind, Submission.phase, Submission.target_id, Submission.received)
    .join(Job, (Job.submission_id == Submission.id) & (Job.round == Submission.round))
    .where(Job.state != "failed")
    .order_by(Submission.received)
)
