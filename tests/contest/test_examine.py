"""A worker with the real judge, from the upload to the result, and uploads that are none."""

import io
import zipfile
from dataclasses import replace

import pytest

from contest import cups, judged_shop
from contest.cups import begin
from kakurenbo.contest import examine, results, submissions
from kakurenbo.contest.worker import Worker
from kakurenbo.errors import ParameterError


@pytest.fixture
def shop(folder, clock):
    """Return a contest about the shop of six customers, open on SQLite: the judge asks no database."""
    for file in (folder / "data").iterdir():
        file.unlink()
    judged_shop.write_original(folder / "data")
    with cups.opened(folder, clock=clock) as contest:
        yield replace(contest, rules=judged_shop.rules(), intake=contest.intake)


def zipped(files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def judge(contest):
    worker = Worker(contest, "test")
    while worker.run_once():
        pass


def test_a_release_and_a_guess_are_judged_published_and_sealed(shop):
    (hider, hiders), (seeker, _) = cups.team(shop, "Hiders"), cups.team(shop, "Seekers")
    begin(shop, "hide")
    upload = zipped(judged_shop.submission())
    assert submissions.check(shop, hider, "release", upload, "release.zip") == ()
    release = submissions.submit(shop, hider, "release", upload, "release.zip")
    begin(shop, "seek")
    judge(shop)
    assert results.of(shop, release.id)["valid"]
    filename, content = results.published_file(shop, hiders)
    assert filename == "release.zip"
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert sorted(archive.namelist()) == ["M.csv", "T.csv"]
    guess = judged_shop.pairs({**judged_shop.NAMES, "p": "12", "q": "12"})
    assert submissions.check(shop, seeker, "guess", guess, "Q.csv", hiders.id) == ()
    guessed = submissions.submit(shop, seeker, "guess", guess, "Q.csv", hiders.id)
    judge(shop)
    assert results.of(shop, guessed.id)["attacks"]["guess"] == [5 / 6]
    assert results.hits(shop, guessed.id) == (0, 1, 1, 1, 1, 1)


def test_faults_are_told_and_so_is_a_file_that_is_none(shop):
    hider, _ = cups.team(shop, "Hiders")
    begin(shop, "hide")
    wrong = submissions.submit(shop, hider, "release", b"no,such,table\n", "T.csv")
    broken = submissions.submit(shop, hider, "release", b"no zip", "release.zip")
    judge(shop)
    assert not submissions.one(shop, wrong.id).valid
    assert results.of(shop, wrong.id)["faults"]
    (fault,) = results.of(shop, broken.id)["faults"]
    assert (fault["file"], fault["code"]) == ("release.zip", "submission")


def test_a_check_of_a_guess_needs_a_release_to_seek_in(shop):
    (hider, hiders), (seeker, _) = cups.team(shop, "Hiders"), cups.team(shop, "Seekers")
    guess = judged_shop.pairs(judged_shop.NAMES)
    for user, target in ((seeker, hiders.id), (hider, None), (cups.person(shop, "Alone"), hiders.id)):
        with pytest.raises(ParameterError) as caught:
            submissions.check(shop, user, "guess", guess, "Q.csv", target)
        assert caught.value.code in {"submission", "denied"}


def test_a_faulty_guess_leaves_no_hits(shop):
    (hider, hiders), (seeker, _) = cups.team(shop, "Hiders"), cups.team(shop, "Seekers")
    begin(shop, "hide")
    submissions.submit(shop, hider, "release", zipped(judged_shop.submission()), "release.zip")
    begin(shop, "seek")
    judge(shop)
    guess = submissions.submit(shop, seeker, "guess", b"released,original\nx,11\n", "Q.csv", hiders.id)
    judge(shop)
    assert not results.of(shop, guess.id)["valid"]
    assert results.hits(shop, guess.id) is None


def test_what_is_not_there_is_a_fault_of_the_server(shop):
    lease = type("Lease", (), {"submission": "nothing"})()
    with pytest.raises(ParameterError):
        examine.examine(shop, lease)
