"""Commands on a cluster answer as in memory, and their releases are written by the workers."""

import json

import kakurenbo as kb
from kakurenbo.cli.main import run
from kakurenbo.data.source import Said
from shops import ROLES, light_shop

SHOP = kb.Purchases.from_frame(light_shop(30, 3).to_frame(), **{role: role for role in ROLES})
NAMED = [word for role in ROLES for word in (f"--{role}", role)]
PLAN = {"kind": "purchases", "steps": [{"method": "coarsen", "times": "week"}]}


def _answer(capsys, *arguments):
    code = run([*map(str, arguments), *NAMED, "--json", "--seed", "1", "--quiet"])
    said = capsys.readouterr()
    assert code == 0, said.err
    return json.loads(said.out)


def test_a_plan_is_carried_out_and_judged_on_the_cluster(session, tmp_path, capsys):
    data, plan = tmp_path / "shop.parquet", tmp_path / "plan.json"
    SHOP.to_frame().write_parquet(data)
    plan.write_text(json.dumps(kb.methods.Coarsen(times="week").plan.to_dict()))
    made, told = {}, {}
    for engine in ("memory", "spark"):
        out, secret = tmp_path / engine, tmp_path / f"{engine}.csv"
        how = ("--engine", engine)
        made[engine] = _answer(
            capsys, "deidentify", data, "--plan", plan, "--out", out, "--secret", secret, *how
        )
        told[engine] = [
            _answer(capsys, "profile", data, *how),
            _answer(capsys, "measure", "likeness", data, out, "--secret", secret, "--targets", "all", *how),
            _answer(capsys, "excess", data, out, "--secret", secret, "--targets", "all", *how),
        ]
    assert made["spark"]["records"] == made["memory"]["records"] == len(SHOP)
    for here, there in zip(told["memory"], told["spark"], strict=True):
        assert here == there


def test_an_audit_on_the_cluster_says_what_one_in_blocks_says(session, tmp_path, capsys):
    data, plan = tmp_path / "shop.parquet", tmp_path / "plan.json"
    SHOP.to_frame().write_parquet(data)
    plan.write_text(json.dumps(kb.methods.Coarsen(times="week").plan.to_dict()))
    told = {}
    for engine in ("blocks", "spark"):
        out, secret = tmp_path / engine, tmp_path / f"{engine}.csv"
        how = ("--secret", secret, "--engine", engine)
        _answer(capsys, "deidentify", data, "--plan", plan, "--out", out, *how)
        words = map(str, ("audit", data, out, *how))
        assert run([*words, *NAMED, "--json", "--seed", "1", "--quiet"]) in {0, 1}
        told[engine] = json.loads(capsys.readouterr().out)
    here, there = told["blocks"], told["spark"]
    assert here["verdict"] == there["verdict"]
    for part in ("attacks", "learnt"):
        assert here[part]
        assert [_untimed(one) for one in here[part]] == [_untimed(one) for one in there[part]]
    for part in ("utility", "control", "membership", "unseen"):
        assert here[part] == there[part]
    assert here["control"]["kind"] == "plan"


def test_a_release_of_the_cluster_is_audited_in_blocks(session, tmp_path, capsys):
    data, plan, out = tmp_path / "shop.parquet", tmp_path / "plan.json", tmp_path / "out"
    SHOP.to_frame().write_parquet(data)
    plan.write_text(json.dumps(kb.methods.Generalize(crowd=3).plan.to_dict()))
    secret = ("--secret", tmp_path / "secret.csv")
    _answer(capsys, "deidentify", data, "--plan", plan, "--out", out, *secret, "--engine", "spark")
    assert len(list((out / "transactions.parquet").glob("part-*"))) > 0
    told = {}
    for engine in ("blocks", "spark"):
        words = map(str, ("audit", data, out, *secret, "--engine", engine))
        assert run([*words, *NAMED, "--json", "--seed", "1", "--quiet"]) in {0, 1}
        told[engine] = json.loads(capsys.readouterr().out)
    here, there = told["blocks"], told["spark"]
    for part in ("attacks", "learnt"):
        assert here[part]
        assert [_untimed(one) for one in here[part]] == [_untimed(one) for one in there[part]]
    for part in ("verdict", "utility", "control", "unseen"):
        assert here[part] == there[part]
    assert here["control"]["kind"] == "plan"
    assert not here["unseen"]["files"]


def test_a_release_folder_of_one_machine_says_the_same_on_a_cluster(session, tmp_path, capsys):
    data, plan, out = tmp_path / "shop.parquet", tmp_path / "plan.json", tmp_path / "out"
    SHOP.to_frame().write_parquet(data)
    method = kb.methods.Generalize(crowd=3)
    plan.write_text(json.dumps(method.plan.to_dict()))
    _answer(capsys, "deidentify", data, "--plan", plan, "--out", out, "--secret", tmp_path / "secret.csv")
    assert (out / "datasheet.json").exists()
    assert kb.spark.read(out, like=data, session=session).source.said == Said((), (), True, method.plan)
    (out / "goods.csv").write_text((out / "goods.csv").read_text() + "\n")
    assert kb.spark.read(out, like=data, session=session).source.said.changed == ("goods.csv",)


def _untimed(told):
    return {name: value for name, value in told.items() if name != "seconds"}
