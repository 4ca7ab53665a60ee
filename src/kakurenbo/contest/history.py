"""How teams came where they are: the numbers of their submissions by the time these were received."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kakurenbo.contest.judging.scoring import mean
from kakurenbo.contest.records import id_of
from kakurenbo.contest.standing import Standing, standing

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.records import Team


@dataclass(frozen=True, slots=True)
class Point:
    """A number at the time its submission was received; `counts` where it is the one that counts."""

    received: dt.datetime
    value: float
    counts: bool


@dataclass(frozen=True, slots=True)
class History:
    """How a team came where it is.

    Attributes:
        team: its id.
        releases: the total of each valid release by utility and sample attacks, lower is better.
        guesses: after each valid guess, what was found so far on average, higher is better.
    """

    team: str
    releases: tuple[Point, ...]
    guesses: tuple[Point, ...]


def histories(contest: Contest) -> dict[str, History]:
    """Return how every team came where it is, by its id; nothing before the final board is open."""
    seen = standing(contest)
    return {team.id: history_of(seen, team.id) for team in seen.teams} if seen.ended else {}


def history(contest: Contest, team: Team | str) -> History | None:
    """Return how a team came where it is, None before the final board is open."""
    return histories(contest).get(id_of(team))


def history_of(seen: Standing, team: str) -> History:
    """Return how a team came where it is at a moment."""
    totals = [
        Point(one.received, one.score.total, one.counts)
        for one in seen.releases
        if one.team == team and one.score is not None
    ]
    return History(team, tuple(totals), tuple(_found_so_far(seen, team)))


def _found_so_far(seen: Standing, team: str) -> Iterator[Point]:
    """Yield the mean over the other releases after each guess; the last about each counts in the end."""
    so_far = {target: 0.0 for target in seen.counted if target != team}
    guesses = [
        one for one in seen.guesses if one.team == team and one.target in so_far and one.found is not None
    ]
    last = {guess.target: guess for guess in guesses}
    for guess in guesses:
        so_far[guess.target] = guess.found or 0.0
        yield Point(guess.received, mean(so_far.values()), guess is last[guess.target])
