"""Submissions: what counts is what was stored before the deadline, no more than the quota allows."""

import datetime as dt
import hashlib
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from contest import cups
from contest.cups import BEGINS, SECOND, begin, judge_all, on_both_databases
from kakurenbo.contest import jobs, results, schedule, submissions
from kakurenbo.contest.submissions import counted, mine, one, quota, submit
from kakurenbo.errors import InputError, ParameterError


def refused(code, call, *arguments, **options):
    with pytest.raises((ParameterError, InputError)) as caught:
        call(*arguments, **options)
    assert caught.value.code == code
    return caught.value


def test_a_receipt_binds_both_sides(contest):
    user, team = cups.team(contest, "Hiders")
    begin(contest, "hide")
    receipt = submit(contest, user, "release", b"good release", "../../etc/T.csv")
    assert receipt.received == BEGINS["hide"]
    assert (receipt.digest, receipt.size) == (hashlib.sha256(b"good release").hexdigest(), 12)
    assert receipt.commitment == hashlib.sha256(bytes.fromhex(receipt.salt) + b"good release").hexdigest()
    view = one(contest, receipt.id)
    assert (view.team, view.filename, view.state, view.valid, view.counts) == (
        team.id, "T.csv", "waiting", None, True)  # fmt: skip
    assert submissions.content_of(contest, receipt.id) == ("T.csv", b"good release")


@pytest.mark.parametrize(
    ("phase", "kind", "code"),
    [
        ("sign-up", "release", "closed"),
        ("hide", "guess", "closed"),
        ("seek", "release", "closed"),
        ("final", "release", "closed"),
        ("final", "guess", "closed"),
    ],
)
def test_each_phase_takes_its_own_kind_and_leaves_nothing_of_the_others(contest, phase, kind, code):
    user, team = cups.team(contest, "Hiders")
    begin(contest, phase)
    refused(code, submit, contest, user, kind, b"good", "T.csv", team.id if kind == "guess" else None)
    assert contest.vault.names() == []
    assert mine(contest, team) == []


def test_the_last_microsecond_counts_and_the_deadline_does_not(contest):
    user, _ = cups.team(contest, "Hiders")
    contest.clock.at = BEGINS["seek"] - dt.timedelta(microseconds=1)
    assert submit(contest, user, "release", b"good", "T.csv").received < BEGINS["seek"]
    contest.clock.at = BEGINS["seek"]
    refused("closed", submit, contest, user, "release", b"good", "T.csv")


class RunningClock:
    """A clock that steps on every time somebody reads it, from all threads."""

    def __init__(self, at, step):
        self._at, self._step, self._lock = at, step, threading.Lock()

    def __call__(self):
        with self._lock:
            self._at += self._step
            return self._at


@on_both_databases
def test_a_burst_over_the_deadline_is_answered_and_exactly_what_came_before_counts(
    folder, database_url, clock
):
    with cups.opened(folder, database=database_url, clock=clock) as still:
        user, team = cups.team(still, "Hiders")
    step = dt.timedelta(milliseconds=1)
    running = RunningClock(BEGINS["seek"] - 60 * step, step)
    with cups.opened(folder, database=database_url, clock=running) as opened:
        contest = cups.with_rules(opened, hide={"tries": 1000, "tries_a_day": 1000})

        def post(number):
            try:
                return submit(contest, user, "release", b"good %d" % number, "T.csv")
            except ParameterError as error:
                return error.code

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(post, range(120)))
        receipts = [answer for answer in answers if answer != "closed"]
        views = mine(contest, team)
        names = contest.vault.names()
    assert 0 < len(receipts) < 120
    assert all(receipt.received < BEGINS["seek"] for receipt in receipts)
    assert {view.id for view in views} == {receipt.id for receipt in receipts}
    assert {view.phase for view in views} == {"hide"}
    assert len(names) == len(receipts)


@on_both_databases
def test_moving_the_deadline_and_submitting_never_overlap(folder, database_url, clock):
    """Whoever was taken before the organiser ended hiding counts; nobody is taken after."""
    with cups.opened(folder, database=database_url, clock=clock) as contest:
        user, _ = cups.team(contest, "Hiders")
        organiser = cups.person(contest, "Organiser", organiser=True)
    running = RunningClock(BEGINS["hide"], SECOND)
    with cups.opened(folder, database=database_url, clock=running) as opened:
        contest = cups.with_rules(opened, hide={"tries": 1000, "tries_a_day": 1000})
        with ThreadPoolExecutor(8) as pool:
            posts = [pool.submit(submit, contest, user, "release", b"good", "T.csv") for _ in range(30)]
            moved = pool.submit(schedule.move, contest, "seek", running(), organiser)
            posts += [pool.submit(submit, contest, user, "release", b"good", "T.csv") for _ in range(30)]
        ended = moved.result()[3].starts
        refusals = [post.exception() for post in posts if post.exception() is not None]
        receipts = [post.result() for post in posts if post.exception() is None]
    assert {refusal.code for refusal in refusals} <= {"closed"}
    assert len(refusals) + len(receipts) == 60
    assert all(receipt.received < ended for receipt in receipts)


