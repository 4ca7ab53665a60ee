"""Commands on blocks answer as in memory, and say what was sampled."""

import json
from functools import partial
from pathlib import Path

import polars as pl
import pytest

import kakurenbo as kb
from kakurenbo.cli import engines
from kakurenbo.cli.main import run
from kakurenbo.files import stretches
from kakurenbo.files.register import Register
from kakurenbo.plan import Plan, Step
from shops import ROLES, light_shop

READ = [word for role in ROLES for word in (f"--{role}", role)]


def _answer(capsys, *arguments):
    assert run([*map(str, arguments), "--json", "--seed", "1", "--quiet"]) == 0
    return json.loads(capsys.readouterr().out)


def test_blocks_answer_as_memory_does_and_samples_say_so(tmp_path, capsys):
    data = tmp_path / "shop.csv"
    light_shop(60, seed=1).to_frame().write_csv(data)
    memory, blocks = (_answer(capsys, "profile", data, "--engine", engine) for engine in ("memory", "blocks"))
    assert blocks == memory
    assert blocks["sampled_people"] == 0
    judged = _answer(capsys, "excess", data, "--engine", "blocks", "--targets", 20)
    assert judged["sampled_people"] == 20
    counted = _answer(capsys, "measure", "popularity", data, data, "--engine", "blocks", "--targets", 20)
    assert (counted["people"], counted["low"], counted["value"], counted["high"]) == (60, 0, 0, 0)
    found = _answer(capsys, "measure", "information", data, data, "--engine", "blocks", "--targets", 20)
    assert (found["people"], found["everybody"], found["paired"]) == (20, 60, False)
    assert found["low"] <= found["value"] <= found["high"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A shop with a master that knows somebody who bought nothing, read in several blocks."""
    monkeypatch.chdir(tmp_path)
    shop = light_shop(24, seed=3)
    Path("shop").mkdir()
    shop.to_frame().write_csv("shop/transactions.csv")
    idle = shop.master.head(1).with_columns(customer=pl.lit("nobody"))
    pl.concat([shop.master, idle]).write_csv("shop/master.csv")
    monkeypatch.setattr(engines, "read_blocks", partial(kb.read_blocks, records=100))
    monkeypatch.setattr(stretches, "SPILLED", 50)
    return tmp_path


def _released(capsys, engine, *more):
    words = ["deidentify", *more, "--engine", engine, "--out", engine, "--secret", f"{engine}.csv"]
    return _answer(capsys, *words, *READ, "--keep-master", "sex")


def _files(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def test_a_release_in_blocks_is_that_of_memory(folder, capsys):
    given = ("coarsen", "shop", "--times", "month", "--then", "omit columns=price", "--contact", "Ann")
    memory, blocks = (
        _released(capsys, engine, *given, "--ledger", f"{engine}.jsonl") for engine in ("memory", "blocks")
    )
    assert memory.pop("seconds") > 0
    assert blocks.pop("seconds") > 0
    assert blocks == memory
    assert blocks["master_dropped"] == ["birth", "country"]
    assert _files("blocks") == _files("memory")
    assert {"README.md", "datasheet.json"} <= _files("blocks").keys()
    assert json.loads(_files("blocks")["datasheet.json"])["no_purchases"] == 10
    assert Path("blocks.csv").read_bytes() == Path("memory.csv").read_bytes()
    one, other = (Register.read(folder / f"{name}.jsonl").entries[0] for name in ("memory", "blocks"))
    same = ("what", "people", "release", "plan", "reproducible")
    assert [one[name] for name in same] == [other[name] for name in same]
    assert len(other["sketch"]) == 24


def test_no_data_sheet_where_none_is_wanted(folder, capsys):
    _released(capsys, "blocks", "pseudonymize", "shop", "--no-datasheet")
    assert not {"README.md", "datasheet.json"} & _files("blocks").keys()


@pytest.mark.parametrize("engine", ["memory", "blocks"])
def test_a_plan_tuned_on_some_people_is_scaled_to_all(folder, capsys, engine):
    plan = Plan("purchases", (Step("balanced", {"clusters": 2, "min_size": 2}),), people=8)
    Path("plan.toml").write_text(plan.to_toml())
    words = ["deidentify", "shop", "--plan", "plan.toml", "--engine", engine, "--out", "o", "--secret", "s"]
    assert run([*words, *READ, "--seed", "1", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["plan"]["steps"][0]["clusters"] == 6  # of 24 people, as 2 of 8
    assert "The plan was tuned on 8 people; for 24 it is: balanced (clusters 6, min size 2)." in said.err
