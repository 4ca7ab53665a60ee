import json
from dataclasses import replace

import pytest

import kakurenbo as kb
from kakurenbo.cli.main import run
from kakurenbo.cli.tune import typed
from kakurenbo.plan import Plan, Step
from kakurenbo.tuning.draws import Applied

ROLES = [
    part
    for role in ("customer", "goods", "receipt", "time", "price", "quantity")
    for part in (f"--{role}", role)
]
FEW = ["--max-learnt", "1", "--trials", "6", "--jobs", "1", "--knowledge", "goods"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    place = tmp_path_factory.mktemp("tune") / "shop"
    assert run(["demo", "--customers", "30", "--seed", "3", "--out", str(place), "--shop-only", "-q"]) == 0
    return place


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A file for the trials of one and the same search, made by whoever comes first."""
    return tmp_path_factory.mktemp("study") / "s.sqlite"


def answer(capsys, code, *arguments):
    assert run(["tune", *map(str, arguments), *ROLES]) == code
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def test_it_prints_the_frontier_the_plan_and_what_to_type_next(shop, capsys, tmp_path, study):
    plot = tmp_path / "f.svg"
    given = (shop, "--max-risk", "0.2", "--seed", "1", *FEW, "--study", study)
    words = answer(capsys, 0, *given, "--plot", plot)
    for part in ("The frontier", "measure by measure", "delta-m", "the papers'", "Theory's best", "seed 1"):
        assert part in words
    assert "kakurenbo deidentify" in words
    drawn = plot.read_text(encoding="utf-8")
    assert "The frontier of 6 plans" in drawn
    assert "000 figure 14 beside the measurement" in drawn
    found = json.loads(answer(capsys, 0, *given, "--json"))
    assert (found["resumed"], found["seed"], found["verdict"], found["applied"]) == (6, 1, "yes", None)
    assert found["risk"] <= found["max_risk"] == 0.2
    assert found["plan"]["steps"][0]["method"] in words


def test_no_plan_within_the_limit_is_a_no(shop, capsys, tmp_path):
    out = ("--apply", "--out", tmp_path / "never", "--secret", tmp_path / "never.csv")
    plan = ("--plan", tmp_path / "never.toml")
    words = answer(capsys, 1, shop, "--max-risk", "0.001", "--seed", "1", *FEW, *out, *plan)
    assert "None of the 6 plans" in words
    assert "No plan was written: none keeps the limit." in words
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_the_plan_advised_is_written_and_can_be_carried_out(shop, capsys, tmp_path, study, ending):
    file, made = tmp_path / f"plan.{ending}", ("--out", tmp_path / "release", "--secret", tmp_path / "s.csv")
    given = (shop, "--max-risk", "0.2", "--seed", "1", *FEW, "--study", study)
    words = answer(capsys, 0, *given, "--plan", file)
    assert f"Make the release: kakurenbo deidentify {shop} --plan {file} --out DIR --secret FILE" in words
    advised = json.loads(answer(capsys, 0, *given, "--json"))["plan"]
    assert Plan.read(file) == replace(Plan.from_dict(advised), people=30)  # and on how many it was sought
    assert run(["deidentify", str(shop), "--plan", str(file), *map(str, made), *ROLES, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["plan"] == advised
    before = file.read_bytes()
    assert run(["tune", *map(str, given), "--plan", str(file), *ROLES]) == 2
    assert "exists already" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_apply_writes_a_release_and_its_secret(shop, capsys, tmp_path):
    release, secret = tmp_path / "release", tmp_path / "secret.csv"
    kept = ("--keep-master", "sex,country")
    given = (
        shop,
        "--max-risk",
        "0.25",
        *FEW,
        "--apply",
        "--out",
        release,
        "--secret",
        secret,
        "--json",
        *kept,
    )
    found = json.loads(answer(capsys, 0, *given))
    assert found["applied"]["written"]
    assert found["applied"]["risk"] <= 0.25
    assert not found["applied"]["reproducible"]
    tables, sheet = {"transactions", "master", "release"}, {"README", "datasheet"}
    assert {path.stem for path in release.iterdir()} == tables | sheet
    assert "tried on this very release" in (release / "README.md").read_text()
    assert found["applied"]["master_kept"] == ["sex", "country"]
    assert found["applied"]["master_dropped"] == ["birth"]
    assert len(kb.read_pairing(secret)) == 30
    before = secret.read_bytes()
    assert run(["tune", *map(str, given), *ROLES]) == 2
    assert "exists already" in capsys.readouterr().err
    assert secret.read_bytes() == before


def test_a_plan_becomes_a_command_that_can_be_typed():
    plan = Plan("purchases", (Step("compact", {"min_size": 8}), Step("coarsen", {"times": "month"})))
    assert typed(plan, "my shop") == (
        "kakurenbo deidentify compact 'my shop' --min-size 8 --then 'coarsen times=month' "
        "--out DIR --secret FILE"
    )


def test_a_plan_that_holds_in_no_draw_names_what_to_lower(shop, capsys, tmp_path, study, monkeypatch):
    refused = Applied(None, 0.5, "jaccard", 0.3, 0.1, 5, 0.2, reproducible=False)
    monkeypatch.setattr("kakurenbo.tuning.draws.apply", lambda *_, **__: refused)
    out = ("--apply", "--out", tmp_path / "release", "--secret", tmp_path / "secret.csv")
    given = (shop, "--max-risk", "0.2", "--seed", "1", *FEW, "--study", study)
    words = answer(capsys, 1, *given, *out)
    assert "Lower max_risk a little and search again. (--max-risk)" in words
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (["--apply"], "--out DIR and --secret FILE"),
        (["--out", "x"], "go with --apply"),
        (["--plot", "x.gif"], ".svg or .png"),
        (["--plan", "plan.yaml"], ".toml or .json"),
        (["--max-risk", "0"], "above 0"),
        (["--knowledge", "nothing at all"], "goods"),
    ],
)
def test_wrong_use_is_refused_before_the_search(shop, capsys, wrong, words):
    assert run(["tune", str(shop), *wrong, *ROLES]) == 2
    assert words in capsys.readouterr().err
