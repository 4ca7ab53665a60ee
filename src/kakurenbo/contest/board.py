"""The board: who hid best and who sought best.

Hiders are ranked by the total of the rules, lower is better: what their release lost, and what was found in
it by the worst of the sample attacks and of every other team's last valid guess. Seekers are ranked by the
share of people they found in the releases of the others, on average, higher is better; where a team has no
valid guess it found nobody. Who has no valid release is the last of the hiders. Equal numbers share a place.

Final numbers appear for all at once: as long as one submission is not judged, the final board is empty.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from kakurenbo.contest.history import History, histories, history
from kakurenbo.contest.judging.records import Judged, Score
from kakurenbo.contest.judging.scoring import mean, with_guess
from kakurenbo.contest.standing import Standing, standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kakurenbo.contest.contest import Contest
    from kakurenbo.contest.rules import PhaseName, Rules
    from kakurenbo.contest.standing import TeamName

__all__ = [
    "Board",
    "HideRow",
    "History",
    "SeekRow",
    "board",
    "board_of",
    "histories",
    "history",
    "shared_ranks",
]

Reason = Literal["no-release", "no-valid-release", "failed"]
_DIGITS: Final = 12  # beyond which numbers are equal: sums in another order must not part two teams


@dataclass(frozen=True, slots=True)
class HideRow:
    """A hider.

    Attributes:
        rank: from 1; equal totals share one.
        team: its id.
        by: the name of the team whose guess found more than the sample attacks.
        reason: why there are no numbers, where there are none.
    """

    rank: int
    team: str
    name: str
    utility: float | None = None
    security: float | None = None
    total: float | None = None
    by: str | None = None
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class SeekRow:
    """A seeker.

    Attributes:
        rank: from 1; equal shares have the same.
        team: its id.
        found: the share of people found, the mean over the releases of the other teams.
        guesses: in how many of them it has a valid guess.
        releases: how many they are.
    """

    rank: int
    team: str
    name: str
    found: float
    guesses: int
    releases: int


@dataclass(frozen=True, slots=True)
class Board:
    """What everybody may see of the ranking now.

    Attributes:
        final: whether these are the final numbers, of all teams.
        open: in the final, how many submissions are still to be judged; until then there are no rows.
        failed: in the final, how many could not be judged by a fault of the server.
    """

    phase: PhaseName | None
    final: bool
    open: int = 0
    failed: int = 0
    hide: tuple[HideRow, ...] = ()
    seek: tuple[SeekRow, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def board(contest: Contest) -> Board:
    """Return the board as far as it is open."""
    return board_of(contest.rules, standing(contest))


def board_of(rules: Rules, seen: Standing) -> Board:
    """Return the board of a moment."""
    if seen.phase != "final":
        return Board(seen.phase, final=False, hide=_live(seen) if rules.scoring.board == "live" else ())
    waiting, failed = seen.having("open"), seen.having("failed")
    if waiting:
        return Board(seen.phase, final=False, open=waiting, failed=failed)
    seekers = _seekers(seen) if any(phase.name == "seek" for phase in rules.phases) else ()
    return Board(seen.phase, final=True, failed=failed, hide=_hiders(rules, seen), seek=seekers)


def _live(seen: Standing) -> tuple[HideRow, ...]:
    """Return the hiders by utility and sample attacks alone: who has no valid release yet is not there."""
    return _by_total(seen.names, {team: (score, None) for team, score in _scores(seen).items()})


def _hiders(rules: Rules, seen: Standing) -> tuple[HideRow, ...]:
    """Return all hiders: first those with a valid release, by their totals after everybody has sought."""
    scores = {team: _attacked(rules, seen, team, score) for team, score in _scores(seen).items()}
    ranked = _by_total(seen.names, scores)
    without = _by_name(team for team in seen.teams if team.id not in scores)
    last = len(ranked) + 1
    return ranked + tuple(
        HideRow(last, team.id, team.name, reason=_reason(seen, team.id)) for team in without
    )


def _scores(seen: Standing) -> dict[str, Score]:
    return {team: one.score for team, one in seen.counted.items() if one.score is not None}


def _attacked(rules: Rules, seen: Standing, team: str, score: Score) -> tuple[Score, str | None]:
    """Return a release's score after everybody has sought in it, and who beat the sample attacks."""
    rates = {seeker: rate for (seeker, target), rate in seen.found.items() if target == team}
    seeker = max(rates, key=lambda one: rates[one], default=None)
    if seeker is None or rates[seeker] <= score.security:
        return score, None
    after = with_guess(rules, Judged(score=score), (rates[seeker],)).score
    return after or score, seen.names.get(seeker)


def _by_total(
    names: Mapping[str, str], scores: Mapping[str, tuple[Score, str | None]]
) -> tuple[HideRow, ...]:
    order = sorted(scores, key=lambda team: (round(scores[team][0].total, _DIGITS), names[team].casefold()))
    rows = [(team, *scores[team]) for team in order]
    ranks = shared_ranks([score.total for _, score, _ in rows])
    return tuple(
        HideRow(rank, team, names[team], score.utility, score.security, score.total, by)
        for rank, (team, score, by) in zip(ranks, rows, strict=True)
    )


def _seekers(seen: Standing) -> tuple[SeekRow, ...]:
    rates = {team.id: _rates(seen, team.id) for team in seen.teams}
    means = {team: mean([rate or 0.0 for rate in found]) for team, found in rates.items()}
    order = sorted(_by_name(seen.teams), key=lambda team: -round(means[team.id], _DIGITS))
    ranks = shared_ranks([means[team.id] for team in order])
    return tuple(
        SeekRow(rank, team.id, team.name, means[team.id], _given(rates[team.id]), len(rates[team.id]))
        for rank, team in zip(ranks, order, strict=True)
    )


def _rates(seen: Standing, team: str) -> list[float | None]:
    """Return what a team found in the release of every other; None where it has no valid guess."""
    return [seen.found.get((team, target)) for target in seen.counted if target != team]


def _given(rates: Sequence[float | None]) -> int:
    return sum(rate is not None for rate in rates)


def shared_ranks(numbers: Sequence[float]) -> list[int]:
    """Return the places of sorted numbers, from 1: equal ones share one, the next counts on after them."""
    equal = [round(number, _DIGITS) for number in numbers]
    return [equal.index(number) + 1 for number in equal]


def _reason(seen: Standing, team: str) -> Reason:
    verdicts = {one.verdict for one in seen.releases if one.team == team}
    if "failed" in verdicts:
        return "failed"
    return "no-valid-release" if verdicts else "no-release"


def _by_name(teams: Iterable[TeamName]) -> list[TeamName]:
    return sorted(teams, key=lambda team: (team.name.casefold(), team.id))
