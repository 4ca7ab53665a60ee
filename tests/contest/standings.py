"""Moments of made-up contests, for boards and pictures."""

import datetime as dt

from kakurenbo.contest.judging.records import Score
from kakurenbo.contest.standing import Guess, Release, Standing, TeamName

START = dt.datetime(2026, 4, 1, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


def release(team, utility, security, *, counts=True, hour=0, weight=0.5):
    total = weight * utility + (1 - weight) * security
    score = Score(utility, security, total)
    return Release(f"{team}-{hour}", team, START + hour * HOUR, "valid", score, counts=counts)


def refused(team, verdict="invalid", *, hour=0):
    return Release(f"{team}-{hour}", team, START + hour * HOUR, verdict)


def guess(team, target, found, *, hour=0, verdict="valid"):
    return Guess(team, target, START + hour * HOUR, verdict, found)


def moment(phase, teams, releases=(), guesses=()):
    """Return a moment; teams are called by their ids in capitals."""
    names = tuple(TeamName(team, team.upper()) for team in teams)
    return Standing(phase, names, tuple(releases), tuple(guesses))
