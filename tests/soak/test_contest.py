"""The campaign of kills sees what it looks for: losses, double results, stuck jobs, changed files."""

import time

import pytest

from kakurenbo.contest import jobs, submissions
from kakurenbo.contest.database import models
from soak import cup


@pytest.fixture
def played(tmp_path):
    """Return a little contest in which three files were handed in and judged."""
    place = cup.Cup(tmp_path / "cup", None)
    cup.make(place)
    contest = place.opened()
    for content in (b"one", b"two", b"three"):
        receipt = submissions.submit(contest, "user-0", "release", content, "T.csv")
        place.note("receipts", id=receipt.id, digest=receipt.digest)
        lease = jobs.take(contest, "w", cup.LEASE)
        place.note("leases", id=lease.submission, attempt=lease.attempt, process=7, at=time.time())
        outcome = cup.Outcome(cup.Judged(), (0.0, 1.0))
        assert jobs.finish(contest, lease, outcome)
    yield place, contest
    contest.close()


def test_nothing_is_wrong_with_a_sound_contest(played):
    place, _ = played
    assert cup.is_idle(place)
    assert cup.wrong_with(place, [(7, time.time())]) is None


def lose(place, contest):
    place.note("receipts", id="nowhere", digest="")


def swap(place, contest):
    place.note("receipts", id=place.notes("receipts")[0]["id"], digest="another")


def forget_a_result(place, contest):
    with contest.database.writing() as session:
        session.delete(session.query(models.Result).first())


def leave_a_job(place, contest):
    with contest.database.writing() as session:
        session.query(models.Job).first().state = "open"


def break_a_file(place, contest):
    path = contest.vault.folder / contest.vault.names()[0]
    path.write_bytes(path.read_bytes()[:-1])


def seal_something_else(place, contest):
    with contest.database.writing() as session:
        session.query(models.Submission).first().stored = contest.vault.put(b"something else").name


def take_late(place, contest):
    first = place.notes("leases")[0]
    place.note("leases", id=first["id"], attempt=2, process=8, at=first["at"] + 60)


def fall(place, contest):
    place.note("troubles", trouble="RuntimeError")


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (lose, "not there"),
        (swap, "not the one"),
        (forget_a_result, "3 submissions have 2 results"),
        (leave_a_job, "open"),
        (break_a_file, "cannot be opened"),
        (seal_something_else, "another one"),
        (take_late, "stuck"),
        (fall, "fell"),
    ],
)
def test_a_planted_fault_is_seen(played, fault, told):
    place, contest = played
    fault(place, contest)
    assert told in cup.wrong_with(place, [(7, time.time())])
