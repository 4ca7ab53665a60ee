"""What a guess is about: a release that was published, or when practising one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from kakurenbo.contest.database.models import Release, Result, Submission, Team
from kakurenbo.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from kakurenbo.contest.rules import PhaseName


class Targets:
    """The teams that guesses are about.

    Args:
        session: of the database.
        asked: the ids of those teams, as they were given; None says nothing.
    """

    def __init__(self, session: Session, asked: Iterable[str | None]) -> None:
        self._session = session
        self._published: dict[str, tuple[int, int | None]] = {}
        known = {target for target in asked if target is not None}
        if known:
            query = select(Team.token, Team.id, Release.submission_id).outerjoin(Release)
            for token, team, release in session.execute(query.where(Team.token.in_(known))):
                self._published[token] = (team, release)

    @property
    def teams(self) -> set[int]:
        """The numbers of those teams that there are."""
        return {team for team, _ in self._published.values()}

    def of(self, team: int, phase: PhaseName | None, target: str | None) -> tuple[int, int]:
        """Return the numbers of the team and of the release that a guess of a team is about.

        Args:
            team: the number of the team that guesses.
            phase: the phase it guesses in.
            target: the id of the team it guesses about; None when practising.
        """
        wanted, release = self._published.get(target or "", (None, None))
        if phase == "practice":
            if target is not None and wanted != team:
                raise ParameterError("In practice a team seeks in its own release only.", code="closed")
            wanted, release = team, _practice_release(self._session, team)
        elif wanted == team:
            raise ParameterError("A team does not seek in its own release.", code="submission")
        if wanted is None or release is None:
            raise ParameterError("The team to guess about has no release to seek in.", code="submission")
        return wanted, release


def _practice_release(session: Session, team: int) -> int | None:
    """Return the number of the last valid release that a team practised with."""
    query = (
        select(Submission.id)
        .join(Result, (Result.submission_id == Submission.id) & (Result.round == Submission.round))
        .where(Submission.team_id == team, Submission.kind == "release", Submission.phase == "practice")
        .where(Result.valid)
        .order_by(Submission.id.desc())
        .limit(1)
    )
    return session.scalar(query)
