"""Where the contest stands, as front page and navigation tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sqlalchemy import func, select

from kakurenbo.contest import schedule
from kakurenbo.contest.database import models
from kakurenbo.contest.pages.sentences import Sentence, say
from kakurenbo.contest.pages.telling import has_seek
from kakurenbo.contest.pages.words import HAPPENS, PHASES

if TYPE_CHECKING:
    import datetime as dt

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.pages.common import Visitor


@dataclass(frozen=True, slots=True)
class State:
    """The phase of this moment and what has been done so far; names are English texts to be said."""

    name: str
    happens: str
    next: str | None
    until: dt.datetime | None
    teams: int
    releases: int
    guesses: int
    seeks: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """A phase on the line of time."""

    name: str
    happens: str
    starts: dt.datetime | None
    state: Literal["past", "current", "coming"]


@dataclass(frozen=True, slots=True)
class Step:
    """What somebody would do next, and where."""

    said: Sentence
    path: str


def state_of(contest: Contest) -> State:
    """Return where the contest stands."""
    where = schedule.now_in(contest)
    with contest.database.reading() as session:
        teams = session.scalar(select(func.count()).select_from(models.Team))
        kinds = select(models.Submission.kind, func.count()).group_by(models.Submission.kind)
        counts = {kind: count for kind, count in session.execute(kinds)}  # noqa: C416 - rows are no pairs to mypy
    return State(
        name="Not begun" if where.phase is None else PHASES[where.phase],
        happens="The contest has not begun yet." if where.phase is None else HAPPENS[where.phase],
        next=None if where.next is None else PHASES[where.next],
        until=where.until,
        teams=teams or 0,
        releases=counts.get("release", 0),
        guesses=counts.get("guess", 0),
        seeks=has_seek(contest.rules),
    )


def timeline(contest: Contest) -> list[Stretch]:
    """Return all phases with their times, and which of them is now."""
    current = schedule.now_in(contest).phase
    planned = schedule.schedule(contest)
    names = [one.phase for one in planned]
    place = -1 if current is None else names.index(current)
    states: list[Literal["past", "current", "coming"]] = [
        "past" if this < place else "current" if this == place else "coming" for this in range(len(planned))
    ]
    return [
        Stretch(PHASES[one.phase], HAPPENS[one.phase], one.starts, state)
        for one, state in zip(planned, states, strict=True)
    ]


def next_step(contest: Contest, visitor: Visitor | None) -> Step | None:
    """Return what this visitor would do now."""
    phase = schedule.now_in(contest).phase
    if phase == "final":
        return Step(say("See the final board."), "/board")
    if visitor is None:
        return Step(say("Sign up, or sign in."), "/sign-up")
    if visitor.user.organiser:
        return Step(say("Organise the contest."), "/organise")
    if visitor.team is None:
        return Step(say("Found a team, or join one."), "/team")
    steps = {
        "sign-up": Step(say("Download the data."), "/data"),
        "practice": Step(say("Try the judge with a release."), "/submit"),
        "hide": Step(say("Submit a release."), "/submit"),
        "seek": Step(say("Download the releases of the other teams, and guess."), "/releases"),
    }
    return steps.get(phase or "")
