"""Commands on a cluster answer as in memory, and their releases are written by the workers."""

import json

import kakurenbo as kb
from kakurenbo.cli.main import run
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
    data, plan, out, secret = (tmp_path / name for name in ("shop.parquet", "plan.json", "out", "secret.csv"))
    SHOP.to_frame().write_parquet(data)
    plan.write_text(json.dumps(kb.methods.Coarsen(times="week").plan.to_dict()))
    asked = ("--out", out, "--secret", secret, "--engine", "spark")
    _answer(capsys, "deidentify", data, "--plan", plan, *asked)
    told = {}
    for engine in ("blocks", "spark"):
        code = run([
            *map(str, ("audit", data, out, "--secret", secret, "--engine", engine)), *NAMED,
            "--json", "--seed", "1", "--quiet",
        ])  # fmt: skip
        assert code in {0, 1}
        told[engine] = json.loads(capsys.readouterr().out)
    here, there = told["blocks"], told["spark"]
    assert here["verdict"] == there["verdict"]
    for part in ("attacks", "learnt"):
        assert here[part]
        assert [_untimed(one) for one in here[part]] == [_untimed(one) for one in there[part]]
    assert here["utility"] == there["utility"]


def _untimed(told):
    return {name: value for name, value in told.items() if name != "seconds"}
