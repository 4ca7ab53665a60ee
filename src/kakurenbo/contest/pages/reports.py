"""The full report about a team, after the end: what every attack and every team found in its release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from kakurenbo.contest import results, submissions
from kakurenbo.contest.judging.records import Score
from kakurenbo.contest.judging.scoring import GUESS, mean
from kakurenbo.contest.pages.front import files_of
from kakurenbo.contest.pages.numbers import Numbers, numbers_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kakurenbo.contest.board import Board, HideRow
    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Judgement, SubmissionView, Team

_TABLES: Final = ("T.csv", "transactions.csv", "X.csv")


@dataclass(frozen=True, slots=True)
class Found:
    """What guesses between two teams found: how many were valid, and what the last of them found."""

    id: str
    name: str
    guesses: int
    rate: float | None


@dataclass(frozen=True, slots=True)
class Try:
    """A release that was submitted while hiding."""

    view: SubmissionView
    faults: int
    score: Score | None
    counted: bool


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a team, and among how many."""

    hide: int | None
    hiders: int
    seek: int | None
    seekers: int


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is public about a team once the contest has ended."""

    team: Team
    places: Places
    score: HideRow | None
    release: Numbers | None
    history: tuple[Try, ...]
    found_by: tuple[Found, ...]
    found: tuple[Found, ...]
    download: str | None
    original: str


def report_of(contest: Contest, team: Team, board: Board) -> Report:
    """Return the report about a team; only to be called when the board is final."""
    counted = submissions.counted(contest).get(team.id)
    tries = results.judgements(contest, kind="release", phase="hide")
    guesses = results.judgements(contest, kind="guess", phase="seek")
    others = [(row.team, row.name) for row in board.hide if row.team != team.id]
    published = {one.team: one.filename for one in results.releases(contest)}
    own = [one for one in tries if one.submission.team == team.id]
    judged = next(
        (one.document for one in own if counted is not None and one.submission.id == counted.id), None
    )
    return Report(
        team=team,
        places=_places(team.id, board),
        score=next((row for row in board.hide if row.team == team.id and row.reason is None), None),
        release=None if judged is None else numbers_of(contest.rules, judged),
        history=tuple(_try(one, counted) for one in own),
        found_by=_sorted(_last(other, guesses, other[0], team.id) for other in others if judged),
        found=_sorted(_last(other, guesses, team.id, other[0]) for other in others if other[0] in published),
        download=published.get(team.id),
        original=_original(contest),
    )  # fmt: skip


def _sorted(found: Iterable[Found]) -> tuple[Found, ...]:
    return tuple(sorted(found, key=lambda one: -1.0 if one.rate is None else one.rate, reverse=True))


def _original(contest: Contest) -> str:
    """Return the table that an audit would begin with."""
    names = [file.name for file in files_of(contest.data)]
    return next((name for name in _TABLES if name in names), names[0] if names else "")


def _places(team: str, board: Board) -> Places:
    hide = next((row.rank for row in board.hide if row.team == team), None)
    seek = next((row.rank for row in board.seek if row.team == team), None)
    return Places(hide, len(board.hide), seek, len(board.seek))


def _try(one: Judgement, counted: SubmissionView | None) -> Try:
    score: dict[str, Any] | None = one.document["score"]
    return Try(
        one.submission, len(one.document["faults"]), None if score is None else Score(**score),
        counted is not None and one.submission.id == counted.id,
    )  # fmt: skip


def _last(other: tuple[str, str], guesses: Sequence[Judgement], seeker: str, target: str) -> Found:
    rates = [
        mean(one.document["attacks"][GUESS])
        for one in guesses
        if one.submission.team == seeker and one.submission.target == target and one.submission.valid
    ]
    return Found(*other, len(rates), rates[-1] if rates else None)
