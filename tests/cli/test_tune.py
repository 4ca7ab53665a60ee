import json
from dataclasses import replace

import pytest

import kakurenbo as kb
from campaign import in_campaign
from kakurenbo.cli.main import run
from kakurenbo.cli.tune import typed
from kakurenbo.plan import Plan, Step
from kakurenbo.tuning.draws import Applied
from kakurenbo.tuning.laboratory import Laboratory
from searches import Wary, imagined
from shops import light_shop

ROLES = [
    part
    for role in ("customer", "goods", "receipt", "time", "price", "quantity")
    for part in (f"--{role}", role)
]
FEW = ["--max-learnt", "1", "--trials", "6", "--jobs", "1", "--knowledge", "goods"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return written(light_shop(30, seed=3), tmp_path_factory.mktemp("tune") / "shop")


def written(shop, place):
    place.mkdir()
    shop.to_frame().write_csv(place / "transactions.csv")
    shop.master.write_csv(place / "master.csv")
    return place


@pytest.fixture
def imagining():
    """For tests of what is typed and told: plans are judged by what is written in them."""
    with imagined():
        yield


def answer(capsys, code, *arguments):
    assert run(["tune", *map(str, arguments), *ROLES]) == code
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


@pytest.mark.usefixtures("imagining")
def test_it_prints_the_frontier_the_plan_and_what_to_type_next(shop, capsys, tmp_path):
    plot, study = tmp_path / "f.svg", tmp_path / "s.sqlite"
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


@pytest.mark.usefixtures("imagining")
def test_no_plan_within_the_limit_is_a_no(shop, capsys, tmp_path):
    out = ("--apply", "--out", tmp_path / "never", "--secret", tmp_path / "never.csv")
    plan = ("--plan", tmp_path / "never.toml")
    words = answer(capsys, 1, shop, "--max-risk", "0.001", "--seed", "1", *FEW, *out, *plan)
    assert "None of the 6 plans" in words
    assert "No plan was written: none keeps the limit." in words
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("imagining")
@pytest.mark.parametrize("ending", ["toml", *in_campaign("json")])
def test_the_plan_advised_is_written_and_can_be_carried_out(shop, capsys, tmp_path, ending):
    file, made = tmp_path / f"plan.{ending}", ("--out", tmp_path / "release", "--secret", tmp_path / "s.csv")
    given = (shop, "--max-risk", "0.2", "--seed", "1", *FEW, "--study", tmp_path / "s.sqlite")
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


@pytest.mark.parametrize("tried", [Wary, pytest.param(Laboratory, marks=pytest.mark.campaign)])
def test_apply_writes_a_release_and_its_secret(capsys, tmp_path, tried):
    """Whoever tried the plans, what is written was attacked; all bought so much that everybody is in it."""
    shop = written(kb.demo.shop(30, seed=3), tmp_path / "shop")
    release, secret = tmp_path / "release", tmp_path / "secret.csv"
    made = ("--apply", "--out", release, "--secret", secret, "--keep-master", "sex,country")
    given = (shop, "--max-risk", "0.25", *FEW, *made, "--json")
    with imagined(tried, handed_out=False):
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


@pytest.mark.usefixtures("imagining")
def test_a_plan_that_holds_in_no_draw_names_what_to_lower(shop, capsys, tmp_path, monkeypatch):
    refused = Applied(None, 0.5, "jaccard", 0.3, 0.1, 5, 0.2, reproducible=False)
    monkeypatch.setattr("kakurenbo.tuning.draws.apply", lambda *_, **__: refused)
    out = ("--apply", "--out", tmp_path / "release", "--secret", tmp_path / "secret.csv")
    words = answer(capsys, 1, shop, "--max-risk", "0.2", "--seed", "1", *FEW, *out)
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
