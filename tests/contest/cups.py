"""Contests for tests: little data, people and teams without the price of a password, a clock one can set."""

import datetime as dt
from contextlib import contextmanager
from dataclasses import replace

import pytest

from kakurenbo.contest import schedule, submissions
from kakurenbo.contest.contest import Contest
from kakurenbo.contest.database import models
from kakurenbo.contest.judging.records import Fault, Judged, Score
from kakurenbo.contest.names import folded
from kakurenbo.contest.records import Outcome, Team, User
from kakurenbo.contest.worker import Worker

START = dt.datetime(2026, 4, 1, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)
SECOND = dt.timedelta(seconds=1)
PHASES = ("sign-up", "practice", "hide", "seek", "final")
BEGINS = {name: START + days * DAY for days, name in enumerate(PHASES)}

RULES = """
title = "Little cup"
format = "purchases"

[[phases]]
name = "sign-up"
starts = 2026-04-01T00:00:00Z

[[phases]]
name = "practice"
starts = 2026-04-02T00:00:00Z

[[phases]]
name = "hide"
starts = 2026-04-03T00:00:00Z

[[phases]]
name = "seek"
starts = 2026-04-04T00:00:00Z

[[phases]]
name = "final"
starts = 2026-04-05T00:00:00Z

[hide]
tries = 5
tries_a_day = 3

[[hide.measures]]
name = "popularity"

[[hide.attacks]]
name = "jaccard"

[seek]
tries = 3
tries_a_day = 2

[limits]
megabytes = 1
teams = 4
members = 2
"""
TRANSACTIONS = "customer,goods\n" + "".join(f"c{c},g{g}\n" for c in range(1, 7) for g in range(c, c + 3))

on_both_databases = pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)


class StandingClock:
    """A clock that stands still until it is set."""

    def __init__(self, at):
        self.at = at

    def __call__(self):
        return self.at

    def go(self, by):
        self.at += by


def make_folder(folder, rules=RULES):
    data = folder.parent / f"{folder.name}-data"
    data.mkdir()
    (data / "transactions.csv").write_text(TRANSACTIONS)
    Contest.create(folder, rules, data).close()
    return folder


@contextmanager
def opened(folder, **options):
    contest = Contest.open(folder, **options)
    try:
        yield contest
    finally:
        contest.close()


def with_rules(contest, **sections):
    """Return the same contest with other numbers in its rules, such as `hide={"tries": 9}`."""
    changed = {name: getattr(contest.rules, name).model_copy(update=new) for name, new in sections.items()}
    return replace(contest, rules=contest.rules.model_copy(update=changed))


def begin(contest, phase):
    """Set the clock to the beginning of a phase."""
    contest.clock.at = BEGINS[phase]


def person(contest, name, *, organiser=False):
    """Return somebody with an account but without a password."""
    row = models.User(
        token=models.new_token(), name=name, folded=folded(name), password="", organiser=organiser,
        language="en", created=contest.clock(),
    )  # fmt: skip
    with contest.database.writing() as session:
        session.add(row)
    return User(row.token, name, organiser, "en", row.created)


def team(contest, name):
    """Return somebody who is alone in a team, and the team."""
    user = person(contest, f"{name}'s own")
    row = models.Team(name=name, folded=folded(name), join_digest=folded(name), created=contest.clock(),
                      token=models.new_token())  # fmt: skip
    with contest.database.writing() as session:
        session.add(row)
        session.flush()
        who = session.query(models.User).filter_by(token=user.id).one()
        session.add(models.Member(user_id=who.id, team_id=row.id, joined=row.created))
    return user, Team(row.token, name, (user.name,), row.created)


GOOD = Judged(utility={"popularity": 0.25}, attacks={"jaccard": (0.5,)}, score=Score(0.25, 0.5, 0.375))
BAD = Judged(faults=(Fault("T.csv", 1, 1, "is no table", "table"),))


def by_word(contest, lease):
    """Judge by the first word of the file: `bad` is not valid, `crash` is a fault of the server."""
    _, content = submissions.content_of(contest, lease.submission)
    if content.startswith(b"crash"):
        raise RuntimeError(content.decode())
    kind = submissions.one(contest, lease.submission).kind
    hits = (0.0, 1.0, 0.5) if kind == "guess" else None
    return Outcome(BAD) if content.startswith(b"bad") else Outcome(GOOD, hits)


def judge_all(contest, judge=by_word):
    """Let a worker judge until nothing is due."""
    worker = Worker(contest, "test", judge=judge)
    while worker.run_once():
        pass


def phase_of(contest):
    return schedule.now_in(contest).phase