@on_both_databases
def test_a_quota_holds_against_threads_that_come_together(contest):
    user, team = cups.team(contest, "Hiders")
    begin(contest, "hide")

    def post(number):
        try:
            return submit(contest, user, "release", b"good %d" % number, "T.csv").id
        except ParameterError as error:
            return error.code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(post, range(24)))
    assert answers.count("quota") == 21
    assert len(mine(contest, team)) == 3
    assert len(contest.vault.names()) == 3


@on_both_databases
def test_a_quota_of_the_day_comes_back_and_that_of_the_phase_does_not(contest):
    contest = cups.with_rules(contest, hide={"tries": 4, "tries_a_day": 2})
    user, team = cups.team(contest, "Hiders")
    begin(contest, "hide")
    submit(contest, user, "release", b"good", "T.csv")
    contest.clock.go(SECOND)
    submit(contest, user, "release", b"good", "T.csv")
    assert quota(contest, team, "release").next_at == BEGINS["hide"] + cups.DAY
    refused("quota", submit, contest, user, "release", b"good", "T.csv")
    organiser = cups.person(contest, "Organiser", organiser=True)
    schedule.move(contest, "final", None, organiser)
    schedule.move(contest, "seek", None, organiser)
    contest.clock.at = BEGINS["hide"] + cups.DAY
    submit(contest, user, "release", b"good", "T.csv")
    refused("quota", submit, contest, user, "release", b"good", "T.csv")
    contest.clock.go(cups.DAY)
    submit(contest, user, "release", b"good", "T.csv")
    left = quota(contest, team, "release")
    assert (left.left, left.left_today, left.next_at) == (0, 0, None)
    refused("quota", submit, contest, user, "release", b"good", "T.csv")


@on_both_databases
def test_a_fault_of_the_server_gives_the_try_back(contest):
    user, team = cups.team(contest, "Hiders")
    begin(contest, "hide")
    for _ in range(3):
        submit(contest, user, "release", b"crash", "T.csv")
    refused("quota", submit, contest, user, "release", b"good", "T.csv")
    for _ in range(jobs.MOST_ATTEMPTS):
        judge_all(contest)
        contest.clock.go(dt.timedelta(minutes=1))
    assert {view.state for view in mine(contest, team)} == {"failed"}
    assert quota(contest, team, "release").left_today == 3
    assert submit(contest, user, "release", b"good", "T.csv").size == 4


def test_practice_never_counts_and_is_about_oneself(contest):
    user, team = cups.team(contest, "Hiders")
    _, other = cups.team(contest, "Others")
    begin(contest, "practice")
    refused("submission", submit, contest, user, "guess", b"good", "Q.csv")
    release = submit(contest, user, "release", b"good", "T.csv")
    refused("submission", submit, contest, user, "guess", b"good", "Q.csv")
    judge_all(contest)
    refused("closed", submit, contest, user, "guess", b"good", "Q.csv", other.id)
    guess = submit(contest, user, "guess", b"good", "Q.csv")
    view = one(contest, guess.id)
    assert (view.counts, view.target, view.release) == (False, team.id, release.id)
    assert not counted(contest)
    begin(contest, "seek")
    judge_all(contest)
    assert results.releases(contest) == []


@on_both_databases
def test_the_last_valid_release_of_hiding_counts(contest):
    user, team = cups.team(contest, "Hiders")
    begin(contest, "practice")
    submit(contest, user, "release", b"good", "T.csv")
    begin(contest, "hide")
    submit(contest, user, "release", b"good one", "T.csv")
    best = submit(contest, user, "release", b"good two", "T.csv")
    submit(contest, user, "release", b"bad", "T.csv")
    assert counted(contest) == {}
    judge_all(contest)
    assert {team: view.id for team, view in counted(contest).items()} == {team.id: best.id}


def test_nobody_without_a_team_hands_in(contest):
    begin(contest, "hide")
    alone = cups.person(contest, "Alone")
    refused("denied", submit, contest, alone, "release", b"good", "T.csv")
    refused("denied", submit, contest, "nobody at all", "release", b"good", "T.csv")
    assert contest.vault.names() == []


def test_what_is_too_large_is_refused_while_it_comes(contest):
    user, _ = cups.team(contest, "Hiders")
    begin(contest, "hide")
    read = []

    class Endless:
        def read(self, size):
            read.append(size)
            return b"x" * size

    refused("limit", submit, contest, user, "release", Endless(), "T.csv")
    assert sum(read) < 1_200_000
    assert contest.vault.names() == []


def test_a_file_that_belongs_to_nothing_is_swept_after_a_day(contest):
    user, _ = cups.team(contest, "Hiders")
    begin(contest, "hide")
    kept = submit(contest, user, "release", b"good", "T.csv")
    stray = contest.vault.folder / contest.vault.put(b"a server died here").name
    for age, swept in ((0, 0), (80_000, 0), (90_000, 1)):
        os.utime(stray, (time.time() - age,) * 2)
        assert submissions.sweep(contest) == swept
    assert submissions.content_of(contest, kept.id)[1] == b"good"


@pytest.mark.parametrize(
    ("given", "shown"),
    [("T.csv", "T.csv"), ("..\\..\\T.csv", "T.csv"), ("/etc/passwd", "passwd"), ("a\x00\nb.csv", "ab.csv"),
     ("", "file"), ("..", "file"), ("x" * 300 + ".csv", "x" * 116 + ".csv")],
)  # fmt: skip
def test_a_name_is_shown_and_never_a_path(given, shown):
    assert submissions.shown_name(given) == shown
