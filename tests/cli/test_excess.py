import json

import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run

ROLES = [
    part
    for role in ("customer", "goods", "receipt", "time", "price", "quantity")
    for part in (f"--{role}", role)
]
KEYS = {"distance", "mean_distance", "limit_low", "limit_high", "s_lower", "s_exact", "verdict"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A made-up shop, an honest release and a cheat, as a user would make them."""
    place = tmp_path_factory.mktemp("excess")
    made = ["--out", str(place / "shop"), "--shop-only", "--quiet"]
    assert run(["demo", "--customers", "60", "--seed", "3", *made]) == 0
    for method in ("pseudonymize", "shift"):
        made = ["--out", str(place / method), "--secret", str(place / f"{method}.csv"), "--seed", "1", "-q"]
        assert run(["deidentify", method, str(place / "shop"), *made, *ROLES]) == 0
    return place


def answer(capsys, code, *arguments):
    assert run(["excess", *map(str, arguments), *ROLES]) == code
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def test_without_a_release_the_limits_are_told(folder, capsys):
    found = json.loads(answer(capsys, 0, folder / "shop", "--json", "--r", "0,5,60"))
    assert set(found) >= KEYS
    assert (found["verdict"], found["distance"], found["measure"]) == (None, None, "multiset")
    assert [row["r"] for row in found["s_lower"]] == [0, 5, 60]
    for low, exact in zip(found["s_lower"], found["s_exact"], strict=True):
        assert low["value"] <= exact["lower"] + 1e-9 <= exact["upper"] + 2e-9
    assert found["s_exact"][0]["exact"]
    assert found["threshold"] == found["limit_high"] > found["limit_low"]
    assert found["certainty"][0]["text"].startswith("1 - 2^-")
    words = answer(capsys, 0, folder / "shop")
    assert "s_exact" in words
    assert "threshold" in words


def test_a_cheat_exits_with_one_and_a_copy_with_zero(folder, capsys):
    honest = (folder / "shop", folder / "pseudonymize", "--secret", folder / "pseudonymize.csv")
    cheat = (folder / "shop", folder / "shift", "--secret", folder / "shift.csv")
    for extra in ((), ("--distance", "set"), ("--reading", "strict")):
        found = json.loads(answer(capsys, 0, *honest, *extra, "--json"))
        assert (found["verdict"], found["distance"]) == ("accepted", 0)
        found = json.loads(answer(capsys, 1, *cheat, *extra, "--json"))
        assert found["verdict"] == "excessive"
        assert found["mean_distance"] == pytest.approx(found["distance"] / 60)
    assert "excessive: By multiset" in answer(capsys, 1, *cheat)
    assert "accepted" in answer(capsys, 0, *cheat, "--t", "60")
    assert json.loads(answer(capsys, 1, *cheat, "--approach", "I", "--json"))["verdict"] == "excessive"


def test_the_cheats_are_tried_and_drawn(folder, capsys):
    for ending in ("svg", "png"):
        plot = folder / f"excess.{ending}"
        tried = ("--trials", "50", "--by", "sex", "--certainty", "5", "--seed", "1", "--plot", plot)
        found = json.loads(answer(capsys, 0, folder / "shop", *tried, "--json"))
        assert [one["cheat"] for one in found["cheats"]] == ["shift", "random", "multi-random"]
        assert all(one["rejected"] == one["trials"] == 50 for one in found["cheats"])
        assert plot.stat().st_size > 5000
    drawn = (folder / "excess.svg").read_text()
    assert "s_lower" in drawn
    assert "50 trials of multi-random" in drawn
    assert "50 of 50 caught" in answer(capsys, 0, folder / "shop", "--trials", "50", "--seed", "1")


@pytest.mark.campaign
def test_an_integer_programme_closes_brackets_when_asked(folder, capsys):
    wanted = ",".join(map(str, range(61)))
    found = json.loads(answer(capsys, 0, folder / "shop", "--r", wanted, "--close", "5", "--json"))
    tried = [row for row in found["s_exact"] if row["programme"] is not None]
    assert tried
    assert all(row["exact"] == row["programme"] for row in tried)


def test_microdata_by_euclid(tmp_path, capsys):
    kb.demo.households_frame(100, seed=1).write_csv(tmp_path / "people.csv")
    names = ["--qi", ",".join(kb.demo.QUASI_IDENTIFIERS), "--sa", ",".join(kb.demo.SENSITIVE)]
    made = ["--out", str(tmp_path / "out"), "--secret", str(tmp_path / "secret.csv"), "--seed", "1", "-q"]
    assert run(["deidentify", "pseudonymize", str(tmp_path / "people.csv"), *made, *names]) == 0
    capsys.readouterr()
    (released,) = (tmp_path / "out").glob("*.csv")
    arguments = [str(tmp_path / "people.csv"), str(released), "--secret", str(tmp_path / "secret.csv")]
    assert run(["excess", *arguments, *names, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["measure"], found["distance"], found["verdict"]) == ("euclid", 0, "accepted")


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        (["--secret", "x.csv"], "parameter"),
        (["--plot", "x.jpg"], "parameter"),
        (["--distance", "euclid"], "parameter"),
        (["--r", "-1"], "parameter"),
        (["--t", "-1"], "parameter"),
        (["--by", "shoe"], "column-missing"),
        (["--certainty", "2000"], "no-threshold"),
    ],
)
def test_wrong_use_is_one_sentence_with_its_code(folder, capsys, extra, code):
    assert run(["excess", str(folder / "shop"), *extra, *ROLES]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.rstrip().endswith(f"[{code}]")


def test_a_plot_that_cannot_be_written_says_so(folder, capsys):
    plot = folder / "nowhere" / "excess.svg"
    assert run(["excess", str(folder / "shop"), "--plot", str(plot), *ROLES]) == 74
    assert "[write]" in capsys.readouterr().err
