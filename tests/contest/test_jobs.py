"""Jobs: a killed worker loses nothing, nothing is judged twice, nothing is stuck longer than a lease."""

import datetime as dt
import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from contest import cups
from contest.cups import SECOND, begin, on_both_databases
from kakurenbo.contest import jobs, log, results, submissions
from kakurenbo.contest.database import models
from kakurenbo.contest.records import Outcome
from kakurenbo.contest.worker import Worker
from kakurenbo.errors import ParameterError

MINUTE = dt.timedelta(minutes=1)


@pytest.fixture
def handed_in(contest):
    """Return a function that hands in a file and returns its id."""
    user, _ = cups.team(contest, "Hiders")
    begin(contest, "hide")
    return lambda content=b"good": submissions.submit(contest, user, "release", content, "T.csv").id


def rows(contest, table):
    with contest.database.reading() as session:
        return session.query(table).count()


@on_both_databases
def test_jobs_are_taken_in_the_order_they_came_and_by_one_only(contest, handed_in):
    first, second = handed_in(), handed_in()
    assert [jobs.take(contest, "w", MINUTE).submission for _ in range(2)] == [first, second]
    assert jobs.take(contest, "w", MINUTE) is None


@on_both_databases
def test_many_workers_never_hold_the_same_job(contest):
    contest = cups.with_rules(contest, hide={"tries": 100, "tries_a_day": 100})
    user, _ = cups.team(contest, "Hiders")
    begin(contest, "hide")
    ids = {submissions.submit(contest, user, "release", b"good", "T.csv").id for _ in range(24)}
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda n: jobs.take(contest, f"w{n}", MINUTE), range(40)))
    leases = [lease for lease in taken if lease is not None]
    assert len({lease.fence for lease in leases}) == len(leases) == 24
    assert {lease.submission for lease in leases} == ids


@on_both_databases
def test_a_lease_that_ran_out_is_given_to_another_and_the_first_writes_nothing(contest, handed_in):
    submission = handed_in()
    dead = jobs.take(contest, "dead", MINUTE)
    contest.clock.go(MINUTE - SECOND)
    assert jobs.take(contest, "other", MINUTE) is None
    contest.clock.go(SECOND)
    other = jobs.take(contest, "other", MINUTE)
    assert (other.submission, other.attempt) == (submission, 2)
    assert not jobs.beat(contest, dead)
    assert not jobs.finish(contest, dead, Outcome(cups.BAD, (1.0,)))
    assert not jobs.fail(contest, dead, "Late")
    assert contest.vault.names() == [_stored(contest, submission)]
    assert jobs.finish(contest, other, Outcome(cups.GOOD))
    assert not jobs.finish(contest, other, Outcome(cups.GOOD))
    assert results.of(contest, submission)["valid"]
    assert rows(contest, models.Result) == 1


def _stored(contest, submission):
    with contest.database.reading() as session:
        return session.query(models.Submission).filter_by(token=submission).one().stored


def test_a_beat_makes_a_lease_longer(contest, handed_in):
    handed_in()
    lease = jobs.take(contest, "w", MINUTE)
    for _ in range(5):
        contest.clock.go(MINUTE - SECOND)
        assert jobs.beat(contest, lease)
    assert jobs.take(contest, "other", MINUTE) is None
    assert jobs.finish(contest, lease, Outcome(cups.GOOD))
    assert not jobs.beat(contest, lease)


def test_a_lease_that_ran_out_may_still_write_while_nobody_else_holds_it(contest, handed_in):
    handed_in()
    lease = jobs.take(contest, "w", MINUTE)
    contest.clock.go(10 * MINUTE)
    assert jobs.finish(contest, lease, Outcome(cups.GOOD))
    assert jobs.take(contest, "other", MINUTE) is None


@on_both_databases
def test_only_one_of_many_who_finish_together_writes(contest, handed_in):
    submission = handed_in()
    lease = jobs.take(contest, "w", MINUTE)
    with ThreadPoolExecutor(8) as pool:
        wrote = list(pool.map(lambda _: jobs.finish(contest, lease, Outcome(cups.GOOD)), range(16)))
    assert wrote.count(True) == 1
    assert rows(contest, models.Result) == 1
    assert submissions.one(contest, submission).state == "done"


