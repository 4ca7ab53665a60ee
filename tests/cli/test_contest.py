"""`kakurenbo contest`: the judge without a server, new contests, and taking part from the command line."""

import io
import json
import stat
import zipfile

import pytest

from contest import cups
from kakurenbo.cli.main import run
from kakurenbo.contest import accounts
from kakurenbo.contest.bots import bots_of
from kakurenbo.contest.contest import Contest
from kakurenbo.contest.example import write_example
from kakurenbo.contest.play import served
from kakurenbo.contest.rules import Rules

KEYS = {"valid", "faults", "utility", "attacks", "learnt", "score"}


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A folder with the data of a contest of 2017, a release and a guess."""
    folder, rules = tmp_path_factory.mktemp("cup"), Rules.preset("pws2017")
    (folder / "data").mkdir()
    write_example(rules, folder / "data", 40, lines=10, seed=1)
    bot = bots_of(rules, 3)[2][1]
    [release] = bot.hide(folder / "data", 1)
    (folder / "A.csv").write_bytes(release.content)
    kept = [line for line in release.content.decode().splitlines() if not line.startswith("DEL")]
    guess = bot.seek(folder / "data", {"S.csv": "\n".join(kept).encode()}, 1)
    (folder / "guess.zip").write_bytes(guess.content)
    return folder


def judge(cup, capsys, *more, code=0, rules="pws2017", submission="A.csv"):
    words = [
        "contest",
        "judge",
        rules,
        "--original",
        str(cup / "data"),
        "--submission",
        str(cup / submission),
    ]
    assert run([*words, "--seed", "1", *more]) == code
    return capsys.readouterr()


def test_a_valid_submission_gets_all_its_numbers(cup, capsys):
    told = json.loads(judge(cup, capsys, "--json").out)
    assert set(told) == KEYS
    assert (told["valid"], told["faults"], told["learnt"]) == (True, [], {})
    assert list(told["utility"]) == ["E1", "E2", "E3_topk", "E3_sim", "E4", "E5", "E6"]
    assert {name: len(rates) for name, rates in told["attacks"].items()} == {f"S{i}": 4 for i in range(1, 7)}
    assert told["score"]["utility"] == max(told["utility"].values())
    assert told["score"]["total"] == (told["score"]["utility"] + told["score"]["security"]) / 2
    words = judge(cup, capsys).out
    assert "Valid. Utility" in words
    assert "level 4" in words


def test_a_guess_is_judged_with_its_release(cup, capsys):
    told = json.loads(judge(cup, capsys, "--guess", str(cup / "guess.zip"), "--json").out)
    assert told["valid"]
    assert len(told["attacks"]["guess"]) == 4


def test_the_order_of_rows_is_chosen(cup, capsys):
    shuffled, submitted = (
        json.loads(judge(cup, capsys, "--published-order", order, "--json").out)
        for order in ("shuffled", "submitted")
    )
    assert shuffled["utility"] == submitted["utility"]
    assert "published-order" in judge(cup, capsys, "--published-order", "sorted", code=2).err


def test_all_faults_are_listed_with_their_places(cup, capsys):
    lines = (cup / "A.csv").read_text().splitlines()
    kept = [place for place, line in enumerate(lines) if not line.startswith("DEL")][:3]
    for place, spoil in zip(kept, (("2011/13/40", 2), ("x", 5), ("", 6)), strict=True):
        cells = lines[place].split(",")
        cells[spoil[1]] = spoil[0]
        lines[place] = ",".join(cells)
    (cup / "faulty.csv").write_text("\n".join(lines) + "\n")
    told = json.loads(judge(cup, capsys, "--json", submission="faulty.csv", code=1).out)
    assert set(told) == KEYS
    assert (told["valid"], told["score"], told["utility"]) == (False, None, {})
    places = [(fault["file"], fault["line"], fault["column"], fault["code"]) for fault in told["faults"]]
    assert places == [
        ("faulty.csv", kept[0] + 1, 3, "date"),
        ("faulty.csv", kept[1] + 1, 6, "price"),
        ("faulty.csv", kept[2] + 1, 7, "quantity"),
    ]
    assert all(set(fault) == {"file", "line", "column", "fault", "code"} for fault in told["faults"])
    assert "Not valid: 3 faults." in judge(cup, capsys, submission="faulty.csv", code=1).out


def test_an_upload_that_a_server_would_refuse_is_a_fault(cup, capsys):
    (cup / "broken.zip").write_bytes(b"PK\3\4 and then nothing")
    told = json.loads(judge(cup, capsys, "--json", submission="broken.zip", code=1).out)
    assert [(fault["file"], fault["code"]) for fault in told["faults"]] == [("broken.zip", "submission")]


def test_rules_come_from_a_file_and_a_submission_from_a_folder(cup, capsys):
    (cup / "rules.toml").write_text('title = "ours"\nformat = "pws2017"\n')
    (cup / "sent").mkdir()
    (cup / "sent" / "A.csv").write_bytes((cup / "A.csv").read_bytes())
    told = judge(cup, capsys, "--json", rules=str(cup / "rules.toml"), submission="sent")
    assert json.loads(told.out)["valid"]


@pytest.mark.parametrize(
    ("rules", "submission", "said"),
    [
        ("pws1999", "A.csv", "[path-missing]"),
        ("pws2017", "nothing.csv", "[path-missing]"),
        ("pws2015", "A.csv", "[no-table]"),
    ],
)
def test_wrong_use_exits_with_two(cup, capsys, rules, submission, said):
    told = judge(cup, capsys, "--json", rules=rules, submission=submission, code=2)
    assert told.out == ""
    assert said in told.err


def test_a_new_contest_has_rules_data_a_key_and_an_organiser(tmp_path, capsys):
    folder = tmp_path / "cup"
    words = ["contest", "new", str(folder), "--rules", "pws2017", "--people", "30", "--seed", "1"]
    assert run([*words, "--organiser", "Ada", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["title"], told["organiser"]) == ("PWS Cup 2017", "Ada")
    assert told["data"] == sorted(["M.csv", "T.csv", "T100.csv", "T25.csv", "T50.csv", "T75.csv"])
    assert stat.S_IMODE((folder / "private" / "key").stat().st_mode) == 0o600
    assert (folder / "contest.toml").read_text().startswith("# PWS Cup 2017")
    with cups.opened(folder) as contest:
        assert accounts.sign_in(contest, "Ada", told["password"]).organiser
    assert run([*words]) == 2
    assert "[exists]" in capsys.readouterr().err


def test_a_new_contest_takes_data_and_a_password_of_ones_own(tmp_path, capsys, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "T.csv").write_text(cups.TRANSACTIONS)
    rules = tmp_path / "rules.toml"
    rules.write_text(cups.RULES)
    words = ["contest", "new", str(tmp_path / "cup"), "--rules", str(rules), "--data", str(tmp_path / "data")]
    monkeypatch.setattr("sys.stdin", io.StringIO("a password of my own\n"))
    assert run([*words, "--own-password"]) == 0
    said = capsys.readouterr().out
    assert "kakurenbo contest serve" in said
    assert "password" not in said.partition("Next")[0].replace("own-password", "")
    with cups.opened(tmp_path / "cup") as contest:
        assert accounts.sign_in(contest, "organiser", "a password of my own")
        assert contest.data.joinpath("T.csv").read_text() == cups.TRANSACTIONS
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["contest", "organiser", str(tmp_path / "cup"), "Bob", "--own-password"]) == 2
    assert "--own-password" in capsys.readouterr().err
    assert run(["contest", "organiser", str(tmp_path / "cup"), "Bob", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    with cups.opened(tmp_path / "cup") as contest:
        assert accounts.sign_in(contest, "Bob", made["password"]).organiser


def test_data_that_the_rules_do_not_fit_makes_no_contest(tmp_path, capsys):
    (tmp_path / "T.csv").write_text(cups.TRANSACTIONS)
    words = ["contest", "new", str(tmp_path / "cup"), "--rules", "pws2017", "--data", str(tmp_path / "T.csv")]
    assert run(words) == 2
    assert "kakurenbo: " in capsys.readouterr().err
    assert not (tmp_path / "cup").exists()


@pytest.fixture
def taking_part(tmp_path, monkeypatch):
    """Serve a contest in which one team hides; the token is in the environment."""
    folder = cups.make_folder(tmp_path / "cup")
    contest = Contest.open(folder, clock=cups.StandingClock(cups.BEGINS["hide"]))
    user, _ = cups.team(contest, "hider")
    monkeypatch.setenv("KAKURENBO_CONTEST_TOKEN", accounts.make_token(contest, user))
    monkeypatch.chdir(tmp_path)
    with served(contest) as address:
        monkeypatch.setenv("KAKURENBO_CONTEST_SERVER", address)
        yield contest
    contest.close()


def asked(capsys, *words, code=0):
    assert run(["contest", *words, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_a_team_submits_waits_and_reads_the_board(taking_part, tmp_path, capsys):
    (tmp_path / "good.csv").write_text("good")
    (tmp_path / "bad.csv").write_text("bad")
    good = asked(capsys, "submit", "good.csv")
    assert set(good) == {"id", "digest", "size", "received", "commitment", "salt"}
    assert run(["contest", "submit", "bad.csv"]) == 0
    assert "SHA-256" in capsys.readouterr().out
    status = asked(capsys, "status")
    assert (status["phase"], len(status["submissions"])) == ("hide", 2)
    cups.judge_all(taking_part)
    bad = asked(capsys, "status")["submissions"][0]["id"]
    assert asked(capsys, "status", good["id"])["valid"]
    assert asked(capsys, "status", bad, code=1)["faults"][0]["fault"] == "is no table"
    assert run(["contest", "status", bad]) == 1
    assert "is no table" in capsys.readouterr().out
    assert run(["contest", "status"]) == 0
    assert "not valid" in capsys.readouterr().out
    assert run(["contest", "board"]) == 0
    assert "nothing on the board" in capsys.readouterr().out
    cups.begin(taking_part, "final")
    assert [row["name"] for row in asked(capsys, "board")["hide"]] == ["hider"]
    assert run(["contest", "board"]) == 0
    assert "1. hider" in capsys.readouterr().out


def test_what_a_server_refuses_is_one_sentence_with_its_code(taking_part, tmp_path, capsys):
    with zipfile.ZipFile(tmp_path / "r.zip", "w") as archive:
        archive.writestr("T.csv", "x")
    cups.begin(taking_part, "seek")
    assert run(["contest", "submit", "r.zip"]) == 2
    assert capsys.readouterr().err.endswith("[closed]\n")
    assert run(["contest", "submit", "r.zip", "--kind", "guess"]) == 2
    assert "names the team" in capsys.readouterr().err
    assert run(["contest", "submit", "r.zip", "--kind", "guess", "--target", "nobody"]) == 2
    assert "[unknown-name]" in capsys.readouterr().err
    assert run(["contest", "submit", "r.zip", "--kind", "else"]) == 2
    assert run(["contest", "board", "--server", "http://127.0.0.1:9"]) == 2
    assert "does not answer" in capsys.readouterr().err
    (tmp_path / "token").write_text("kkb_nobody")
    assert run(["contest", "status", "--token-file", "token"]) == 2
    assert "[denied]" in capsys.readouterr().err


def test_a_token_is_never_typed(capsys):
    assert run(["contest", "submit", "x.csv", "--server", "https://cup.example", "--token", "kkb_x"]) == 2
    assert "--token-file" in capsys.readouterr().err


@pytest.mark.campaign
def test_bots_play_a_small_contest(tmp_path, capsys):
    words = ["contest", "play", str(tmp_path / "cup"), "--rules", "pws2017", "--teams", "2", "--people", "50"]
    assert run([*words, "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "phase final" in said
    assert "Hiding (lower is better)" in said
    assert "Who found how many" in said
    assert f"kakurenbo contest serve {tmp_path / 'cup'}" in said
    with cups.opened(tmp_path / "cup") as contest:
        assert cups.phase_of(contest) == "final"
