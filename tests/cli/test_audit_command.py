"""`kakurenbo audit` as users type it."""

import json
import stat

import polars as pl
import pytest

from drawing import drawn_once
from kakurenbo import report
from kakurenbo.auditing.results import Audit
from kakurenbo.cli.main import run
from proving import audited_once
from shops import light_shop

ROLES = [
    part
    for role in ("customer", "goods", "receipt", "time", "price", "quantity")
    for part in (f"--{role}", role)
]
KEYS = {"attacks", "worst", "utility", "excess", "verdict"}
ATTACK_KEYS = {"attack", "knowledge", "rate", "low", "high", "chance"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("audit")
    shop = light_shop(50, seed=3)
    (place / "shop").mkdir()
    shop.to_frame().write_csv(place / "shop" / "transactions.csv")
    shop.master.write_csv(place / "shop" / "master.csv")
    for name, *parameters in (["pseudonymize"], ["deal", "--min-size", "10", "--of", "records"]):
        made = ["--out", str(place / name), "--secret", str(place / f"{name}.csv"), "-q"]
        assert run(["deidentify", name, str(place / "shop"), *parameters, *made, *ROLES]) == 0
    return place


@pytest.fixture(scope="module", autouse=True)
def _audited_and_drawn_once():
    with audited_once(), drawn_once():
        yield


def answer(capsys, code, folder, name, *more, secret=True):
    capsys.readouterr()
    kept = ["--secret", str(folder / f"{name}.csv")] if secret else []
    words = ["audit", str(folder / "shop"), str(folder / name), *kept, *map(str, more), "--seed", "1", *ROLES]
    assert run(words) == code
    said = capsys.readouterr()
    return said.out if code < 2 else said.err


def test_a_release_under_new_names_is_answered_with_no(folder, capsys):
    said = answer(capsys, 1, folder, "pseudonymize")
    assert said.startswith("Verdict: no")
    for words in ("full records", "100.0%", "The proof holds", "goods+day"):
        assert words in said
    found = json.loads(answer(capsys, 1, folder, "pseudonymize", "--json"))
    assert set(found) >= KEYS
    assert all(set(attack) >= ATTACK_KEYS for attack in found["attacks"])
    assert found["worst"] == found["attacks"][0]
    assert found["verdict"] == "no"
    assert all(isinstance(value, int | float) for value in found["utility"].values())


def test_limits_and_exit_codes(folder, capsys):
    trusted = ["--max-risk", "0.5", "--trust-pairing", "--knowledge", "2 records"]
    assert answer(capsys, 0, folder, "deal", *trusted).startswith("Verdict: yes")
    assert "lays open" in answer(capsys, 1, folder, "deal", *trusted[:3])
    assert "lays open" in answer(capsys, 1, folder, "deal", *trusted, "--max-learnt", "0.01")
    assert "likeness" in answer(capsys, 1, folder, "deal", *trusted, "--min-utility", "likeness=0.9")
    assert "shuffled" in answer(capsys, 1, folder, "deal", "--max-risk", "0.5")
    assert answer(capsys, 0, folder, "deal", *trusted, "--min-utility", "0.1").startswith("Verdict: yes")


def test_without_the_secret(folder, capsys):
    """The answer is about what is learnt."""
    few = ["--knowledge", "2 records", "--max-learnt", "0.6"]
    said = answer(capsys, 0, folder, "deal", *few, secret=False)
    assert said.startswith("Verdict: yes")
    assert "this answer is about what is learnt" in said
    assert "u3-rfm" in said
    assert "lays open" in answer(capsys, 1, folder, "deal", "--max-risk", "0.5", secret=False)


def test_reports_and_the_secret_file_of_people(folder, capsys, tmp_path):
    reports = [tmp_path / "a.html", tmp_path / "a.md", tmp_path / "a.json", tmp_path / "all"]
    asked = [part for path in reports for part in ("--report", path)]
    answer(capsys, 1, folder, "pseudonymize", *asked, "--people", tmp_path / "who.csv")
    assert all(path.exists() for path in reports)
    assert {path.name for path in (tmp_path / "all").iterdir()} == {
        "report.html", "report.md", "report.json", "figures",
    }  # fmt: skip
    assert stat.S_IMODE((tmp_path / "who.csv").stat().st_mode) == 0o600
    people = pl.read_csv(tmp_path / "who.csv")
    assert people.height == 50
    html = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert not any(name in html for name in people["released"])
    assert len(html) < 3_000_000
    read = Audit.from_json((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert read.people.table is None
    assert report.html(read) == html == (tmp_path / "all" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (["--min-utility", "much"], "[parameter]"),
        (["--min-utility", "2"], "[parameter]"),
        (["--report", "a.docx"], "[parameter]"),
        (["--people", "{folder}/deal/who.csv"], "[secret-place]"),
        (["--people", "{folder}/deal.csv"], "[output-place]"),
        (["--people", "{folder}/a.html", "--report", "{folder}/a.html"], "[secret-place]"),
        (["--people", "{folder}/new/who.csv", "--report", "{folder}/new"], "[secret-place]"),
        (["--max-risk", "nan"], "max-risk"),
        (["--max-risk", "1.5"], "max-risk"),
    ],
)
def test_wrong_use_is_one_sentence_and_writes_nothing(folder, capsys, more, code):
    before = sorted(folder.rglob("*"))
    said = answer(capsys, 2, folder, "deal", *(part.format(folder=folder) for part in more))
    assert code in said
    assert said.count("\n") == 1
    assert sorted(folder.rglob("*")) == before


def test_people_need_the_secret(folder, capsys, tmp_path):
    said = answer(capsys, 2, folder, "deal", "--people", tmp_path / "who.csv", secret=False)
    assert "secret" in said
