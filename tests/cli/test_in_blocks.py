"""Commands on blocks answer as in memory, and say what was sampled."""

import json

import kakurenbo as kb
from kakurenbo.cli.main import run


def _answer(capsys, *arguments):
    assert run([*map(str, arguments), "--json", "--seed", "1", "--quiet"]) == 0
    return json.loads(capsys.readouterr().out)


def test_blocks_answer_as_memory_does_and_samples_say_so(tmp_path, capsys):
    data = tmp_path / "shop.csv"
    kb.demo.shop(60, seed=1).to_frame().write_csv(data)
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