@on_both_databases
def test_a_job_that_kills_its_workers_fails_after_five(contest, handed_in):
    deadly, harmless = handed_in(), handed_in()
    for attempt in range(jobs.MOST_ATTEMPTS):
        assert jobs.take(contest, "doomed", MINUTE).attempt == attempt + 1
        contest.clock.go(MINUTE)
    assert jobs.take(contest, "w", MINUTE).submission == harmless
    assert submissions.one(contest, deadly).state == "failed"
    assert [(line.what, line.about) for line in log.read(contest, what="judging-failed")] == [
        ("judging-failed", deadly)
    ]
    queue = jobs.queue(contest)
    assert queue.counts == {"waiting": 0, "judging": 1, "failed": 1, "done": 0}
    assert [(job.submission, job.state) for job in queue.jobs] == [(deadly, "failed"), (harmless, "judging")]


def test_a_crash_of_the_judge_is_tried_again_later_and_tells_no_value(contest, handed_in, caplog):
    handed_in(b"crash on Taro's secret")
    worker = Worker(contest, "w", judge=cups.by_word)
    with caplog.at_level(logging.DEBUG):
        assert worker.run_once()
        assert not worker.run_once()
        for _ in range(jobs.MOST_ATTEMPTS):
            contest.clock.go(MINUTE)
            worker.run_once()
    (job,) = jobs.queue(contest).jobs
    assert (job.state, job.attempts, job.trouble) == ("failed", jobs.MOST_ATTEMPTS, "RuntimeError")
    told = caplog.text + repr(jobs.queue(contest)) + repr(log.read(contest))
    assert "RuntimeError" in told
    assert "Taro" not in told


def test_a_worker_beats_while_it_judges(contest, handed_in):
    """The lease is three hundredths of a second, and judging takes until two beats have come."""
    submission = handed_in()
    lease = dt.timedelta(seconds=0.03)
    beats = threading.Semaphore(0)
    real = jobs.beat

    def counted(contest, lease):
        beats.release()
        return real(contest, lease)

    def slow(contest, lease):
        assert beats.acquire(timeout=120)
        assert beats.acquire(timeout=120)
        return Outcome(cups.GOOD)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "beat", counted)
        assert Worker(contest, "w", lease, judge=slow).run_once()
    assert submissions.one(contest, submission).valid


def test_a_worker_outlives_a_database_that_is_away(contest, handed_in, monkeypatch, caplog):
    submission = handed_in()
    real, troubles, stop = jobs.take, iter([OSError("disk of Taro"), OSError()]), threading.Event()

    def take(*arguments):
        for trouble in troubles:
            raise trouble
        return real(*arguments)

    def judge(contest, lease):
        stop.set()
        return Outcome(cups.GOOD)

    monkeypatch.setattr(jobs, "take", take)
    Worker(contest, "w", judge=judge).run(stop, pause=0.01)
    assert submissions.one(contest, submission).valid
    assert caplog.text.count("OSError") == 2
    assert "Taro" not in caplog.text


@on_both_databases
def test_judging_again_is_a_new_round_and_the_newest_is_shown(contest, handed_in):
    submission = handed_in()
    cups.judge_all(contest)
    organiser = cups.person(contest, "Organiser", organiser=True)
    assert jobs.rejudge(contest, submission, organiser) == 2
    view = submissions.one(contest, submission)
    assert (view.round, view.state, view.valid) == (2, "waiting", None)
    assert results.of(contest, submission) is None
    cups.judge_all(contest, judge=lambda *_: Outcome(cups.BAD))
    assert not submissions.one(contest, submission).valid
    assert rows(contest, models.Result) == 2
    assert log.read(contest, what="rejudge")[0].who == "Organiser"


@on_both_databases
def test_judging_again_takes_the_lease_from_who_holds_it(contest, handed_in):
    submission = handed_in()
    lease = jobs.take(contest, "slow", MINUTE)
    organiser = cups.person(contest, "Organiser", organiser=True)
    jobs.rejudge(contest, submission, organiser)
    assert not jobs.finish(contest, lease, Outcome(cups.BAD))
    cups.judge_all(contest)
    assert submissions.one(contest, submission).valid


def test_only_an_organiser_lets_judge_again(contest, handed_in):
    user = cups.person(contest, "Somebody")
    with pytest.raises(ParameterError, match="organiser") as caught:
        jobs.rejudge(contest, handed_in(), user)
    assert caught.value.code == "denied"
