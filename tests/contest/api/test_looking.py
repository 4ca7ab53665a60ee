"""What everybody may look at."""

import io
import zipfile

import pytest

from contest import cups
from kakurenbo.contest.records import Outcome


def test_everybody_is_told_what_the_contest_is_and_where_it_stands(api):
    told = api.get("/contest").json()
    assert (told["title"], told["format"], told["phase"]) == ("Little cup", "purchases", "sign-up")
    assert (told["since"], told["until"]) == ("2026-04-01T00:00:00Z", "2026-04-02T00:00:00Z")
    assert told["limits"] == {"megabytes": 1, "rows": 2_000_000}
    assert [team["name"] for team in told["teams"]] == ["hider", "seeker"]
    assert {team["id"] for team in told["teams"]} == {*api.teams.values()}


def test_everybody_may_read_rules_and_times(api):
    assert api.get("/rules").json()["hide"]["tries"] == 5
    told = api.get("/schedule").json()
    assert [phase["phase"] for phase in told["phases"]] == list(cups.PHASES)
    assert told["now"] == told["phases"][0]["starts"]


def test_data_is_listed_and_downloaded_by_people_with_an_account(api):
    assert api.get("/data").status_code == 401
    [file] = api.get("/data", "guest").json()["files"]
    assert file == {"name": "transactions.csv", "size": len(cups.TRANSACTIONS)}
    answer = api.get("/data/transactions.csv", "guest")
    assert answer.text == cups.TRANSACTIONS
    assert "attachment" in answer.headers["content-disposition"]


@pytest.mark.parametrize("name", ["nothing.csv", "..%2Fcontest.toml", "%2e%2e%2fprivate%2fkey", "%2e"])
def test_a_name_that_is_not_listed_is_no_path(api, name):
    answer = api.get(f"/data/{name}", "guest")
    assert answer.status_code == 404
    assert answer.json()["code"] == "missing"


def test_what_was_published_is_downloaded_and_its_secret_is_not(api, contest):
    rows = cups.TRANSACTIONS.replace("c", "x").replace("xustomer", "customer")
    secret = "released,original\n" + "".join(f"x{i},c{i}\n" for i in range(1, 7))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("T.csv", rows)
        archive.writestr("P.csv", secret)
    cups.begin(contest, "hide")
    assert api.submit("hider", packed.getvalue(), "release.zip").status_code == 201
    cups.judge_all(contest, lambda *_: Outcome(cups.GOOD))
    assert api.get("/releases", "guest").json() == {"releases": []}
    cups.begin(contest, "seek")
    cups.judge_all(contest)
    [release] = api.get("/releases", "guest").json()["releases"]
    assert (release["team"], release["team_name"]) == (api.teams["hider"], "hider")
    answer = api.get(f"/releases/{release['team']}", "seeker")
    assert sorted(answer.text.splitlines()) == sorted(rows.splitlines())
    assert api.get("/releases").status_code == 401
    assert api.get(f"/releases/{api.teams['seeker']}", "hider").status_code == 404


def test_board_and_matrix_show_nothing_before_the_end(api, contest):
    cups.begin(contest, "hide")
    api.submit("hider")
    cups.judge_all(contest)
    board = api.get("/board").json()
    assert (board["final"], board["hide"], board["seek"]) == (False, [], [])
    cups.begin(contest, "final")
    board, matrix = api.get("/board").json(), api.get("/matrix").json()
    assert board["final"]
    assert [(row["name"], row["total"]) for row in board["hide"]] == [("hider", 0.375), ("seeker", None)]
    assert matrix["final"]
    assert matrix["rates"] == [[None, None], [None, None]]
