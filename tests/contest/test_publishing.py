"""Publishing and results: all releases at once, when hiding has ended and everything is judged."""

import io
import zipfile

import pytest

from contest import cups
from contest.cups import begin, judge_all, on_both_databases
from kakurenbo.contest import jobs, log, publishing, results, submissions
from kakurenbo.contest.judging import judge as judging
from kakurenbo.errors import ParameterError


@pytest.fixture
def two_teams(contest, monkeypatch):
    """Return two teams; what is published of a release is its content in capitals."""

    def published(rules, original, files, *, seed):
        assert isinstance(seed, int)
        return {name: content.upper() for name, content in files.items()}

    monkeypatch.setattr(judging, "published", published)
    return cups.team(contest, "Hiders"), cups.team(contest, "Seekers")


@on_both_databases
def test_releases_appear_together_after_hiding_when_all_are_judged(contest, two_teams):
    (hider, hiders), (seeker, seekers) = two_teams
    begin(contest, "hide")
    first = submissions.submit(contest, hider, "release", b"good,1", "T.csv")
    judge_all(contest)
    second = submissions.submit(contest, seeker, "release", b"good,2", "T.csv")
    assert publishing.publish(contest) == 0
    begin(contest, "seek")
    assert publishing.publish(contest) == 0
    judge_all(contest)
    assert [(one.team, one.submission) for one in results.releases(contest)] == [
        (hiders.id, first.id), (seekers.id, second.id)]  # fmt: skip
    assert results.published_file(contest, hiders) == ("T.csv", b"GOOD,1")
    assert publishing.publish(contest) == 0


def test_what_is_published_stays_what_counts(contest, two_teams):
    (hider, hiders), _ = two_teams
    begin(contest, "hide")
    older = submissions.submit(contest, hider, "release", b"good,1", "T.csv")
    newer = submissions.submit(contest, hider, "release", b"good,2", "T.csv")
    begin(contest, "seek")
    judge_all(contest)
    organiser = cups.person(contest, "Organiser", organiser=True)
    jobs.rejudge(contest, newer.id, organiser)
    assert submissions.counted(contest)[hiders.id].id == newer.id
    judge_all(contest)
    assert submissions.counted(contest)[hiders.id].id == newer.id != older.id


@on_both_databases
def test_guesses_are_about_what_is_published(contest, two_teams):
    (hider, hiders), (seeker, seekers) = two_teams
    begin(contest, "hide")
    release = submissions.submit(contest, hider, "release", b"good,1", "T.csv")
    begin(contest, "seek")
    with pytest.raises(ParameterError) as early:
        submissions.submit(contest, seeker, "guess", b"good", "Q.csv", hiders.id)
    assert early.value.code == "submission"
    judge_all(contest)
    guess = submissions.submit(contest, seeker, "guess", b"good", "Q.csv", hiders.id)
    for target in (seekers.id, "nobody", None):
        with pytest.raises(ParameterError) as caught:
            submissions.submit(contest, seeker, "guess", b"good", "Q.csv", target)
        assert caught.value.code == "submission"
    with pytest.raises(ParameterError) as nothing_there:
        submissions.submit(contest, hider, "guess", b"good", "Q.csv", seekers.id)
    assert nothing_there.value.code == "submission"
    view = submissions.one(contest, guess.id)
    assert (view.target, view.target_name, view.release) == (hiders.id, "Hiders", release.id)
    judge_all(contest)
    assert results.hits(contest, guess.id) == (0.0, 1.0, 0.5)
    assert [judged.submission.id for judged in results.judgements(contest, kind="guess")] == [guess.id]
    assert [judged.submission.id for judged in results.judgements(contest, phase="hide")] == [release.id]
    assert b"0.5" not in b"".join(
        (contest.vault.folder / name).read_bytes() for name in contest.vault.names()
    )


@on_both_databases
def test_quotas_of_guesses_are_for_each_target(contest, two_teams):
    (hider, hiders), (seeker, seekers) = two_teams
    third, _ = cups.team(contest, "Third")
    begin(contest, "hide")
    for user in (hider, seeker):
        submissions.submit(contest, user, "release", b"good", "T.csv")
    begin(contest, "seek")
    judge_all(contest)
    for target in (hiders.id, seekers.id):
        for _ in range(2):
            submissions.submit(contest, third, "guess", b"good", "Q.csv", target)
        with pytest.raises(ParameterError) as caught:
            submissions.submit(contest, third, "guess", b"good", "Q.csv", target)
        assert caught.value.code == "quota"


def test_a_release_that_cannot_be_published_holds_up_no_other(contest, two_teams, monkeypatch, caplog):
    (hider, _), (seeker, seekers) = two_teams
    begin(contest, "hide")
    submissions.submit(contest, hider, "release", b"good,broken", "T.csv")
    submissions.submit(contest, seeker, "release", b"good", "T.csv")
    begin(contest, "seek")

    def published(rules, original, files, *, seed):
        (content,) = files.values()
        if b"broken" in content:
            raise RuntimeError(content.decode())
        return {"S.csv": content}

    monkeypatch.setattr(judging, "published", published)
    judge_all(contest)
    assert [one.team for one in results.releases(contest)] == [seekers.id]
    assert caplog.text.count("RuntimeError") == 1
    assert "broken" not in caplog.text
    assert len(log.read(contest, what="publish-failed")) == 1


def test_several_files_are_published_as_one_zip_that_tells_no_time():
    name, content = publishing.packed({"T.csv": b"1", "M.csv": b"2"})
    assert (name, content) == publishing.packed({"M.csv": b"2", "T.csv": b"1"})
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {one.filename: (archive.read(one), one.date_time[0]) for one in archive.infolist()} == {
            "M.csv": (b"2", 1980), "T.csv": (b"1", 1980)}  # fmt: skip


def test_nothing_is_there_of_a_team_without_a_release(contest):
    _, team = cups.team(contest, "Hiders")
    with pytest.raises(ParameterError, match="no published release"):
        results.published_file(contest, team)
    assert results.hits(contest, "nothing") is None
    assert results.of(contest, "nothing") is None
