"""How files of PWS Cup 2017 may be written: in quotes, in other encodings, with a fault in every line."""

import json

import pytest

from kakurenbo.cli.main import run
from kakurenbo.contest.judging.judge import check
from kakurenbo.contest.rules import Rules

RULES = Rules.preset("pws2017")
ROWS = ["c1,0,2010/12/1,9:00,2100,1.5,3", "c2,0,2010/12/2,9:00,2200,2.5,13", "c1,0,2011/1/3,9:00,2200,2.5,1"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "M.csv").write_text("c1,f,1950/1/1,Others\nc2,m,1960/1/1,Others\n")
    for name in ("T", "T25", "T50", "T75", "T100"):
        (tmp_path / f"{name}.csv").write_text("\n".join(ROWS) + "\n")
    return tmp_path


def named(rows):
    return [row.replace("c1", "p").replace("c2", "q") for row in rows]


def test_cells_may_stand_in_quotes(folder):
    quoted = [",".join(f'"{cell}"' for cell in row.split(",")) for row in named(ROWS)]
    assert check(RULES, folder, {"A.csv": "\r\n".join(quoted).encode()}) == ()


def test_free_text_holds_no_comma_and_no_quote(folder):
    rows = named(ROWS)
    rows[0], rows[1] = rows[0].replace("p,", '"p,x",', 1), rows[1].replace(",0,", ',x"y,', 1)
    found = check(RULES, folder, {"A.csv": "\n".join(rows).encode()})
    assert [(fault.line, fault.column, fault.code) for fault in found] == [(1, 1, "text"), (2, 2, "text")]


def test_a_line_in_another_encoding_is_named_and_hides_no_other_fault(folder):
    rows = [row.encode() for row in named(ROWS)]
    rows[0], rows[2] = rows[0].replace(b",0,", b",\x83\x65,"), rows[2].replace(b",1", b",many")
    found = check(RULES, folder, {"A.csv": b"\n".join(rows)})
    assert [(fault.line, fault.column, fault.code) for fault in found] == [
        (1, None, "encoding"), (3, 7, "quantity")]  # fmt: skip


def test_without_a_server_all_faults_are_listed(folder, capsys, monkeypatch):
    few = RULES.model_copy(update={"limits": RULES.limits.model_copy(update={"faults": 1})})
    monkeypatch.setattr(Rules, "read", lambda _: few)
    (folder / "A.csv").write_text("\n".join(ROWS))
    asked = ["--original", str(folder), "--submission", str(folder / "A.csv"), "--json"]
    assert run(["contest", "judge", "pws2017", *asked]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [(fault["line"], fault["code"]) for fault in told["faults"]] == [
        (line, "original-id") for line in (1, 2, 3)
    ]
