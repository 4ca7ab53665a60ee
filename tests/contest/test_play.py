"""Bots play a whole contest, through a real server and real workers."""

import pytest

from kakurenbo.contest import announcements, results, submissions
from kakurenbo.contest.accounts import make_organiser
from kakurenbo.contest.opening import opened
from kakurenbo.contest.play import play
from kakurenbo.errors import InputError, ParameterError


@pytest.mark.parametrize(
    ("rules", "sent"),
    [("pws2017", 3 + 2 + 6), pytest.param("custom", 4 + 2 + 6, marks=pytest.mark.campaign)],
)
def test_three_teams_hide_seek_and_are_ranked(tmp_path, rules, sent):
    told = []
    contest = opened(tmp_path / "cup", rules, people=50, lines=10, seed=1)
    try:
        chief = make_organiser(contest, "chief", "a long password")
        played = play(contest, chief, count=3, seed=1, tell=told.append)
        assert played.submissions == len(submissions.everything(contest)) == sent
        assert len(results.releases(contest)) == 3
        assert len(announcements.announcements(contest)) == 2
    finally:
        contest.close()
    assert played.board["final"]
    assert min(row["rank"] for row in played.board["hide"]) == 1
    assert {row["guesses"] for row in played.board["seek"]} == {2}
    rates = played.matrix["rates"]
    assert [[rate is None for rate in row] for row in rates] == [[i == j for j in range(3)] for i in range(3)]
    assert [line for line in told if line.startswith("phase")] == [
        "phase practice", "phase hide", "phase seek", "phase final",
    ]  # fmt: skip


def test_a_contest_is_made_of_rules_that_fit_the_data_or_not_at_all(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "T.csv").write_text("customer,goods\na,b\n")
    with pytest.raises((InputError, ParameterError)):
        opened(tmp_path / "cup", "pws2016", tmp_path / "data")
    with pytest.raises(InputError, match="no such rules"):
        opened(tmp_path / "cup", "pws1999")
    assert not (tmp_path / "cup").exists()
