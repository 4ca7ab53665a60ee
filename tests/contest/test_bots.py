"""Bots send what the rules of every preset take."""

import zipfile

import pytest

from kakurenbo.contest.bots import bots_of
from kakurenbo.contest.bots.uploads import Upload, unzipped
from kakurenbo.contest.example import write_example
from kakurenbo.contest.judging.judge import check, published
from kakurenbo.contest.rules import Rules
from kakurenbo.contest.uploads import unpack
from kakurenbo.contest.zips import zipped

CHEAP = {"new names", "shift", "noise", "new ids", "noise 20", "cheat", "delete 40", "months + noise + alter"}


@pytest.fixture(scope="module", params=["pws2015", "pws2016", "pws2017"])
def cup(request, tmp_path_factory):
    rules, data = Rules.preset(request.param), tmp_path_factory.mktemp(request.param)
    write_example(rules, data, 60, lines=12, seed=1)
    return rules, data


def test_what_a_bot_hides_and_seeks_has_no_fault(cup):
    rules, data = cup
    bots = [bot for _, bot in bots_of(rules, 8) if bot.name in CHEAP]
    assert len(bots) >= 3
    releases = [upload for bot in bots for upload in bot.hide(data, 1)]
    releases += [again for bot in bots if (again := bot.hide_again(data, 1)) is not None]
    for upload in releases:
        files = unpack(upload.content, upload.name, rules.limits)
        assert check(rules, data, files) == ()
    shown = published(rules, data, files, seed=1)
    for bot in bots:
        guess = bot.seek(data, shown, 1)
        assert check(rules, data, files, unpack(guess.content, guess.name, rules.limits)) == ()


def test_the_same_seed_makes_the_same_bytes_at_any_time_of_day(cup, monkeypatch):
    rules, data = cup
    bot = bots_of(rules, 1)[0][1]
    release, *_ = bot.hide(data, 1)
    shown = published(rules, data, unpack(release.content, release.name, rules.limits), seed=1)
    guess = bot.seek(data, shown, 1)
    monkeypatch.setattr(zipfile.time, "time", lambda: 1e9)
    assert bot.hide(data, 1)[0] == release
    assert bot.seek(data, shown, 1) == guess


def test_many_teams_have_names_of_their_own(cup):
    names = [name for name, _ in bots_of(cup[0], 19)]
    assert len(set(names)) == 19
    assert names[8] == f"{names[0]} (2)"


def test_files_are_packed_and_unpacked():
    packed = zipped({"T.csv": b"1", "P.csv": b"2"})
    assert unzipped("a.zip", packed) == {"T.csv": b"1", "P.csv": b"2"}
    plain = Upload("S.csv", b"3")
    assert unzipped(plain.name, plain.content) == {"S.csv": b"3"}
