"""Who found whom: a row for every seeker, a column for every hider, in cells what the last valid guess found.

Before the end a cell only says that there is a valid guess, which everybody may know; what it found appears
for all at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from kakurenbo.contest.drawing import svg
from kakurenbo.contest.judging.scoring import mean
from kakurenbo.contest.standing import Standing, TeamName, standing

if TYPE_CHECKING:
    from kakurenbo.contest.contest import Contest

__all__ = ["Cell", "Matrix", "Row", "State", "TeamName", "matrix", "matrix_of", "svg"]

State = Literal["own", "no-release", "none", "tried", "found"]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a seeker found in the release of a team.

    Attributes:
        team: whose release.
        state: `own` release, `no-release` to seek in, `none` for no valid guess, `tried` before the end,
            `found` with its rate.
    """

    team: TeamName
    state: State
    rate: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A seeker with a cell for every team, and what it found on average; None before the end."""

    team: TeamName
    cells: tuple[Cell, ...]
    mean: float | None


@dataclass(frozen=True, slots=True)
class Matrix:
    """Who found whom.

    Attributes:
        teams: of the rows and of the columns, in one order.
        released: whether there is a release of theirs to seek in.
        rates: by seeker and hider, the share of people found; None where there is no such number, or not yet.
        tried: by seeker and hider, whether there is a valid guess.
        final: whether the numbers are there.
    """

    teams: tuple[TeamName, ...]
    released: tuple[bool, ...]
    rates: tuple[tuple[float | None, ...], ...]
    tried: tuple[tuple[bool, ...], ...]
    final: bool

    def rows(self) -> list[Row]:
        """Return the matrix as a table: one row a seeker, every cell with what it is."""
        return [Row(team, self._cells(place), self._mean(place)) for place, team in enumerate(self.teams)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "final": self.final,
            "teams": [{"id": team.id, "name": team.name} for team in self.teams],
            "released": list(self.released),
            "rates": [list(row) for row in self.rates],
            "tried": [list(row) for row in self.tried],
        }

    def _cells(self, seeker: int) -> tuple[Cell, ...]:
        columns = enumerate(self.teams)
        return tuple(
            Cell(team, self.state(seeker, place), self.rates[seeker][place]) for place, team in columns
        )

    def state(self, seeker: int, hider: int) -> State:
        """Return what a cell is."""
        if seeker == hider:
            return "own"
        if not self.released[hider]:
            return "no-release"
        if not self.tried[seeker][hider]:
            return "none"
        return "found" if self.rates[seeker][hider] is not None else "tried"

    def _mean(self, seeker: int) -> float | None:
        """Return what a seeker found on average in the releases of the others, as the board counts it."""
        others = [place for place, released in enumerate(self.released) if released and place != seeker]
        if not self.final or not others:
            return None
        return mean([self.rates[seeker][place] or 0.0 for place in others])


def matrix(contest: Contest) -> Matrix:
    """Return who found whom, as far as it may be seen."""
    return matrix_of(standing(contest))


def matrix_of(seen: Standing) -> Matrix:
    """Return who found whom at a moment."""
    ids = [team.id for team in seen.teams]
    found = seen.found if seen.ended else {}
    return Matrix(
        teams=seen.teams,
        released=tuple(team in seen.counted for team in ids),
        rates=tuple(tuple(_other(found.get((a, b)), a, b) for b in ids) for a in ids),
        tried=tuple(tuple(a != b and (a, b) in seen.tried for b in ids) for a in ids),
        final=seen.ended,
    )


def _other(rate: float | None, seeker: str, hider: str) -> float | None:
    return None if seeker == hider else rate
